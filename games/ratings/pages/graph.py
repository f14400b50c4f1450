"""A rating over time, as a drawing: a line in steps, within what it may be off by."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.safestring import SafeString

from games.ratings.selectors.past import Step

WIDTH, HEIGHT = 1000, 300
LINES = 8
"""About how many lines run across."""


@dataclass(frozen=True, slots=True)
class Graph:
    """The drawing, the ratings at its top, middle and bottom, and the time that it covers."""

    drawing: SafeString
    top: int
    middle: int
    bottom: int
    first: datetime
    last: datetime


def graph_of(steps: Sequence[Step], now: datetime) -> Graph | None:
    """Draw a rating up to now; nothing of fewer than two steps."""
    if len(steps) < 2:
        return None
    low = min(min(step.before, step.rating - step.uncertainty) for step in steps)
    high = max(max(step.before, step.rating + step.uncertainty) for step in steps)
    grid = 100 * (1 + (high - low) // (100 * LINES))
    bottom, top = low // (2 * grid) * 2 * grid, -(-high // (2 * grid)) * 2 * grid
    first = steps[0].at
    length = max((now - first).total_seconds(), 1.0)

    def x(at: datetime) -> int:
        return round(WIDTH * (at - first).total_seconds() / length)

    def y(rating: int) -> int:
        return round(HEIGHT * (top - rating) / (top - bottom))

    places = [x(step.at) for step in steps]
    ends = [*places[1:], WIDTH]
    line = _along(places, ends, [y(step.rating) for step in steps])
    upper = _along(places, ends, [y(step.rating + step.uncertainty) for step in steps])
    lower = _along(places, ends, [y(step.rating - step.uncertainty) for step in steps])
    band = "M" + "L".join([*upper, *reversed(lower)]) + "Z"
    lines = "".join(f"M0,{y(each)}H{WIDTH}" for each in range(bottom, top + 1, grid))
    drawing = SafeString(
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none" aria-hidden="true">'
        f'<path class="graph-grid" d="{lines}"/><path class="graph-band" d="{band}"/>'
        f'<path class="graph-line" d="M{"L".join(line)}"/></svg>'
    )
    return Graph(drawing, top, (top + bottom) // 2, bottom, first, now)


def _along(places: Sequence[int], ends: Sequence[int], heights: Sequence[int]) -> list[str]:
    """Return the corners of a line in steps."""
    return [
        f"{at},{height}"
        for place, end, height in zip(places, ends, heights, strict=True)
        for at in (place, end)
    ]
