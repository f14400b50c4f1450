"""What stands on the edges of cells: couplings, arms, lasers. (Rails have a module of their own.)"""

from rules.drawing.lettering import number
from rules.drawing.machines import draw_crusher
from rules.drawing.pen import area, line
from rules.drawing.plates import phase_plate
from rules.drawing.sheet import CELL, Drawing, Sheet, centre, moved, phases_text, place
from rules.elements import Arm, Cell, Emitter
from rules.grid import BEFORE, LETTERS, PHASES, E, W, opposite
from rules.starship import Starship


def fittings_of(sheet: Sheet, cell: Cell, x: int, y: int) -> list[str]:
    """Draw crusher, arms, emitters and couplings of a cell, each by itself."""
    if not (cell.crusher or cell.arms or cell.emitters or cell.couplings):
        return []
    parts = [draw_crusher(sheet, cell.crusher, x, y)] if cell.crusher else []
    parts += [_arm(sheet, arm, x, y) for arm in cell.arms]
    parts += [_emitter(sheet, emitter, x, y) for emitter in cell.emitters]
    taken = {arm.edge for arm in cell.arms} | {emitter.edge for emitter in cell.emitters}
    parts += [_coupling(sheet, edge, edge in taken, x, y) for edge in cell.couplings]
    return parts


def _coupling(sheet: Sheet, edge: int, aside: bool, x: int, y: int) -> str:
    """Draw a spark at the rail, aside where something else sits in the middle of it."""
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
    """Draw an arm ready to go: its piston can be moved out, in the direction of the push."""
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
    """Return how far from the middle the parallel beams of a laser run."""
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
    """Draw a board laser's beam as hair lines, up to the rail or the board's end (G-6.2).

    Beyond a slide rail, which is shut between turns, it goes on dotted as far as it may ever reach.
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
    """Return how far a beam gets from the middle of its cell, and may ever get, in user units."""
    heading = opposite(emitter.edge)
    step, seen = ship.steps[heading], ship.look(BEFORE, cell, heading)
    near = far = CELL // 2 - 2 + CELL * len(seen)
    if ship.slides:
        there = seen[-1] if seen else cell
        while not ship.railed_always(there, heading) and ship.inside(there + step):
            there += step
            far += CELL
    return near, far
