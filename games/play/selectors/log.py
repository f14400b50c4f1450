"""What happened: the log, and past turns."""

from datetime import datetime
from itertools import islice
from typing import Annotated, Any, TypedDict

from django.utils.translation import gettext as _

from games.errors import NotFound
from games.play import stored
from games.play.models import Game, Program, Turn
from games.play.played import Played, each_played, kept_of
from games.play.selectors.board import BoardDocument, ChipView, Log, OrdersDocument, board_document
from games.play.selectors.games import put_aside
from games.play.selectors.viewers import Viewer

Document = dict[str, Any]

PAGE = 1000
"""The most events in one answer."""


class LogView(TypedDict):
    """A part of a game's log."""

    events: Log
    next: Annotated[int, "What to give as `after` to read on."]


class ProgramView(TypedDict):
    """Orders of a turn that was played."""

    robot: str
    seat: int
    by: Annotated[
        str,
        Program.Author,
        "Who gave them: the player, or something in their place when time was up.",
    ]
    redealt: Annotated[int | None, "Of a hand that was redrawn: the how many-th of its turn it was."]
    aside: Annotated[list[list[ChipView]], "The hands that were put aside in that turn."]
    orders: OrdersDocument


class PastTurnView(TypedDict):
    """A turn that was played."""

    turn: int
    resolved_at: datetime
    head: Annotated[
        str | None,
        "The head after it; null in games that were over before there were heads.",
    ]
    programs: list[ProgramView]
    view: Annotated[BoardDocument, "At its start."]
    after: Annotated[BoardDocument, "After it."]
    events: Log


def log_after(*, viewer: Viewer, game: Game, seq: int = 0, limit: int = PAGE) -> LogView:
    """Return the events after a cursor that the viewer may see, each with its ``seq`` and ``turn``.

    ``next`` is the cursor to ask with for what comes later. In Robo Runner all that happens is public.
    """
    unread = game.turns.filter(status=Turn.Status.RESOLVED, last_seq__gt=seq)
    written = (
        event
        for turn, played in each_played(unread.order_by("number"))
        for event in _written(turn, played)
        if event["seq"] > seq
    )
    events = list(islice(written, limit))
    return {"events": events, "next": events[-1]["seq"] if events else seq}


def played_turn(game: Game, number: int) -> Turn:
    """Return a turn that was played; raises NotFound for one that was not (yet)."""
    turn = game.turns.filter(number=number, status=Turn.Status.RESOLVED).first()
    if turn is None:
        raise NotFound("no-turn", _("Turn {number} of this game was not played yet.").format(number=number))
    return turn


def past_turn(*, viewer: Viewer, game: Game, number: int) -> PastTurnView:
    """Return a turn that was played: the view at its start and end, its programs, and its events.

    Raises NotFound for a turn that was not played (yet).
    """
    turn = played_turn(game, number)
    setup = stored.setup_of(game)
    ship = setup.starship
    played = kept_of(turn)
    start, end = stored.start_in(played, ship), stored.end_in(played, ship)
    assert turn.resolved_at is not None
    return {
        "turn": number,
        "resolved_at": turn.resolved_at,
        "head": turn.head or None,
        "programs": [
            {
                "robot": start.robots[hand.robot - 1].name,
                "seat": hand.robot,
                "by": hand.program.by,
                "redealt": hand.redealt,
                "aside": put_aside(hand, setup.ruleset),
                "orders": hand.program.orders,
            }
            for hand in played.hands
            if hand.program
        ],
        "view": board_document(ship, start),
        "after": board_document(ship, end),
        "events": _written(turn, played),
    }


def _written(turn: Turn, played: Played) -> list[Document]:
    return [
        {"seq": seq, "turn": turn.number, **event}
        for seq, event in enumerate(played.events, played.first_seq)
    ]
