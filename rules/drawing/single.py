"""Small pictures: one robot, or one element, beside a name or in a list."""

from collections.abc import Iterator
from dataclasses import dataclass
from zlib import crc32

from rules.cell_notation import read_cell
from rules.drawing.board import draw
from rules.drawing.figures import Figure, draw_robot, look_of
from rules.drawing.lettering import number
from rules.drawing.palette import own_style, palette
from rules.drawing.sheet import CELL, Sheet, escaped
from rules.grid import N
from rules.language import ENGLISH, Words
from rules.starship import Starship


def portrait(
    index: int,
    *,
    name: str = "",
    damage: int = 0,
    virtual: bool = False,
    down: bool = False,
    scanner: bool = False,
    theme: str = "auto",
    cell: int | None = 32,
) -> str:
    """Return one of the eight robots, facing north, as an SVG document of one cell.

    ``index`` is the number of its look less one (that of its seat, where none was chosen), or a scanner's
    number less one. With a ``name`` the picture is labelled;
    without, it is decoration, and hidden from those who do not see it. Nothing in it will change, unlike in a
    robot on a board: it holds only what shows.
    """
    figure = Figure(index, name, 0, N, damage, virtual, down, scanner)
    prefix = f"s{crc32(repr((figure, theme)).encode()):08x}"
    sheet = Sheet(palette(theme), prefix, still=True)
    others = [Figure(number_, "", 0, scanner=True) for number_ in range(index)] if scanner else []
    robot = draw_robot(sheet, figure, look_of(sheet, figure, others))
    size = "" if cell is None else f' width="{cell}" height="{cell}"'
    label = f'role="img" aria-label="{escaped(name)}"' if name else 'aria-hidden="true"'
    style = f"<style>{own_style()}</style>" if theme == "auto" else ""
    half = number(CELL / 2)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="starship-{theme} portrait" {label}'
        f' viewBox="-{half} -{half} {CELL} {CELL}"{size} fill="none" stroke-linecap="round"'
        f' stroke-linejoin="round">'
        f"{style}{sheet.definitions()}{robot}</svg>"
    )


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the legend: what an element is called, how it is written, and how it looks."""

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
"""Every element with a cell that shows it, in the order in which one meets them."""


def legend(theme: str = "auto", cell: int = 48, words: Words = ENGLISH) -> Iterator[Entry]:
    """Yield a small picture of every element, ``cell`` pixels a cell."""
    for name, token in LEGEND.items():
        ship = Starship(1, 1, [read_cell(token)], words(name))
        yield Entry(name, token, draw(ship, theme=theme, cell=cell, margin=5, words=words))
