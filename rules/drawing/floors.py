"""Draw the ground (space with stars, and the hull with its plates), and the floor elements."""

import math
from collections.abc import Iterator, Mapping
from typing import assert_never

from rules import elements
from rules.drawing.fittings import draw_bay, twister
from rules.drawing.palette import FORMS
from rules.drawing.pen import CELL, Drawing, Sheet, area, box, centre, circle, line, number, writing
from rules.drawing.robots import STICKER_LETTERS
from rules.grid import E, N, W, turned
from rules.starship import Starship

CORNER = 7.0
"""The radius of the hull's rounded corners, in user units."""
THICKNESS = 5
"""The height of the hull's visible side, in user units."""
Corner = tuple[int, int]
Cells = Mapping[tuple[int, int], elements.Floor]
"""The floors of all cells except space, by column and row, in reading order."""


def draw_ground(sheet: Sheet, ship: Starship, margin: int, *, seams: bool = True) -> str:
    """Draw space with stars, and the hull with its side, plates, seams and rim.

    The plates have two similar tones.
    """
    ink = sheet.ink
    width, height = ship.width * CELL, ship.height * CELL
    places = ((x, y) for y in range(ship.height) for x in range(ship.width))
    solid = {
        place: cell.floor
        for place, cell in zip(places, ship.cells, strict=True)
        if not isinstance(cell.floor, elements.Space)
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
    """Yield path data for every second plate. These plates have another tone, to make cells easy to count."""
    for x, y in solid:
        if (x + y) % 2:
            yield f"M{x * CELL} {y * CELL}h{CELL}v{CELL}h-{CELL}z"


def rivets(solid: Cells) -> Iterator[str]:
    """Yield path data for a dot at each corner where four plates meet."""
    for x, y in solid:
        if (x - 1, y) in solid and (x, y - 1) in solid and (x - 1, y - 1) in solid:
            yield f"M{x * CELL} {y * CELL}h0"


def stars(ship: Starship, solid: Cells, margin: int) -> Iterator[str]:
    """Yield path data for a few faint stars in space. Boards of the same size have the same stars."""
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
    """Return a number from 0 to 1. The numbers for successive indexes spread evenly, without patterns."""
    return index * share % 1


def outline(solid: Cells) -> str:
    """Return path data around all cells except space, with holes and rounded corners."""
    return "".join(_rounded(loop) for loop in _loops(solid))


def _loops(solid: Cells) -> Iterator[list[Corner]]:
    """Yield the corners of each boundary of the hull, in a direction that keeps the hull on the right."""
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
    """Return the next corner of a boundary: to the right if possible, otherwise in the only other direction.

    Two plates that touch only at a corner therefore have separate outlines.
    """
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
    """Return the point where the rounding of a corner begins, on the line to another corner."""
    dx = (other[0] > corner[0]) - (other[0] < corner[0])
    dy = (other[1] > corner[1]) - (other[1] < corner[1])
    return f"{number(corner[0] * CELL + dx * CORNER)} {number(corner[1] * CELL + dy * CORNER)}"


HALF = 16.0
WIDTH = 21.0
Place = tuple[float, float, float]
"""A place on a beam: x, y, and the direction of travel in degrees, clockwise from east."""


def draw_beam(sheet: Sheet, beam: elements.Beam, at: tuple[float, float]) -> str:
    """Draw a beam. Its shape is defined once with the exit in the east, and then turned."""
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
    """Return path data for the middle line of a beam, from an entry side to the exit in the east."""
    overlap = HALF + 0.2
    if side == W:
        return f"M{number(-overlap)} 0H{number(overlap)}"
    start = -overlap if side == N else overlap
    edge = -HALF if side == N else HALF
    sweep = 0 if side == N else 1
    return f"M0 {number(start)}V{number(edge)}A16 16 0 0 {sweep} 16 0h.2"


def _marks(speed: int, entries: tuple[int, ...]) -> Iterator[Place]:
    """Yield the places of a beam's chevrons. The number of chevrons is the speed of the beam."""
    if len(entries) == 1:
        shares = {1: (0.5,), 2: (0.34, 0.66), 3: (0.22, 0.5, 0.78)}[speed]
        yield from (_along(entries[0], share) for share in shares)
        return
    shares = {1: (9.0,), 2: (4.4, 10.6), 3: (-0.6, 5.4, 11.4)}[speed]
    yield from ((x, 0.0, 0.0) for x in shares)


def _ways_in(entries: tuple[int, ...]) -> Iterator[Place]:
    """Yield the places of the small chevrons at the entries of an intersection."""
    if len(entries) > 1:
        for side in entries:
            yield {N: (0.0, -12.6, 90.0), W: (-12.6, 0.0, 0.0)}.get(side, (0.0, 12.6, -90.0))


def _along(side: int, share: float) -> Place:
    """Return a place on a beam, at a ``share`` of the way from the entry side to the exit."""
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


def draw_floor(
    sheet: Sheet, floor: elements.Floor, x: int, y: int, looks: Mapping[int, int] | None = None
) -> str:
    """Draw the floor element of a cell. Hull and space have no drawing, because they are part of the ground.

    ``looks`` has the number of each chosen look by robot index. Start cells show the letters of these looks.
    """
    at = centre(x, y)
    match floor:
        case elements.Hull() | elements.Space():
            return ""
        case elements.Shaft():
            return sheet.use("shaft", _shaft, at)
        case elements.Bay(phases=phases):
            return draw_bay(sheet, phases, x, y)
        case elements.Beam() as beam:
            return draw_beam(sheet, beam, at)
        case elements.Twister(quarters=quarters):
            return sheet.use(f"twister{quarters}", twister(quarters), at)
        case elements.Transporter(network=network):
            return sheet.use(f"transporter-{network}", _transporter(network), at)
        case elements.Thruster():
            return sheet.use("thruster", _thruster, at)
        case elements.Depot(strength=strength):
            return sheet.use(f"depot{strength}", _depot(strength), at)
        case elements.Oil():
            return sheet.use("oil", _oil, at)
        case elements.Airlock(squad=squad):
            return sheet.use(f"airlock-{squad}" if squad else "airlock", _airlock(squad), at)
        case elements.Start(seat=seat):
            return sheet.use(f"start{seat}", _start(seat, (looks or {}).get(seat - 1)), at)
        case elements.Grappler():
            return sheet.use("grappler", _grappler, at)
        case _:
            assert_never(floor)


def _shaft(sheet: Sheet) -> str:
    """Draw a cooling shaft as a round hole that is darker towards the middle."""
    ink = sheet.ink
    return (
        circle(13.2, ink.metal_dark, ink.metal)
        + circle(12, ink.pit)
        + circle(9.8, ink.pit_deep, down=0.8)
        + circle(6.8, ink.pit_floor, down=1.8)
        + line("M-8.4 5.4A10 10 0 0 0 8.4 5.4", ink.metal_dark, 1.3)
        + line("M-8.6-8.6l2-2M8.6-8.6l-2-2M-8.6 8.6l2 2M8.6 8.6l-2 2", ink.metal, 1.6)
    )


def _transporter(network: str) -> Drawing:
    """Return the drawing of a transporter: rings around the symbol of its network."""

    def draw(sheet: Sheet) -> str:
        colour = sheet.ink.network(network)
        return (
            circle(13, colour, colour, 1.5, more=' fill-opacity=".14"')
            + circle(9.6, "", colour, 1.1, more=' stroke-dasharray="3.5 2.53"')
            + area(FORMS[network], colour, colour)
        )

    return draw


def _thruster(sheet: Sheet) -> str:
    ink = sheet.ink
    sheet.define_raw(
        "burn",
        f'<radialGradient id="{sheet.prefix}-burn"><stop offset=".1" stop-color="{ink.glow}"/>'
        f'<stop offset=".5" stop-color="{ink.flame}"/>'
        f'<stop offset="1" stop-color="{ink.flame}" stop-opacity="0"/></radialGradient>',
    )
    petals = "M0-8.6V-12M8.6 0H12M0 8.6V12M-8.6 0H-12"
    petals += "M6.1-6.1L8.5-8.5M6.1 6.1L8.5 8.5M-6.1 6.1L-8.5 8.5M-6.1-6.1L-8.5-8.5"
    return (
        circle(12.6, ink.pit_floor, ink.metal, 1.8)
        + circle(11.6, sheet.url("burn"))
        + line(petals, ink.metal, 1.6)
    )


def _depot(strength: int) -> Drawing:
    """Return the drawing of a repair depot: a wrench, and the depot's strength as a number."""

    def draw(sheet: Sheet) -> str:
        ink = sheet.ink
        return (
            box((0, 0), 26, 26, 4, ink.repair_plate)
            + line("M-8.4 8.4L.6-.6", ink.repair, 3.6)
            + line("M1.3-8.6A4.9 4.9 0 1 0 7.6-2.3", ink.repair, 3)
            + line(writing(str(strength), 8.2, 7.6, 7.4), ink.repair, 1.5)
        )

    return draw


PUDDLE = (
    "M-11.5-1C-13-7-8-9-4.5-11C-1-13 3-11 6-9.5C10-8 13-5 11.5-1C10.5 2 13.5 4 11 8C8.5 11.5 5 9 1.5 11.5"
    "C-2 13.5-6 12-7.5 8.5C-8.5 5.5-11 3-11.5-1z"
)


def _oil(sheet: Sheet) -> str:
    ink = sheet.ink
    return (
        area(PUDDLE, ink.oil, ink.oil_sheen)
        + line("M-7.5-1.5C-8-5-5-7-1.5-7.6M6.8 5.4C4.6 7.6 2 7.4-.5 8", ink.oil_sheen, 1.4)
        + line("M-4.3-1C-4.5-3-2.5-4.3-.3-4.6M4.6 3.2C3.4 4.4 1.8 4.6.4 5", ink.blue, 1)
    )


def _airlock(squad: str | None) -> Drawing:
    """Return the drawing of an airlock: a hatch with a wheel or, for a squad, with the squad's symbol."""

    def draw(sheet: Sheet) -> str:
        ink = sheet.ink
        colour = ink.network(squad) if squad else ink.metal
        wheel = circle(3.6, "", colour, 1.8) + line("M0-3.6V-8M3.1 1.8L6.9 4M-3.1 1.8L-6.9 4", colour, 1.8)
        return (
            area("M-6-14H6L14-6V6L6 14H-6L-14 6V-6z", ink.machine, ink.metal_dark, 1.2)
            + circle(10.2, "", colour, 2)
            + (area(FORMS[squad], colour) if squad else wheel)
            + line("M-9.6-9.6h0M9.6-9.6h0M-9.6 9.6h0M9.6 9.6h0", ink.metal_dark, 1.4)
        )

    return draw


def _start(seat: int, look: int | None) -> Drawing:
    """Return the drawing of a start cell: the corners of a parking space, around a letter or number.

    The cell shows the letter of the robot's look if it is known, and otherwise the number of the seat.
    """

    def draw(sheet: Sheet) -> str:
        colour = sheet.ink.metal if look is None else sheet.ink.outline(look - 1)
        sign = str(seat) if look is None else STICKER_LETTERS[(look - 1) % len(STICKER_LETTERS)]
        corners = "M-12-7V-12H-7M7-12H12V-7M12 7V12H7M-7 12H-12V7"
        return line(corners, colour, 1.8) + line(writing(sign, 0, 0, 11), colour, 1.9)

    return draw


def _grappler(sheet: Sheet) -> str:
    """Draw a crystal grappler as a claw with three fingers."""
    ink = sheet.ink
    finger = "M0-4.6C-4.5-7-4.5-11.5 0-13.4C-1.6-10.6-1-8.6 1.4-7.6"
    return (
        circle(12.6, ink.pit_floor, ink.metal, 1.4)
        + "".join(
            area(finger, ink.bare, ink.pit_floor, 0.8, f' transform="rotate({number(turn)})"')
            for turn in (0, 120, 240)
        )
        + circle(4.4, ink.pit_deep, ink.crystal, 1.8)
    )
