"""Who plays in which division: by what they did in the season before, or by their rating."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

SIZE: Final = 16
"""Players in a division: each two meet once, at tables of four, in five rounds."""

MOVING: Final = 4
"""How many of each division rise, and how many fall."""

PLACED_BY: Final = 5
"""Rated games in a ruleset by which a newcomer is placed: with fewer they come after all others."""

LAST_ROUND_DAYS: Final = 28
"""How long before the end the last round starts."""

ROUNDS: Final = 5


@dataclass(frozen=True, slots=True)
class Candidate:
    """Somebody who wants to play.

    ``division`` and ``place`` are those of the season before, of ``size`` players in the division, 0 for
    newcomers. ``rating`` is that in the ruleset, after so many ``games``.
    """

    key: int
    division: int = 0
    place: int = 0
    size: int = 0
    rating: int = 0
    games: int = 0


def divide(candidates: Sequence[Candidate], *, lowest: int) -> list[list[int]]:
    """Return the divisions of a season, from the top, which is filled first.

    The first four of a division rise, the last four fall, except from the ``lowest`` there was. Newcomers
    come after them, by their rating.

    >>> two = [Candidate(1, 1, 16, 16), Candidate(2, 2, 1, 16)]
    >>> divide([*two, Candidate(3), Candidate(4, rating=1500, games=5)], lowest=2)
    [[2, 1, 4, 3]]
    """

    def order(each: Candidate) -> tuple[int, int, int, int]:
        if not each.division:
            placed = each.games >= PLACED_BY
            return (lowest + 1 if placed else lowest + 2, -each.rating if placed else 0, 0, each.key)
        return (_target(each, lowest), each.division, each.place, each.key)

    ordered = [each.key for each in sorted(candidates, key=order)]
    return [ordered[start : start + SIZE] for start in range(0, len(ordered), SIZE)]


def _target(each: Candidate, lowest: int) -> int:
    if each.place <= MOVING:
        return max(1, each.division - 1)
    if each.place > each.size - MOVING and each.division < lowest:
        return each.division + 1
    return each.division


def next_quarter(now: datetime) -> datetime:
    """Return when the next quarter of a year begins.

    >>> [f"{next_quarter(datetime(2026, month, 1, tzinfo=UTC)):%Y-%m-%d}" for month in (1, 11)]
    ['2026-04-01', '2027-01-01']
    """
    month = (now.month - 1) // 3 * 3 + 4
    return datetime(now.year + (month > 12), (month - 1) % 12 + 1, 1, tzinfo=UTC)


def round_days(starts_at: datetime, ends_at: datetime) -> int:
    """Return after how many days each round follows: the last one starts four weeks before the end."""
    return ((ends_at - starts_at).days - LAST_ROUND_DAYS) // (ROUNDS - 1)
