"""The picture of a board as it is in a game: the plain board, and what this game lays over it."""

from collections.abc import Iterable, Mapping
from typing import Final

from PIL import Image

import rules
from games.fleet.raster import pieces
from games.fleet.raster.boards import WIDTH, Plain, own_cells, plain_board
from games.fleet.raster.pieces import pixels
from games.kept import Memory, later, named
from rules.drawing import Changing, Drawable

__all__ = ["WIDTH", "board_picture"]

ALONE = 20
"""User units from the middle of a robot as far as it is drawn, with its smoke."""

TOGETHER = 32
"""The same of robots that share a cell."""


FINISHED: Final = Memory[bytes](4_000_000, len)
"""Pictures: players of a game whose next checkpoint is the same are sent the same."""


def board_picture(
    ship: rules.Starship,
    *,
    robots: Iterable[Drawable] = (),
    hull: Mapping[int, int] | None = None,
    following: int | None = None,
    links: Mapping[int, int] | None = None,
    crystal: int | None = None,
    looks: Mapping[int, int] | None = None,
    theme: str = "light",
) -> bytes:
    """Return a board with its robots as a PNG, `boards.width_of` pixels wide; see `rules.drawing.draw`.

    ``following`` is the number of the checkpoint that stands out.
    """
    shown, looking, known = list(robots), dict(looks or {}), dict(links or {})
    left = dict(ship.hull_damage if hull is None else hull)
    states = [(r.index, r.cell, r.heading, r.damage, r.virtual, r.down, r.scanner) for r in shown]
    marks = [sorted(each.items()) for each in (left, known, looking)]
    name = named("picture", ship.fingerprint, theme, states, marks, following, crystal)

    def finish() -> bytes:
        plain = plain_board(ship, theme, hull=left, following=following, looks=looking, links=known)
        picture = plain.image.copy()
        for cell, own in own_cells(plain, hull=left, following=following, looks=looking, links=known).items():
            picture.paste(own, plain.box(cell))
        for cell, figure in _figures(plain, shown, crystal, looking):
            _lay(figure, over=picture, at=plain.middle(cell), plain=plain)
        return pieces.encoded(picture)

    return later(name, lambda: FINISHED.made(name, finish))


def _lay(figure: Image.Image, *, over: Image.Image, at: tuple[float, float], plain: Plain) -> None:
    """Lay a figure over a picture, and leave each pixel alone that it does not touch."""
    left, top = (round(middle - side / 2) for middle, side in zip(at, figure.size, strict=True))
    box = (left, top, left + figure.width, top + figure.height)
    below = over.crop(box).convert("RGBA")
    below.alpha_composite(figure)
    touched = figure.getchannel("A").point(lambda alpha: 255 if alpha else 0)
    over.paste(plain.in_its_colours(below), box, touched)


def _figures(
    plain: Plain, robots: list[Drawable], crystal: int | None, looks: Mapping[int, int]
) -> Iterable[tuple[int, Image.Image]]:
    """Yield what stands on a board, in pixels, with the cell it stands in: what is below comes first."""
    sheet = Changing(plain.ship, looks=looks, theme=plain.theme, prefix="p")
    drawn: list[tuple[int, str, int]] = []
    if crystal is not None and plain.ship.inside(crystal):
        drawn.append((crystal, sheet.gem(), ALONE))
    cells = [robot.cell for robot in robots]
    for cell, group in sheet.groups(robots).items():
        drawn.append((cell, group, ALONE if cells.count(cell) == 1 else TOGETHER))
    names = [named("figure", plain.theme, _side(plain, reach), svg) for _, svg, reach in drawn]
    found = pieces.find(names)
    new = {}
    for name, (_, svg, reach) in zip(names, drawn, strict=True):
        if name not in found and name not in new:
            new[name] = _drawn(svg, sheet.definitions, reach, _side(plain, reach))
    pieces.keep(new)
    for name, (cell, _, _) in zip(names, drawn, strict=True):
        yield cell, found.get(name) or new[name]


def _side(plain: Plain, reach: int) -> int:
    return max(1, round(2 * reach * plain.scale))


def _drawn(svg: str, definitions: str, reach: int, side: int) -> Image.Image:
    """Return what is drawn around a point in pixels, with nothing around it."""
    document = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-reach} {-reach} {2 * reach} {2 * reach}"'
        f' width="{2 * reach}" height="{2 * reach}"'
        f' fill="none" stroke-linecap="round" stroke-linejoin="round">{definitions}{svg}</svg>'
    )
    return pixels(document, side).convert("RGBA")
