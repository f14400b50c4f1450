"""API calls for played turns: a game’s log and moments, one turn, and the file of a finished game."""

from rest_framework.request import Request

from games.films.game_file import GameFileView, game_file
from games.films.moments import MomentList, list_moments
from games.films.selectors import LogView, PastTurnView, log_after, past_turn
from games.web.api import Answered, Values, call, game_of
from games.web.queries import LinkQuery, LogQuery

MAX_EVENTS = 10_000
"""The maximum number of events in one response. Few games have more."""


def _goes_on(log: LogView) -> bool:
    """Return whether a response of `get_log` is full. If it is, it may come from a database replica.

    A replica may lack the very latest events. This is harmless if the response is full, because the client
    then calls again to get the rest.
    """
    return len(log["events"]) == MAX_EVENTS


@call("GET", "Read the log", LogView, query=LogQuery, strangers=True, replica_ok=_goes_on, group="turns")
def get_log(request: Request, game_id: int, asked: Values) -> Answered:
    """Returns the events of a game after a cursor, in order.

    If there are no newer events, the list is empty.
    """
    game = game_of(request, game_id, asked)
    return log_after(game=game, seq=asked["after"], limit=MAX_EVENTS)


@call(
    "GET",
    "Get a played turn",
    PastTurnView,
    query=LinkQuery,
    strangers=True,
    replica_ok=bool,
    group="turns",
)
def get_turn(request: Request, game_id: int, number: int, asked: Values) -> Answered:
    """Returns a played turn: its programs, the board before and after it, and its events.

    404 means that the turn has not been played yet.
    """
    return past_turn(game=game_of(request, game_id, asked), number=number)


@call(
    "GET",
    "List the moments of a game",
    MomentList,
    query=LinkQuery,
    strangers=True,
    group="turns",
)
def get_moments(request: Request, game_id: int, asked: Values) -> Answered:
    """Returns the checkpoints, destroyed robots, finishes, swings and end of a game so far, in order.

    Swings are turns that changed a chance to win much. They come from the game's analysis, if there is one.
    In a running game, they come from your own.

    Each has its turn and the instant in it. The address of the instant is
    `/games/{game_id}/turns/{turn}/?at={at}`.
    """
    return list_moments(game=game_of(request, game_id, asked), viewer=request.user)


@call(
    "GET",
    "Download a finished game",
    GameFileView,
    409,
    query=LinkQuery,
    strangers=True,
    replica_ok=bool,
    group="records",
)
def get_game_file(request: Request, game_id: int, asked: Values) -> Answered:
    """Returns the file of a finished game, including its seed.

    You can verify the file with `python -m rules verify`.

    409 means that the game is not over.
    """
    return game_file(game=game_of(request, game_id, asked))
