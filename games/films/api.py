"""API calls for played turns: the log, a turn, and the file of a game."""

from rest_framework.request import Request

from games.films.game_file import GameFileView, game_file
from games.films.selectors import LogView, PastTurnView, log_after, past_turn
from games.web.api import Answered, Values, call, game_of
from games.web.queries import LinkQuery, LogQuery

MAX_EVENTS = 10_000
"""The maximum number of events in one answer. Few games have more."""


def _goes_on(log: LogView) -> bool:
    """Return whether more events follow. Only the last page must be fresh."""
    return len(log["events"]) == MAX_EVENTS


@call("GET", "Read the log", LogView, query=LogQuery, strangers=True, old=_goes_on, group="turns")
def get_log(request: Request, game_id: int, asked: Values) -> Answered:
    """Returns the events after a cursor, in order.

    The list is empty without newer events.
    """
    game = game_of(request, game_id, asked)
    return log_after(game=game, seq=asked["after"], limit=MAX_EVENTS)


@call(
    "GET",
    "Get a played turn",
    PastTurnView,
    query=LinkQuery,
    strangers=True,
    old=bool,
    group="turns",
)
def get_turn(request: Request, game_id: int, number: int, asked: Values) -> Answered:
    """Returns a played turn: its programs, the board before and after it, and its events.

    404 means that the turn has not been played yet.
    """
    return past_turn(game=game_of(request, game_id, asked), number=number)


@call(
    "GET",
    "Download a finished game",
    GameFileView,
    409,
    query=LinkQuery,
    strangers=True,
    old=bool,
    group="records",
)
def get_game_file(request: Request, game_id: int, asked: Values) -> Answered:
    """Returns a finished game with its seed.

    `python -m rules verify` verifies the file.

    409 means that the game is not over.
    """
    return game_file(game=game_of(request, game_id, asked))
