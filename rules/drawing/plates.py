"""The small plates that carry numerals: phases, priorities, repairs; the same everywhere."""

from functools import cache

from rules.drawing.lettering import length, letters, writing
from rules.drawing.pen import box, line
from rules.drawing.sheet import Drawing, Point, Sheet, phases_text

DIGIT = 6.6
"""Height of a phase numeral."""
PITCH = 8.2
"""From one phase to the next: each has a plate of its own, so that 1 and 2 never read as 12."""
WIDE, HIGH = 7.8, 9.6
"""The plate of one phase."""
BADGE = 11.6
"""Height of a badge, and width of one with a single digit."""
NUMERAL, STROKE = 7.4, 1.5
"""Height of the numeral in a badge, and how thick its strokes are."""


def plate_size(phases: tuple[int, ...], *, upright: bool = False) -> Point:
    """Return width and height of the plates of phases, together."""
    far = (len(phases) - 1) * PITCH + WIDE
    return (WIDE, far + HIGH - WIDE) if upright else (far, HIGH)


def phase_plate(sheet: Sheet, phases: tuple[int, ...], at: Point, *, upright: bool = False) -> str:
    """Draw a plate for each of some phases, in a row or one above the other."""
    name = f"phases{phases_text(phases)}{'-upright' if upright else ''}"
    return sheet.use(name, _plate(phases, upright), at)


@cache
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
    middle = badge_middle(len(text), edge=edge, y=y)
    return badge_plate(len(text), plate, middle) + line(writing(text, *middle, NUMERAL), colour, STROKE)


def badge_parts(text: str, plate: str, colour: str, *, edge: float, y: float) -> list[str]:
    """Return the plate of a `badge` and each digit on it."""
    middle = badge_middle(len(text), edge=edge, y=y)
    digits = (line(letter, colour, STROKE) for letter in letters(text, *middle, NUMERAL))
    return [badge_plate(len(text), plate, middle), *digits]


def badge_middle(digits: int, *, edge: float, y: float) -> Point:
    """Return the middle of a badge whose numeral has a number of digits."""
    wide = _badge_width(digits)
    return (edge + wide / 2 if edge < 0 else edge - wide / 2), y


def badge_plate(digits: int, plate: str, middle: Point) -> str:
    """Return the plate of a badge, without its numeral."""
    return box(middle, _badge_width(digits), BADGE, BADGE / 2, plate)


def _badge_width(digits: int) -> float:
    return max(BADGE, length("0" * digits, NUMERAL) + 5.4)
