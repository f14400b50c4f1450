"""Pieces of pictures, by names that tell their contents: kept as all that follows from a board."""

import logging
from collections.abc import Iterable, Mapping
from io import BytesIO
from typing import Final

import resvg_py
from PIL import Image

from games import kept
from games.kept import Memory

logger = logging.getLogger(__name__)

Pieces = dict[str, Image.Image]


def _octets(image: Image.Image) -> int:
    return image.width * image.height * len(image.getbands())


MEMORY: Final = Memory(24_000_000, _octets)
"""Pieces: some twenty boards, or fewer with many robots."""


def find(names: Iterable[str]) -> Pieces:
    """Return the pieces that are kept under these names."""
    wanted = list(dict.fromkeys(names))
    found = MEMORY.get(wanted)
    if missing := [name for name in wanted if name not in found]:
        fetched = _fetched(missing)
        MEMORY.put(fetched)
        found |= fetched
    return found


def keep(images: Mapping[str, Image.Image]) -> None:
    """Keep pieces; one that is in Redis already stays, as it is the same."""
    if not images:
        return
    MEMORY.put(images)
    kept.keep({name: encoded(image, level=6) for name, image in images.items()})


def pixels(svg: str, width: int) -> Image.Image:
    """Return an SVG drawing in pixels; no drawing has letters of any font."""
    return decoded(bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width, skip_system_fonts=True)))


def encoded(image: Image.Image, *, level: int = 3) -> bytes:
    """Return an image as PNG. The usual level takes half the time of the next, for 10 % more octets."""
    file = BytesIO()
    image.save(file, "PNG", compress_level=level)
    return file.getvalue()


def decoded(data: bytes) -> Image.Image:
    """Return an image in memory, which threads may share."""
    image = Image.open(BytesIO(data), formats=["PNG"])
    image.load()
    return image


def _fetched(names: list[str]) -> Pieces:
    found = {}
    for name, data in kept.fetched(names).items():
        try:
            found[name] = decoded(data)
        except (OSError, SyntaxError, ValueError) as error:  # Pillow's words for a file that is none
            logger.warning("The piece %s is drawn again, since it cannot be read: %s", name, error)
    return found
