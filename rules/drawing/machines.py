"""Machines that move: twisters, launch bays, crushers."""

from rules.drawing.lettering import number
from rules.drawing.pen import area, box, circle, line
from rules.drawing.plates import phase_plate
from rules.drawing.sheet import Drawing, Sheet, centre, moved, phases_text, place


def twister(quarters: int) -> Drawing:
    """A turntable with an arrow the way it turns; two arrows for a half turn."""

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
    """Draw a launch bay open, as it is between turns; its leaves can be moved to the middle."""
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
    """Draw a crusher open: its jaws can be moved to the middle."""
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
