"""Addresses of the API. Each answers with a slash at its end as well as without, and redirects nowhere."""

from collections.abc import Iterator
from typing import Any

from django.urls import URLPattern, include, path, re_path

from games.api import views
from games.api.errors import no_such_path

app_name = "api"


def _either(route: str, view: type[Any], name: str) -> Iterator[URLPattern]:
    yield path(route, view.as_view(), name=name)
    yield path(f"{route}/", view.as_view())


version_1 = [
    *_either("tokens", views.TokensCall, "tokens"),
    *_either("me", views.Me, "me"),
    *_either("me/tokens", views.MyTokens, "my-tokens"),
    *_either("me/tokens/<int:token_id>", views.OneToken, "token"),
    *_either("me/waiting", views.Waiting, "waiting"),
    *_either("me/standing", views.MyStanding, "my-standing"),
    *_either("me/time", views.MyTime, "my-time"),
    *_either("me/vacations", views.Vacations, "vacations"),
    *_either("me/vacations/<int:vacation_id>", views.OneVacation, "vacation"),
    *_either("me/invitations", views.MyInvitations, "my-invitations"),
    *_either("me/achievements/seen", views.Seen, "seen"),
    *_either("achievements", views.Achievements, "achievements"),
    *_either("players/<str:robo_name>", views.Person, "player"),
    *_either("rulesets", views.Rulesets, "rulesets"),
    *_either("starships", views.Starships, "starships"),
    *_either("starships/<int:starship_id>", views.OneStarship, "starship"),
    *_either("seats", views.OffersCall, "offers"),
    *_either("games", views.Games, "games"),
    *_either("games/quick", views.QuickGame, "quick"),
    *_either("games/<int:game_id>", views.OneGame, "game"),
    *_either("games/<int:game_id>/ready", views.Ready, "ready"),
    *_either("games/<int:game_id>/start", views.StartCall, "start"),
    *_either("games/<int:game_id>/computers", views.Computers, "computers"),
    *_either("games/<int:game_id>/seats/<int:number>", views.OneSeat, "one-seat"),
    *_either("games/<int:game_id>/seats/<int:number>/take", views.TakeSeat, "take"),
    *_either("games/<int:game_id>/invitations", views.Invitations, "invitations"),
    *_either("games/<int:game_id>/invitations/<int:number>", views.OneInvitation, "invitation"),
    *_either("games/<int:game_id>/link", views.Link, "link"),
    *_either("games/<int:game_id>/decline", views.Decline, "decline"),
    *_either("games/<int:game_id>/rematch", views.Rematch, "rematch"),
    *_either("games/<int:game_id>/file", views.File, "file"),
    *_either("games/<int:game_id>/statistics", views.Statistics, "statistics"),
    *_either("games/<int:game_id>/robots/<int:number>", views.RobotCall, "robot"),
    *_either("games/<int:game_id>/join", views.Join, "join"),
    *_either("games/<int:game_id>/leave", views.Leave, "leave"),
    *_either("games/<int:game_id>/resign", views.Resign, "resign"),
    *_either("games/<int:game_id>/seat", views.MySeat, "seat"),
    *_either("games/<int:game_id>/votes", views.Votes, "votes"),
    *_either("games/<int:game_id>/votes/<int:vote_id>", views.OneVote, "vote"),
    *_either("games/<int:game_id>/news", views.GameNews, "news"),
    *_either("games/<int:game_id>/standing", views.GameStanding, "standing"),
    *_either("games/<int:game_id>/chat", views.ChatCall, "chat"),
    *_either("games/<int:game_id>/chat/read", views.ReadChat, "read-chat"),
    *_either("games/<int:game_id>/events", views.Events, "events"),
    *_either("games/<int:game_id>/log", views.Log, "log"),
    *_either("games/<int:game_id>/turns/<int:number>", views.PastTurn, "turn"),
    *_either("games/<int:game_id>/turns/<int:number>/orders", views.OrdersCall, "orders"),
    *_either("games/<int:game_id>/turns/<int:number>/draft", views.DraftCall, "draft"),
    *_either("games/<int:game_id>/turns/<int:number>/preview", views.Preview, "preview"),
    *_either("games/<int:game_id>/turns/<int:number>/redeal", views.Redeal, "redeal"),
    *_either("games/<int:game_id>/turns/<int:number>/wake", views.Wake, "wake"),
    *_either("schema", views.DocumentCall, "schema"),
    *_either("docs", views.Reference, "reference"),
]

urlpatterns = [
    path("v1/", include(version_1)),
    re_path("", no_such_path),
]
