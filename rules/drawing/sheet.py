"""The sheet that a board is drawn on: the pen's colours, and the definitions that it shares.

Every element is defined once, around the origin, and used wherever it stands; so a large board
stays a small document.
"""

from collections.abc import Callable
from typing import Final
from xml.sax.saxutils import escape

from rules.drawing.lettering import number
from rules.drawing.palette import Palette

CELL: Final = 32
"""User units along the edge of a cell."""
MARGIN: Final = 16
"""User units of space around the board."""

HIDDEN: Final = ' display="none"'
"""What a part has that does not show now."""

Point = tuple[float, float]
Drawing = Callable[["Sheet"], str]
"""Draws one thing around the origin."""


class Sheet:
    """Gathers definitions under ids that start with ``prefix``, and refers to them.

    On a ``still`` sheet nothing is drawn that does not show: no script will ever show it.
    """

    def __init__(self, ink: Palette, prefix: str, *, still: bool = False) -> None:
        self.ink = ink
        self.prefix = prefix
        self.still = still
        self._definitions: dict[str, str] = {}

    def define(self, name: str, draw: Drawing) -> None:
        """Draw a definition, unless it is there: a ``<g>`` of that name."""
        if name not in self._definitions:
            self._definitions[name] = ""
            self._definitions[name] = f'<g id="{self.prefix}-{name}">{draw(self)}</g>'

    def define_raw(self, name: str, markup: str) -> None:
        """Keep a definition that is an element of its own (a gradient, a clip path), with its id in it."""
        self._definitions.setdefault(name, markup)

    def use(
        self,
        name: str,
        draw: Drawing,
        at: Point = (0, 0),
        *,
        quarters: int = 0,
        more: str = "",
    ) -> str:
        """Return a use of a definition, moved to a point and turned by quarter turns to the right."""
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
        """Return a reference to a gradient or clip path."""
        return f"url(#{self.prefix}-{name})"

    def definitions(self) -> str:
        return f"<defs>{''.join(self._definitions.values())}</defs>"


def moved(at: Point) -> str:
    return f"translate({number(at[0])} {number(at[1])})"


def centre(x: int, y: int) -> Point:
    """Return the middle of a cell in user units."""
    return x * CELL + CELL / 2, y * CELL + CELL / 2


def place(x: int, y: int) -> str:
    """Return the attributes by which a page script finds what stands in a cell."""
    return f' data-x="{x}" data-y="{y}"'


def phases_text(phases: tuple[int, ...]) -> str:
    return "".join(map(str, phases))


def escaped(text: str) -> str:
    """Return a text as it may stand in XML, between tags or in quotes; what XML cannot hold is left out."""
    kept = "".join(character for character in text if character >= " " or character in "\n\t")
    return escape(kept, {'"': "&quot;"})
