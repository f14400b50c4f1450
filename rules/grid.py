"""Headings and quarter turns (G-1.1).

A heading is an int, so that turning is arithmetic: N is 0, then clockwise. Rows grow to the
south, columns to the east.

>>> LETTERS[turned(N, 1)]
'E'
>>> LETTERS[opposite(E)]
'W'
"""

from typing import Final

N: Final = 0
E: Final = 1
S: Final = 2
W: Final = 3

HEADINGS: Final = (N, E, S, W)
LETTERS: Final = "NESW"

OFF: Final = -1
"""The cell of a robot that is off the board."""

PHASES: Final = (1, 2, 3, 4, 5)
BEFORE: Final = 0
"""The phase number of what happens before phase 1."""
AFTER: Final = 6
"""The phase number of what happens at the end of the turn."""

Pos = tuple[int, int]
"""``(x, y)``, the top-left cell of a board being ``(0, 0)``."""


def turned(heading: int, quarters: int) -> int:
    """Return the heading after a number of quarter turns to the right (left if negative)."""
    return (heading + quarters) & 3


def opposite(heading: int) -> int:
    """Return the heading after a half turn."""
    return heading ^ 2


def quarters_between(start: int, end: int) -> int:
    """Return the quarter turns to the right, 0 to 3, that lead from one heading to another."""
    return (end - start) & 3
