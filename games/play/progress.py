"""The progress of games for open pages: read many games at once, and derive the events between two states.

A cursor is the position of a reader in a game.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils.translation import gettext

from games.chat.models import ChatLine
from games.errors import Malformed
from games.play.models import Game, Hand, Turn
from games.play.selectors import seat_name
from games.play.viewers import history_length
from roborunner.postgres.queries import PreparedQuery

_WRITTEN = re.compile(r"(?P<first>[0-9]{1,18})(?:-(?P<chat>[0-9]{1,18}))?", re.ASCII)


class Cursor(NamedTuple):
    """A reader's position in a game, written as ``SEQ-CHAT``.

    ``seq`` is the number of the last event that they got, and ``chat`` the ID of the last chat line. 0 means
    that they got none.
    """

    seq: int
    chat: int

    def __str__(self) -> str:
        return f"{self.seq}-{self.chat}"


def read_cursor(text: str) -> Cursor:
    """Read a cursor from its text.

    A plain number is a position in the log, before the first chat line. Raises Malformed for any other text.

    >>> read_cursor("418-12"), read_cursor("418")
    (Cursor(seq=418, chat=12), Cursor(seq=418, chat=0))
    """
    found = _match(text)
    return Cursor(int(found["first"]), int(found["chat"] or 0))


def log_position(text: str) -> int:
    """Return the ``seq`` of a cursor given as text. A plain number is returned as it is.

    Raises Malformed for any other text.
    """
    return read_cursor(text).seq


def chat_position(text: str) -> int:
    """Return the ID of the chat line in a cursor, or the number itself if the text is a plain number.

    Raises Malformed for any other text.

    >>> chat_position("418-12"), chat_position("12")
    (12, 12)
    """
    found = _match(text)
    return int(found["chat"] or found["first"])


def _match(text: str) -> re.Match[str]:
    found = _WRITTEN.fullmatch(text)
    if found is None:
        detail = gettext(
            "“{text}” is not a cursor. Give a number, such as 418, or two numbers, such as 418-12."
        ).format(text=text[:40])
        raise Malformed("cursor", detail, [{"code": "cursor", "detail": detail, "key": "after"}])
    return found


@dataclass(frozen=True, slots=True)
class GameProgress:
    """The progress of a game. Open pages compare two of these to find the changes.

    ``turn`` is the turn number under way or the last turn, or None before the start. ``played`` is the
    number of the last turn played. ``waiting_for`` has the names of the robots whose orders are missing, in
    seat order. ``cursor`` is the end of the log and of the chat. ``noted`` is the number of entries in the
    game's history (`play.history`). ``moved_at`` is the time of the last change.
    """

    status: str
    turn: int | None
    played: int | None
    waiting_for: tuple[str, ...]
    winner: str
    cursor: Cursor
    noted: int
    moved_at: datetime

    @property
    def ended(self) -> bool:
        """Whether the game is over or cancelled."""
        return self.status in (Game.Status.OVER, Game.Status.CANCELLED)


class StreamEvent(NamedTuple):
    """An event of a stream: its type, its data, and the cursor of a reader who has received it."""

    kind: str
    data: dict[str, Any]
    cursor: Cursor


def progress_of(game_ids: Iterable[int]) -> dict[int, GameProgress]:
    """Return the progress of games by ID, with one query. Deleted games are left out.

    The caller must check that the readers may see these games (`game_for`).
    """
    wanted = list(game_ids)
    games = _ONE(*wanted) if len(wanted) == 1 else _progress().filter(pk__in=wanted)
    return {game.pk: _progress_in(game) for game in games}


def _progress() -> QuerySet[Game]:
    """Return a query for all games that loads only the columns for their progress."""
    return (
        Game.objects.only("status", "turn", "winner", "last_seq", "moved_at")
        .annotate(
            last_line=_last(ChatLine.objects.order_by("-pk")),
            noted=history_length(),
            missing=_missing(),
            resolved=Subquery(
                Turn.objects.filter(game=OuterRef("pk"), status=Turn.Status.RESOLVED)
                .order_by("-number")
                .values("number")[:1]
            ),
        )
        .order_by()
    )


_ONE: Final = PreparedQuery(lambda game: _progress().filter(pk=game), int)
"""The prepared query for the progress of one game. It runs after every change in a game."""


def _progress_in(game: Any) -> GameProgress:
    return GameProgress(
        status=game.status,
        turn=game.turn,
        played=game.resolved,
        waiting_for=tuple(game.missing) if game.status == Game.Status.RUNNING else (),
        winner=game.winner,
        cursor=Cursor(game.last_seq, game.last_line),
        noted=game.noted,
        moved_at=game.moved_at,
    )


def _last(rows: QuerySet[Any]) -> Coalesce:
    return Coalesce(Subquery(rows.filter(game=OuterRef("pk")).values("pk")[:1]), Value(0))


def _missing() -> ArraySubquery:
    """Return a database expression for the names of the robots whose orders are missing in the open turn."""
    hands = Hand.objects.filter(
        turn__game=OuterRef("pk"), turn__status=Turn.Status.OPEN, seat__isnull=False, program=None
    )
    named = hands.annotate(name=seat_name("seat__"))
    return ArraySubquery(named.order_by("robot").values("name"))


def events_between(before: GameProgress, now: GameProgress) -> Iterator[StreamEvent]:
    """Yield the events that lead from one state of a game's progress to a later one.

    Each event has a cursor. A reader who reconnects with it gets only later events.
    """
    seq, line = before.cursor
    if now.cursor.seq > seq:
        seq = now.cursor.seq
        yield StreamEvent("turn", {"turn": now.played, "seq": seq}, Cursor(seq, line))
    elif _present(now) != _present(before) and not now.ended:
        yield _ready(now, Cursor(seq, line))
    if now.cursor.chat > line:
        line = now.cursor.chat
        yield StreamEvent("chat", {"id": line}, Cursor(seq, line))
    if now.ended and not before.ended:
        yield _over(now, Cursor(seq, line))
    if now.status == Game.Status.OPEN and (now.noted, now.moved_at) != (before.noted, before.moved_at):
        yield StreamEvent("lobby", {}, Cursor(seq, line))


def first_events(read: Cursor | None, now: GameProgress) -> Iterator[StreamEvent]:
    """Yield the events since the cursor ``read``, then an event with the present state.

    For a new reader, ``read`` is None, and only the present state is sent.
    """
    if read is not None:
        yield from events_between(replace(now, cursor=read), now)
    if now.ended:
        yield _over(now, now.cursor)
    elif now.status == Game.Status.OPEN:
        yield StreamEvent("lobby", {}, now.cursor)
    else:
        yield _ready(now, now.cursor)


def _present(progress: GameProgress) -> tuple[int | None, tuple[str, ...], int]:
    """Return the facts about a game that cause a `ready` event when one of them changes.

    The number of history entries is 0 unless the game is running.
    """
    noted = progress.noted if progress.status == Game.Status.RUNNING else 0
    return progress.turn, progress.waiting_for, noted


def _ready(progress: GameProgress, cursor: Cursor) -> StreamEvent:
    data = {"turn": progress.turn, "waiting_for": list(progress.waiting_for), "noted": progress.noted}
    return StreamEvent("ready", data, cursor)


def _over(progress: GameProgress, cursor: Cursor) -> StreamEvent:
    return StreamEvent("over", {"winner": progress.winner or None}, cursor)
