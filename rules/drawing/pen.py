"""The pen: lines, areas, circles and boxes, as SVG."""

from rules.drawing.lettering import number
from rules.drawing.sheet import Point


def line(data: str, colour: str, width: float, more: str = "") -> str:
    """Return a stroke along path data."""
    return f'<path stroke="{colour}" stroke-width="{number(width)}"{more} d="{data}"/>'


def area(data: str, colour: str, edge: str = "", width: float = 1, more: str = "") -> str:
    return f'<path fill="{colour}"{_edge(edge, width)}{more} d="{data}"/>'


def circle(
    radius: float, colour: str = "", edge: str = "", width: float = 1, *, down: float = 0, more: str = ""
) -> str:
    """Return a circle round the origin, or so far south of it."""
    at = f' cy="{number(down)}"' if down else ""
    fill = f' fill="{colour}"' if colour else ""
    return f'<circle{at} r="{number(radius)}"{fill}{_edge(edge, width)}{more}/>'


def box(middle: Point, width: float, height: float, corner: float, colour: str, more: str = "") -> str:
    """Return a filled rectangle with round corners."""
    x, y = middle[0] - width / 2, middle[1] - height / 2
    return (
        f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"'
        f' rx="{number(corner)}" fill="{colour}"{more}/>'
    )


def _edge(colour: str, width: float) -> str:
    if not colour:
        return ""
    return f' stroke="{colour}"' + ("" if width == 1 else f' stroke-width="{number(width)}"')
