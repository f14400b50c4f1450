"""Heads: a hash chain that binds the course of a game as it is played."""

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
from rules.game_file import first_head, next_head, salt_of, seat_names_in

Document = dict[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class HeadView:
    """A hash of the game so far. A file with a different course cannot match it."""

    turn: Annotated[int | None, "The last turn that the hash covers; null before the first turn was played."]
    hash: Annotated[str, "64 hexadecimal digits."]


def head_of(turn: Turn | None, *, opening: bool) -> HeadView | None:
    """Return the head after the last turn played. ``turn`` is the present or last one.

    Return None before the start, or if the head is not calculated yet (`fill_missing_heads`). ``opening``
    says whether the game starts with turn 0.
    """
    if turn is None:
        return None
    if turn.head:
        return HeadView(turn=turn.number, hash=turn.head)
    if not turn.head_before:
        return None
    first = 0 if opening else 1
    return HeadView(turn=turn.number - 1 if turn.number > first else None, hash=turn.head_before)


def opening_document(game: Game, seats: Iterable[Seat]) -> Document:
    """Return the document bound by the first head, as in the game's file.

    It holds the state at the start. Later players and deleted builders do not change it.
    """
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
    }


def board_document(game: Game) -> Document:
    """Return the document of a game's board: a starship, or a joined board."""
    document: Document = game.board.document
    return document


def instant(at: datetime | None) -> str | None:
    """Format a time for the game's file, to the second."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if at else None


def orders_in(played: TurnRecord) -> list[Document]:
    """Return the orders of a played turn, in the format of the game's file."""
    names = played.names
    return [
        {"robot": names[hand.robot - 1], "by": hand.program.by, "orders": hand.program.orders}
        for hand in played.hands
        if hand.program
    ]


def first_head_of(game: Game, seats: Iterable[Seat]) -> str:
    """Return the head of a game before its first turn."""
    return first_head(opening_document(game, seats))


def head_after(before: str, *, game: Game, turn: int, played: TurnRecord) -> str:
    """Return the head after a turn. Raises one of `UNREADABLE` for a broken record."""
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
    """Calculate the head after each played turn. Raises like `head_after`."""
    for turn, played in turns:
        before = head_after(before, game=game, turn=turn.number, played=played)
        yield turn, before


def head_problems(game: Game) -> Iterator[str]:
    """Yield a sentence about the first mismatch of heads and records, if any."""
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
"""Errors raised by broken records. A turn of an unreadable game has no head."""


logger = logging.getLogger(__name__)

GAMES_PER_PASS: Final = 200
"""The maximum number of games in one pass of `fill_missing_heads`."""


def set_head(*, game: Game, turn: Turn, played: TurnRecord) -> None:
    """Set the head of a turn under resolution. The game's row must be locked.

    The caller saves both rows. If an earlier turn cannot be read, the game continues without heads, and the
    error is logged.
    """
    try:
        if not turn.head_before:
            _fill_gap(game, turn, shown_from=turn.number + 1)
        turn.head = head_after(turn.head_before, game=game, turn=turn.number, played=played)
    except UNREADABLE:
        logger.exception("Game %d has no heads: an earlier turn of it cannot be read", game.pk)
        turn.head = turn.head_before = ""


def fill_missing_heads(*, now: datetime) -> int:
    """Calculate missing heads of running games. Return the number of games.

    An unreadable game is set aside with an alarm. It gets its heads after it is fixed.
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
    """Calculate the missing heads before a turn.

    ``shown_from`` is the first turn with a visible head.
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
