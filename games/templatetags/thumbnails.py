"""How large thumbnails of starships are, so that pages keep their places until they come."""

from django import template

from games.fleet.pages.drawings import THUMBNAIL_CELL
from rules.drawing.pen import CELL, MARGIN

register = template.Library()


@register.filter
def thumbnail_pixels(cells: int) -> int:
    """Return how many pixels a thumbnail has along so many cells.

    >>> thumbnail_pixels(9)
    120
    """
    return (cells * CELL + 2 * MARGIN) * THUMBNAIL_CELL // CELL
