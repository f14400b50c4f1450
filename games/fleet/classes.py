"""The classes of starships: by how many cells they have. Robots play longer games on a larger ship.

A cell counts unless it is space. So a long thin ship, and one with holes in it, is smaller than the square
that it fills.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.fleet.models import Course, StarshipRevision
from rules.elements import Space


@dataclass(frozen=True, slots=True)
class StarshipClass:
    """A class of starships: its ``key`` in addresses and answers, and how many cells it takes, at least."""

    key: str
    name: Promise
    least: int


CLASSES: Final = (
    StarshipClass("shuttle", _("Shuttle"), 0),
    StarshipClass("cutter", _("Cutter"), 81),
    StarshipClass("frigate", _("Frigate"), 121),
    StarshipClass("cruiser", _("Cruiser"), 161),
    StarshipClass("carrier", _("Carrier"), 257),
)
"""All classes, the smallest first: the ships of the fleet are found in each."""


def class_of(cells: int) -> StarshipClass:
    """Return the class of a ship with this many cells.

    >>> [class_of(cells).key for cells in (40, 81, 144, 256, 400)]
    ['shuttle', 'cutter', 'frigate', 'cruiser', 'carrier']
    """
    return next(each for each in reversed(CLASSES) if each.least <= cells)


def range_of(key: str) -> tuple[int, int | None]:
    """Return from how many to how many cells the ships of a class have; the largest class has no end.

    >>> range_of("cutter"), range_of("carrier")
    ((81, 120), (257, None))
    """
    index = next(number for number, each in enumerate(CLASSES) if each.key == key)
    end = CLASSES[index + 1].least - 1 if index + 1 < len(CLASSES) else None
    return CLASSES[index].least, end


def cells_in(document: Mapping[str, Any]) -> int:
    """Return how many cells the ship of a `starship/1` document has.

    >>> cells_in({"rows": ["a . ~", "~ .+i1 ."]})
    4
    """
    return sum(_is_there(token) for row in document["rows"] for token in row.split())


def class_of_board(board: StarshipRevision | Course) -> StarshipClass:
    """Return the class of a board."""
    return class_of(cells_in(board.document))


def _is_there(token: str) -> bool:
    return token.partition("+")[0] != Space.token
