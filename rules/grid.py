"""Headings and quarter turns (G-1.1).

A heading is an integer, so that turning is arithmetic. N is 0, and headings count clockwise. Row numbers grow
to the south, and column numbers to the east.

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
"""The cell of a robot off the board."""

PHASES: Final = (1, 2, 3, 4, 5)
BEFORE: Final = 0
"""The phase number before phase 1."""
AFTER: Final = 6
"""The phase number of the end of the turn."""

Pos = tuple[int, int]
"""Column and row of a cell, from ``(0, 0)`` at the top left."""


def turned(heading: int, quarters: int) -> int:
    """Return the heading after some quarter turns to the right (left if negative)."""
    return (heading + quarters) & 3


def opposite(heading: int) -> int:
    return heading ^ 2


def quarters_between(start: int, end: int) -> int:
    """Return the quarter turns to the right, 0 to 3, between two headings."""
    return (end - start) & 3
