"""Games: creating, finding, joining."""

from django.db.models import QuerySet
from django.utils import timezone
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request

from accounts.models import LOOKS
from games.absence import seats as open_seats
from games.absence.missed_turns import change_standing_of_game
from games.api import documents
from games.api.documents import GamesView
from games.api.requests import NewGameSerializer
from games.lobby.filters import GameFilter
from games.lobby.selectors.lineups import games_to_take_over
from games.lobby.selectors.rooms import games_for
from games.lobby.services import creation, robots, seats
from games.play.models import Game
from games.play.selectors.games import GameView
from games.play.services.mail import change_news_of_game
from games.play.terms import Terms
from games.web.api import Answered, Values, call, game_of, person, view_again, view_of
from games.web.inputs import Flag, Strict, Text, WholeNumber
from games.web.queries import GamePages, GamesQuery, LinkQuery, ListQuery, OfferPages

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


class LinkSerializer(Strict):
    """By which link a private game is known."""

    may_be_missing = True

    link = Text(default="", allow_blank=True, help_text="The token of a private game's link.")


class CrewSerializer(Strict):
    """Which squad, model or look I want; what is not named stays as it is."""

    squad = Text(default="", allow_blank=True, help_text="One of the ruleset's `squads`.")
    model = Text(default="", allow_blank=True, help_text="One of the ruleset's `models`.")
    look = WholeNumber(default=None, allow_null=True, help_text=f"Which of {LOOKS} robots, from 1.")


class JoinSerializer(CrewSerializer):
    """How I want to play; what is not named is the smaller squad, and the first model that no one has."""

    may_be_missing = True

    link = Text(default="", allow_blank=True, help_text="The `link` of a private game, where it is one.")
    ready = Flag(default=True, help_text="Whether I agree to the game as it is; I may say so later.")


class GameNewsSerializer(Strict):
    """How mail tells someone of one game."""

    manner = Text(allow_blank=True, help_text="As in PATCH me; empty: as of all games.")


class GameStandingSerializer(Strict):
    """What is played for me where I miss a turn of one game."""

    standing = Text(allow_blank=True, help_text="As in `PUT me/standing`; empty: as in all games.")


@call("GET", "List games", GamesView, query=GamesQuery, strangers=True, old=bool, group="games")
def list_games(request: Request, asked: Values) -> Answered:
    """The newest first, page by page. Private games of other people are left out."""
    if asked["mine"] and not request.user.is_authenticated:
        raise NotAuthenticated
    games = games_for(viewer=request.user, status=asked.get("status"), mine=asked["mine"], club=asked["club"])
    return _page(request, GamePages(), asked, games)


@call(
    "POST",
    "Create a game",
    GameView,
    404,
    422,
    status=201,
    takes=NewGameSerializer,
    example=NEW_GAME,
    group="games",
)
def create_game(request: Request, asked: Values) -> Answered:
    """Create a game; its creator sits on seat 1. 404 is for a starship that is not offered.

    Where the ruleset joins boards, there are `boards` in place of the `starship`.
    """
    robot = {key: asked.pop(key) for key in ("squad", "model", "look", "ready", "club")}
    terms = Terms().with_changes(asked)
    game = creation.create_game(host=person(request), terms=terms, **robot, now=timezone.now())
    return view_of(request, game)


@call("GET", "Get a game", GameView, query=LinkQuery, strangers=True, group="games")
def get_game(request: Request, game_id: int, asked: Values) -> Answered:
    """The game, as I may see it."""
    return view_of(request, game_of(request, game_id, asked))


@call(
    "POST",
    "Join a game",
    GameView,
    409,
    422,
    takes=JoinSerializer,
    example={"link": "…", "squad": "blue"},
    group="games",
)
def join_game(request: Request, game_id: int, asked: Values) -> Answered:
    """Take the first free seat; the last one may start it. A private game asks for its link."""
    seats.join_game(user=person(request), game_id=game_id, now=timezone.now(), **asked)
    return view_again(request, game_id)


@call(
    "GET", "List games with open seats", GamesView, query=ListQuery, strangers=True, old=bool, group="games"
)
def list_open_seats(request: Request, asked: Values) -> Answered:
    """Public games under way that I do not play in, the last offered first.

    In each game, the `seats` that are `offered` can be taken over.
    """
    return _page(request, OfferPages(), asked, games_to_take_over(viewer=request.user))


@call("POST", "Take over a seat", GameView, 409, takes=LinkSerializer, example={"link": "…"}, group="games")
def take_over_seat(request: Request, game_id: int, number: int, asked: Values) -> Answered:
    """Take over a seat from the computer that holds it, or come back to my own, in a game under way."""
    open_seats.take_seat(user=person(request), game_id=game_id, seat=number, now=timezone.now(), **asked)
    return view_again(request, game_id)


@call(
    "POST",
    "Choose my robot",
    GameView,
    409,
    422,
    takes=CrewSerializer,
    example={"model": "peach"},
    group="games",
)
def update_my_seat(request: Request, game_id: int, asked: Values) -> Answered:
    """Choose another squad, model or robot, before the game starts."""
    robots.change_seat(user=person(request), game_id=game_id, now=timezone.now(), **asked)
    return view_again(request, game_id)


@call("DELETE", "Leave a game under way", GameView, 409, group="games")
def delete_my_seat(request: Request, game_id: int) -> Answered:
    """Leave a game under way: a computer plays until another player takes the seat over, or I come back.

    Where no other person plays, the game ends.
    """
    game = open_seats.give_up_seat(user=person(request), game_id=game_id, now=timezone.now())
    return view_of(request, game)


@call("POST", "Leave a game before its start", GameView, 409, group="games")
def leave_game(request: Request, game_id: int) -> Answered:
    """Give up my seat, before the game starts. When the last one leaves, the game is cancelled."""
    return view_of(request, seats.leave_game(user=person(request), game_id=game_id, now=timezone.now()))


@call("POST", "Resign from a game", GameView, 409, group="games")
def resign_game(request: Request, game_id: int) -> Answered:
    """Lose a game under way: a computer plays on to its end.

    The game ends at once where one other side is left, or no other person plays.
    """
    game = open_seats.resign_game(user=person(request), game_id=game_id, now=timezone.now())
    return view_of(request, game)


@call(
    "PUT",
    "Change my standing orders in one game",
    documents.MyGameStandingView,
    422,
    takes=GameStandingSerializer,
    example={"standing": "down"},
    group="games",
)
def set_game_standing_orders(request: Request, game_id: int, asked: Values) -> Answered:
    """Empty for the same as in all games. They count where the game's `absence` has them."""
    user = person(request)
    game = change_standing_of_game(user=user, game_id=game_id, **asked)
    return documents.of_standing(user, game, asked["standing"])


@call(
    "PUT",
    "Change my mail settings for one game",
    documents.MannerView,
    422,
    takes=GameNewsSerializer,
    example={"manner": "none"},
    group="games",
)
def set_game_mail(request: Request, game_id: int, asked: Values) -> Answered:
    """Empty for the same as of all games. With none, no channel tells of it."""
    seat = change_news_of_game(user=person(request), game_id=game_id, now=timezone.now(), **asked)
    return {"manner": seat.manner}


def _page(request: Request, pages: GamePages, asked: Values, games: QuerySet[Game]) -> Answered:
    found = pages.page_of(GameFilter(asked, games).qs, request)
    return pages.in_answer(documents.of_listed_games(found))
