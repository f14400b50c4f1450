"""What a turn may change on a board: checkpoints, transporter links, the power crystal, robots.

Each is a layer of its own in a board's drawing; these alone, all from one sheet, are what it takes to show
another moment on a board that is drawn already.
"""

from collections.abc import Iterable, Mapping

from rules.drawing.figures import Drawable, draw_groups, draw_robots
from rules.drawing.inspection import draw_checkpoint
from rules.drawing.lettering import number
from rules.drawing.palette import palette
from rules.drawing.pen import area, line
from rules.drawing.sheet import Sheet, centre, moved, place
from rules.starship import Starship


class Changing:
    """Draws the layers of a board that a turn may change, moment by moment.

    ``prefix`` and ``theme`` are those of the board's drawing (see `draw`), ``looks`` what robots look like.
    The `definitions` are those that anything drawn so far refers to.
    """

    def __init__(
        self, starship: Starship, *, looks: Mapping[int, int] | None, theme: str, prefix: str
    ) -> None:
        self._ship = starship
        self._looks = looks
        self._sheet = Sheet(palette(theme), prefix)

    @property
    def definitions(self) -> str:
        """What is referred to, as ``<defs>``."""
        return self._sheet.definitions()

    def checkpoints(self, left: Mapping[int, int], following: int | None) -> dict[int, str]:
        """Return each checkpoint by its number, with the repairs left and the next one for the looker."""
        return checkpoints_of(self._sheet, self._ship, left, following)

    def links(self, links: Mapping[int, int]) -> str:
        """Return the layer of known transporter links."""
        return draw_links(self._sheet, self._ship, links)

    def crystal(self, cell: int) -> str:
        return draw_crystal(self._sheet, self._ship, cell)

    def gem(self) -> str:
        """Return the power crystal around the middle of its cell."""
        return self._sheet.use("crystal", _gem)

    def groups(self, robots: Iterable[Drawable]) -> dict[int, str]:
        """Return the robots of each cell around its middle, by the cell's number; none is called by name."""
        return draw_groups(self._sheet, self._ship, robots, self._looks)

    def robots(self, robots: Iterable[Drawable]) -> str:
        return f'<g class="robots">{draw_robots(self._sheet, self._ship, robots, self._looks)}</g>'


def checkpoints_of(
    sheet: Sheet, ship: Starship, left: Mapping[int, int], following: int | None
) -> dict[int, str]:
    return {
        number_: draw_checkpoint(
            sheet, number_, left.get(number_, 0), number_ in ship.hull_damage, following, *ship.pos(cell)
        )
        for number_, cell in ship.checkpoints.items()
    }


def draw_links(sheet: Sheet, ship: Starship, links: Mapping[int, int]) -> str:
    """Draw where transporters lead, as far as it is known: a dotted bow, thicker where it arrives."""
    parts = []
    for origin, to in sorted(links.items()):
        network = next((name for name, cells in ship.networks.items() if origin in cells), None)
        if network is None:
            continue
        colour = sheet.ink.network(network)
        (x1, y1), (x2, y2) = centre(*ship.pos(origin)), centre(*ship.pos(to))
        bow_x, bow_y = (x1 + x2) / 2 - (y2 - y1) / 6, (y1 + y2) / 2 + (x2 - x1) / 6
        parts.append(
            f'<path stroke="{colour}" stroke-width="1.3" stroke-dasharray="0 4" d="M{number(x1)} {number(y1)}'
            f'Q{number(bow_x)} {number(bow_y)} {number(x2)} {number(y2)}"/>'
        )
    return f'<g class="links">{"".join(parts)}</g>' if parts else ""


def draw_crystal(sheet: Sheet, ship: Starship, cell: int | None) -> str:
    if cell is None or not ship.inside(cell):
        return ""
    x, y = ship.pos(cell)
    gem = sheet.use("crystal", _gem)
    return f'<g class="crystal"{place(x, y)} transform="{moved(centre(x, y))}">{gem}</g>'


def _gem(sheet: Sheet) -> str:
    ink = sheet.ink
    return (
        area("M0-11.5L8-4L5 8.5L0 12L-5 8.5L-8-4z", ink.crystal, ink.robot_ink, 1.6)
        + area("M0-3L8-4L5 8.5L0 12z", ink.crystal_shade)
        + line("M-8-4L0-3L8-4M0-11.5V12", ink.robot_ink, 0.9)
    )
