"""The rules of ladders: who may challenge whom, and what becomes of places."""

from datetime import timedelta
from typing import Final

NEAREST: Final = 3
FARTHEST: Final = 50
"""How many places up one may challenge: a tenth of the ladder, but no fewer and no more than these."""

PROTECTION: Final = timedelta(days=7)
"""For how long nobody challenges a player who has defended or taken a place."""

REPEATED: Final = timedelta(days=14)
"""After how long one may challenge the same player again."""

LOST_PLACES: Final = 5
"""What absence costs: places."""

OFTEN: Final = timedelta(days=60)
"""Who is absent twice within this time rests."""

IDLE: Final = timedelta(days=90)
"""Who has not played for so long rests."""

KEPT: Final = timedelta(days=30)
"""For how long a resting player keeps the place."""

REST_AGAIN: Final = timedelta(days=60)
"""How long a player who came back from a rest must wait before the next one."""

HOURS: Final = 48
"""For a turn."""


def reach(size: int) -> int:
    """Return how many places up one may challenge on a ladder of so many.

    >>> [reach(size) for size in (2, 30, 55, 1000)]
    [3, 3, 6, 50]
    """
    return min(FARTHEST, max(NEAREST, -(-size // 10)))


def highest(place: int, size: int, *, first: bool) -> int:
    """Return the highest place that one may challenge; the ``first`` time up to the middle of the ladder.

    >>> highest(40, 40, first=False), highest(40, 40, first=True), highest(2, 40, first=True)
    (36, 20, 1)
    """
    near = max(1, place - reach(size))
    return min(near, max(1, size // 2)) if first else near
