"""The floor elements, each drawn around the middle of its cell."""

from collections.abc import Mapping
from typing import assert_never

from rules.drawing.bodies import LETTERS
from rules.drawing.forms import FORMS
from rules.drawing.lettering import number, writing
from rules.drawing.machines import draw_bay, twister
from rules.drawing.pen import area, box, circle, line
from rules.drawing.ribbons import draw_beam
from rules.drawing.sheet import Drawing, Sheet, centre
from rules.elements import (
    Airlock,
    Bay,
    Beam,
    Depot,
    Floor,
    Grappler,
    Hull,
    Oil,
    Shaft,
    Space,
    Start,
    Thruster,
    Transporter,
    Twister,
)


def draw_floor(sheet: Sheet, floor: Floor, x: int, y: int, looks: Mapping[int, int] | None = None) -> str:
    """Draw what stands on the hull of a cell; hull and space are the ground's.

    ``looks`` say how robots look that have chosen, by robot index: their start cells bear their letters.
    """
    at = centre(x, y)
    match floor:
        case Hull() | Space():
            return ""
        case Shaft():
            return sheet.use("shaft", _shaft, at)
        case Bay(phases=phases):
            return draw_bay(sheet, phases, x, y)
        case Beam() as beam:
            return draw_beam(sheet, beam, at)
        case Twister(quarters=quarters):
            return sheet.use(f"twister{quarters}", twister(quarters), at)
        case Transporter(network=network):
            return sheet.use(f"transporter-{network}", _transporter(network), at)
        case Thruster():
            return sheet.use("thruster", _thruster, at)
        case Depot(strength=strength):
            return sheet.use(f"depot{strength}", _depot(strength), at)
        case Oil():
            return sheet.use("oil", _oil, at)
        case Airlock(squad=squad):
            return sheet.use(f"airlock-{squad}" if squad else "airlock", _airlock(squad), at)
        case Start(seat=seat):
            return sheet.use(f"start{seat}", _start(seat, (looks or {}).get(seat - 1)), at)
        case Grappler():
            return sheet.use("grappler", _grappler, at)
        case _:
            assert_never(floor)


def _shaft(sheet: Sheet) -> str:
    """A round hole that gets darker the deeper it is."""
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
    """Rings, and the form of the network."""

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
    """A wrench, and how much it repairs."""

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
    """A hatch with its wheel; of a squad, with the squad's form."""

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
    """Corners to park in: with the letter of the robot that starts here, or the number of its seat."""

    def draw(sheet: Sheet) -> str:
        colour = sheet.ink.metal if look is None else sheet.ink.outline(look - 1)
        sign = str(seat) if look is None else LETTERS[(look - 1) % len(LETTERS)]
        corners = "M-12-7V-12H-7M7-12H12V-7M12 7V12H7M-7 12H-12V7"
        return line(corners, colour, 1.8) + line(writing(sign, 0, 0, 11), colour, 1.9)

    return draw


def _grappler(sheet: Sheet) -> str:
    """A claw of three fingers."""
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
