"""Boards in pixels, drawn whole, and the cells in which those of one game differ."""

from collections.abc import Mapping
from dataclasses import astuple, dataclass
from functools import lru_cache
from typing import Any, Final
from zlib import crc32

from PIL import Image, ImageChops

import rules
from games.fleet.raster import pieces
from games.fleet.raster.large import stamped
from games.fleet.raster.pieces import pixels
from games.kept import named
from rules.drawing import CELL, MARGIN, Changing, draw
from rules.drawing.palette import palette
from rules.elements import Cell, Hull, Space

Box = tuple[int, int, int, int]

WIDTH: Final = 960
"""Pixels; shown at half the size, so that it is sharp on every screen."""

LONGEST: Final = 3 * WIDTH
"""Pixels of the height of a board that is narrow."""

LONGEST_OF_LARGE: Final = 2 * WIDTH
"""The same of a large board."""

LARGE: Final = 500
"""Cells, or things in them, of a board that is no longer drawn whole, which takes up to 1 ms a cell."""

COLOURS: Final = 256
"""Colours of a picture: with no more it is half as large, and written in a fifth of the time."""

APART: Final = 12
"""By how much red, green or blue of a pixel changes at least where a cell is drawn otherwise."""

REACH: Final = CELL / 2 + 0.5
"""User units from the middle of a cell as far as what stands in it may be drawn."""


@dataclass(frozen=True)
class Plain:
    """A board as it is in every game: without robots, and without their letters on start cells."""

    ship: rules.Starship
    theme: str
    name: str
    image: Image.Image
    large: bool
    """Whether it is stamped, with all that is otherwise in the game."""

    @property
    def scale(self) -> float:
        """Pixels of a user unit."""
        return self.image.width / (self.ship.width * CELL + 2 * MARGIN)

    def middle(self, cell: int) -> tuple[float, float]:
        """Return where in the image the middle of a cell is."""
        x, y = self.ship.pos(cell)
        return (x * CELL + CELL / 2 + MARGIN) * self.scale, (y * CELL + CELL / 2 + MARGIN) * self.scale

    def box(self, cell: int) -> Box:
        """Return the pixels of a cell: left, top, right, bottom."""
        (x, y), reach = self.middle(cell), REACH * self.scale
        return round(x - reach), round(y - reach), round(x + reach), round(y + reach)

    def in_its_colours(self, image: Image.Image) -> Image.Image:
        return image.convert("RGB").quantize(palette=self.image, dither=Image.Dither.NONE)


def width_of(ship: rules.Starship, *, large: bool) -> int:
    """Return how many pixels wide the picture of a board is: `WIDTH`, or fewer if it is large or narrow."""
    columns, rows = ship.width + 1, ship.height + 1
    if large:
        return columns * min(round(WIDTH / columns), LONGEST_OF_LARGE // rows)
    return min(WIDTH, LONGEST * columns // rows)


def is_large(ship: rules.Starship) -> bool:
    """Return whether a board is stamped (`games.fleet.raster.large`)."""
    return len(ship.cells) > LARGE or sum(map(_things, ship.cells)) > LARGE


def _things(cell: Cell) -> int:
    """Return how many things of a cell are drawn by themselves; rails are lines of the whole board."""
    fittings = (cell.slides, cell.couplings, cell.arms, cell.emitters)
    floor = not isinstance(cell.floor, Hull | Space)
    return floor + bool(cell.checkpoint) + bool(cell.crusher) + sum(map(len, fittings))


def plain_board(
    ship: rules.Starship,
    theme: str,
    *,
    hull: Mapping[int, int],
    following: int | None,
    looks: Mapping[int, int],
    links: Mapping[int, int],
) -> Plain:
    """Return a board with the transporter links that are known in a game, drawn if it is not kept.

    A large one has all that is otherwise in the game: that takes no longer than one without.
    """
    large = is_large(ship)
    width = width_of(ship, large=large)
    states = sorted(_states(ship, hull, following, looks).items()) if large else []
    name = named("board", width, theme, ship.fingerprint, sorted(links.items()), states)
    image = pieces.find([name]).get(name)
    if image is None:
        if large:
            side = width // (ship.width + 1)
            whole = stamped(ship, side, hull=hull, following=following, links=links, looks=looks, theme=theme)
        else:
            whole = pixels(draw(ship, theme=theme, links=links), width)
        image = _with_few_colours(whole, theme)
        pieces.keep({name: image})
    return Plain(ship, theme, name, image, large)


def own_cells(
    plain: Plain,
    *,
    hull: Mapping[int, int],
    following: int | None,
    looks: Mapping[int, int],
    links: Mapping[int, int],
) -> Mapping[int, Image.Image]:
    """Return what the cells look like in which the board of a game differs from the plain one.

    If one of them was never drawn, the board of the game is drawn whole, and all of them are cut from it.
    Of a large board there are none: `plain_board` has them.
    """
    ship, theme = plain.ship, plain.theme
    if plain.large:
        return {}
    colours = crc32(bytes(plain.image.getpalette() or ()))
    names = {
        cell: named("cell", plain.name, colours, cell, state)
        for cell, state in _states(ship, hull, following, looks).items()
    }
    found = pieces.find(names.values())
    if len(found) < len(set(names.values())):
        svg = draw(ship, theme=theme, hull=hull, next_checkpoint=following, looks=looks, links=links)
        whole = pixels(svg, plain.image.width)
        found = {name: _cut(whole, plain, plain.box(cell)) for cell, name in names.items()}
        pieces.keep(found)
    return {cell: found[name] for cell, name in names.items()}


def _states(
    ship: rules.Starship, hull: Mapping[int, int], following: int | None, looks: Mapping[int, int]
) -> dict[int, Any]:
    """Return what is otherwise than on the plain board, by the number of the cell."""
    board = Changing(ship, looks=None, theme="light", prefix="p")
    usual = board.checkpoints(ship.hull_damage, None)
    now = board.checkpoints(hull, following)
    states: dict[int, Any] = {
        cell: now[number] for number, cell in ship.checkpoints.items() if now[number] != usual[number]
    }
    for seat, cell in ship.starts.items():
        if seat - 1 in looks:
            states[cell] = (states.get(cell), looks[seat - 1])
    return states


def _cut(whole: Image.Image, plain: Plain, box: Box) -> Image.Image:
    """Return a part of a board as it is in a game, in the colours of the plain one.

    Pillow takes colours that are nearly the same for one. Where one of them is on the plain board, it stays:
    else one would see on the bare hull where something was.
    """
    part = whole.crop(box).convert("RGB")
    flat = bytes(plain.image.getpalette() or ())
    places = {flat[at : at + 3]: at // 3 for at in range(0, len(flat), 3)}
    pixels, near = part.tobytes(), plain.in_its_colours(part)
    exact = (places.get(pixels[3 * at : 3 * at + 3], index) for at, index in enumerate(near.tobytes()))
    near.putdata(bytes(exact))
    return near


def _changed(now: Image.Image, before: Image.Image) -> Image.Image:
    """Return which pixels differ by more than few colours make them."""
    apart = ImageChops.difference(now.convert("RGB"), before.convert("RGB")).split()
    most = ImageChops.lighter(ImageChops.lighter(apart[0], apart[1]), apart[2])
    return most.point(lambda difference: 255 if difference > APART else 0)


def _with_few_colours(board: Image.Image, theme: str) -> Image.Image:
    """Return a board in few colours: its shades, and all colours that anything is drawn in."""
    board, inks = board.convert("RGB"), _inks(theme)
    few = board.quantize(COLOURS - len(inks), dither=Image.Dither.NONE)
    shades = bytes(few.getpalette() or ())[: 3 * (COLOURS - len(inks))]
    few.putpalette(shades + b"".join(inks))
    # What is rare, such as a spark, has no shade of its own.
    few.paste(board.quantize(palette=few, dither=Image.Dither.NONE), None, _changed(board, few))
    return few


@lru_cache(maxsize=2)
def _inks(theme: str) -> tuple[bytes, ...]:
    return tuple(bytes.fromhex(ink.removeprefix("#")) for ink in dict.fromkeys(astuple(palette(theme))))
