"""API calls for standing orders, for sitters and open seats, and for resigning from or leaving a game."""

from typing import Annotated, TypedDict

from django.utils import timezone
from rest_framework.request import Request

from accounts.models import Standing, User
from games.absence import seats
from games.absence.inputs import GameStandingOrders, NewSitter, SeatLink, StandingOrders
from games.absence.missed_turns import change_standing, change_standing_of_game
from games.absence.sitters import (
    SittersView,
    SittingView,
    accept_sitting,
    ask_sitter,
    end_sitting,
    sitters_of,
    sitting_view,
)
from games.play import stored
from games.play.game_view import GameView
from games.play.models import Game
from games.play.policy import STANDING
from games.web.api import Answered, Values, call, person, view_again, view_of


class MyStandingView(TypedDict):
    """Your standing orders for all games."""

    standing: Annotated[str, Standing]


class MyGameStandingView(TypedDict):
    """Your standing orders in one game."""

    standing: Annotated[
        str,
        (*Standing.values, ""),
        "Your standing orders in this game; empty if they are the same as for all games.",
    ]
    plays: Annotated[str, Standing, "The standing orders that apply."]
    counts: Annotated[bool, "Whether the game has standing orders."]


def of_standing(user: User, game: Game, standing: str) -> MyGameStandingView:
    """Return the API document of a player's standing orders for a game.

    If ``standing`` is empty, the player's standing orders for all games apply.
    """
    counts = stored.absence_of(game).policy == STANDING
    return {"standing": standing, "plays": standing or user.standing, "counts": counts}


@call("GET", "Get your standing orders", MyStandingView, group="people")
def get_standing_orders(request: Request) -> Answered:
    """Returns your standing orders for all games.

    They are played if you miss a turn of a game with the `absence` policy `standing`.
    """
    return {"standing": person(request).standing}


@call(
    "PUT",
    "Change your standing orders",
    MyStandingView,
    422,
    takes=StandingOrders,
    guests=False,
    example={"standing": "ahead"},
    group="people",
)
def set_standing_orders(request: Request, asked: Values) -> Answered:
    """Sets your standing orders for all games. Games with their own standing orders keep them."""
    user = person(request)
    change_standing(user=user, **asked)
    return {"standing": user.standing}


@call(
    "PUT",
    "Change your standing orders in one game",
    MyGameStandingView,
    422,
    takes=GameStandingOrders,
    guests=False,
    example={"standing": "down"},
    group="games",
)
def set_game_standing_orders(request: Request, game_id: int, asked: Values) -> Answered:
    """Sets your standing orders in one game. If `standing` is empty, those for all games apply.

    They are played only in games with the `absence` policy `standing`.
    """
    user = person(request)
    game = change_standing_of_game(user=user, game_id=game_id, **asked)
    return of_standing(user, game, asked["standing"])


@call("POST", "Take over a seat", GameView, 409, takes=SeatLink, example={"link": "…"}, group="games")
def take_over_seat(request: Request, game_id: int, number: int, asked: Values) -> Answered:
    """Takes over a computer's seat in a running game, or takes your own former seat back."""
    seats.take_seat(user=person(request), game_id=game_id, seat=number, now=timezone.now(), **asked)
    return view_again(request, game_id)


@call("DELETE", "Leave a running game", GameView, 409, group="games")
def delete_my_seat(request: Request, game_id: int) -> Answered:
    """Gives up your seat in a running game.

    A computer plays your robot until another player takes over the seat, or you come back. If no other person
    plays, the game ends.
    """
    game = seats.give_up_seat(user=person(request), game_id=game_id, now=timezone.now())
    return view_of(request, game)


@call("POST", "Resign from a game", GameView, 409, group="games")
def resign_game(request: Request, game_id: int) -> Answered:
    """Resigns from a game. You lose the game, and a computer plays your robot to the end.

    The game ends at once if only one other side is left, or if no other person plays.
    """
    game = seats.resign_game(user=person(request), game_id=game_id, now=timezone.now())
    return view_of(request, game)


# --- Sitters ------------------------------------------------------------------------------------------------


@call("GET", "List sitters", SittersView, guests=False, group="people")
def list_sitters(request: Request) -> Answered:
    """Returns your sitters, the players that you represent, and open requests."""
    return sitters_of(user=person(request), now=timezone.now())


@call(
    "POST",
    "Ask a sitter",
    SittingView,
    409,
    422,
    status=201,
    takes=NewSitter,
    guests=False,
    example={"robo_name": "bob", "first": "2027-07-01", "last": "2027-07-14"},
    group="people",
)
def create_sitter(request: Request, asked: Values) -> Answered:
    """Asks a friend to submit your orders on these days. Friends are players who follow each other.

    The friend must accept first. 409 means that you are no friends, that you have another sitter on some of
    the days, or that you have too many.
    """
    now = timezone.now()
    return sitting_view(sitting=ask_sitter(user=person(request), **asked, now=now), now=now)


@call("POST", "Accept to be a sitter", SittingView, 409, guests=False, group="people")
def accept_sitter(request: Request, sitting_id: int) -> Answered:
    """Accepts a player's request. You can submit their orders on these days, and see their hands."""
    now = timezone.now()
    return sitting_view(sitting=accept_sitting(user=person(request), sitting_id=sitting_id, now=now), now=now)


@call("DELETE", "End a sitter", SittersView, guests=False, group="people")
def delete_sitter(request: Request, sitting_id: int) -> Answered:
    """Ends a sitting at once, or declines or withdraws a request. The player and the sitter can do that."""
    user, now = person(request), timezone.now()
    end_sitting(user=user, sitting_id=sitting_id, now=now)
    return sitters_of(user=user, now=now)
