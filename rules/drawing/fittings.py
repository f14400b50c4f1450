"""Draw fittings on edges, such as arms and rails, and machines, such as twisters."""

from collections.abc import Iterator
from functools import cache

from rules.drawing.pen import (
    CELL,
    Drawing,
    Sheet,
    area,
    box,
    centre,
    circle,
    line,
    moved,
    number,
    phase_plate,
    phases_text,
    place,
    plate_size,
)
from rules.elements import Arm, Cell, Emitter, SlideRail
from rules.grid import BEFORE, LETTERS, PHASES, E, N, S, W, opposite
from rules.starship import Starship


def twister(quarters: int) -> Drawing:
    """Return the drawing of a twister: a turntable with an arrow, or with two arrows for a half turn."""

    def draw(sheet: Sheet) -> str:
        ink = sheet.ink
        if quarters == 2:
            arcs = "M-7.88-1.39A8 8 0 0 1 2.07-7.73M7.88 1.39A8 8 0 0 1-2.07 7.73"
            heads = "M2.2-12L9-6.6L1-3.4zM-2.2 12L-9 6.6L-1 3.4z"
        else:
            arcs, heads = "M7.88-1.39A8 8 0 1 1 1.39-7.88", "M1.6-12.2L8.6-7L.8-3.6z"
        mirrored = ' transform="scale(-1 1)"' if quarters == 3 else ""
        return (
            circle(13.4, ink.machine, ink.seam)
            + f"<g{mirrored}>{line(arcs, ink.moving, 2.6)}{area(heads, ink.moving)}</g>"
            + circle(1.7, ink.metal)
        )

    return draw


def draw_bay(sheet: Sheet, phases: tuple[int, ...], x: int, y: int) -> str:
    """Draw a launch bay with open doors, as between turns. Page scripts close the doors."""
    sheet.define_raw(
        "bay-opening",
        f'<clipPath id="{sheet.prefix}-bay-opening">'
        '<rect x="-12.5" y="-12.5" width="25" height="25" rx="2"/></clipPath>',
    )
    leaves = "".join(
        f'<g class="leaf {side}" transform="translate({number(shift)})">'
        f"{sheet.use('leaf', _leaf, quarters=quarters)}</g>"
        for side, quarters, shift in (("west", 0, -7.5), ("east", 2, 7.5))
    )
    return (
        f'<g class="bay"{place(x, y)} data-phases="{phases_text(phases)}" transform="{moved(centre(x, y))}">'
        f'{sheet.use("bay", _bay)}<g clip-path="{sheet.url("bay-opening")}">{leaves}</g>'
        f"{phase_plate(sheet, phases, (0, 7.4))}</g>"
    )


def _bay(sheet: Sheet) -> str:
    ink = sheet.ink
    return (
        box((0, 0), 28, 28, 3.5, ink.metal_dark)
        + box((0, 0), 25, 25, 2, ink.pit)
        + box((0, 0.5), 19, 19, 1.5, ink.pit_deep)
        + box((0, 1), 13, 13, 1, ink.pit_floor)
    )


def _leaf(sheet: Sheet) -> str:
    ink = sheet.ink
    stripes = "".join(f"M-4 {number(y)}l4-4" for y in (-8.5, -2, 4.5, 11))
    return area("M-13.5-13H0V13H-13.5z", ink.machine, ink.rail_edge, 0.8) + line(
        stripes, ink.moving, 2.2, ' stroke-linecap="butt"'
    )


def draw_crusher(sheet: Sheet, phases: tuple[int, ...], x: int, y: int) -> str:
    """Draw an open crusher. Page scripts can move its jaws to the middle."""
    jaws = "".join(
        f'<g class="jaw {side}">{sheet.use("jaw", _jaw, quarters=quarters)}</g>'
        for side, quarters in (("west", 0), ("east", 2))
    )
    return (
        f'<g class="crusher"{place(x, y)} data-phases="{phases_text(phases)}"'
        f' transform="{moved(centre(x, y))}">{jaws}{phase_plate(sheet, phases, (0, 10))}</g>'
    )


def _jaw(sheet: Sheet) -> str:
    ink = sheet.ink
    teeth = "M-15-13H-10L-5-9.6L-10-6.2L-5-2.6L-10 1L-5 4.4L-10 8V13H-15z"
    return area(teeth, ink.metal, ink.rail_edge, 1.1) + line("M-12.6-10V10", ink.laser, 1.8)


Edge = tuple[int, int, bool]
"""An edge between two cells: column and row of the cell south or east of it, and whether it is horizontal.

An edge has the same value, whichever of its cells declares the rail (G-1.3).
"""


def draw_rails(sheet: Sheet, ship: Starship) -> str:
    data = "".join(_runs(set(_edges(ship))))
    if not data:
        return ""
    sheet.define("rails", lambda _: f'<path d="{data}"/>')
    rails = f'<use href="#{sheet.prefix}-rails"'
    return (
        f'<g class="rails">{rails} stroke="{sheet.ink.rail_edge}" stroke-width="5.6"/>'
        f'{rails} stroke="{sheet.ink.rail}" stroke-width="3.2"/></g>'
    )


def _edges(ship: Starship) -> Iterator[Edge]:
    for y in range(ship.height):
        for x in range(ship.width):
            for side in ship.at(x, y).rails:
                yield x + (side == E), y + (side == S), side in (N, S)


def _runs(edges: set[Edge]) -> Iterator[str]:
    """Yield path data for the rails, with one line for each straight run of edges."""
    for x, y, across in sorted(edges):
        dx, dy = (1, 0) if across else (0, 1)
        if (x - dx, y - dy, across) in edges:
            continue
        run = 1
        while (x + dx * run, y + dy * run, across) in edges:
            run += 1
        yield f"M{x * CELL} {y * CELL}{'h' if across else 'v'}{run * CELL}"


def draw_slide_rail(sheet: Sheet, slide: SlideRail, x: int, y: int) -> str:
    """Draw a closed slide rail, as between turns: two stubs, a bar and the numbers of its phases.

    Page scripts can hide the bar.
    """
    (middle_x, middle_y), half = centre(x, y), CELL // 2
    dx, dy = ((0, -half), (half, 0), (0, half), (-half, 0))[slide.edge]
    upright = slide.edge in (E, W)
    length = max(plate_size(slide.phases, upright=upright))
    bars = sheet.use(f"slide{number(length)}", _slide(length), quarters=int(upright))
    at = middle_x + dx, middle_y + dy
    return (
        f'<g class="slide-rail"{place(x, y)} data-edge="{LETTERS[slide.edge]}"'
        f' data-phases="{phases_text(slide.phases)}" transform="{moved(at)}">{bars}'
        f"{phase_plate(sheet, slide.phases, (0, 0), upright=upright)}</g>"
    )


@cache
def _slide(length: float) -> Drawing:
    gap = max(length / 2 + 1.2, 10.5)
    stubs = f"M-16 0H{number(-gap)}M{number(gap)} 0H16"
    buffers = f"M{number(-gap)}-2.6V2.6M{number(gap)}-2.6V2.6"

    def draw(sheet: Sheet) -> str:
        ink = sheet.ink
        return (
            line(stubs, ink.rail_edge, 5.6)
            + line(f"M{number(-gap)} 0H{number(gap)}", ink.moving, 1.8)
            + line(stubs, ink.rail, 3.2)
            + line(buffers, ink.moving, 2)
        )

    return draw


def fittings_of(sheet: Sheet, cell: Cell, x: int, y: int) -> list[str]:
    """Return the drawings of a cell's crusher, arms, emitters and couplings, as a list of parts."""
    if not (cell.crusher or cell.arms or cell.emitters or cell.couplings):
        return []
    parts = [draw_crusher(sheet, cell.crusher, x, y)] if cell.crusher else []
    parts += [_arm(sheet, arm, x, y) for arm in cell.arms]
    parts += [_emitter(sheet, emitter, x, y) for emitter in cell.emitters]
    taken = {arm.edge for arm in cell.arms} | {emitter.edge for emitter in cell.emitters}
    parts += [_coupling(sheet, edge, edge in taken, x, y) for edge in cell.couplings]
    return parts


def _coupling(sheet: Sheet, edge: int, aside: bool, x: int, y: int) -> str:
    """Draw a power coupling as a spark at the rail.

    ``aside`` is true if another fitting is on the same edge. The spark is then beside the middle of the edge.
    """
    where = f' class="coupling"{place(x, y)} data-edge="{LETTERS[edge]}"'
    name, bolt = ("bolt-aside", _bolt(10.5)) if aside else ("bolt", _bolt(0))
    return sheet.use(name, bolt, centre(x, y), quarters=edge, more=where)


def _bolt(shift: float) -> Drawing:
    spark = "M1.8-15.4L-5-6.8H-1L-2.4-.6L5.2-9.4H1z"

    def draw(sheet: Sheet) -> str:
        ink = sheet.ink
        return (
            f'<g transform="translate({number(shift)} 0)">{line("M-4.6-16H4.6", ink.spark, 2.2)}'
            f"{area(spark, ink.spark, ink.robot_ink, 0.9)}</g>"
        )

    return draw


def _arm(sheet: Sheet, arm: Arm, x: int, y: int) -> str:
    """Draw a docking arm at rest. Page scripts move its piston out in the direction of the push."""
    always = arm.phases == PHASES
    middle = ((0, -9.7), (9.7, 0), (0, 9.7), (-9.7, 0))[arm.edge]
    plate = "" if always else phase_plate(sheet, arm.phases, middle, upright=arm.edge in (E, W))
    piston = sheet.use("piston", _piston(-3.4)) if always else sheet.use("piston-far", _piston(-2.4))
    return (
        f'<g class="arm"{place(x, y)} data-edge="{LETTERS[arm.edge]}" data-phases="{phases_text(arm.phases)}"'
        f' transform="{moved(centre(x, y))}"><g transform="rotate({arm.edge * 90})"><g class="piston">'
        f"{piston}</g>{sheet.use('housing', _housing)}</g>{plate}</g>"
    )


def _piston(y: float) -> Drawing:
    rod, head = f"M0-10V{number(y)}", f"M-7.4 {number(y)}H7.4"

    def draw(sheet: Sheet) -> str:
        ink = sheet.ink
        return (
            line(rod, ink.rail_edge, 5)
            + line(rod, ink.metal, 3)
            + line(head, ink.rail_edge, 5.8)
            + line(head, ink.moving, 3.8)
        )

    return draw


def _housing(sheet: Sheet) -> str:
    ink = sheet.ink
    shape = area("M-9.5-15.5H9.5V-9.5L7-7H-7L-9.5-9.5z", ink.metal_dark, ink.rail_edge)
    return shape + line("M-3-12.4L0-9.8L3-12.4", ink.moving, 1.6)


def _emitter(sheet: Sheet, emitter: Emitter, x: int, y: int) -> str:
    where = f' class="emitter"{place(x, y)} data-edge="{LETTERS[emitter.edge]}"'
    name = f"emitter{emitter.strength}"
    return sheet.use(name, _nozzles(emitter.strength), centre(x, y), quarters=emitter.edge, more=where)


def spread(strength: int) -> list[float]:
    """Return the offsets of a laser's parallel beams from the middle, in user units."""
    return [(index - (strength - 1) / 2) * 4 for index in range(strength)]


def _nozzles(strength: int) -> Drawing:
    half = 4 + 2 * strength
    mount = f"M{-half}-15.5H{half}L{half - 2}-8H{2 - half}z"
    lenses = "".join(f"M{number(shift)}-7.6h0" for shift in spread(strength))

    def draw(sheet: Sheet) -> str:
        ink = sheet.ink
        return (
            area(mount, ink.metal_dark, ink.rail_edge)
            + line(lenses, ink.rail_edge, 4.4)
            + line(lenses, ink.laser, 3.2)
        )

    return draw


def draw_ray(sheet: Sheet, ship: Starship, emitter: Emitter, x: int, y: int) -> str:
    """Draw the beam of a board laser as thin lines, up to a rail or the edge of the board (G-6.2).

    Slide rails are closed between turns. Behind a slide rail, the beam is dotted, up to the farthest cell
    that it reaches in any phase.
    """
    near, far = reaches(ship, emitter, ship.cell(x, y))
    turn = f"rotate({emitter.edge * 90})" if emitter.edge else ""
    where = f'{place(x, y)} data-edge="{LETTERS[emitter.edge]}" transform="{moved(centre(x, y))}{turn}"'
    lines = "".join(f"M{number(shift)}-6V{near}" for shift in spread(emitter.strength))
    ray = f'<path class="ray"{where} d="{lines}"/>'
    if far == near:
        return ray
    lines = "".join(f"M{number(shift)} {near + 4}V{far}" for shift in spread(emitter.strength))
    return f'{ray}<path class="ray far"{where} stroke-dasharray=".1 4" d="{lines}"/>'


def reaches(ship: Starship, emitter: Emitter, cell: int) -> tuple[int, int]:
    """Return how far a board laser reaches from the middle of its cell, in user units.

    The first number is the reach while all slide rails are closed, and the second the maximum.
    """
    heading = opposite(emitter.edge)
    step, seen = ship.steps[heading], ship.look(BEFORE, cell, heading)
    near = far = CELL // 2 - 2 + CELL * len(seen)
    if ship.slides:
        there = seen[-1] if seen else cell
        while not ship.railed_always(there, heading) and ship.inside(there + step):
            there += step
            far += CELL
    return near, far
