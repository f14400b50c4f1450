"""Medals for what robots did: a motif on enamel, in a frame that says how far a robot has come.

The first step is a washer of bronze, the second a nut of silver, the third a gear of gold; what is done in
one game has a badge of its own. A medal that is not earned yet is an outline.
"""

from math import cos, radians, sin
from typing import Final

from rules.drawing.lettering import number
from rules.drawing.motifs import MOTIFS, Area, Line, Mark
from rules.drawing.palette import own_style, palette
from rules.drawing.pen import area, circle, line
from rules.drawing.sheet import escaped

FRAMES: Final = ("washer", "nut", "gear", "badge")
"""Frames of the steps 1, 2 and 3, and that of one game."""

_HALF: Final = 33
"""User units from the middle of a medal to the edge of its picture."""
_FACE: Final = 22

_METALS: Final = {
    "washer": ("#c47f45", "#e8b483", "#7d4a20"),
    "nut": ("#c5ced9", "#f4f7fb", "#77859a"),
    "gear": ("#f0c034", "#ffe991", "#9a7008"),
    "badge": ("#45b9c4", "#a5ecef", "#17707c"),
}
"""Of each frame the metal, where light falls on it, and where it lies in shade."""
_COLOURS: Final = {
    "light": "#fdf8ec",
    "ink": "#101a2b",
    "red": "#ff6753",
    "orange": "#ff9a3d",
    "yellow": "#ffd84d",
    "green": "#6fdca0",
    "blue": "#63c4fa",
    "violet": "#c9a2ff",
    "grey": "#a3b2c8",
}
_ENAMEL: Final = "#182f5c"
_EDGE: Final = "#101a2b"


def medal(motif: str, frame: str, *, earned: bool = True, name: str = "", theme: str = "auto") -> str:
    """Return a medal as an SVG document.

    ``motif`` is one of `MOTIFS`, ``frame`` one of `FRAMES`. With a ``name`` the picture is labelled; without,
    it is decoration. Raises KeyError for a motif or a frame that is not there.
    """
    marks = MOTIFS[motif](min(3, FRAMES.index(frame) + 1) if frame in FRAMES else _unknown(frame))
    drawing = _struck(frame, marks) if earned else _outlined(frame, marks, theme)
    label = f'role="img" aria-label="{escaped(name)}"' if name else 'aria-hidden="true"'
    style = f"<style>{own_style()}</style>" if theme == "auto" and not earned else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="starship-{theme} medal" {label}'
        f' viewBox="-{_HALF} -{_HALF} {2 * _HALF} {2 * _HALF}" fill="none" stroke-linecap="round"'
        f' stroke-linejoin="round">{style}{drawing}</svg>'
    )


def _unknown(frame: str) -> int:
    raise KeyError(frame)


def _struck(frame: str, marks: tuple[Mark, ...]) -> str:
    """Draw a medal that was earned."""
    metal, shine, shade = _METALS[frame]
    face = _shield(_FACE / 30) if frame == "badge" else ""
    parts = [
        area(_outline(frame), metal, _EDGE, 2),
        line(_arc(25.6, 198, 282), shine, 2.4) if not face else line(_shield(0.86), shade, 2),
        line(_arc(25.6, 18, 72), shade, 2.4) if not face else line("M-22.5-17.5L-14-20.4", shine, 2.4),
        area(face, _ENAMEL, _EDGE, 1.8) if face else circle(_FACE, _ENAMEL, _EDGE, 1.8),
        _enlarged("".join(map(_painted, marks))),
        *(circle(1.5, _EDGE, more=f' transform="{_at(place)}"') for place in _rivets(frame)),
    ]
    return "".join(parts)


def _outlined(frame: str, marks: tuple[Mark, ...], theme: str) -> str:
    """Draw a medal that is still to be earned."""
    ink = palette(theme)
    paper, quiet = ink.space, ink.quiet
    face = area(_shield(_FACE / 30), paper, quiet, 1) if frame == "badge" else circle(_FACE, paper, quiet, 1)
    drawn = "".join(
        area(mark.data, paper, quiet, 1.3)
        if isinstance(mark, Area)
        else line(mark.data, quiet, max(1.3, mark.width * 0.5))
        for mark in marks
    )
    return area(_outline(frame), paper, quiet, 1.6) + face + _enlarged(drawn)


def _enlarged(motif: str) -> str:
    """Fill the face, for which motifs are drawn a little too small."""
    return f'<g transform="scale(1.1)">{motif}</g>'


def _painted(mark: Mark) -> str:
    colour = _COLOURS[mark.colour]
    if isinstance(mark, Line):
        return line(mark.data, colour, mark.width)
    return area(mark.data, colour, _EDGE, 1.3)


def _outline(frame: str) -> str:
    match frame:
        case "washer":
            return _ring(29)
        case "nut":
            return _polygon([(32, 60 * corner) for corner in range(6)])
        case "gear":
            return _gear()
    return _shield(1)


def _gear() -> str:
    teeth = 10
    corners = []
    for tooth in range(teeth):
        middle = 360 / teeth * tooth - 90
        corners += [(27, middle - 12), (31.6, middle - 7.5), (31.6, middle + 7.5), (27, middle + 12)]
    return _polygon(corners)


def _shield(size: float) -> str:
    """A badge as it is worn, of this many times its size."""
    points = (
        ("M", (0, -30)),
        ("C", (8, -25.5), (17, -23.5), (27, -23.5)),
        ("C", (28.6, -4), (24, 20), (0, 31)),
        ("C", (-24, 20), (-28.6, -4), (-27, -23.5)),
        ("C", (-17, -23.5), (-8, -25.5), (0, -30)),
    )
    return (
        "".join(
            command + " ".join(f"{number(x * size)} {number(y * size)}" for x, y in corners)
            for command, *corners in points
        )
        + "z"
    )


def _ring(radius: float) -> str:
    r = number(radius)
    return f"M-{r} 0A{r} {r} 0 1 1 {r} 0A{r} {r} 0 1 1-{r} 0z"


def _polygon(corners: list[tuple[float, float]]) -> str:
    """Join corners, given by radius and degrees to the right of east."""
    return "M" + "L".join(" ".join(map(number, _polar(*corner))) for corner in corners) + "z"


def _arc(radius: float, start: float, end: float) -> str:
    (x1, y1), (x2, y2) = _polar(radius, start), _polar(radius, end)
    r = number(radius)
    return f"M{number(x1)} {number(y1)}A{r} {r} 0 0 1 {number(x2)} {number(y2)}"


def _polar(radius: float, degrees: float) -> tuple[float, float]:
    return radius * cos(radians(degrees)), radius * sin(radians(degrees))


def _rivets(frame: str) -> list[tuple[float, float]]:
    """Where rivets sit in a frame: as many as steps."""
    if frame == "badge":
        return []
    count = FRAMES.index(frame) + 1
    return [_polar(25.6, 90 + 14 * (index - (count - 1) / 2)) for index in range(count)]


def _at(place: tuple[float, float]) -> str:
    return f"translate({number(place[0])} {number(place[1])})"
