"""Symmetries of a board: the images in which everything is repeated."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from rules.chance import Stream
from rules.grid import Pos


@dataclass(frozen=True, slots=True)
class Image:
    """One of the eight ways to lay a square onto itself: mirrored left to right or not, then turned right."""

    quarters: int = 0
    mirrored: bool = False

    def at(self, pos: Pos, width: int, height: int) -> Pos:
        """Return where a cell of a board of that size comes to lie."""
        x, y = pos
        if self.mirrored:
            x = width - 1 - x
        for _ in range(self.quarters):
            x, y, width, height = height - 1 - y, x, height, width
        return x, y

    def heading(self, heading: int) -> int:
        """Return where a heading points afterwards.

        >>> Image(1).heading(0), Image(0, True).heading(1), Image(0, True).heading(0)
        (1, 3, 0)
        """
        return ((-heading if self.mirrored else heading) + self.quarters) & 3


SAME: Final = Image()

ALL_IMAGES: Final = tuple(Image(quarters, mirrored) for mirrored in (False, True) for quarters in range(4))
"""All eight; those that turn by one quarter or three fit square boards alone."""

Symmetry = tuple[Image, ...]
"""The images of a board, the plain one first. `MIRROR` swaps left and right, `KEEL` top and bottom."""

NONE: Final[Symmetry] = (SAME,)
HALF_TURN: Final[Symmetry] = (SAME, Image(2))
MIRROR: Final[Symmetry] = (SAME, Image(0, True))
KEEL: Final[Symmetry] = (SAME, Image(2, True))
QUARTER_TURNS: Final[Symmetry] = (SAME, Image(1), Image(2), Image(3))
TWO_MIRRORS: Final[Symmetry] = (SAME, Image(0, True), Image(2), Image(2, True))

KINDS: Final = ("none", "two", "four")
"""The symmetries that one may ask for."""


USUAL: Final = (HALF_TURN, QUARTER_TURNS, NONE)
"""What fits every theme."""


def choose_symmetry(kind: str | None, suiting: Sequence[Symmetry], square: bool, stream: Stream) -> Symmetry:
    """Return one of those that suit a theme, and are of the kind that is asked for, if any is."""
    images = {None: (1, 2, 4), "none": (1,), "two": (2,), "four": (4,)}[kind]
    choices = [each for each in suiting if len(each) in images and (square or each != QUARTER_TURNS)]
    if not choices:
        choices = [each for each in USUAL if len(each) in images and (square or each != QUARTER_TURNS)]
    return stream.choice(choices or [TWO_MIRRORS])


def images_of(pos: Pos, symmetry: Symmetry, width: int, height: int) -> list[Pos]:
    """Return a cell and its images, each once."""
    return list(dict.fromkeys(image.at(pos, width, height) for image in symmetry))


def even(cells: Iterable[Pos], symmetry: Symmetry, width: int, height: int) -> frozenset[Pos]:
    """Return those cells all of whose images are among them."""
    there = set(cells)
    return frozenset(pos for pos in there if there.issuperset(images_of(pos, symmetry, width, height)))
