"""What flights show on a ship: the cells of findings, and how often robots entered cells and died there."""

from collections.abc import Iterable, Sequence
from html import escape
from math import ceil, sqrt
from typing import Any, Final

from django.utils.safestring import SafeString

import rules
from games.fleet.pictures import empty_board, lay_over
from games.shipyard.models import TunnelRun
from games.shipyard.pages.pictures import mark
from rules.drawing.pen import CELL

STEPS: Final = 5
"""Shades of a heat map."""

Report = dict[str, Any]
Row = tuple[int, list[int]]


def tunnel_drawing(document: object, report: Report | None) -> SafeString:
    """Draw what was flown, with three layers over it: cells of findings, cells entered, deaths."""
    svg = empty_board(rules.read_starship(document, known=True), rulers=True)
    if report is None:
        return svg
    layers = [
        ("found", "".join(_finding_marks(report["findings"]))),
        ("entered", "".join(_shades(report["cells"]["entered"]))),
        ("deaths", "".join(_shades(report["cells"]["deaths"]))),
    ]
    told = "".join(f'<g class="heat heat-{name}" aria-hidden="true">{marks}</g>' for name, marks in layers)
    return lay_over(svg, told)


def fix_drawing(fix: TunnelRun) -> SafeString:
    """Draw a ship with a fix in it, and a frame around each cell that this changes."""
    assert fix.fix is not None
    svg = empty_board(rules.read_starship(fix.document, known=True))
    marks = "".join(mark(x + 1, y + 1, "different") for x, y, _token in fix.fix["cells"])
    return lay_over(svg, f'<g class="ship-marks">{marks}</g>')


def grid_of(counts: Iterable[Sequence[int]], width: int, height: int) -> list[Row]:
    """Return the numbers of all cells, row by row with its number, for a table.

    >>> grid_of([[1, 0, 7]], 2, 2)
    [(1, [0, 7]), (2, [0, 0])]
    """
    found = {(x, y): times for x, y, times in counts}
    return [(y + 1, [found.get((x, y), 0) for x in range(width)]) for y in range(height)]


def shade_of(times: int, most: int) -> int:
    """Return the shade of a number, from 1 to 5: twice as dark is four times as many.

    >>> [shade_of(times, 100) for times in (1, 4, 5, 36, 100)]
    [1, 1, 2, 3, 5]
    """
    return max(1, ceil(STEPS * sqrt(times / most)))


def _shades(counts: Sequence[Sequence[int]]) -> Iterable[str]:
    most = max((times for *_at, times in counts), default=1)
    for x, y, times in counts:
        yield (
            f'<rect class="is-{shade_of(times, most)}" x="{x * CELL}" y="{y * CELL}" width="{CELL}"'
            f' height="{CELL}"/>{_text(x, y, _short(times), "heat-number")}'
        )


def _finding_marks(findings: Sequence[Report]) -> Iterable[str]:
    """Yield a frame around each cell that a finding names, with the numbers of all findings that do."""
    named: dict[tuple[int, int], list[int]] = {}
    for number, finding in enumerate(findings, 1):
        for x, y in finding["cells"]:
            named.setdefault((x, y), []).append(number)
    for (x, y), numbers in named.items():
        side = CELL - 3
        yield f'<rect x="{x * CELL + 1.5}" y="{y * CELL + 1.5}" width="{side}" height="{side}" rx="3"/>'
        yield _text(x, y, ", ".join(map(str, numbers)), "heat-name")


def _text(x: int, y: int, text: str, kind: str) -> str:
    return f'<text class="{kind}" x="{(x + 0.5) * CELL}" y="{(y + 0.5) * CELL}">{escape(text)}</text>'


def _short(times: int) -> str:
    """Write a number so that it fits into a cell.

    >>> _short(999), _short(1234), _short(56789)
    ('999', '1.2k', '57k')
    """
    if times < 1000:
        return str(times)
    return f"{times / 1000:.1f}k" if times < 10_000 else f"{times / 1000:.0f}k"
