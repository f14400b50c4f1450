"""What everything stands on: space with a few stars, and the hull with its plates and seams."""

import math
from collections.abc import Iterator, Mapping

from rules.drawing.lettering import number
from rules.drawing.sheet import CELL, Sheet
from rules.elements import Floor, Space
from rules.starship import Starship

CORNER = 7.0
"""Radius of the hull's corners."""
THICKNESS = 5
"""How much of the hull's side is seen."""
Corner = tuple[int, int]
Cells = Mapping[tuple[int, int], Floor]
"""Floors that are not space, by column and row, in reading order."""


def draw_ground(sheet: Sheet, ship: Starship, margin: int, *, seams: bool = True) -> str:
    """Draw space, the ship's side, its plates in two close tones, hairline seams and the rim."""
    ink = sheet.ink
    width, height = ship.width * CELL, ship.height * CELL
    places = ((x, y) for y in range(ship.height) for x in range(ship.width))
    solid = {
        place: cell.floor
        for place, cell in zip(places, ship.cells, strict=True)
        if not isinstance(cell.floor, Space)
    }
    hull = outline(solid)
    sheet.define("hull", lambda _: f'<path d="{hull}"/>')
    sheet.define_raw(
        "on-hull", f'<clipPath id="{sheet.prefix}-on-hull"><path d="{hull}" clip-rule="evenodd"/></clipPath>'
    )
    shape = f'<use href="#{sheet.prefix}-hull"'
    return (
        f'<rect class="space" x="{-margin}" y="{-margin}" width="{width + 2 * margin}"'
        f' height="{height + 2 * margin}" fill="{ink.space}"/>'
        f'<path class="stars" fill="{ink.star}" d="{"".join(stars(ship, solid, margin))}"/>'
        f'<g class="ground" fill-rule="evenodd">'
        f'{shape} y="{THICKNESS}" fill="{ink.side}"/>'
        f'{shape} fill="{ink.hull}"/>'
        f'<g clip-path="{sheet.url("on-hull")}">'
        f'<path fill="{ink.hull_other}" d="{"".join(other_plates(solid))}"/>'
        f"{_seams(sheet, ship, solid) if seams else ''}</g>"
        f'{shape} stroke="{ink.rim}" stroke-width="1.6"/></g>'
    )


def _seams(sheet: Sheet, ship: Starship, solid: Cells) -> str:
    colour, width, height = sheet.ink.seam, ship.width * CELL, ship.height * CELL
    seams = "".join(f"M{x * CELL} 0V{height}" for x in range(1, ship.width))
    seams += "".join(f"M0 {y * CELL}H{width}" for y in range(1, ship.height))
    return (
        f'<path stroke="{colour}" stroke-width=".6" d="{seams}"/>'
        f'<path stroke="{colour}" stroke-width="1.5" d="{"".join(rivets(solid))}"/>'
    )


def other_plates(solid: Cells) -> Iterator[str]:
    """Yield every second plate, so that cells can be counted."""
    for x, y in solid:
        if (x + y) % 2:
            yield f"M{x * CELL} {y * CELL}h{CELL}v{CELL}h-{CELL}z"


def rivets(solid: Cells) -> Iterator[str]:
    """Yield a dot where four plates meet."""
    for x, y in solid:
        if (x - 1, y) in solid and (x, y - 1) in solid and (x - 1, y - 1) in solid:
            yield f"M{x * CELL} {y * CELL}h0"


def stars(ship: Starship, solid: Cells, margin: int) -> Iterator[str]:
    """Yield a few faint stars, always the same for a board of this size, where there is space."""
    count = (ship.width + 1) * (ship.height + 1) // 2
    width, height = ship.width * CELL + 2 * margin, ship.height * CELL + 2 * margin
    for index in range(1, count + 1):
        x = _scattered(index, 0.7548776662) * width - margin
        y = _scattered(index, 0.5698402909) * height - margin
        if (math.floor(x / CELL), math.floor(y / CELL)) not in solid:
            radius = (0.4, 0.55, 0.55, 0.9)[index % 4]
            size = number(2 * radius)
            arc = f"a{number(radius)} {number(radius)} 0 1"
            yield f"M{number(x)} {number(y)}{arc} 0 {size} 0{arc} 0-{size} 0"


def _scattered(index: int, share: float) -> float:
    """A sequence of numbers from 0 to 1 that spreads evenly without lying in rows."""
    return index * share % 1


def outline(solid: Cells) -> str:
    """Return the path round all that is not space, holes included, with its corners rounded."""
    return "".join(_rounded(loop) for loop in _loops(solid))


def _loops(solid: Cells) -> Iterator[list[Corner]]:
    """Yield the corners of every boundary, walked with the hull to the right."""
    steps: dict[Corner, list[Corner]] = {}
    for x, y in solid:
        if (x, y - 1) not in solid:
            steps.setdefault((x, y), []).append((x + 1, y))
        if (x + 1, y) not in solid:
            steps.setdefault((x + 1, y), []).append((x + 1, y + 1))
        if (x, y + 1) not in solid:
            steps.setdefault((x + 1, y + 1), []).append((x, y + 1))
        if (x - 1, y) not in solid:
            steps.setdefault((x, y + 1), []).append((x, y))
    for first in sorted(steps):
        while first in steps:
            walk = [first]
            here, before = steps[first][0], first
            _take(steps, first, here)
            while here != first:
                walk.append(here)
                after = _rightmost(before, here, steps[here])
                _take(steps, here, after)
                before, here = here, after
            yield _corners_only(walk)


def _take(steps: dict[Corner, list[Corner]], start: Corner, end: Corner) -> None:
    steps[start].remove(end)
    if not steps[start]:
        del steps[start]


def _rightmost(before: Corner, here: Corner, ways: list[Corner]) -> Corner:
    """Where two plates touch by a corner alone, turn right, so that their outlines stay apart."""
    dx, dy = here[0] - before[0], here[1] - before[1]
    right = here[0] - dy, here[1] + dx
    return right if right in ways else ways[0]


def _corners_only(walk: list[Corner]) -> list[Corner]:
    count = len(walk)
    return [
        walk[i]
        for i in range(count)
        if not (walk[i - 1][0] == walk[i][0] == walk[(i + 1) % count][0])
        and not (walk[i - 1][1] == walk[i][1] == walk[(i + 1) % count][1])
    ]


def _rounded(loop: list[Corner]) -> str:
    path = ""
    count = len(loop)
    for i, (x, y) in enumerate(loop):
        entry = _towards(loop[i], loop[i - 1])
        leave = _towards(loop[i], loop[(i + 1) % count])
        command = "L" if path else "M"
        path += f"{command}{entry}Q{x * CELL} {y * CELL} {leave}"
    return path + "Z"


def _towards(corner: Corner, other: Corner) -> str:
    """Return the point at the corner's radius from it, on the way to another."""
    dx = (other[0] > corner[0]) - (other[0] < corner[0])
    dy = (other[1] > corner[1]) - (other[1] < corner[1])
    return f"{number(corner[0] * CELL + dx * CORNER)} {number(corner[1] * CELL + dy * CORNER)}"
