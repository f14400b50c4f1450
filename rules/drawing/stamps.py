"""A board in stamps, for who puts it together in pixels: what stands in many cells is drawn once."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rules.drawing.changing import draw_links
from rules.drawing.fittings import fittings_of, reaches, spread
from rules.drawing.floors import draw_floor
from rules.drawing.ground import draw_ground
from rules.drawing.inspection import checkpoint_stamps
from rules.drawing.palette import palette
from rules.drawing.railing import draw_rails, draw_slide_rail
from rules.drawing.sheet import CELL, MARGIN, Point, Sheet, centre
from rules.grid import Pos
from rules.starship import Starship


@dataclass(frozen=True, slots=True)
class Rays:
    """The beams of lasers: their colour, and from where to where each goes, in user units.

    Those that are ``far`` are shown fainter: they are beyond a slide rail.
    """

    colour: str
    near: Sequence[tuple[Point, Point]]
    far: Sequence[tuple[Point, Point]]


Stamps = list[tuple[str, Pos]]
"""Markup as it is in column and row 0, and the cell that it stands in, in the order of drawing."""


@dataclass(frozen=True, slots=True)
class Layered:
    """A board's layers from the lowest to the highest: markup of the whole board, stamps, or rays."""

    ship: Starship
    whole: str
    """What layers of the whole board refer to, as ``<defs>``."""
    small: str
    """What stamps refer to."""
    layers: Sequence[str | Stamps | Rays]

    def document(self, markup: str) -> str:
        """Return the markup of a layer as an SVG document of the whole board."""
        size = self.ship.width * CELL + 2 * MARGIN, self.ship.height * CELL + 2 * MARGIN
        return _document(self.whole + markup, (-MARGIN, -MARGIN), size)

    def sheet_of(self, stamps: Sequence[str], columns: int) -> str:
        """Return stamps in rows of some columns as an SVG document, each in the middle of 2 × 2 cells."""
        rows = -(-len(stamps) // columns)
        placed = (
            f'<g transform="translate({2 * CELL * (at % columns)} {2 * CELL * (at // columns)})">{stamp}</g>'
            for at, stamp in enumerate(stamps)
        )
        corner, size = (-CELL // 2, -CELL // 2), (2 * CELL * columns, 2 * CELL * rows)
        return _document(self.small + "".join(placed), corner, size)


def _document(markup: str, corner: tuple[int, int], size: tuple[int, int]) -> str:
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
    """Return a board without robots in layers; see `rules.drawing.draw` for what they follow from."""
    whole, sheet = Sheet(palette(theme), "w"), Sheet(palette(theme), "s")
    floors = {floor: draw_floor(sheet, floor, 0, 0, looks) for floor in {cell.floor for cell in ship.cells}}
    layers: list[str | Stamps | Rays] = [
        draw_ground(whole, ship, MARGIN, seams=False),
        [(floors[cell.floor], ship.pos(number)) for number, cell in ship.numbered() if floors[cell.floor]],
        draw_links(whole, ship, links),
        list(_checkpoints(sheet, ship, hull, next_checkpoint)),
        _rays(whole, ship),
        draw_rails(whole, ship),
        list(_fittings(sheet, ship)),
    ]
    return Layered(ship, whole.definitions(), sheet.definitions(), [layer for layer in layers if layer])


def _checkpoints(
    sheet: Sheet, ship: Starship, hull: Mapping[int, int], following: int | None
) -> Iterator[tuple[str, Pos]]:
    for number, cell in ship.checkpoints.items():
        mended = number in ship.hull_damage
        for part in checkpoint_stamps(sheet, number, hull.get(number, 0), mended, following):
            yield part, ship.pos(cell)


def _rays(sheet: Sheet, ship: Starship) -> Rays:
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


def _fittings(sheet: Sheet, ship: Starship) -> Iterator[tuple[str, Pos]]:
    for number, cell in ship.numbered():
        for slide in cell.slides:
            yield draw_slide_rail(sheet, slide, 0, 0), ship.pos(number)
        for fitting in fittings_of(sheet, cell, 0, 0):
            yield fitting, ship.pos(number)
