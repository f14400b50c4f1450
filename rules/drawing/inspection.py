"""Checkpoints: an orange locator, its number at the upper right, the repairs left at the lower left."""

from typing import Any, Final

from rules.drawing.pen import area, box, circle, line
from rules.drawing.plates import badge, badge_parts
from rules.drawing.sheet import Drawing, Point, Sheet, centre, moved, place

RETICLE = "M0-7V-12.4M7 0H12.4M0 7V12.4M-7 0H-12.4"
CORNERS = (
    "M-15-8V-11A4 4 0 0 1-11-15H-8M8-15H11A4 4 0 0 1 15-11V-8"
    "M15 8V11A4 4 0 0 1 11 15H8M-8 15H-11A4 4 0 0 1-15 11V8"
)
TEAR = (
    "M-13-4.5L-7.6-5.8L-8.8-12L-2.6-8.6L2.4-14L5-8L12.4-9.6L9.4-2.4L14 3L8.4 5L8 12L1.8 8.8L-4.6 13.4L-6 7"
    "L-12.6 7.6L-9.4 1.4z"
)
UPPER_RIGHT: Final[Any] = {"edge": 15, "y": -9.4}
"""Where the number is."""
LOWER_LEFT: Final[Any] = {"edge": -15, "y": 9.4}
"""Where the repairs left are."""
CRACKS = "M-8.8-12L-12.4-15.4M12.4-9.6L15.6-12.4M8 12L11.4 15.6M-12.6 7.6L-15.6 10"


def draw_checkpoint(
    sheet: Sheet, number: int, left: int, mended: bool, following: int | None, x: int, y: int
) -> str:
    """Draw a checkpoint with ``left`` repairs to do; ``mended`` when it needed some and needs no more.

    ``following`` is the number that the looker has to inspect next: that one stands out, and those before it
    are quiet.
    """
    data = f'{place(x, y)} data-number="{number}" data-left="{left}"'
    at, stage = centre(x, y), _stage(number, following)
    parts = _locator(sheet, left, mended, stage, at)
    parts.append(sheet.use(f"number{number}-{stage}", _number(number, stage), at))
    if left:
        parts.append(sheet.use(f"repairs{left}", _repairs(left), at))
    return f'<g class="checkpoint {stage}"{data}>{"".join(parts)}</g>'


def _stage(number: int, following: int | None) -> str:
    return "next" if number == following else "done" if following and number < following else "open"


def checkpoint_stamps(sheet: Sheet, number: int, left: int, mended: bool, following: int | None) -> list[str]:
    """Return the parts of a checkpoint in column and row 0, digit by digit.

    Thousands of numbers have few different digits.
    """
    at, stage = centre(0, 0), _stage(number, following)
    parts = badge_parts(str(number), *_number_inks(sheet, stage), **UPPER_RIGHT)
    if left:
        parts += badge_parts(str(left), sheet.ink.plate, sheet.ink.plate_ink, **LOWER_LEFT)
    there = f'<g transform="{moved(at)}">'
    return [*_locator(sheet, left, mended, stage, at), *(f"{there}{part}</g>" for part in parts)]


def _locator(sheet: Sheet, left: int, mended: bool, stage: str, at: Point) -> list[str]:
    parts = []
    if left:
        parts.append(sheet.use("torn", torn, at))
    elif mended:
        parts.append(sheet.use("mended", _mended, at))
    return [*parts, sheet.use(f"locator-{stage}", LOCATORS[stage], at)]


def _open(sheet: Sheet) -> str:
    colour = sheet.ink.checkpoint
    return (
        circle(8.6, colour, colour, 1.9, more=' fill-opacity=".16"')
        + line(RETICLE, colour, 1.9)
        + circle(2.3, colour)
    )


def _next(sheet: Sheet) -> str:
    colour, dark = sheet.ink.checkpoint, sheet.ink.checkpoint_ink
    return (
        box((0, 0), 30, 30, 4, colour, ' fill-opacity=".3"')
        + line(CORNERS, colour, 2.6)
        + circle(9, colour)
        + line(RETICLE, colour, 2.6)
        + circle(5.2, "", dark, 1.6)
        + circle(1.9, dark)
    )


def _done(sheet: Sheet) -> str:
    colour = sheet.ink.quiet
    return circle(8.6, "", colour, 1.3) + line("M-3.6.2L-1 2.9L3.8-2.6", colour, 1.8)


LOCATORS: dict[str, Drawing] = {"open": _open, "next": _next, "done": _done}


def _number(number: int, stage: str) -> Drawing:
    return lambda sheet: badge(str(number), *_number_inks(sheet, stage), **UPPER_RIGHT)


def _number_inks(sheet: Sheet, stage: str) -> tuple[str, str]:
    """Return the colours of the badge of a number, and of the number on it."""
    ink = sheet.ink
    return (ink.hull_other, ink.quiet) if stage == "done" else (ink.checkpoint, ink.checkpoint_ink)


def _repairs(left: int) -> Drawing:
    return lambda sheet: badge(str(left), sheet.ink.plate, sheet.ink.plate_ink, **LOWER_LEFT)


def torn(sheet: Sheet) -> str:
    """Damaged hull, which lets nothing pass: torn plates."""
    ink = sheet.ink
    return area(TEAR, ink.pit, ink.metal, 1.5) + line(CRACKS, ink.rail_edge, 1.1)


def _mended(sheet: Sheet) -> str:
    """A patch, welded on."""
    ink = sheet.ink
    return area(TEAR, ink.machine, ink.metal_dark, 1.1, ' stroke-dasharray="1.6 1.9"')
