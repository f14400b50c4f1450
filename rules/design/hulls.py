"""Hulls: the outlines of ships, as the cells that lie inside."""

from collections.abc import Callable
from typing import Final

from rules.chance import Stream
from rules.design.motifs import area
from rules.grid import Pos

Cells = set[Pos]
Hull = Callable[[int, int, Stream], Cells]


def plate(width: int, height: int, stream: Stream) -> Cells:
    """A plate whose corners are cut in one or two steps."""
    cut = 1 + stream.below(2 + (min(width, height) > 12))
    return {(x, y) for x, y in _all(width, height) if _from_corner(x, y, width, height) >= cut}


def notched(width: int, height: int, stream: Stream) -> Cells:
    """A plate with a dock cut into the middle of two sides or four."""
    cells = plate(width, height, stream)
    wide = 1 + stream.below(2)
    upright = stream.below(3)
    for x, y in list(cells):
        if upright != 1 and y in (0, height - 1) and abs(2 * x - width + 1) <= 2 * wide:
            cells.discard((x, y))
        if upright != 0 and x in (0, width - 1) and abs(2 * y - height + 1) <= 2 * wide:
            cells.discard((x, y))
    return cells


def disc(width: int, height: int, stream: Stream) -> Cells:
    """A disc, or a rounder kind of plate."""
    power = stream.choice((2.0, 2.5, 3.0))
    across, along = width / 2 - 0.12, height / 2 - 0.12
    return {
        (x, y)
        for x, y in _all(width, height)
        if (abs(x - (width - 1) / 2) / across) ** power + (abs(y - (height - 1) / 2) / along) ** power <= 1
    }


def octagon(width: int, height: int, stream: Stream) -> Cells:
    """A plate whose corners are cut off slantwise."""
    cut = max(2, round(min(width, height) * stream.choice((0.2, 0.27))))
    return {(x, y) for x, y in _all(width, height) if _along_corner(x, y, width, height) >= cut}


def spindle(width: int, height: int, stream: Stream) -> Cells:
    """A long hull with a bow and a stern."""
    cells = set()
    bow, stern = max(3, width // (3 + stream.below(2))), 1 + stream.below(3)
    blunt = stream.choice((1.2, 1.7))
    for x, y in _all(width, height):
        room = height / 2
        if x >= width - bow:
            room -= (height / 2 - 1.5) * ((x - (width - bow) + 1) / bow) ** blunt
        if x < stern:
            room -= 0.9 * (stern - x)
        if abs(2 * y - height + 1) / 2 <= room:
            cells.add((x, y))
    return cells


def fish(width: int, height: int, stream: Stream) -> Cells:
    """A body like a fish, with a tail."""
    waist = width // 5
    cells = set()
    for x, y in _all(width, height):
        off = abs(2 * y - height + 1) / 2
        if x <= waist - 1:
            room = height / 2 - 0.9 * x
        elif x == waist:
            room = max(1.6, height / 2 - 0.9 * x)
        else:
            along = (x - waist) / (width - waist)
            room = height / 2 * min(1.0, 0.45 + 1.5 * along, 2.6 * (1 - along) + 0.3)
        if off <= max(1.1, room):
            cells.add((x, y))
    return cells


def cross(width: int, height: int, stream: Stream) -> Cells:
    """Four arms."""
    corner = max(2, round(min(width, height) * stream.choice((0.2, 0.26))))
    return {
        (x, y)
        for x, y in _all(width, height)
        if min(x, width - 1 - x) >= corner or min(y, height - 1 - y) >= corner
    }


def bastion(width: int, height: int, stream: Stream) -> Cells:
    """A square with a tower at each corner."""
    tower = max(3, round(min(width, height) * stream.choice((0.25, 0.32))))
    cells = set(area(1, 1, width - 2, height - 2))
    for left in (0, width - tower):
        for top in (0, height - tower):
            cells |= set(area(left, top, left + tower - 1, top + tower - 1))
    if stream.below(2):
        cells -= {(x, y) for x in (0, width - 1) for y in (0, height - 1)}
    return cells


def star_fort(width: int, height: int, stream: Stream) -> Cells:
    """A fort with a gatehouse in the middle of each side."""
    half = 1 + stream.below(2)
    cells = set()
    for x, y in _all(width, height):
        middle = abs(2 * x - width + 1) <= 2 * half + 1 or abs(2 * y - height + 1) <= 2 * half + 1
        inner = 1 <= x < width - 1 and 1 <= y < height - 1 and _along_corner(x, y, width, height) >= 4
        if inner or middle:
            cells.add((x, y))
    return cells


def _all(width: int, height: int) -> list[Pos]:
    return area(0, 0, width - 1, height - 1)


def _from_corner(x: int, y: int, width: int, height: int) -> int:
    """Return how far a cell is from the nearest corner, along the longer way."""
    return max(min(x, width - 1 - x), min(y, height - 1 - y))


def _along_corner(x: int, y: int, width: int, height: int) -> int:
    """Return how many steps a cell is from the nearest corner."""
    return min(x, width - 1 - x) + min(y, height - 1 - y)


ROUND: Final[tuple[Hull, ...]] = (disc, octagon, plate, notched)
LONG: Final[tuple[Hull, ...]] = (spindle, plate, notched, fish)
STRONG: Final[tuple[Hull, ...]] = (bastion, star_fort, bastion)
