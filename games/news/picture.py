"""The board as a picture that every mail program can show."""

from collections.abc import Mapping
from typing import Final

import resvg_py

import rules
from rules.drawing import draw

WIDTH: Final = 960
"""Pixels; shown at half the size, so that it is sharp on every screen."""


def board_picture(
    *, ship: rules.Starship, seen: rules.View, looks: Mapping[int, int], robot: int | None
) -> bytes:
    """Return a PNG of what a viewer sees; the next checkpoint of ``robot`` (its index) stands out.

    ``looks`` say which of the eight robots one looks like, by robot index.
    """
    svg = draw(
        ship,
        [each for each in seen.robots if not each.crystal],
        hull=seen.hull,
        next_checkpoint=None if robot is None else seen.robots[robot].next,
        links=seen.links,
        crystal=seen.crystal,
        looks=looks,
        theme="light",
    )
    return _png(svg)


def empty_board_picture(ship: rules.Starship) -> bytes:
    """Return a PNG of a starship without any robots."""
    return _png(draw(ship, theme="light"))


def _png(svg: str) -> bytes:
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=WIDTH))
