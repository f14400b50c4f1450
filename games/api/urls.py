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
    *_either("tokens", views.Tokens, "tokens"),
    *_either("me", views.Me, "me"),
    *_either("me/waiting", views.Waiting, "waiting"),
    *_either("rulesets", views.Rulesets, "rulesets"),
    *_either("starships", views.Starships, "starships"),
    *_either("starships/<int:starship_id>", views.OneStarship, "starship"),
    *_either("games", views.Games, "games"),
    *_either("games/<int:game_id>", views.OneGame, "game"),
    *_either("games/<int:game_id>/join", views.Join, "join"),
    *_either("games/<int:game_id>/leave", views.Leave, "leave"),
    *_either("games/<int:game_id>/seat", views.MySeat, "seat"),
    *_either("games/<int:game_id>/log", views.Log, "log"),
    *_either("games/<int:game_id>/turns/<int:number>", views.PastTurn, "turn"),
    *_either("games/<int:game_id>/turns/<int:number>/orders", views.Orders, "orders"),
    *_either("games/<int:game_id>/turns/<int:number>/preview", views.Preview, "preview"),
    *_either("games/<int:game_id>/turns/<int:number>/redeal", views.Redeal, "redeal"),
    *_either("schema", views.Document, "schema"),
    *_either("docs", views.Reference, "reference"),
]

urlpatterns = [
    path("v1/", include(version_1)),
    re_path("", no_such_path),
]
