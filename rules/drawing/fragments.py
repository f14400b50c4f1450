"""Small pictures of robots and elements, and overlays for finished drawings.

Each part is a ``<g>`` in the board's units, for use in its ``<svg>``. It is complete and has no ids, so a
page can have many. Cells are columns and rows from 0. ``theme`` is the board's theme.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from zlib import crc32

from rules.drawing import board, pen
from rules.drawing.board import draw
from rules.drawing.palette import own_style, palette
from rules.drawing.robots import Figure, draw_robot, look_of, robot_look
from rules.elements import read_cell
from rules.grid import LETTERS, N
from rules.language import ENGLISH, Words
from rules.starship import Starship

Place = tuple[int, int]
"""Column and row of a cell, from 0."""
CROSS: Final = "M-8-8L8 8M8-8L-8 8"
MOST_IN_A_ROW: Final = 3
PLATE: Final = 10.4
"""Distance between round plates with phases."""
DROP: Final = "M0 1C-1.6-3.6-7.2-6.6-7.2-12.2A7.2 7.2 0 0 1 7.2-12.2C7.2-6.6 1.6-3.6 0 1z"


class Loose(pen.Sheet):
    """A sheet without definitions: each use is drawn in place."""

    def use(
        self, name: str, draw: pen.Drawing, at: pen.Point = (0, 0), *, quarters: int = 0, more: str = ""
    ) -> str:
        turn = f"rotate({quarters % 4 * 90})" if quarters % 4 else ""
        shift = pen.moved(at) if at != (0, 0) else ""
        where = f' transform="{shift}{turn}"' if shift or turn else ""
        return f"<g{where}{more}>{draw(self)}</g>"


def ghost(
    look: int,
    cell: Place,
    heading: int | None,
    phases: Sequence[int],
    *,
    lost: bool = False,
    last: bool = False,
    theme: str = "page",
) -> str:
    """Return a robot's expected position after some phases: an outline with numerals.

    ``look`` is the number of the look from 1, and ``heading`` is 0 to 3 from north. ``lost`` crosses the
    robot out, if it would be destroyed there. The ``last`` one is drawn more strongly. The group has the
    classes ``ghost``, ``lost`` and ``last``, and ``data-x``, ``data-y``, ``data-heading`` and
    ``data-phases``.
    """
    sheet = Loose(palette(theme), "")
    ink, robot = sheet.ink, robot_look(sheet, look)
    turn = f' transform="rotate({heading * 90})"' if heading else ""
    limbs = pen.line(robot.shape.limbs, robot.outline, 1.3) if robot.shape.limbs else ""
    dashes = ' fill-opacity=".55" stroke-dasharray="3 2.2"'
    body = pen.area(robot.shape.body, ink.hull, robot.outline, 1.8, dashes)
    eyes = "".join(f"M{pen.number(x)} {pen.number(y)}h0" for x, y in robot.shape.eyes)
    classes = " ".join(["ghost", *(name for name, holds in (("lost", lost), ("last", last)) if holds)])
    faces, when = "" if heading is None else LETTERS[heading], pen.phases_text(tuple(phases))
    return (
        f'<g class="{classes}"{pen.place(*cell)} data-heading="{faces}" data-phases="{when}"'
        f' transform="{pen.moved(pen.centre(*cell))}" opacity="{"1" if last else ".75"}">'
        f"<g{turn}>{limbs}{body}{'' if heading is None else pen.line(eyes, robot.outline, 3.4)}</g>"
        + (pen.line(CROSS, ink.rail_edge, 5.4) + pen.line(CROSS, ink.laser, 3) if lost else "")
        + "".join(_numerals(sheet, phases, robot.outline, lost=lost))
        + "</g>"
    )


def checkpoint(
    number_: int,
    left: int,
    cell: Place,
    *,
    damaged: bool = True,
    next_checkpoint: int | None = None,
    theme: str = "page",
) -> str:
    """Return a checkpoint with a number of repairs left, as the board draws it.

    If it was ever ``damaged``, a patch remains after the last repair.
    """
    sheet = Loose(palette(theme), "")
    return board.draw_checkpoint(sheet, number_, left, damaged, next_checkpoint, *cell)


def pin(letter: str, cell: Place, *, theme: str = "page") -> str:
    """Return a pin with a small letter, with its point in the middle of a cell.

    It has a letter because numbers mean checkpoints and phases. The group has the class ``pin``, and
    ``data-x``, ``data-y`` and ``data-letter``.
    """
    ink = palette(theme)
    written = pen.writing(letter, 0, -13.2, 8.6)
    return (
        f'<g class="pin"{pen.place(*cell)} data-letter="{letter}" transform="{pen.moved(pen.centre(*cell))}">'
        f"{pen.area(DROP, ink.plate, ink.plate_ink, 1.4)}{pen.line(written, ink.plate_ink, 1.7)}</g>"
    )


def _numerals(sheet: pen.Sheet, phases: Sequence[int], colour: str, *, lost: bool) -> Iterator[str]:
    """Draw each phase on a separate round plate, so that 1 and 2 never read as 12.

    There are up to three in a row. The plates have the robot's colour as an edge, or red for the phase in
    which it is ``lost``.
    """
    rows = [phases] if len(phases) <= MOST_IN_A_ROW else [phases[:2], phases[2:]]
    for number_, row in enumerate(rows):
        y = 0.6 + (number_ - (len(rows) - 1) / 2) * PLATE
        for place_, phase in enumerate(row):
            x = (place_ - (len(row) - 1) / 2) * PLATE
            edge, width = (sheet.ink.laser, 2) if lost and phase == phases[-1] else (colour, 1.1)
            plate = pen.circle(PLATE / 2 - 0.2, sheet.ink.plate, edge, width)
            numeral = pen.line(pen.writing(str(phase), 0, 0, pen.DIGIT), sheet.ink.plate_ink, 1.4)
            yield f'<g class="ghost-phase" transform="{pen.moved((x, y))}">{plate}{numeral}</g>'


def portrait(
    index: int,
    *,
    name: str = "",
    damage: int = 0,
    scanner: bool = False,
    theme: str = "auto",
    cell: int | None = 32,
) -> str:
    """Return one of the eight robots, facing north, as an SVG document of one cell.

    ``index`` is the number of its look minus 1 (by default its seat), or a scanner's number minus 1. A
    ``name`` labels the picture. Without one, the picture is decoration and hidden from screen readers. Unlike
    a robot on a board, it has only the parts that show.
    """
    figure = Figure(index, name, 0, N, damage, scanner=scanner)
    prefix = f"s{crc32(repr((figure, theme)).encode()):08x}"
    sheet = pen.Sheet(palette(theme), prefix, still=True)
    others = [Figure(number_, "", 0, scanner=True) for number_ in range(index)] if scanner else []
    robot = draw_robot(sheet, figure, look_of(sheet, figure, others))
    size = "" if cell is None else f' width="{cell}" height="{cell}"'
    label = f'role="img" aria-label="{pen.escaped(name)}"' if name else 'aria-hidden="true"'
    style = f"<style>{own_style()}</style>" if theme == "auto" else ""
    half = pen.number(pen.CELL / 2)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="starship-{theme} portrait" {label}'
        f' viewBox="-{half} -{half} {pen.CELL} {pen.CELL}"{size} fill="none" stroke-linecap="round"'
        f' stroke-linejoin="round">'
        f"{style}{sheet.definitions()}{robot}</svg>"
    )


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the legend: an element's name, token and picture."""

    name: str
    token: str
    picture: str


LEGEND = {
    "Hull": ".",
    "Space": "~",
    "Cooling shaft": "o",
    "Launch bay": "d24",
    "Beam of speed 1": "b1:E",
    "Beam of speed 2": "b2:E",
    "Beam of speed 3": "b3:E",
    "Beam, curve": "b1:SE",
    "Beam, intersection": "b1:SWE",
    "Twister, right": "g+",
    "Twister, left": "g-",
    "Twister, half turn": "g2",
    "Transporter, purple": "t:purple",
    "Transporter, red": "t:red",
    "Transporter, blue": "t:blue",
    "Transporter, yellow": "t:yellow",
    "Thruster": "f",
    "Repair depot": "h2",
    "Airlock": "a",
    "Airlock of the red squad": "a:red",
    "Airlock of the blue squad": "a:blue",
    "Start cell": "a1",
    "Crystal grappler": "k",
    "Oil": "s",
    "Checkpoint": ".+i1",
    "Checkpoint with hull damage": ".+i1*3",
    "Rail": ".+wN",
    "Slide rail": ".+r24N",
    "Power coupling": ".+wN+cN",
    "Docking arm": ".+wN+pN",
    "Docking arm with phases": ".+wN+p135N",
    "Laser": ".+wN+l1N",
    "Crusher": ".+x15",
}
"""Every element with an example cell, from common to rare."""


def legend(theme: str = "auto", cell: int = 48, words: Words = ENGLISH) -> Iterator[Entry]:
    """Yield a small picture of every element, with ``cell`` pixels per cell."""
    for name, token in LEGEND.items():
        ship = Starship(1, 1, [read_cell(token)], words(name))
        yield Entry(name, token, draw(ship, theme=theme, cell=cell, margin=5, words=words))
