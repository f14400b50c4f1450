"""Small pictures of robots and elements, and overlays for finished drawings of boards.

Each overlay is a ``<g>`` element in the units of the board, to be added to the board's ``<svg>``. It has no
ids and refers to nothing else, so a page can have many. Cells are given by column and row from 0. ``theme``
is the theme of the board.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from zlib import crc32

from rules.drawing import board, pen
from rules.drawing.board import draw
from rules.drawing.palette import own_style, palette
from rules.drawing.robots import NOSE, Figure, draw_robot, look_of, robot_look
from rules.elements import read_cell
from rules.grid import LETTERS, N
from rules.language import ENGLISH, Words
from rules.starship import Starship

Place = tuple[int, int]
"""Column and row of a cell, from 0."""
CROSS: Final = "M-8-8L8 8M8-8L-8 8"
MOST_IN_A_ROW: Final = 3
PLATE: Final = 10.4
"""The distance between the centres of neighbouring round plates with numbers of phases, in user units."""
DROP: Final = "M0 1C-1.6-3.6-7.2-6.6-7.2-12.2A7.2 7.2 0 0 1 7.2-12.2C7.2-6.6 1.6-3.6 0 1z"


class Loose(pen.Sheet):
    """A sheet without definitions. It draws a part again wherever the part is used."""

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
    """Draw the position that a robot is expected to have after these phases.

    It is drawn as an outline with the numbers of the phases. ``look`` is the number of the robot's look, from
    1. ``heading`` is the number of its heading, from 0 (north) to 3, or None. With ``lost``, the robot is
    crossed out, because it is destroyed there. The ``last`` position is drawn more strongly. The group has
    the classes ``ghost``, ``lost`` and ``last``, and ``data-x``, ``data-y``, ``data-heading`` and
    ``data-phases``.
    """
    sheet = Loose(palette(theme), "")
    ink, robot = sheet.ink, robot_look(sheet, look)
    turn = f' transform="rotate({heading * 90})"' if heading else ""
    limbs = pen.line(robot.shape.limbs, robot.outline, 1.3) if robot.shape.limbs else ""
    dashes = ' fill-opacity=".55" stroke-dasharray="3 2.2"'
    body = pen.area(robot.shape.body, ink.hull, robot.outline, 1.8, dashes)
    nose = "" if heading is None else pen.area(NOSE, robot.outline, ink.hull, 1.6)
    eyes = "".join(f"M{pen.number(x)} {pen.number(y)}h0" for x, y in robot.shape.eyes)
    classes = " ".join(["ghost", *(name for name, holds in (("lost", lost), ("last", last)) if holds)])
    faces, when = "" if heading is None else LETTERS[heading], pen.phases_text(tuple(phases))
    return (
        f'<g class="{classes}"{pen.place(*cell)} data-heading="{faces}" data-phases="{when}"'
        f' transform="{pen.moved(pen.centre(*cell))}" opacity="{"1" if last else ".75"}">'
        f"<g{turn}>{limbs}{body}{nose}{'' if heading is None else pen.line(eyes, robot.outline, 3.4)}</g>"
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
    """Return a checkpoint that still needs ``left`` repairs, drawn as on the board.

    If the checkpoint was ever ``damaged``, a patch remains after the last repair.
    """
    sheet = Loose(palette(theme), "")
    return board.draw_checkpoint(sheet, number_, left, damaged, next_checkpoint, *cell)


def pin(letter: str, cell: Place, *, theme: str = "page") -> str:
    """Return a pin that has a small letter and points to the middle of a cell.

    It has a letter, because numbers stand for checkpoints and phases. The group has the class ``pin``, and
    ``data-x``, ``data-y`` and ``data-letter``.
    """
    ink = palette(theme)
    written = pen.writing(letter, 0, -13.2, 8.6)
    return (
        f'<g class="pin"{pen.place(*cell)} data-letter="{letter}" transform="{pen.moved(pen.centre(*cell))}">'
        f"{pen.area(DROP, ink.plate, ink.plate_ink, 1.4)}{pen.line(written, ink.plate_ink, 1.7)}</g>"
    )


def _numerals(sheet: pen.Sheet, phases: Sequence[int], colour: str, *, lost: bool) -> Iterator[str]:
    """Draw the number of each phase on its own round plate, so that 1 and 2 are not read as 12.

    There are up to three plates in a row. Their edges have the robot's colour. If the robot is ``lost``, the
    edge of the last phase is red.
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
    """Return a picture of one robot, facing north, as an SVG document of one cell.

    ``index`` is the number of the robot's look minus 1 or, for a ``scanner``, the scanner's number minus 1.
    ``name`` is the label of the picture. A picture without a name is decoration, and hidden from screen
    readers. Unlike a robot on a board, the picture has no hidden parts for page scripts.
    """
    figure = Figure(index, name, 0, N, damage, scanner=scanner)
    prefix = f"s{crc32(repr((figure, theme)).encode()):08x}"
    sheet = pen.Sheet(palette(theme), prefix, still=True)
    others = [Figure(number_, "", 0, scanner=True) for number_ in range(index)] if scanner else []
    robot = draw_robot(sheet, figure, look_of(sheet, figure, others), nosed=False)
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
    """One line of the legend: the name, the token and the picture of an element."""

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
    "Red squad airlock": "a:red",
    "Blue squad airlock": "a:blue",
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
"""The names of all elements, each with the token of an example cell. Common elements come first."""


def legend(theme: str = "auto", cell: int = 48, words: Words = ENGLISH) -> Iterator[Entry]:
    """Yield a small picture of every element. ``cell`` is the size of a cell in pixels."""
    for name, token in LEGEND.items():
        ship = Starship(1, 1, [read_cell(token)], words(name))
        yield Entry(name, token, draw(ship, theme=theme, cell=cell, margin=5, words=words))
