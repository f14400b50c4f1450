"""Rails, the clearest lines on the board, and slide rails, which have a gap and phases."""

from collections.abc import Iterator
from functools import cache

from rules.drawing.lettering import number
from rules.drawing.pen import line
from rules.drawing.plates import phase_plate, plate_size
from rules.drawing.sheet import CELL, Drawing, Sheet, centre, moved, phases_text, place
from rules.elements import SlideRail
from rules.grid import LETTERS, E, N, S, W
from rules.starship import Starship

Edge = tuple[int, int, bool]
"""Column and row of the cell to the south or east of an edge, and whether the edge lies across (is that
cell's north edge) or upright (is its west edge): the same for both cells that share it (G-1.3)."""


def draw_rails(sheet: Sheet, ship: Starship) -> str:
    data = "".join(_runs(set(_edges(ship))))
    if not data:
        return ""
    sheet.define("rails", lambda _: f'<path d="{data}"/>')
    rails = f'<use href="#{sheet.prefix}-rails"'
    return (
        f'<g class="rails">{rails} stroke="{sheet.ink.rail_edge}" stroke-width="5.6"/>'
        f'{rails} stroke="{sheet.ink.rail}" stroke-width="3.2"/></g>'
    )


def _edges(ship: Starship) -> Iterator[Edge]:
    for y in range(ship.height):
        for x in range(ship.width):
            for side in ship.at(x, y).rails:
                yield x + (side == E), y + (side == S), side in (N, S)


def _runs(edges: set[Edge]) -> Iterator[str]:
    """Yield each straight run of rails as one line."""
    for x, y, across in sorted(edges):
        dx, dy = (1, 0) if across else (0, 1)
        if (x - dx, y - dy, across) in edges:
            continue
        run = 1
        while (x + dx * run, y + dy * run, across) in edges:
            run += 1
        yield f"M{x * CELL} {y * CELL}{'h' if across else 'v'}{run * CELL}"


def draw_slide_rail(sheet: Sheet, slide: SlideRail, x: int, y: int) -> str:
    """Draw a slide rail shut, as it is between turns: two stubs, a bar that can be hidden, and its phases."""
    (middle_x, middle_y), half = centre(x, y), CELL // 2
    dx, dy = ((0, -half), (half, 0), (0, half), (-half, 0))[slide.edge]
    upright = slide.edge in (E, W)
    length = max(plate_size(slide.phases, upright=upright))
    bars = sheet.use(f"slide{number(length)}", _slide(length), quarters=int(upright))
    at = middle_x + dx, middle_y + dy
    return (
        f'<g class="slide-rail"{place(x, y)} data-edge="{LETTERS[slide.edge]}"'
        f' data-phases="{phases_text(slide.phases)}" transform="{moved(at)}">{bars}'
        f"{phase_plate(sheet, slide.phases, (0, 0), upright=upright)}</g>"
    )


@cache
def _slide(length: float) -> Drawing:
    gap = max(length / 2 + 1.2, 10.5)
    stubs = f"M-16 0H{number(-gap)}M{number(gap)} 0H16"
    buffers = f"M{number(-gap)}-2.6V2.6M{number(gap)}-2.6V2.6"

    def draw(sheet: Sheet) -> str:
        ink = sheet.ink
        return (
            line(stubs, ink.rail_edge, 5.6)
            + line(f"M{number(-gap)} 0H{number(gap)}", ink.moving, 1.8)
            + line(stubs, ink.rail, 3.2)
            + line(buffers, ink.moving, 2)
        )

    return draw
