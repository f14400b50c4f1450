"""The board as a picture that every mail program can show."""

from collections.abc import Mapping

import rules
from games.fleet import raster


def board_picture(
    *, ship: rules.Starship, seen: rules.View, looks: Mapping[int, int], robot: int | None
) -> bytes:
    """Return a PNG of what a viewer sees; the next checkpoint of ``robot`` (its index) stands out.

    ``looks`` say which of the eight robots one looks like, by robot index.
    """
    return raster.board_picture(
        ship,
        robots=[each for each in seen.robots if not each.crystal],
        hull=seen.hull,
        following=None if robot is None else seen.robots[robot].next,
        links=seen.links,
        crystal=seen.crystal,
        looks=looks,
    )


def empty_board_picture(ship: rules.Starship) -> bytes:
    """Return a PNG of a starship without any robots."""
    return raster.board_picture(ship)
