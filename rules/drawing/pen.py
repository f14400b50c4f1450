"""The tools that draw SVG: lines, areas, letters and plates, and the sheet that collects definitions.

Letters are drawn as lines, so a drawing needs no font. Each part is defined once on the sheet, around the
origin, and then used in many cells. Even a large board is therefore a small document.
"""

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Final
from xml.sax.saxutils import escape

from rules.drawing.palette import Palette

GLYPHS: Final = {
    "0": "M2 0C.6 0 0 1.2 0 3C0 4.8 .6 6 2 6C3.4 6 4 4.8 4 3C4 1.2 3.4 0 2 0",
    "1": "M.6 1.4L2.4 0L2.4 6",
    "2": "M.2 1.5C.2 .6 1 0 2 0C3.1 0 3.8 .6 3.8 1.6C3.8 2.8 2.6 3.7 .1 6L4 6",
    "3": "M.2 .8C.6 .3 1.2 0 2 0C3.1 0 3.7 .6 3.7 1.4C3.7 2.3 3 2.8 1.7 2.8C3.1 2.8 4 3.4 4 4.4"
    "C4 5.4 3.1 6 2 6C1.1 6 .4 5.7 0 5.1",
    "4": "M3 6L3 0L0 4.3L4.2 4.3",
    "5": "M3.7 0L.7 0L.4 2.7C.9 2.3 1.4 2.1 2 2.1C3.2 2.1 4 2.9 4 4C4 5.2 3.1 6 1.9 6C1.1 6 .4 5.7 0 5.2",
    "6": "M3.5 .5C3.1 .2 2.7 0 2.2 0C.8 0 0 1.4 0 3.5C0 5.1 .8 6 2 6C3.2 6 4 5.2 4 4.1"
    "C4 3 3.2 2.3 2.1 2.3C1.1 2.3 .3 2.9 .1 3.8",
    "7": "M0 0L4 0L1.5 6",
    "8": "M2 2.8C1 2.8 .3 2.2 .3 1.4C.3 .6 1 0 2 0C3 0 3.7 .6 3.7 1.4C3.7 2.2 3 2.8 2 2.8"
    "C.9 2.8 0 3.4 0 4.4C0 5.4 .9 6 2 6C3.1 6 4 5.4 4 4.4C4 3.4 3.1 2.8 2 2.8",
    "9": "M.5 5.5C.9 5.8 1.3 6 1.8 6C3.2 6 4 4.6 4 2.5C4 .9 3.2 0 2 0C.8 0 0 .8 0 1.9"
    "C0 3 .8 3.7 1.9 3.7C2.9 3.7 3.7 3.1 3.9 2.2",
    "A": "M0 6L2 0L4 6M.8 4L3.2 4",
    "B": "M.2 2.8L2.2 2.8C3.2 2.8 3.7 2.2 3.7 1.4C3.7 .6 3.1 0 2.1 0L.2 0L.2 6L2.2 6"
    "C3.3 6 4 5.4 4 4.4C4 3.4 3.3 2.8 2.2 2.8",
    "C": "M3.9 1C3.5 .4 2.9 0 2.2 0C.8 0 0 1.2 0 3C0 4.8 .8 6 2.2 6C2.9 6 3.5 5.6 3.9 5",
    "D": "M.2 0L.2 6L1.6 6C3.2 6 4 4.9 4 3C4 1.1 3.2 0 1.6 0L.2 0",
    "E": "M3.7 0L.4 0L.4 6L3.7 6M.4 2.9L3.1 2.9",
    "F": "M3.7 0L.4 0L.4 6M.4 2.9L3.1 2.9",
    "G": "M3.8 1C3.4 .4 2.8 0 2.1 0C.8 0 0 1.2 0 3C0 4.8 .8 6 2.1 6C3.2 6 3.9 5.3 3.9 3.9L3.9 3.2L2.3 3.2",
    "H": "M.2 0L.2 6M3.8 0L3.8 6M.2 2.9L3.8 2.9",
    "Z": "M.2 0L3.8 0L.2 6L3.8 6",
    "a": "M3.6 2.2L3.6 6M3.6 4.1C3.6 2.9 2.9 2.1 1.9 2.1C.8 2.1 .1 2.9 .1 4.1C.1 5.3 .8 6 1.9 6"
    "C2.9 6 3.6 5.3 3.6 4.1",
    "b": "M.4 0L.4 6M.4 4.1C.4 2.9 1.1 2.1 2.1 2.1C3.2 2.1 3.9 2.9 3.9 4.1C3.9 5.3 3.2 6 2.1 6"
    "C1.1 6 .4 5.3 .4 4.1",
    "c": "M3.6 2.9C3.2 2.4 2.7 2.1 2.1 2.1C.9 2.1 .2 2.9 .2 4.1C.2 5.2 .9 6 2.1 6C2.7 6 3.2 5.7 3.6 5.2",
    "d": "M3.6 0L3.6 6M3.6 4.1C3.6 2.9 2.9 2.1 1.9 2.1C.8 2.1 .1 2.9 .1 4.1C.1 5.3 .8 6 1.9 6"
    "C2.9 6 3.6 5.3 3.6 4.1",
    "e": "M.3 4L3.7 4C3.7 2.8 3 2.1 2 2.1C.9 2.1 .2 2.9 .2 4.1C.2 5.3 .9 6 2.1 6C2.7 6 3.2 5.8 3.6 5.3",
    "f": "M3.4 .2C2.4 0 1.6 .4 1.6 1.5L1.6 6M.3 2.3L3 2.3",
    "g": "M3.6 2.2L3.6 6.2C3.6 7.3 2.9 8 1.9 8C1.2 8 .7 7.8 .3 7.4M3.6 4.1C3.6 2.9 2.9 2.1 1.9 2.1"
    "C.8 2.1 .1 2.9 .1 4.1C.1 5.3 .8 6 1.9 6C2.9 6 3.6 5.3 3.6 4.1",
    "h": "M.4 0L.4 6M.4 4C.4 2.8 1.1 2.1 2 2.1C3 2.1 3.6 2.8 3.6 3.9L3.6 6",
    "i": "M2 2.3L2 6M2 .2L2 .5",
}
GLYPH_WIDTH: Final = 4.0
GLYPH_HEIGHT: Final = 6.0
GAP: Final = 1.5


def length(text: str, height: float) -> float:
    """Return the width of a text whose letters have the given height, in user units."""
    return (len(text) * (GLYPH_WIDTH + GAP) - GAP) * height / GLYPH_HEIGHT


def writing(text: str, x: float, y: float, height: float) -> str:
    """Return path data for a text centred on a point. Raises KeyError for a letter that is not in `GLYPHS`.

    >>> writing("1", 0, 0, 6)
    'M-1.4-1.6L.4-3L.4 3'
    """
    return "".join(letters(text, x, y, height))


def letters(text: str, x: float, y: float, height: float) -> list[str]:
    """Return the path data of each letter of a text that is centred on a point."""
    scale = height / GLYPH_HEIGHT
    left = x - length(text, height) / 2
    top = y - height / 2
    return [
        _placed(GLYPHS[glyph], left + index * (GLYPH_WIDTH + GAP) * scale, top, scale)
        for index, glyph in enumerate(text)
    ]


@lru_cache(maxsize=4096)
def _placed(glyph: str, x: float, y: float, scale: float) -> str:
    """Move and scale path data, which must only have absolute M, L and C commands.

    The results are cached, because numbers of the same length put the same few digits in the same places.
    """
    written = ""
    for command, points in _commands(glyph):
        numbers = [number * scale + (y if index % 2 else x) for index, number in enumerate(points)]
        written += command + joined(numbers)
    return written


@lru_cache(maxsize=len(GLYPHS))
def _commands(glyph: str) -> list[tuple[str, list[float]]]:
    commands: list[tuple[str, list[float]]] = []
    word = ""
    for character in glyph + "M":
        if character.isalpha():
            if word:
                commands[-1][1].extend(float(number) for number in word.split())
            word = ""
            commands.append((character, []))
        else:
            word += character
    return commands[:-1]


@lru_cache(maxsize=4096)
def number(value: float) -> str:
    """Write a coordinate in as few characters as possible, rounded to hundredths.

    >>> number(-0.5), number(3.0), number(0.001)
    ('-.5', '3', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    if text in ("-0", ""):
        return "0"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def joined(numbers: list[float]) -> str:
    """Write coordinates one after another, with a space only before numbers without a minus sign."""
    text = ""
    for value in numbers:
        written = number(value)
        text += written if not text or written.startswith("-") else " " + written
    return text


CELL: Final = 32
"""The length of a cell's edge, in user units."""
MARGIN: Final = 16
"""The width of the space around the board, in user units."""

HIDDEN: Final = ' display="none"'
"""The attribute that hides a part until a page script shows it."""

Point = tuple[float, float]
Drawing = Callable[["Sheet"], str]
"""A function that draws one thing around the origin, and returns its markup."""


class Sheet:
    """Collects the definitions of a drawing's parts, and makes references to them. Ids start with ``prefix``.

    A ``still`` sheet leaves out hidden parts, because no page script will ever show them.
    """

    def __init__(self, ink: Palette, prefix: str, *, still: bool = False) -> None:
        self.ink = ink
        self.prefix = prefix
        self.still = still
        self._definitions: dict[str, str] = {}

    def define(self, name: str, draw: Drawing) -> None:
        """Define a part on the sheet, as a ``<g>`` with this name, unless it is already defined."""
        if name not in self._definitions:
            self._definitions[name] = ""
            self._definitions[name] = f'<g id="{self.prefix}-{name}">{draw(self)}</g>'

    def define_raw(self, name: str, markup: str) -> None:
        """Add an element that has its own id to the definitions, such as a gradient or a clip path."""
        self._definitions.setdefault(name, markup)

    def use(self, name: str, draw: Drawing, at: Point = (0, 0), *, quarters: int = 0, more: str = "") -> str:
        """Return a reference to a part, moved to a point and turned clockwise by ``quarters`` quarter turns.

        The part is defined first if necessary. ``more`` are further attributes.
        """
        if self.still and HIDDEN in more:
            return ""
        self.define(name, draw)
        place = ""
        if quarters % 4:
            place = f' transform="{moved(at)}rotate({quarters % 4 * 90})"'
        elif at != (0, 0):
            place = f' x="{number(at[0])}" y="{number(at[1])}"'
        return f'<use href="#{self.prefix}-{name}"{place}{more}/>'

    def url(self, name: str) -> str:
        return f"url(#{self.prefix}-{name})"

    def definitions(self) -> str:
        return f"<defs>{''.join(self._definitions.values())}</defs>"


def moved(at: Point) -> str:
    return f"translate({number(at[0])} {number(at[1])})"


def centre(x: int, y: int) -> Point:
    """Return the middle of a cell as a point in user units."""
    return x * CELL + CELL / 2, y * CELL + CELL / 2


def place(x: int, y: int) -> str:
    """Return the attributes with the column and row of a cell. Page scripts find parts by them."""
    return f' data-x="{x}" data-y="{y}"'


def phases_text(phases: tuple[int, ...]) -> str:
    return "".join(map(str, phases))


def escaped(text: str) -> str:
    """Escape a text for use in XML, in text or in attributes. Characters that XML forbids are dropped."""
    kept = "".join(character for character in text if character >= " " or character in "\n\t")
    return escape(kept, {'"': "&quot;"})


def line(data: str, colour: str, width: float, more: str = "") -> str:
    """Return a line along path data, with this colour and width."""
    return f'<path stroke="{colour}" stroke-width="{number(width)}"{more} d="{data}"/>'


def area(data: str, colour: str, edge: str = "", width: float = 1, more: str = "") -> str:
    return f'<path fill="{colour}"{_edge(edge, width)}{more} d="{data}"/>'


def circle(
    radius: float, colour: str = "", edge: str = "", width: float = 1, *, down: float = 0, more: str = ""
) -> str:
    """Return a circle around the origin, or around a point ``down`` units south of the origin."""
    at = f' cy="{number(down)}"' if down else ""
    fill = f' fill="{colour}"' if colour else ""
    return f'<circle{at} r="{number(radius)}"{fill}{_edge(edge, width)}{more}/>'


def box(middle: Point, width: float, height: float, corner: float, colour: str, more: str = "") -> str:
    x, y = middle[0] - width / 2, middle[1] - height / 2
    return (
        f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"'
        f' rx="{number(corner)}" fill="{colour}"{more}/>'
    )


def _edge(colour: str, width: float) -> str:
    if not colour:
        return ""
    return f' stroke="{colour}"' + ("" if width == 1 else f' stroke-width="{number(width)}"')


DIGIT = 6.6
"""The height of the number of a phase, in user units."""
PITCH = 8.2
"""The distance between the centres of neighbouring plates of phases, in user units.

Each phase has its own plate, so that 1 and 2 are not read as 12.
"""
PLATE_WIDTH, PLATE_HEIGHT = 7.8, 9.6
"""The width and height of the plate of one phase, in user units."""
BADGE = 11.6
"""The height of a badge, which is also the width of a badge with one digit, in user units."""
NUMERAL, STROKE = 7.4, 1.5
"""The height of the number on a badge, and the width of its lines, in user units."""


def plate_size(phases: tuple[int, ...], *, upright: bool = False) -> Point:
    """Return the total width and height of the plates of these phases, in user units."""
    far = (len(phases) - 1) * PITCH + PLATE_WIDTH
    return (PLATE_WIDTH, far + PLATE_HEIGHT - PLATE_WIDTH) if upright else (far, PLATE_HEIGHT)


def phase_plate(sheet: Sheet, phases: tuple[int, ...], at: Point, *, upright: bool = False) -> str:
    """Draw a plate with its number for each phase, in a row or (with ``upright``) in a column."""
    name = f"phases{phases_text(phases)}{'-upright' if upright else ''}"
    return sheet.use(name, _plate(phases, upright), at)


@cache
def _plate(phases: tuple[int, ...], upright: bool) -> Drawing:
    first = -(len(phases) - 1) * PITCH / 2
    along = [first + place * PITCH for place in range(len(phases))]
    places: list[Point] = [(0, each) if upright else (each, 0) for each in along]
    strokes = "".join(writing(str(phase), *at, DIGIT) for phase, at in zip(phases, places, strict=True))
    high = PITCH - 0.4 if upright else PLATE_HEIGHT

    def draw(sheet: Sheet) -> str:
        ink = sheet.ink
        edge = f' stroke="{ink.hull}" stroke-width=".7"' if len(phases) > 1 else ""
        plates = "".join(box(at, PLATE_WIDTH, high, 2, ink.plate, edge) for at in places)
        return plates + line(strokes, ink.plate_ink, 1.25)

    return draw


def badge(text: str, plate: str, colour: str, *, edge: float, y: float) -> str:
    """Return a round badge with a number on it.

    ``edge`` is the position of the badge's outer end, in user units from the cell's middle: to the right if
    positive, to the left if negative. A longer number makes the badge grow towards the middle.
    """
    middle = badge_middle(len(text), edge=edge, y=y)
    return badge_plate(len(text), plate, middle) + line(writing(text, *middle, NUMERAL), colour, STROKE)


def badge_parts(text: str, plate: str, colour: str, *, edge: float, y: float) -> list[str]:
    """Return the parts of a `badge`: its plate, and each of its digits."""
    middle = badge_middle(len(text), edge=edge, y=y)
    digits = (line(letter, colour, STROKE) for letter in letters(text, *middle, NUMERAL))
    return [badge_plate(len(text), plate, middle), *digits]


def badge_middle(digits: int, *, edge: float, y: float) -> Point:
    """Return the middle of a badge for a number with this number of digits, as a point."""
    wide = _badge_width(digits)
    return (edge + wide / 2 if edge < 0 else edge - wide / 2), y


def badge_plate(digits: int, plate: str, middle: Point) -> str:
    return box(middle, _badge_width(digits), BADGE, BADGE / 2, plate)


def _badge_width(digits: int) -> float:
    return max(BADGE, length("0" * digits, NUMERAL) + 5.4)
