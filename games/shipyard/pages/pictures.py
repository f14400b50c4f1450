"""Drafts as pictures, with the cells marked that something is wrong with."""

from collections.abc import Iterable

from django.utils.safestring import SafeString

from games.fleet.pictures import empty_board, lay_over
from games.shipyard.drawings import sketch_of
from games.shipyard.models import Drawing
from games.shipyard.selectors import DraftProblem, cells_of
from rules.drawing.pen import CELL


def drawing_with_marks(drawing: Drawing, problems: Iterable[DraftProblem]) -> SafeString:
    """Draw what can be read of a draft, with rulers, and a frame around each cell with a problem."""
    svg = empty_board(sketch_of(drawing).ship, rulers=True)
    worst: dict[tuple[int, int], str] = {}
    for problem in problems:
        for cell in cells_of(problem):
            worst.setdefault((cell["column"], cell["row"]), problem["severity"])
    marks = "".join(mark(column, row, severity) for (column, row), severity in worst.items())
    return lay_over(svg, f'<g class="ship-marks">{marks}</g>')


def plain_drawing(drawing: Drawing) -> SafeString:
    """Draw what can be read of a draft, with rulers."""
    return empty_board(sketch_of(drawing).ship, rulers=True)


def mark(column: int, row: int, severity: str) -> str:
    """Return a frame around a cell; columns and rows count from 1."""
    x, y, side = (column - 1) * CELL + 1, (row - 1) * CELL + 1, CELL - 2
    return f'<rect class="ship-mark is-{severity}" x="{x}" y="{y}" width="{side}" height="{side}" rx="3"/>'


def compared_drawing(drawing: Drawing, differing: Iterable[tuple[int, int]]) -> SafeString:
    """Draw a version, with a frame around each cell that differs from another, by column and row from 0."""
    sketch = sketch_of(drawing)
    svg = empty_board(sketch.ship, rulers=True)
    inside = sorted((x, y) for x, y in differing if x < sketch.width and y < sketch.height)
    marks = "".join(mark(x + 1, y + 1, "different") for x, y in inside)
    return lay_over(svg, f'<g class="ship-marks">{marks}</g>')
