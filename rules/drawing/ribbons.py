"""Beams: ribbons flush with the hull, with one chevron in the direction of travel for each step of speed."""

import math
from collections.abc import Iterator

from rules.drawing.lettering import number
from rules.drawing.pen import line
from rules.drawing.sheet import Sheet
from rules.elements import Beam
from rules.grid import E, N, W, turned

HALF = 16.0
WIDTH = 21.0
Place = tuple[float, float, float]
"""x, y, and the angle in degrees of the direction of travel, 0 being east."""


def draw_beam(sheet: Sheet, beam: Beam, at: tuple[float, float]) -> str:
    """Draw a beam: drawn once with its exit to the east, and turned."""
    quarters = turned(beam.exit, -E)
    entries = tuple(sorted(turned(side, -quarters) for side in beam.entries))
    name = f"beam{beam.speed}" + "".join("nesw"[side] for side in entries)
    return sheet.use(name, lambda sheet: _ribbon(sheet, beam.speed, entries), at, quarters=quarters)


def _ribbon(sheet: Sheet, speed: int, entries: tuple[int, ...]) -> str:
    colour, mark = sheet.ink.beam(speed)
    ways = "".join(_way(side) for side in entries)
    chevrons = "".join(map(_chevron, _marks(speed, entries)))
    chevrons += "".join(_chevron(place, 0.62) for place in _ways_in(entries))
    ribbon = line(ways, sheet.ink.seam, WIDTH + 1.6) + line(ways, colour, WIDTH)
    return f'<g stroke-linecap="butt">{ribbon}</g>' + line(chevrons, mark, 2.1)


def _way(side: int) -> str:
    """Return the middle line from an entry side to the exit in the east."""
    overlap = HALF + 0.2
    if side == W:
        return f"M{number(-overlap)} 0H{number(overlap)}"
    start = -overlap if side == N else overlap
    edge = -HALF if side == N else HALF
    sweep = 0 if side == N else 1
    return f"M0 {number(start)}V{number(edge)}A16 16 0 0 {sweep} 16 0h.2"


def _marks(speed: int, entries: tuple[int, ...]) -> Iterator[Place]:
    """Yield where chevrons stand, one for each step of speed; at an intersection, at its exit."""
    if len(entries) == 1:
        shares = {1: (0.5,), 2: (0.34, 0.66), 3: (0.22, 0.5, 0.78)}[speed]
        yield from (_along(entries[0], share) for share in shares)
        return
    shares = {1: (9.0,), 2: (4.4, 10.6), 3: (-0.6, 5.4, 11.4)}[speed]
    yield from ((x, 0.0, 0.0) for x in shares)


def _ways_in(entries: tuple[int, ...]) -> Iterator[Place]:
    """Yield where an intersection shows its ways in."""
    if len(entries) > 1:
        for side in entries:
            yield {N: (0.0, -12.6, 90.0), W: (-12.6, 0.0, 0.0)}.get(side, (0.0, 12.6, -90.0))


def _along(side: int, share: float) -> Place:
    """Return a point of a way and the direction of travel there."""
    if side == W:
        return -HALF + 2 * HALF * share, 0.0, 0.0
    down = 1 if side == N else -1
    angle = math.radians(90 * share)
    x = HALF - HALF * math.cos(angle)
    y = down * (-HALF + HALF * math.sin(angle))
    return x, y, down * (90 - 90 * share)


def _chevron(place: Place, scale: float = 1) -> str:
    x, y, degrees = place
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    points = [(-1.7 * scale, -4.6 * scale), (2.1 * scale, 0.0), (-1.7 * scale, 4.6 * scale)]
    turned_points = [(x + px * cos - py * sin, y + px * sin + py * cos) for px, py in points]
    return "M" + "L".join(f"{number(px)} {number(py)}" for px, py in turned_points)
