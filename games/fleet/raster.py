"""Boards as PNG pictures, for mail, feeds and previews of links.

Converting an SVG drawing to pixels takes as long as playing many turns. So each board is drawn once, without
robots, and stored. A picture of a game is that board with stored pieces on top: changed cells, robots and the
power crystal. Anything missing in the store is drawn again.
"""

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from functools import lru_cache
from io import BytesIO
from types import MappingProxyType
from typing import Any, Final
from zlib import crc32

import resvg_py
from PIL import Image, ImageChops, ImageDraw

import rules
from games import content_cache
from games.content_cache import LRUCache, content_key, make_or_defer
from rules.drawing import CELL, MARGIN, Changing, Drawable, Layered, Rays, draw, layered
from rules.drawing.palette import palette
from rules.elements import Cell, Hull, Space

# --- Pieces -------------------------------------------------------------------------------------------------


logger = logging.getLogger(__name__)

Pieces = dict[str, Image.Image]


def _octets(image: Image.Image) -> int:
    return image.width * image.height * len(image.getbands())


PIECES: Final = LRUCache(24_000_000, _octets)
"""A cache of pieces of pictures in memory: about 20 boards, or fewer boards with many robots."""


def find_pieces(names: Iterable[str]) -> Pieces:
    """Return the stored pieces with these names, from memory or Redis. Missing ones are left out."""
    wanted = list(dict.fromkeys(names))
    found = PIECES.get(wanted)
    if missing := [name for name in wanted if name not in found]:
        fetched = _fetched(missing)
        PIECES.put(fetched)
        found |= fetched
    return found


def keep_pieces(images: Mapping[str, Image.Image]) -> None:
    """Store new pieces of pictures in memory and in Redis."""
    if not images:
        return
    PIECES.put(images)
    content_cache.store({name: encoded(image, level=6) for name, image in images.items()})


def pixels(svg: str, width: int) -> Image.Image:
    """Convert an SVG drawing to an image of this width in pixels. No fonts are loaded: drawings use none."""
    return decoded(bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width, skip_system_fonts=True)))


def encoded(image: Image.Image, *, level: int = 3) -> bytes:
    """Return an image as a PNG file.

    The default compression level is twice as fast as the next level, but its files are 10 % larger.
    """
    file = BytesIO()
    image.save(file, "PNG", compress_level=level)
    return file.getvalue()


def decoded(data: bytes) -> Image.Image:
    """Return a PNG file as an image in memory, fully loaded so that threads may share it."""
    image = Image.open(BytesIO(data), formats=["PNG"])
    image.load()
    return image


def _fetched(names: list[str]) -> Pieces:
    found = {}
    for name, data in content_cache.fetch(names).items():
        try:
            found[name] = decoded(data)
        except (OSError, SyntaxError, ValueError) as error:  # Pillow's errors for an invalid file
            logger.warning("The piece %s is drawn again, since it cannot be read: %s", name, error)
    return found


# --- Large boards, stamped ----------------------------------------------------------------------------------


STAMPS_PER_ROW: Final = 32
"""The number of stamps in a row of the sheet.

A stamp is a shape that appears on several cells of a board. The sheet is one drawing of all stamps of a
board.
"""

THICKNESS: Final = 0.8
"""The thickness of a laser ray in SVG user units. If it is less than a pixel, the ray is fainter instead."""

NEAR, FAR = 0.6, 0.2
"""The opacity of laser rays: of their first parts, and of the parts beyond a slide rail."""


def stamped(
    ship: rules.Starship,
    side: int,
    *,
    hull: Mapping[int, int],
    following: int | None,
    links: Mapping[int, int],
    looks: Mapping[int, int],
    theme: str,
) -> Image.Image:
    """Return the image of a large board. Each shape is drawn once, and then copied to its cells.

    ``side`` is the width of a cell in pixels. The margin is half a cell.
    """
    board = layered(ship, hull=hull, next_checkpoint=following, links=links, looks=looks, theme=theme)
    ground, *above = board.layers
    assert isinstance(ground, str)
    width = (ship.width + 1) * side
    image = pixels(board.document(ground), width).convert("RGB")
    marks = _marks(board, side)
    for layer in above:
        if isinstance(layer, Rays):
            _draw_rays(image, layer, side)
            continue
        if isinstance(layer, str):
            over = pixels(board.document(layer), width)
            image.paste(over, (0, 0), over)
            continue
        for stamp, (x, y) in layer:
            mark, left, top = marks[stamp]
            image.paste(mark, (x * side + left, y * side + top), mark)
    return image


def _draw_rays(image: Image.Image, rays: Rays, side: int) -> None:
    """Draw laser rays as lines of at least one pixel's width. Thin rays are fainter instead."""
    thick = THICKNESS * side / CELL
    mask = Image.new("L", image.size)
    pen = ImageDraw.Draw(mask)
    for lines, strength in ((rays.far, FAR), (rays.near, NEAR)):
        light = round(255 * strength * min(1, thick))
        for ends in lines:
            places = [tuple((each + MARGIN) * side / CELL for each in end) for end in ends]
            pen.line(places, light, max(1, round(thick)))
    image.paste(Image.new("RGB", image.size, rays.colour), (0, 0), mask)


def _marks(board: Layered, side: int) -> dict[str, tuple[Image.Image, int, int]]:
    """Return each stamp (a shape on several cells) as an image, with its left and top offset in pixels.

    The offset is measured from the corner of the stamp's tile, 2 × 2 cells around the stamped cell.
    """
    every = [layer for layer in board.layers if isinstance(layer, list)]
    stamps = list(dict.fromkeys(stamp for layer in every for stamp, _ in layer))
    if not stamps:
        return {}
    sheet = pixels(board.sheet_of(stamps, STAMPS_PER_ROW), 2 * side * STAMPS_PER_ROW)
    found = {}
    for at, stamp in enumerate(stamps):
        left, top = 2 * side * (at % STAMPS_PER_ROW), 2 * side * (at // STAMPS_PER_ROW)
        tile = sheet.crop((left, top, left + 2 * side, top + 2 * side))
        box = tile.getbbox() or (0, 0, 1, 1)
        found[stamp] = tile.crop(box), box[0], box[1]
    return found


# --- Boards -------------------------------------------------------------------------------------------------


Box = tuple[int, int, int, int]

WIDTH: Final = 960
"""The width of a picture in pixels. Pages show it at half this width, so that it is sharp on all screens."""

LARGEST_HEIGHT: Final = 3 * WIDTH
"""The maximum height of the picture of a narrow board, in pixels."""

LARGEST_HEIGHT_OF_LARGE: Final = 2 * WIDTH
"""The maximum height of the picture of a large board, in pixels."""

LARGE: Final = 500
"""The maximum number of cells, and of things in cells, on a board that is drawn as a whole.

Drawing takes up to 1 ms for each cell, so `stamped` draws boards above the limit.
"""

COLOURS: Final = 256
"""The maximum number of colours in a picture.

The limit halves the file's size, and saves 80 % of the time to encode it.
"""

LEAST_COLOUR_CHANGE: Final = 12
"""A pixel counts as changed if its red, green or blue value (0 to 255) differs by more than this."""

CELL_REACH: Final = CELL / 2 + 0.5
"""The distance from the middle of a cell to the edge of its drawing, in SVG user units."""


@dataclass(frozen=True)
class Plain:
    """The picture of a board without robots, and without the robots' letters on start cells."""

    ship: rules.Starship
    theme: str
    name: str
    image: Image.Image
    large: bool
    """Whether the board is large (`is_large`). If so, the image includes the changes in its game."""

    @property
    def scale(self) -> float:
        """The number of pixels per SVG user unit."""
        return self.image.width / (self.ship.width * CELL + 2 * MARGIN)

    def middle(self, cell: int) -> tuple[float, float]:
        """Return the middle of a cell in the image, in pixels."""
        x, y = self.ship.pos(cell)
        return (x * CELL + CELL / 2 + MARGIN) * self.scale, (y * CELL + CELL / 2 + MARGIN) * self.scale

    def box(self, cell: int) -> Box:
        """Return the left, top, right and bottom edge of a cell in the image, in pixels."""
        (x, y), reach = self.middle(cell), CELL_REACH * self.scale
        return round(x - reach), round(y - reach), round(x + reach), round(y + reach)

    def in_its_colours(self, image: Image.Image) -> Image.Image:
        return image.convert("RGB").quantize(palette=self.image, dither=Image.Dither.NONE)


def width_of(ship: rules.Starship, *, large: bool) -> int:
    """Return a picture's width in pixels: `WIDTH`, or less for large or narrow boards."""
    columns, rows = ship.width + 1, ship.height + 1
    if large:
        return columns * min(round(WIDTH / columns), LARGEST_HEIGHT_OF_LARGE // rows)
    return min(WIDTH, LARGEST_HEIGHT * columns // rows)


def is_large(ship: rules.Starship) -> bool:
    """Return whether a board has too many cells or things to be drawn whole. `stamped` draws such boards."""
    return len(ship.cells) > LARGE or sum(map(_things, ship.cells)) > LARGE


def _things(cell: Cell) -> int:
    """Return the number of separately drawn things in a cell.

    Rails do not count, as they are drawn as lines of the whole board.
    """
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
    """Return the picture of a game's board without robots, and store it if it is new.

    It shows the known transporter links. If the board is large, it also shows the game's changes, since this
    takes no extra time.
    """
    large = is_large(ship)
    width = width_of(ship, large=large)
    states = sorted(_states(ship, hull, following, looks).items()) if large else []
    name = content_key("board", width, theme, ship.fingerprint, sorted(links.items()), states)
    image = find_pieces([name]).get(name)
    if image is None:
        if large:
            side = width // (ship.width + 1)
            whole = stamped(ship, side, hull=hull, following=following, links=links, looks=looks, theme=theme)
        else:
            whole = pixels(draw(ship, theme=theme, links=links), width)
        image = _with_few_colours(whole, theme)
        keep_pieces({name: image})
    return Plain(ship, theme, name, image, large)


def own_cells(
    plain: Plain,
    *,
    hull: Mapping[int, int],
    following: int | None,
    looks: Mapping[int, int],
    links: Mapping[int, int],
) -> Mapping[int, Image.Image]:
    """Return pictures of the cells with differences from the plain board, by cell number.

    If any picture is not stored, draws the game's whole board, and cuts all pictures from it. For large
    boards, returns an empty mapping, since `plain_board` includes the changes.
    """
    ship, theme = plain.ship, plain.theme
    if plain.large:
        return {}
    colours = crc32(bytes(plain.image.getpalette() or ()))
    names = {
        cell: content_key("cell", plain.name, colours, cell, state)
        for cell, state in _states(ship, hull, following, looks).items()
    }
    found = find_pieces(names.values())
    if len(found) < len(set(names.values())):
        svg = draw(ship, theme=theme, hull=hull, next_checkpoint=following, looks=looks, links=links)
        whole = pixels(svg, plain.image.width)
        found = {name: _cut(whole, plain, plain.box(cell)) for cell, name in names.items()}
        keep_pieces(found)
    return {cell: found[name] for cell, name in names.items()}


def _states(
    ship: rules.Starship, hull: Mapping[int, int], following: int | None, looks: Mapping[int, int]
) -> dict[int, Any]:
    """Return the state of each cell with a difference from the plain board, by cell number.

    These cells are highlighted checkpoints, checkpoints that need fewer repairs than at first, and start
    cells with a robot's letter.
    """
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
    """Cut a part from the picture of a game's board, in the colours of the plain board.

    Pillow may replace a colour with a similar one, even if the palette has the exact colour. Here, such
    pixels keep their exact colour, so that the outline of a part does not show on bare hull.
    """
    part = whole.crop(box).convert("RGB")
    flat = bytes(plain.image.getpalette() or ())
    places = {flat[at : at + 3]: at // 3 for at in range(0, len(flat), 3)}
    pixels, near = part.tobytes(), plain.in_its_colours(part)
    exact = (places.get(pixels[3 * at : 3 * at + 3], index) for at, index in enumerate(near.tobytes()))
    near.putdata(bytes(exact))
    return near


def _changed(now: Image.Image, before: Image.Image) -> Image.Image:
    """Return a mask of the pixels with different colours in two images.

    Small differences are ignored, since they come from the limited number of colours.
    """
    apart = ImageChops.difference(now.convert("RGB"), before.convert("RGB")).split()
    most = ImageChops.lighter(ImageChops.lighter(apart[0], apart[1]), apart[2])
    return most.point(lambda difference: 255 if difference > LEAST_COLOUR_CHANGE else 0)


def _with_few_colours(board: Image.Image, theme: str) -> Image.Image:
    """Reduce the picture of a board to `COLOURS` colours: its own shades, and all colours of the theme."""
    board, inks = board.convert("RGB"), _inks(theme)
    few = board.quantize(COLOURS - len(inks), dither=Image.Dither.NONE)
    shades = bytes(few.getpalette() or ())[: 3 * (COLOURS - len(inks))]
    few.putpalette(shades + b"".join(inks))
    # Rare colours, such as a spark's, are missing in the shades.
    few.paste(board.quantize(palette=few, dither=Image.Dither.NONE), None, _changed(board, few))
    return few


@lru_cache(maxsize=2)
def _inks(theme: str) -> tuple[bytes, ...]:
    return tuple(bytes.fromhex(ink.removeprefix("#")) for ink in dict.fromkeys(astuple(palette(theme))))


# --- Pictures -----------------------------------------------------------------------------------------------


__all__ = ["WIDTH", "board_picture"]

ROBOT_REACH = 22
"""The distance from the middle of a robot to the edge of its drawing with smoke, in SVG user units."""

GROUP_REACH = 32
"""The distance from the middle of a cell to the edge of the drawing of several robots, in SVG user units."""


PICTURES: Final = LRUCache[bytes](4_000_000, len)
"""A cache of finished pictures. Players with the same next checkpoint share a picture."""


Tracks = Mapping[int, Sequence[Sequence[int]]]
"""The ways of robots over a board in a turn, as lists of cells, by the index of the robot."""


def board_picture(
    ship: rules.Starship,
    *,
    robots: Iterable[Drawable] = (),
    hull: Mapping[int, int] | None = None,
    following: int | None = None,
    links: Mapping[int, int] | None = None,
    crystal: int | None = None,
    looks: Mapping[int, int] | None = None,
    tracks: Tracks = MappingProxyType({}),
    theme: str = "light",
) -> bytes:
    """Return the picture of a board with its robots as a PNG file, `width_of` pixels wide.

    ``following`` is the number of the highlighted checkpoint. ``tracks`` are drawn as lines in the robots'
    colours. The other arguments are those of `rules.drawing.draw`.
    """
    shown, looking, known = list(robots), dict(looks or {}), dict(links or {})
    left = dict(ship.hull_damage if hull is None else hull)
    states = [(r.index, r.cell, r.heading, r.damage, r.virtual, r.down, r.scanner) for r in shown]
    marks = [sorted(each.items()) for each in (left, known, looking)]
    lines = [(robot, [list(way) for way in ways]) for robot, ways in sorted(tracks.items())]
    name = content_key("picture", ship.fingerprint, theme, states, marks, following, crystal, lines)

    def finish() -> bytes:
        plain = plain_board(ship, theme, hull=left, following=following, looks=looking, links=known)
        picture = plain.image.copy()
        for cell, own in own_cells(plain, hull=left, following=following, looks=looking, links=known).items():
            picture.paste(own, plain.box(cell))
        if tracks:
            _draw_tracks(picture, plain, tracks, looking)
        for cell, figure in _figures(plain, shown, crystal, looking):
            _lay(figure, over=picture, at=plain.middle(cell), plain=plain)
        return encoded(picture)

    return make_or_defer(name, lambda: PICTURES.get_or_make(name, finish))


def _draw_tracks(picture: Image.Image, plain: Plain, tracks: Tracks, looks: Mapping[int, int]) -> None:
    """Draw each robot's way as a line with an edge, beside the middles of its cells, and a dot at its start.

    The lines of several robots are side by side, so that none covers another.
    """
    ink, scale = palette(plain.theme), plain.scale
    edge, apart = max(2, round(5 * scale)), 4.5 * scale
    pen = ImageDraw.Draw(picture)
    dark = _index(picture, ink.robot_ink)
    for place, (robot, ways) in enumerate(sorted(tracks.items())):
        shift = (place - (len(tracks) - 1) / 2) * min(apart, 24 * scale / len(tracks))
        look = looks.get(robot)
        colour = _index(picture, ink.scanner if look is None else ink.robot(look - 1))
        for way in ways:
            points = [(x + shift, y + shift) for x, y in map(plain.middle, way)]
            x, y = points[0]
            for width, fill in ((edge, dark), (max(1, edge - max(2, round(2 * scale))), colour)):
                pen.line(points, fill, width, joint="curve")
                pen.ellipse((x - width, y - width, x + width, y + width), fill)


def _index(picture: Image.Image, colour: str) -> int:
    """Return the number of a colour of the theme in a picture's palette."""
    flat, wanted = bytes(picture.getpalette() or ()), bytes.fromhex(colour.removeprefix("#"))
    return next(at // 3 for at in range(0, len(flat), 3) if flat[at : at + 3] == wanted)


def _lay(figure: Image.Image, *, over: Image.Image, at: tuple[float, float], plain: Plain) -> None:
    """Paste the image of a robot or the crystal onto a board. Pixels outside the figure do not change."""
    left, top = (round(middle - side / 2) for middle, side in zip(at, figure.size, strict=True))
    box = (left, top, left + figure.width, top + figure.height)
    below = over.crop(box).convert("RGBA")
    below.alpha_composite(figure)
    touched = figure.getchannel("A").point(lambda alpha: 255 if alpha else 0)
    over.paste(plain.in_its_colours(below), box, touched)


def _figures(
    plain: Plain, robots: list[Drawable], crystal: int | None, looks: Mapping[int, int]
) -> Iterable[tuple[int, Image.Image]]:
    """Yield the cells and pictures of the power crystal and of robots, in the order to paste them."""
    sheet = Changing(plain.ship, looks=looks, theme=plain.theme, prefix="p")
    drawn: list[tuple[int, str, int]] = []
    if crystal is not None and plain.ship.inside(crystal):
        drawn.append((crystal, sheet.gem(), ROBOT_REACH))
    cells = [robot.cell for robot in robots]
    for cell, group in sheet.groups(robots).items():
        drawn.append((cell, group, ROBOT_REACH if cells.count(cell) == 1 else GROUP_REACH))
    names = [content_key("figure", plain.theme, _side(plain, reach), svg) for _, svg, reach in drawn]
    found = find_pieces(names)
    new = {}
    for name, (_, svg, reach) in zip(names, drawn, strict=True):
        if name not in found and name not in new:
            new[name] = _drawn(svg, sheet.definitions, reach, _side(plain, reach))
    keep_pieces(new)
    for name, (cell, _, _) in zip(names, drawn, strict=True):
        yield cell, found.get(name) or new[name]


def _side(plain: Plain, reach: int) -> int:
    return max(1, round(2 * reach * plain.scale))


def _drawn(svg: str, definitions: str, reach: int, side: int) -> Image.Image:
    """Return the image of an SVG fragment, centred on its origin, with a transparent background."""
    document = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-reach} {-reach} {2 * reach} {2 * reach}"'
        f' width="{2 * reach}" height="{2 * reach}"'
        f' fill="none" stroke-linecap="round" stroke-linejoin="round">{definitions}{svg}</svg>'
    )
    return pixels(document, side).convert("RGBA")
