"""API calls for played turns: the log, a turn, and the file of a game."""

from rest_framework.request import Request

from games.films.game_file import GameFileView, game_file
from games.films.selectors import LogView, PastTurnView, log_after, past_turn
from games.web.api import Answered, Values, call, game_of
from games.web.queries import LinkQuery, LogQuery

MOST_EVENTS = 10_000
"""Events in one answer, at most: more than nearly all games have."""


def _goes_on(log: LogView) -> bool:
    """Return whether there is more: at the end, nothing may be missing that someone was told of."""
    return len(log["events"]) == MOST_EVENTS


@call("GET", "Read the log", LogView, query=LogQuery, strangers=True, old=_goes_on, group="turns")
def get_log(request: Request, game_id: int, asked: Values) -> Answered:
    """Events after a cursor, in order; an answer without events says that there are no more yet."""
    game = game_of(request, game_id, asked)
    return log_after(game=game, seq=asked["after"], limit=MOST_EVENTS)


@call(
    "GET",
    "Get a turn that was played",
    PastTurnView,
    query=LinkQuery,
    strangers=True,
    old=bool,
    group="turns",
)
def get_turn(request: Request, game_id: int, number: int, asked: Values) -> Answered:
    """Programs revealed, the view at its start, its events; 404 for a turn that was not played yet."""
    return past_turn(game=game_of(request, game_id, asked), number=number)


@call(
    "GET",
    "Download a game that is over",
    GameFileView,
    409,
    query=LinkQuery,
    strangers=True,
    old=bool,
    group="records",
)
def get_game_file(request: Request, game_id: int, asked: Values) -> Answered:
    """The whole game and its seed, to be proved by `python -m rules verify`; 409 while it is not over."""
    return game_file(game=game_of(request, game_id, asked))
