"""Turns that were played, as they are kept: a compressed ``turn/1`` document for each.

It holds the state at the turn's start, the hands, the orders and the events; the state at its end follows
from these. All that reads of a turn that was played reads it here.
"""

import json
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import QuerySet

from games.errors import reason_of
from games.play.models import Hand, Turn
from games.play.models.turns import HAND_FORMAT

Document = dict[str, Any]

TURN_FORMAT: Final = "turn/1"

AT_ONCE: Final = 20
"""Turns that are read at once: a long game does not have to fit into memory."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Given:
    """The orders of a hand, as `Program` has them while the turn is under way; ``orders`` without format."""

    orders: Document
    by: str
    remark: str
    submitted_at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Dealt:
    """What a robot had in a turn, as `Hand` has it while the turn is under way.

    The ``program`` is None where it had no player with orders to give, as scanners have none.
    """

    robot: int
    chips: Document
    aside: Document | None
    redealt: int | None
    face_down: bool
    program: Given | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Played:
    """All that is kept of a turn that was played.

    ``start`` is the state at its start, a state/1 document; ``hands`` are in the order of robots, and
    ``events`` in that of the log, in which ``first_seq`` is the number of the first.
    """

    first_seq: int
    start: Document
    hands: tuple[Dealt, ...]
    events: tuple[Document, ...]

    @property
    def last_seq(self) -> int:
        """The number of the last event; one less than the first where nothing happened."""
        return self.first_seq + len(self.events) - 1

    @property
    def names(self) -> list[str]:
        """What its robots are called, by robot index."""
        return [robot["name"] for robot in self.start["robots"]]


def write(played: Played) -> bytes:
    """Write what is kept of a turn; `first_seq` stands beside it."""
    document = {
        "format": TURN_FORMAT,
        "start": played.start,
        "hands": [_write_hand(hand) for hand in played.hands],
        "events": played.events,
    }
    return zlib.compress(json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode(), 9)


def read(record: bytes, first_seq: int) -> Played:
    """Read what `write` has written; raises ValueError where it is something else."""
    try:
        document = json.loads(zlib.decompress(record))
        if document["format"] != TURN_FORMAT:
            raise ValueError(f"it is no {TURN_FORMAT} document")
        return Played(
            first_seq=first_seq,
            start=document["start"],
            hands=tuple(_read_hand(hand) for hand in document["hands"]),
            events=tuple(document["events"]),
        )
    except (zlib.error, ValueError, TypeError, LookupError) as error:
        raise ValueError(f"The record of a turn cannot be read: {reason_of(error)}") from error


def _write_hand(hand: Dealt) -> Document:
    document: Document = {"robot": hand.robot, "chips": hand.chips["chips"]}
    if hand.aside:
        document["aside"] = hand.aside
    if hand.redealt is not None:
        document["redealt"] = hand.redealt
    if hand.face_down:
        document["face_down"] = True
    if (given := hand.program) is not None:
        document |= {"orders": given.orders, "by": given.by, "at": given.submitted_at.isoformat()}
        if given.remark:
            document["remark"] = given.remark
    return document


def _read_hand(document: Document) -> Dealt:
    given = None
    if "orders" in document:
        given = Given(
            orders=document["orders"],
            by=document["by"],
            remark=document.get("remark", ""),
            submitted_at=datetime.fromisoformat(document["at"]),
        )
    return Dealt(
        robot=document["robot"],
        chips={"format": HAND_FORMAT, "chips": document["chips"]},
        aside=document.get("aside"),
        redealt=document.get("redealt"),
        face_down=document.get("face_down", False),
        program=given,
    )


def dealt(hands: Iterable[Hand]) -> tuple[Dealt, ...]:
    """Return hands with their programs as they are kept once their turn is played."""
    return tuple(_dealt(hand) for hand in sorted(hands, key=lambda hand: hand.robot))


def _dealt(hand: Hand) -> Dealt:
    program = getattr(hand, "program", None)
    given = None
    if program is not None:
        given = Given(
            orders={key: value for key, value in program.orders.items() if key != "format"},
            by=str(program.by),
            remark=program.remark,
            submitted_at=program.submitted_at,
        )
    return Dealt(
        robot=hand.robot,
        chips=hand.chips,
        aside=hand.aside,
        redealt=hand.redealt,
        face_down=hand.face_down,
        program=given,
    )


def kept_of(turn: Turn) -> Played:
    """Return what is kept of a turn that was played.

    Raises ValueError if that cannot be read.
    """
    assert turn.record is not None
    assert turn.first_seq is not None
    return read(bytes(turn.record), turn.first_seq)


def state_at_start(turn: Turn) -> Document:
    """Return the state at the start of a turn, under way or played; raises as `kept_of` does."""
    return kept_of(turn).start if turn.snapshot is None else turn.snapshot


def each_played(turns: QuerySet[Turn]) -> Iterator[tuple[Turn, Played]]:
    """Yield turns that were played with what is kept of each; raises as `kept_of` does."""
    for turn in turns.iterator(AT_ONCE):
        yield turn, kept_of(turn)
