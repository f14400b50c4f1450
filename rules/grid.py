"""Headings and quarter turns (G-1.1).

Headings are integers, so that turning is arithmetic. North is 0, and headings count clockwise. Row numbers
grow to the south, and column numbers to the east.

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
"""The cell number of robots that are off the board."""

PHASES: Final = (1, 2, 3, 4, 5)
BEFORE: Final = 0
"""The phase number for everything before phase 1."""
AFTER: Final = 6
"""The phase number for the end of the turn, after phase 5."""

Pos = tuple[int, int]
"""The column and row of a cell. The top left cell is ``(0, 0)``."""


def turned(heading: int, quarters: int) -> int:
    """Return a heading after a number of quarter turns to the right, or to the left if negative."""
    return (heading + quarters) & 3


def opposite(heading: int) -> int:
    return heading ^ 2


def quarters_between(start: int, end: int) -> int:
    """Return the number of quarter turns to the right, 0 to 3, from one heading to another."""
    return (end - start) & 3
