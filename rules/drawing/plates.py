"""The small plates that carry numerals: phases, priorities, repairs; the same everywhere."""

from rules.drawing.lettering import length, writing
from rules.drawing.pen import box, line
from rules.drawing.sheet import Drawing, Point, Sheet, phases_text

DIGIT = 6.6
"""Height of a phase numeral."""
PITCH = 8.2
"""From one numeral to the next, in a plate that stands upright; and the least width of a plate."""


def plate_size(phases: tuple[int, ...], *, upright: bool = False) -> Point:
    """Return width and height of a plate with phases."""
    if upright:
        return PITCH, len(phases) * PITCH + 1.4
    return max(PITCH, length(phases_text(phases), DIGIT) + 4), 9.6


def phase_plate(sheet: Sheet, phases: tuple[int, ...], at: Point, *, upright: bool = False) -> str:
    """Draw a plate with the numerals of phases, in a row or one above the other."""
    name = f"phases{phases_text(phases)}{'-upright' if upright else ''}"
    return sheet.use(name, _plate(phases, upright), at)


def _plate(phases: tuple[int, ...], upright: bool) -> Drawing:
    digits = phases_text(phases)
    wide, high = plate_size(phases, upright=upright)
    if upright:
        first = -(len(digits) - 1) * PITCH / 2
        strokes = "".join(writing(digit, 0, first + i * PITCH, DIGIT) for i, digit in enumerate(digits))
    else:
        strokes = writing(digits, 0, 0, DIGIT)
    return lambda sheet: (
        box((0, 0), wide, high, 2.4, sheet.ink.plate) + line(strokes, sheet.ink.plate_ink, 1.25)
    )


def badge(text: str, plate: str, colour: str, *, edge: float, y: float) -> str:
    """Return a round badge with a numeral; its outer end lies ``edge`` from the middle of the cell.

    A negative edge is on the left; a longer numeral makes the badge grow inwards.
    """
    high = 11.6
    wide = max(high, length(text, 7.4) + 5.4)
    x = edge + wide / 2 if edge < 0 else edge - wide / 2
    return box((x, y), wide, high, high / 2, plate) + line(writing(text, x, y, 7.4), colour, 1.5)
