"""The whole picture of a board: ground, floors, fittings, checkpoints and robots, in layers.

Checkpoints, transporter links, the power crystal and robots can change during a turn, so they have separate
layers. `Changing` draws only these layers, to show another moment on a finished drawing. For programs that
paint pixels, a board can also be drawn as stamps: small pictures that are drawn once and placed many times.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from zlib import crc32

from rules.drawing.fittings import draw_rails, draw_ray, draw_slide_rail, fittings_of, reaches, spread
from rules.drawing.floors import draw_floor, draw_ground
from rules.drawing.palette import own_style, palette
from rules.drawing.pen import (
    CELL,
    MARGIN,
    Drawing,
    Point,
    Sheet,
    area,
    badge,
    badge_parts,
    box,
    centre,
    circle,
    escaped,
    line,
    moved,
    number,
    place,
    writing,
)
from rules.drawing.robots import Drawable, draw_groups, draw_robots
from rules.drawing.words import describe
from rules.grid import Pos
from rules.language import ENGLISH, N_, Words
from rules.starship import Starship

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
"""The place in a cell for the number of a checkpoint."""
LOWER_LEFT: Final[Any] = {"edge": -15, "y": 9.4}
"""The place in a cell for the number of repairs that a checkpoint still needs."""
CRACKS = "M-8.8-12L-12.4-15.4M12.4-9.6L15.6-12.4M8 12L11.4 15.6M-12.6 7.6L-15.6 10"


def draw_checkpoint(
    sheet: Sheet,
    number: int,
    left: int,
    welded: bool,
    following: int | None,
    x: int,
    y: int,
    goal: int | None = None,
) -> str:
    """Draw a checkpoint that still needs ``left`` repairs. ``welded`` is true if it ever had hull damage.

    ``following`` is the number of the viewer's next checkpoint, which stands out. Checkpoints with lower
    numbers are drawn less visibly. The last checkpoint of a game, with the number ``goal``, has a ring.
    """
    data = f'{place(x, y)} data-number="{number}" data-left="{left}"'
    at, stage = centre(x, y), _stage(number, following)
    parts = [sheet.use("goal", _goal, at)] if number == goal else []
    parts += _locator(sheet, left, welded, stage, at)
    parts.append(sheet.use(f"number{number}-{stage}", _number(number, stage), at))
    if left:
        parts.append(sheet.use(f"repairs{left}", _repairs(left), at))
    classes = f"checkpoint {stage}" + (" goal" if number == goal else "")
    return f'<g class="{classes}"{data}>{"".join(parts)}</g>'


def _stage(number: int, following: int | None) -> str:
    return "next" if number == following else "done" if following and number < following else "open"


def checkpoint_stamps(sheet: Sheet, number: int, left: int, welded: bool, following: int | None) -> list[str]:
    """Return the parts of a checkpoint as stamps for column 0 and row 0. Each digit is a stamp.

    A few stamps of digits are therefore enough for thousands of numbers.
    """
    at, stage = centre(0, 0), _stage(number, following)
    parts = badge_parts(str(number), *_number_inks(sheet, stage), **UPPER_RIGHT)
    if left:
        parts += badge_parts(str(left), sheet.ink.plate, sheet.ink.plate_ink, **LOWER_LEFT)
    there = f'<g transform="{moved(at)}">'
    return [*_locator(sheet, left, welded, stage, at), *(f"{there}{part}</g>" for part in parts)]


def _locator(sheet: Sheet, left: int, welded: bool, stage: str, at: Point) -> list[str]:
    parts = []
    if left:
        parts.append(sheet.use("torn", torn, at))
    elif welded:
        parts.append(sheet.use("mended", _weld, at))
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


def _goal(sheet: Sheet) -> str:
    """Draw a chequered ring, like the flag at the end of a race."""
    colour, dark = sheet.ink.checkpoint, sheet.ink.checkpoint_ink
    return circle(13.4, "", dark, 4) + circle(13.4, "", colour, 2.6, more=' stroke-dasharray="4.21 4.21"')


LOCATORS: dict[str, Drawing] = {"open": _open, "next": _next, "done": _done}


def _number(number: int, stage: str) -> Drawing:
    return lambda sheet: badge(str(number), *_number_inks(sheet, stage), **UPPER_RIGHT)


def _number_inks(sheet: Sheet, stage: str) -> tuple[str, str]:
    """Return two colours for the number of a checkpoint: the badge's colour, and the digits' colour."""
    ink = sheet.ink
    return (ink.hull_other, ink.quiet) if stage == "done" else (ink.checkpoint, ink.checkpoint_ink)


def _repairs(left: int) -> Drawing:
    return lambda sheet: badge(str(left), sheet.ink.plate, sheet.ink.plate_ink, **LOWER_LEFT)


def torn(sheet: Sheet) -> str:
    """Draw damaged hull as torn plates, which no robot can pass."""
    ink = sheet.ink
    return area(TEAR, ink.pit, ink.metal, 1.5) + line(CRACKS, ink.rail_edge, 1.1)


def _weld(sheet: Sheet) -> str:
    """Draw repaired hull as a welded patch."""
    ink = sheet.ink
    return area(TEAR, ink.machine, ink.metal_dark, 1.1, ' stroke-dasharray="1.6 1.9"')


class Changing:
    """Draws the layers of a board that can change during a turn, separately for each moment.

    ``prefix``, ``theme`` and ``goal`` must be the same as for the board's drawing (see `draw`). ``looks`` are
    the robots' looks.
    """

    def __init__(
        self,
        starship: Starship,
        *,
        looks: Mapping[int, int] | None,
        theme: str,
        prefix: str,
        goal: int | None = None,
    ) -> None:
        self._ship = starship
        self._goal = goal
        self._looks = looks
        self._sheet = Sheet(palette(theme), prefix)

    @property
    def definitions(self) -> str:
        """The definitions for all parts drawn so far, as a ``<defs>`` element."""
        return self._sheet.definitions()

    def checkpoints(self, left: Mapping[int, int], following: int | None) -> dict[int, str]:
        """Return the drawing of each checkpoint, by its number.

        ``left`` has the number of repairs that each checkpoint still needs, and ``following`` is the viewer's
        next checkpoint.
        """
        return checkpoints_of(self._sheet, self._ship, left, following, self._goal)

    def links(self, links: Mapping[int, int]) -> str:
        return draw_links(self._sheet, self._ship, links)

    def crystal(self, cell: int) -> str:
        return draw_crystal(self._sheet, self._ship, cell)

    def gem(self) -> str:
        """Return the drawing of the power crystal, centred on the origin."""
        return self._sheet.use("crystal", _gem)

    def groups(self, robots: Iterable[Drawable]) -> dict[int, str]:
        """Return the drawings of the robots in each cell, by cell number.

        The drawings are centred on the origin, without the names of the robots.
        """
        return draw_groups(self._sheet, self._ship, robots, self._looks)

    def robots(self, robots: Iterable[Drawable]) -> str:
        return f'<g class="robots">{draw_robots(self._sheet, self._ship, robots, self._looks)}</g>'


def checkpoints_of(
    sheet: Sheet, ship: Starship, left: Mapping[int, int], following: int | None, goal: int | None
) -> dict[int, str]:
    return {
        number_: draw_checkpoint(
            sheet,
            number_,
            left.get(number_, 0),
            number_ in ship.hull_damage,
            following,
            *ship.pos(cell),
            goal,
        )
        for number_, cell in ship.checkpoints.items()
    }


def draw_links(sheet: Sheet, ship: Starship, links: Mapping[int, int]) -> str:
    """Draw the transporter links as dotted curves between cells."""
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


def draw(
    starship: Starship,
    robots: Iterable[Drawable] = (),
    *,
    hull: Mapping[int, int] | None = None,
    next_checkpoint: int | None = None,
    goal: int | None = None,
    links: Mapping[int, int] | None = None,
    crystal: int | None = None,
    looks: Mapping[int, int] | None = None,
    own: int | None = None,
    theme: str = "auto",
    cell: int | None = 32,
    unit: str = "",
    margin: int = MARGIN,
    rulers: bool = False,
    prefix: str = "",
    words: Words = ENGLISH,
) -> str:
    """Return a starship with its robots as an SVG document, which can also be part of a page.

    A cell measures 32 user units. The cell in column x and row y starts at (32x, 32y), with ``margin`` units
    of space around the board. ``cell`` is the displayed size of a cell in pixels or in another CSS ``unit``
    such as "em". If ``cell`` is None, the drawing fills its container.

    ``hull`` has the number of repairs that each checkpoint still needs (default: as declared by the board).
    The checkpoint with the number ``next_checkpoint`` stands out, and those with lower numbers are drawn less
    visibly. The last checkpoint, with the number ``goal``, has a ring. ``links`` are the known transporter
    links, and ``crystal`` is the position of the power crystal, both as cell numbers. ``looks`` has the
    number of each robot's look, from 1 to 8, by robot index. The default is the number of the seat. Start
    cells show the letter of a chosen look, or else the number of the seat. ``own`` is the index of the
    viewer's robot, which lies on top of the others in its cell. ``theme`` is one of `THEMES`. With
    ``rulers``, the margin shows the numbers of columns and rows. All ids start with ``prefix``, by default a
    hash of the contents. ``words`` is the reader's language. Raises ValueError for an unknown theme.
    """
    shown = list(robots)
    left = dict(starship.hull_damage) if hull is None else dict(hull)
    if not prefix:
        chosen = (sorted(looks.items()),) if looks else ()
        prefix = _prefix(starship, shown, left, next_checkpoint, goal, links, crystal, theme, *chosen)
    sheet = Sheet(palette(theme), prefix)
    layers = [
        draw_ground(sheet, starship, margin),
        _layer("floors", _floors(sheet, starship, looks or {})),
        draw_links(sheet, starship, links or {}),
        _layer("checkpoints", "".join(checkpoints_of(sheet, starship, left, next_checkpoint, goal).values())),
        _rays(sheet, starship),
        draw_rails(sheet, starship),
        _layer("fittings", _fittings(sheet, starship)),
        draw_crystal(sheet, starship, crystal),
        f'<g class="robots">{draw_robots(sheet, starship, shown, looks, own)}</g>',
        _rulers(sheet, starship) if rulers else "",
    ]
    return _document(
        sheet,
        starship,
        theme,
        _size(starship, cell, unit, margin),
        margin,
        (starship.name or words(N_("Starship")), describe(starship, shown, left, next_checkpoint, words)),
        layers,
    )


def _document(
    sheet: Sheet,
    ship: Starship,
    theme: str,
    size: str,
    margin: int,
    told: tuple[str, str],
    layers: list[str],
) -> str:
    title, words = told
    width, height = ship.width * CELL + 2 * margin, ship.height * CELL + 2 * margin
    style = f"<style>{own_style()}</style>" if theme == "auto" else ""
    names = f"{sheet.prefix}-title {sheet.prefix}-words"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="starship starship-{theme}" role="img"'
        f' aria-labelledby="{names}" viewBox="{-margin} {-margin} {width} {height}"{size}'
        ' fill="none" stroke-linecap="round" stroke-linejoin="round">'
        f'<title id="{sheet.prefix}-title">{escaped(title)}</title>'
        f'<desc id="{sheet.prefix}-words">{escaped(words)}</desc>'
        f"{style}{sheet.definitions()}{''.join(layers)}</svg>"
    )


def _size(ship: Starship, cell: int | None, unit: str, margin: int) -> str:
    if cell is None:
        return ""
    width, height = (number((cells + 2 * margin / CELL) * cell) + unit for cells in (ship.width, ship.height))
    return f' width="{width}" height="{height}"'


def _prefix(ship: Starship, robots: list[Drawable], *rest: object) -> str:
    cells = " ".join(ship.tokens)
    people = [(r.index, r.name, r.cell, r.heading, r.damage, r.virtual, r.down, r.scanner) for r in robots]
    return f"s{crc32(repr((ship.name, ship.width, cells, people, rest)).encode()):08x}"


def _layer(name: str, contents: str, more: str = "") -> str:
    return f'<g class="{name}"{more}>{contents}</g>' if contents else ""


def _floors(sheet: Sheet, ship: Starship, looks: Mapping[int, int]) -> str:
    return "".join(
        draw_floor(sheet, ship.at(x, y).floor, x, y, looks)
        for y in range(ship.height)
        for x in range(ship.width)
    )


def _fittings(sheet: Sheet, ship: Starship) -> str:
    parts = []
    for y in range(ship.height):
        for x in range(ship.width):
            cell = ship.at(x, y)
            parts += [draw_slide_rail(sheet, slide, x, y) for slide in cell.slides]
            parts += fittings_of(sheet, cell, x, y)
    return "".join(parts)


def _rays(sheet: Sheet, ship: Starship) -> str:
    rays = "".join(draw_ray(sheet, ship, emitter, *ship.pos(cell)) for cell, emitter in ship.emitters)
    return _layer("rays", rays, f' stroke="{sheet.ink.laser}" stroke-width=".8" stroke-opacity=".6"')


def _rulers(sheet: Sheet, ship: Starship) -> str:
    columns = "".join(writing(str(x + 1), centre(x, 0)[0], -9, 6) for x in range(ship.width))
    rows = "".join(writing(str(y + 1), -9, centre(0, y)[1], 6) for y in range(ship.height))
    return f'<path class="rulers" stroke="{sheet.ink.quiet}" stroke-width="1.1" d="{columns}{rows}"/>'


@dataclass(frozen=True, slots=True)
class Rays:
    """The beams of board lasers: their colour, and their start and end points in user units.

    ``far`` beams are drawn fainter, because they lie behind a slide rail.
    """

    colour: str
    near: Sequence[tuple[Point, Point]]
    far: Sequence[tuple[Point, Point]]


Stamps = list[tuple[str, Pos]]
"""Small pictures in drawing order. Each has markup for the cell in column 0 and row 0, and its real cell."""


@dataclass(frozen=True, slots=True)
class Layered:
    """The layers of a board, from bottom to top. Each layer is a markup text, a list of stamps, or rays."""

    ship: Starship
    whole: str
    """The definitions for the layers with markup of the whole board, as a ``<defs>`` element."""
    small: str
    """The definitions for the stamps, as a ``<defs>`` element."""
    layers: Sequence[str | Stamps | Rays]

    def document(self, markup: str) -> str:
        """Return the markup of a layer as an SVG document with the size of the whole board."""
        size = self.ship.width * CELL + 2 * MARGIN, self.ship.height * CELL + 2 * MARGIN
        return _document_of_stamps(self.whole + markup, (-MARGIN, -MARGIN), size)

    def sheet_of(self, stamps: Sequence[str], columns: int) -> str:
        """Return a grid of stamps as an SVG document, each in the middle of a square of 2 × 2 cells."""
        rows = -(-len(stamps) // columns)
        placed = (
            f'<g transform="translate({2 * CELL * (at % columns)} {2 * CELL * (at // columns)})">{stamp}</g>'
            for at, stamp in enumerate(stamps)
        )
        corner, size = (-CELL // 2, -CELL // 2), (2 * CELL * columns, 2 * CELL * rows)
        return _document_of_stamps(self.small + "".join(placed), corner, size)


def _document_of_stamps(markup: str, corner: tuple[int, int], size: tuple[int, int]) -> str:
    box, (width, height) = " ".join(map(str, (*corner, *size))), size
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{width}" height="{height}"'
        f' fill="none" stroke-linecap="round" stroke-linejoin="round">{markup}</svg>'
    )


def layered(
    ship: Starship,
    *,
    hull: Mapping[int, int],
    next_checkpoint: int | None,
    links: Mapping[int, int],
    looks: Mapping[int, int],
    theme: str,
) -> Layered:
    """Return a board without robots, in layers. The arguments have the same meaning as in `draw`."""
    whole, sheet = Sheet(palette(theme), "w"), Sheet(palette(theme), "s")
    floors = {floor: draw_floor(sheet, floor, 0, 0, looks) for floor in {cell.floor for cell in ship.cells}}
    layers: list[str | Stamps | Rays] = [
        draw_ground(whole, ship, MARGIN, seams=False),
        [(floors[cell.floor], ship.pos(number)) for number, cell in ship.numbered() if floors[cell.floor]],
        draw_links(whole, ship, links),
        list(_checkpoints(sheet, ship, hull, next_checkpoint)),
        _rays_to_paint(whole, ship),
        draw_rails(whole, ship),
        list(_fitting_stamps(sheet, ship)),
    ]
    return Layered(ship, whole.definitions(), sheet.definitions(), [layer for layer in layers if layer])


def _checkpoints(
    sheet: Sheet, ship: Starship, hull: Mapping[int, int], following: int | None
) -> Iterator[tuple[str, Pos]]:
    for checkpoint, cell in ship.checkpoints.items():
        welded = checkpoint in ship.hull_damage
        for part in checkpoint_stamps(sheet, checkpoint, hull.get(checkpoint, 0), welded, following):
            yield part, ship.pos(cell)


def _rays_to_paint(sheet: Sheet, ship: Starship) -> Rays:
    near: list[tuple[Point, Point]] = []
    far: list[tuple[Point, Point]] = []
    for cell, emitter in ship.emitters:
        x, y = centre(*ship.pos(cell))
        dx, dy = ((0, 1), (-1, 0), (0, -1), (1, 0))[emitter.edge]
        usual, most = reaches(ship, emitter, cell)
        for shift in spread(emitter.strength):
            left, top = x + shift * abs(dy), y + shift * abs(dx)
            start, bend, end = ((left + dx * way, top + dy * way) for way in (-6, usual, most))
            near.append((start, bend))
            if most > usual:
                far.append((bend, end))
    return Rays(sheet.ink.laser, near, far)


def _fitting_stamps(sheet: Sheet, ship: Starship) -> Iterator[tuple[str, Pos]]:
    for at, cell in ship.numbered():
        for slide in cell.slides:
            yield draw_slide_rail(sheet, slide, 0, 0), ship.pos(at)
        for fitting in fittings_of(sheet, cell, 0, 0):
            yield fitting, ship.pos(at)
