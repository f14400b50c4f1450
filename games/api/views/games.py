"""Games: creating, finding, joining."""

from django.utils import timezone
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from games.absence.selectors.open_seats import games_to_take_over
from games.absence.services.open_seats import take_seat
from games.absence.services.resignations import give_up_seat, resign_game
from games.api import documents
from games.api.documents import GamesView
from games.api.pagination import GamePages, OfferPages
from games.api.queries import GamesQuery, LinkQuery, ListQuery
from games.api.requests import (
    CrewSerializer,
    JoinSerializer,
    LinkSerializer,
    NewGameSerializer,
    SettingsSerializer,
)
from games.api.schema import describe
from games.api.views.base import Call, PublicCall, body, game_of, has_body, person, query, view_of
from games.lobby.filters import GameFilter
from games.lobby.selectors.rooms import games_for
from games.lobby.services.changes import change_game
from games.lobby.services.creation import create_game
from games.lobby.services.robots import change_seat
from games.lobby.services.seats import join_game, leave_game
from games.play.selectors.game import GameView
from games.play.selectors.viewers import game_for
from games.play.terms import Terms

NEW_GAME = {
    "name": "First flight",
    "starship": 1,
    "ruleset": "robo-runner",
    "options": {"lives": 3, "hull_damage": False, "scanners": 0, "equipment": False},
    "seats": 2,
    "computers": ["rookie"],
    "private": False,
    "pace": {"hours": 48},
}


class Games(PublicCall):
    """``GET games`` and ``POST games``."""

    @describe("list_games", "List games", GamesView, 400, query=GamesQuery, tag="games")
    def get(self, request: Request) -> Response:
        """The newest first, page by page. Private games of other people are left out."""
        asked = query(request, GamesQuery)
        if asked["mine"] and not request.user.is_authenticated:
            raise NotAuthenticated
        pages = GamePages()
        games = games_for(viewer=request.user, status=asked.get("status"), mine=asked["mine"])
        games = GameFilter(asked, games).qs
        page = documents.of_listed_games(pages.page_of(games, request))
        return Response(pages.in_answer(page))

    @describe(
        "create_game",
        "Create a game",
        GameView,
        404,
        422,
        status=201,
        takes=NewGameSerializer,
        example=NEW_GAME,
        tag="games",
    )
    def post(self, request: Request) -> Response:
        """Create a game; its creator sits on seat 1. 404 is for a starship that is not offered.

        Where the ruleset joins boards, there are `boards` in place of the `starship`.
        """
        asked = body(request, NewGameSerializer)
        robot = {key: asked.pop(key) for key in ("squad", "model", "look", "ready")}
        terms = Terms().with_changes(asked)
        game = create_game(host=person(request), terms=terms, **robot, now=timezone.now())
        return view_of(request, game, 201)


class OneGame(PublicCall):
    """``GET`` and ``PATCH games/{id}``."""

    @describe("get_game", "Get a game", GameView, 400, 404, query=LinkQuery, tag="games")
    def get(self, request: Request, game_id: int) -> Response:
        """The game, as I may see it."""
        return view_of(request, game_of(request, game_id)[0])

    @describe(
        "update_game",
        "Change a game before its start",
        GameView,
        403,
        404,
        409,
        422,
        takes=SettingsSerializer,
        example={"seats": 4, "options": {"lives": 5}},
        tag="lobby",
    )
    def patch(self, request: Request, game_id: int) -> Response:
        """Change settings before the start. All other players have to agree again. For the host."""
        asked = body(request, SettingsSerializer)
        game = change_game(user=person(request), game_id=game_id, changes=asked, now=timezone.now())
        return view_of(request, game)


class Join(Call):
    """``POST games/{id}/join``."""

    @describe(
        "join_game",
        "Join a game",
        GameView,
        404,
        409,
        422,
        takes=JoinSerializer,
        example={"link": "…", "squad": "blue"},
        tag="games",
    )
    def post(self, request: Request, game_id: int) -> Response:
        """Take the first free seat; the last one may start it. A private game asks for its link."""
        asked = body(request, JoinSerializer) if has_body(request) else {}
        join_game(user=person(request), game_id=game_id, now=timezone.now(), **asked)
        return view_of(request, game_for(viewer=request.user, game_id=game_id))


class OffersCall(PublicCall):
    """``GET seats``."""

    @describe("list_open_seats", "List games with open seats", GamesView, 400, query=ListQuery, tag="games")
    def get(self, request: Request) -> Response:
        """Public games under way that I do not play in, the last offered first.

        In each game, the `seats` that are `offered` can be taken over.
        """
        asked = query(request, ListQuery)
        pages = OfferPages()
        games = GameFilter(asked, games_to_take_over(viewer=request.user)).qs
        page = documents.of_listed_games(pages.page_of(games, request))
        return Response(pages.in_answer(page))


class TakeSeat(Call):
    """``POST games/{id}/seats/{number}/take``."""

    @describe(
        "take_over_seat",
        "Take over a seat",
        GameView,
        403,
        404,
        409,
        takes=LinkSerializer,
        example={"link": "…"},
        tag="games",
    )
    def post(self, request: Request, game_id: int, number: int) -> Response:
        """Take over a seat from the computer that holds it, or come back to my own, in a game under way."""
        asked = body(request, LinkSerializer) if has_body(request) else {}
        take_seat(user=person(request), game_id=game_id, seat=number, now=timezone.now(), **asked)
        return view_of(request, game_for(viewer=request.user, game_id=game_id))


class MySeat(Call):
    """``POST`` and ``DELETE games/{id}/seat``."""

    @describe(
        "update_my_seat",
        "Choose my robot",
        GameView,
        403,
        404,
        409,
        422,
        takes=CrewSerializer,
        example={"model": "peach"},
        tag="games",
    )
    def post(self, request: Request, game_id: int) -> Response:
        """Choose another squad, model or robot, before the game starts."""
        asked = body(request, CrewSerializer)
        change_seat(user=person(request), game_id=game_id, now=timezone.now(), **asked)
        return view_of(request, game_for(viewer=request.user, game_id=game_id))

    @describe("delete_my_seat", "Leave a game under way", GameView, 403, 404, 409, tag="games")
    def delete(self, request: Request, game_id: int) -> Response:
        """Leave a game under way: a computer plays until another player takes the seat over, or I come back.

        Where no other person plays, the game ends.
        """
        game = give_up_seat(user=person(request), game_id=game_id, now=timezone.now())
        return view_of(request, game)


class Leave(Call):
    """``POST games/{id}/leave``."""

    @describe("leave_game", "Leave a game before its start", GameView, 403, 404, 409, tag="games")
    def post(self, request: Request, game_id: int) -> Response:
        """Give up my seat, before the game starts. When the last one leaves, the game is cancelled."""
        game = leave_game(user=person(request), game_id=game_id, now=timezone.now())
        return view_of(request, game)


class Resign(Call):
    """``POST games/{id}/resign``."""

    @describe("resign_game", "Resign from a game", GameView, 403, 404, 409, tag="games")
    def post(self, request: Request, game_id: int) -> Response:
        """Lose a game under way: a computer plays on to its end.

        The game ends at once where one other side is left, or no other person plays.
        """
        game = resign_game(user=person(request), game_id=game_id, now=timezone.now())
        return view_of(request, game)
