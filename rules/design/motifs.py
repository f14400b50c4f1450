"""Motifs: what a theme puts on a ship, as marks in cells."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from rules.design.symmetry import Image
from rules.grid import HEADINGS, E, N, Pos, S, W, opposite

STEPS: Final = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""What a step adds to a position, by heading."""

FLOORS: Final = frozenset({"hull", "beam", "shaft", "space", "twister", "depot", "oil", "bay", "transporter"})
"""Kinds of marks that change the floor; the others are features."""
DEADLY: Final = frozenset({"shaft", "space", "bay"})
"""Floors that destroy robots."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One thing in one cell: ``kind`` as in `FLOORS`, or rail, arm, laser, crusher.

    ``heading`` is where a beam leads, or the edge of a rail and of what is fixed to one. ``detail`` is as in
    ``starship/1``: a speed, strength, phases or network, and for a twister +, - or 2.
    """

    at: Pos
    kind: str
    heading: int = N
    detail: str = ""

    def image(self, image: Image, width: int, height: int) -> "Mark":
        """Return the same mark in an image of the board."""
        detail = self.detail
        if image.mirrored and self.kind == "twister":
            detail = {"+": "-", "-": "+"}.get(detail, detail)
        return Mark(image.at(self.at, width, height), self.kind, image.heading(self.heading), detail)


@dataclass(frozen=True, slots=True)
class Motif:
    """Marks that belong together. A ``whole`` one is symmetric itself, and put down once, without images."""

    name: str
    marks: tuple[Mark, ...]
    whole: bool = False

    @property
    def box(self) -> tuple[Pos, Pos]:
        """The smallest and the greatest position of its cells."""
        columns, rows = zip(*(mark.at for mark in self.marks), strict=True)
        return (min(columns), min(rows)), (max(columns), max(rows))

    def slid(self, by: Pos) -> "Motif":
        """Return the motif in another place."""
        moved = (replace(mark, at=(mark.at[0] + by[0], mark.at[1] + by[1])) for mark in self.marks)
        return replace(self, marks=tuple(moved))

    def turned(self, image: Image) -> "Motif":
        """Return an image of the motif, with the same smallest position."""
        (left, top), (right, bottom) = self.box
        width, height = right - left + 1, bottom - top + 1
        own = self.slid((-left, -top)).marks
        return replace(self, marks=tuple(mark.image(image, width, height) for mark in own)).slid((left, top))

    def reversed(self) -> "Motif":
        """Return the motif with its beams and twisters running the other way."""
        beams = {mark.at: mark.heading for mark in self.marks if mark.kind == "beam"}
        marks = []
        for mark in self.marks:
            if mark.kind == "beam":
                back = next(
                    (side for side in HEADINGS if _leads(beams, mark.at, side)), opposite(mark.heading)
                )
                mark = replace(mark, heading=back)
            elif mark.kind == "twister":
                mark = replace(mark, detail={"+": "-", "-": "+"}.get(mark.detail, mark.detail))
            marks.append(mark)
        return replace(self, marks=tuple(marks))


def _leads(beams: dict[Pos, int], at: Pos, side: int) -> bool:
    """Return whether a beam on that side leads into a cell."""
    return beams.get(step(at, side)) == opposite(side)


def step(pos: Pos, heading: int, times: int = 1) -> Pos:
    """Return the position some steps away."""
    dx, dy = STEPS[heading]
    return pos[0] + dx * times, pos[1] + dy * times


# Parts of motifs


def line(at: Pos, heading: int, length: int, speed: int = 1) -> Iterator[Mark]:
    """Yield a straight beam that begins in a cell."""
    for index in range(length):
        yield Mark(step(at, heading, index), "beam", heading, str(speed))


def path(corners: Sequence[Pos], speed: int = 1) -> Iterator[Mark]:
    """Yield a beam from corner to corner, which ends in the last one."""
    heading = N
    for (x, y), (to_x, to_y) in pairwise(corners):
        heading = (E if to_x > x else W) if to_y == y else (S if to_y > y else N)
        yield from line((x, y), heading, abs(to_x - x) + abs(to_y - y), speed)
    yield Mark(corners[-1], "beam", heading, str(speed))


def loop(left: int, top: int, right: int, bottom: int, clockwise: bool, speed: int = 1) -> Iterator[Mark]:
    """Yield a beam round a rectangle."""
    corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]
    yield from list(path(corners if clockwise else corners[::-1], speed))[:-1]


def rails(cells: Iterable[Pos], edge: int) -> Iterator[Mark]:
    """Yield rails on the same edge of cells."""
    for at in cells:
        yield Mark(at, "rail", edge)


def spots(cells: Iterable[Pos], kind: str, detail: str = "") -> Iterator[Mark]:
    """Yield the same mark in cells."""
    for at in cells:
        yield Mark(at, kind, N, detail)


def row(left: int, right: int, y: int) -> list[Pos]:
    """Return the cells of a row from one column to another."""
    return [(x, y) for x in range(left, right + 1)]


def column(x: int, top: int, bottom: int) -> list[Pos]:
    """Return the cells of a column from one row to another."""
    return [(x, y) for y in range(top, bottom + 1)]


def area(left: int, top: int, right: int, bottom: int) -> list[Pos]:
    """Return the cells of a rectangle, row by row."""
    return [(x, y) for y in range(top, bottom + 1) for x in range(left, right + 1)]
