"""Large boards in pixels, stamped: each thing is turned into pixels once, and laid wherever it stands."""

from collections.abc import Mapping
from typing import Final

from PIL import Image, ImageDraw

import rules
from games.fleet.raster.pieces import pixels
from rules.drawing import CELL, MARGIN, Layered, Rays, layered

COLUMNS: Final = 32
"""Stamps in a row of the sheet that all of them are drawn on at once."""

THICKNESS: Final = 0.8
"""User units of a ray, which is fainter where this is less than a pixel."""

NEAR, FAR = 0.6, 0.2
"""The opacity of rays, and of the parts of them beyond a slide rail."""


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
    """Return a board whose cells are ``side`` pixels wide, with half a cell of space around it."""
    board = layered(ship, hull=hull, next_checkpoint=following, links=links, looks=looks, theme=theme)
    ground, *above = board.layers
    assert isinstance(ground, str)
    width = (ship.width + 1) * side
    image = pixels(board.document(ground), width).convert("RGB")
    marks = _marks(board, side)
    for layer in above:
        if isinstance(layer, Rays):
            _shine(image, layer, side)
            continue
        if isinstance(layer, str):
            over = pixels(board.document(layer), width)
            image.paste(over, (0, 0), over)
            continue
        for stamp, (x, y) in layer:
            mark, left, top = marks[stamp]
            image.paste(mark, (x * side + left, y * side + top), mark)
    return image


def _shine(image: Image.Image, rays: Rays, side: int) -> None:
    """Draw rays as lines of full pixels, as strong as a hairline is."""
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
    """Return each stamp in pixels, and how far it lies from the corner of the 2 × 2 cells around it."""
    every = [layer for layer in board.layers if isinstance(layer, list)]
    stamps = list(dict.fromkeys(stamp for layer in every for stamp, _ in layer))
    if not stamps:
        return {}
    sheet = pixels(board.sheet_of(stamps, COLUMNS), 2 * side * COLUMNS)
    found = {}
    for at, stamp in enumerate(stamps):
        left, top = 2 * side * (at % COLUMNS), 2 * side * (at // COLUMNS)
        tile = sheet.crop((left, top, left + 2 * side, top + 2 * side))
        box = tile.getbbox() or (0, 0, 1, 1)
        found[stamp] = tile.crop(box), box[0], box[1]
    return found
