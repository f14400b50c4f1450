"""Heads: a hash chain over the turns of a game, to prove later that the game's file was not changed."""

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, Final

import rules
from games.play.models import Game, Seat, Turn
from games.play.selectors import turns_under_way
from games.play.services import locked_game
from games.play.stored import TurnRecord, each_played
from games.work.jobs import for_each_row
from rules.game_file import POSITION, first_head, next_head, salt_of, seat_names_in

Document = dict[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class HeadView:
    """A hash of everything played so far. A game file with other turns cannot have the same hash."""

    turn: Annotated[int | None, "The last turn that the hash covers; null before the first turn was played."]
    hash: Annotated[str, "64 hexadecimal digits."]


def head_of(turn: Turn | None, *, first: int) -> HeadView | None:
    """Return a game's latest head: the hash of all turns played so far.

    Returns None before the start, or until `fill_missing_heads` has calculated a missing head. ``turn`` is
    the turn under way, or the last one. ``first`` is the number of the game's first turn.
    """
    if turn is None:
        return None
    if turn.head:
        return HeadView(turn=turn.number, hash=turn.head)
    if not turn.head_before:
        return None
    return HeadView(turn=turn.number - 1 if turn.number > first else None, hash=turn.head_before)


def opening_document(game: Game, seats: Iterable[Seat]) -> Document:
    """Return the game at its start, in the format of game files. The first head is a hash of this document.

    Later changes of players, and the deletion of a builder's account, do not change the document. It has a
    ``position`` only if the game began at one.
    """
    positioned = {POSITION: game.position} if game.is_played_on else {}
    return {
        "commitment": game.commitment,
        "created_at": instant(game.created_at),
        "started_at": instant(game.started_at),
        "ruleset": game.ruleset,
        "version": game.version,
        "options": game.options,
        "house_rules": game.house_rules,
        "starship": {**board_document(game), "builder": ""},
        "seats": [
            {
                "seat": seat.number,
                "squad": seat.squad or None,
                "model": seat.model or None,
                "computer": None if seat.robot else seat.computer or None,
            }
            for seat in seats
        ],
        **positioned,
    }


def board_document(game: Game) -> Document:
    """Return the document of a game's board: a starship, a joined board or a draft ship."""
    document: Document = game.board.document
    return document


def instant(at: datetime | None) -> str | None:
    """Format a time for a game file, in UTC and to the second. None remains None."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if at else None


def orders_in(played: TurnRecord) -> list[Document]:
    """Return the orders of a played turn, in the format of game files."""
    names = played.names
    return [
        {"robot": names[hand.robot - 1], "by": hand.program.by, "orders": hand.program.orders}
        for hand in played.hands
        if hand.program
    ]


def first_head_of(game: Game, seats: Iterable[Seat]) -> str:
    """Return the first head of a game: the hash of the game at its start.

    ``seats`` are the game's seats in order of number.
    """
    return first_head(opening_document(game, seats))


def head_after(before: str, *, game: Game, turn: int, played: TurnRecord) -> str:
    """Return the head (hash of a game so far) after a turn, given the head ``before`` the turn.

    Raises one of the errors in `UNREADABLE` if the record is broken.
    """
    return next_head(
        before,
        turn=turn,
        salt=salt_of(game.seed, turn),
        orders=orders_in(played),
        events=played.events,
        seats=seat_names_in(played.start),
    )


def heads_after(
    before: str, *, game: Game, turns: Iterable[tuple[Turn, TurnRecord]]
) -> Iterator[tuple[Turn, str]]:
    """Yield consecutive played turns, each with the head (hash of the game so far) after it.

    Raises the errors of `head_after`.
    """
    for turn, played in turns:
        before = head_after(before, game=game, turn=turn.number, played=played)
        yield turn, before


def head_problems(game: Game) -> Iterator[str]:
    """Check the heads (hashes of the turns so far) of a game against its records.

    If a head does not match, yield a sentence about the first wrong one.
    """
    bound = game.turns.exclude(head="").order_by("number")
    if (first := bound.first()) is None:
        return
    try:
        before = first_head_of(game, game.players.order_by("number"))
        if first.head_before != before:
            yield "its first head does not fit how it started"
            return
        for turn, head in heads_after(before, game=game, turns=each_played(bound)):
            if turn.head != head:
                yield f"turn {turn.number}: its head does not fit what was played"
                return
    except UNREADABLE as error:
        yield f"its heads cannot be calculated ({type(error).__name__})"


UNREADABLE = (LookupError, TypeError, ValueError, AttributeError, rules.RulesError)
"""The errors that broken records raise. If a game has a broken record, its later turns get no head."""


logger = logging.getLogger(__name__)

GAMES_PER_PASS: Final = 200
"""The maximum number of games that one pass of `fill_missing_heads` handles."""


def set_head(*, game: Game, turn: Turn, played: TurnRecord) -> None:
    """Set the head (hash of the game so far) of a turn that is being resolved.

    The caller must hold the lock on the game's row, and must save the turn and the game. If an earlier turn
    cannot be read, the game continues without heads, and the error is logged.
    """
    try:
        if not turn.head_before:
            _fill_gap(game, turn, shown_from=turn.number + 1)
        turn.head = head_after(turn.head_before, game=game, turn=turn.number, played=played)
    except UNREADABLE:
        logger.exception("Game %d has no heads: an earlier turn of it cannot be read", game.pk)
        turn.head = turn.head_before = ""


def fill_missing_heads(*, now: datetime) -> int:
    """Calculate the missing heads of running games. Return the number of games that got heads.

    An unreadable game is set aside with an alarm. Its heads are calculated once it has been fixed.
    """
    lacking = turns_under_way().filter(head_before="").order_by("opened_at")
    return for_each_row("heads", lacking, _give_heads, most=GAMES_PER_PASS, now=now, game="game_id")


def _give_heads(turn_id: int) -> bool:
    game = locked_game(Turn.objects.values_list("game_id", flat=True).get(pk=turn_id))
    turn = game.turns.get(pk=turn_id)
    if turn.status != Turn.Status.OPEN or turn.head_before:
        return False
    _fill_gap(game, turn, shown_from=turn.number)
    turn.save(update_fields=["head_before"])
    game.save(update_fields=["heads_from"])
    return True


def _fill_gap(game: Game, turn: Turn, *, shown_from: int) -> None:
    """Calculate the missing heads (hashes of the game so far) of the turns before a turn.

    If the game has no heads yet, its heads will be shown from the turn ``shown_from`` on.
    """
    earlier = game.turns.filter(status=Turn.Status.RESOLVED, number__lt=turn.number).order_by("number")
    last = earlier.exclude(head="").last()
    if last is None:
        before = first_head_of(game, game.players.order_by("number"))
        game.heads_from = shown_from
    else:
        before, earlier = last.head, earlier.filter(number__gt=last.number)
    for missing, head in heads_after(before, game=game, turns=each_played(earlier)):
        missing.head_before, missing.head, before = before, head, head
        missing.save(update_fields=["head_before", "head"])
    turn.head_before = before
