"""The small plates that carry numerals: phases, priorities, repairs; the same everywhere."""

from rules.drawing.lettering import length, writing
from rules.drawing.pen import box, line
from rules.drawing.sheet import Drawing, Point, Sheet, phases_text

DIGIT = 6.6
"""Height of a phase numeral."""
PITCH = 8.2
"""From one phase to the next: each has a plate of its own, so that 1 and 2 never read as 12."""
WIDE, HIGH = 7.8, 9.6
"""The plate of one phase."""


def plate_size(phases: tuple[int, ...], *, upright: bool = False) -> Point:
    """Return width and height of the plates of phases, together."""
    far = (len(phases) - 1) * PITCH + WIDE
    return (WIDE, far + HIGH - WIDE) if upright else (far, HIGH)


def phase_plate(sheet: Sheet, phases: tuple[int, ...], at: Point, *, upright: bool = False) -> str:
    """Draw a plate for each of some phases, in a row or one above the other."""
    name = f"phases{phases_text(phases)}{'-upright' if upright else ''}"
    return sheet.use(name, _plate(phases, upright), at)


def _plate(phases: tuple[int, ...], upright: bool) -> Drawing:
    first = -(len(phases) - 1) * PITCH / 2
    along = [first + place * PITCH for place in range(len(phases))]
    places: list[Point] = [(0, each) if upright else (each, 0) for each in along]
    strokes = "".join(writing(str(phase), *at, DIGIT) for phase, at in zip(phases, places, strict=True))
    high = PITCH - 0.4 if upright else HIGH

    def draw(sheet: Sheet) -> str:
        ink = sheet.ink
        edge = f' stroke="{ink.hull}" stroke-width=".7"' if len(phases) > 1 else ""
        plates = "".join(box(at, WIDE, high, 2, ink.plate, edge) for at in places)
        return plates + line(strokes, ink.plate_ink, 1.25)

    return draw


def badge(text: str, plate: str, colour: str, *, edge: float, y: float) -> str:
    """Return a round badge with a numeral; its outer end lies ``edge`` from the middle of the cell.

    A negative edge is on the left; a longer numeral makes the badge grow inwards.
    """
    high = 11.6
    wide = max(high, length(text, 7.4) + 5.4)
    x = edge + wide / 2 if edge < 0 else edge - wide / 2
    return box((x, y), wide, high, high / 2, plate) + line(writing(text, x, y, 7.4), colour, 1.5)
