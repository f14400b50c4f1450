"""How reliable a player is: how many of the last turns that others waited for they ordered in time.

Pure counting, without a database. A history has a mark for each such turn, the last one at its end.
"""

from typing import Final

WINDOW: Final = 100
"""Turns that count, the last; the turns that a new player lacks count as not missed."""

IN_TIME: Final = "1"
MISSED: Final = "0"

WHOLE: Final = WINDOW * (WINDOW + 1) // 2
"""What all turns weigh together: the last one 100, the one before it 99, and so on."""


def with_turn(history: str, *, in_time: bool) -> str:
    """Return a history with one turn more, and without what does not count any more.

    >>> with_turn("10", in_time=True)
    '101'
    """
    return (history + (IN_TIME if in_time else MISSED))[-WINDOW:]


def figure(history: str) -> int:
    """Return how much of what a history weighs was ordered in time, in percent, rounded down.

    >>> figure(""), figure("1110"), figure("0111"), figure("00000"), figure("0" * WINDOW)
    (100, 98, 98, 90, 0)
    """
    weights = range(WINDOW, 0, -1)
    lost = sum(weight for weight, mark in zip(weights, reversed(history), strict=False) if mark == MISSED)
    return (WHOLE - lost) * 100 // WHOLE
