"""Medals for achievements: a motif on an enamel face, in a frame that shows the step.

The frame is a bronze washer for step 1, a silver nut for step 2, and a gold gear for step 3. Achievements in
one game have a badge as a frame. A medal that is not earned yet is drawn as an outline. A motif consists of
areas and lines around the origin, on a face with a radius of 20 user units. Its colours are named, and only
medals use them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import cos, radians, sin
from typing import Final

from rules.drawing.palette import own_style, palette
from rules.drawing.pen import area, circle, escaped, line, number, writing


@dataclass(frozen=True, slots=True)
class Area:
    """A closed shape, filled with a colour, with a dark edge. ``data`` is its path data."""

    data: str
    colour: str = "light"


@dataclass(frozen=True, slots=True)
class Line:
    """A line, ``width`` user units thick. ``data`` is its path data."""

    data: str
    colour: str = "light"
    width: float = 3


Mark = Area | Line
Motif = tuple[Mark, ...]


def _robot(x: float, y: float, colour: str, *, size: float = 1) -> Motif:
    """Return the shapes of a small robot, seen from the front: its head, antenna and eyes."""

    def at(dx: float, dy: float) -> str:
        return f"{number(x + dx * size)} {number(y + dy * size)}"

    w, h = number(14 * size), number(11 * size)
    return (
        Line(f"M{at(0, -6)}L{at(0, -9.5)}M{at(0, -10)}h0", colour, 2.6),
        Area(f"M{at(-7, -6)}h{w}v{h}h-{w}z", colour),
        Line(f"M{at(-3, -1.4)}h0M{at(3, -1.4)}h0", "ink", 3.6 * size),
    )


def _star(x: float, y: float, outer: float, inner: float, points: int, turn: float = 0) -> str:
    corners = []
    for index in range(points * 2):
        angle = radians(turn - 90 + index * 180 / points)
        radius = inner if index % 2 else outer
        corners.append(f"{number(x + radius * cos(angle))} {number(y + radius * sin(angle))}")
    return f"M{'L'.join(corners)}z"


def _destroyed(grade: int) -> Motif:
    """The motif for destroyed robots: a robot in two halves, with one spark for each step of the medal."""
    sparks = ((1.5, -14.5), (-14.5, -10), (15, -7.5))[:grade]
    return (
        Line("M-7.5-8.5L-8.8-12.6M-8.9-13h0", "red", 2.6),
        Area("M-14-7.5L-.5-9L-3.5-3.5L.5 0L-3.5 4L-1 9.5L-12 10.5z", "red"),
        Area("M4.5-6.5L15.5-1.5L11 13.5L2 10L4.6 4.6L1.6 1.4L5.2-2.4z", "red"),
        Line("M-8.2-.8h0", "ink", 4.6),
        Line("M9.6 3h0", "ink", 4.6),
        Line("M-10 15h8M3 16h4", "grey", 2.4),
        *(Area(_star(x, y, 4.6, 1.6, 4), "yellow") for x, y in sparks),
    )


def _half_turns(grade: int) -> Motif:
    """The motif for half turns: an arrow that turns back, followed by one dot for each step of the medal."""
    behind = "".join(f"M8.5 {number(14.5 - 4.6 * step)}h0" for step in range(grade))
    top = number(14.5 - 4.6 * grade)
    return (
        Line(f"M8.5 {top}V-3.5A8 8 0 0 0-7.5-3.5V11", "blue", 5),
        Line("M-14.5 5.5L-7.5 12.5L-.5 5.5", "blue", 5),
        Line(behind, "yellow", 3.6),
    )


def _damage_taken(grade: int) -> Motif:
    """The motif for damage taken: a plate of the hull, with one dent for each step of the medal."""
    dents = {
        1: ((0.5, 0.5, 8),),
        2: ((-4.5, -4.5, 6.2), (5.5, 5.5, 6.2)),
        3: ((-5.5, -5, 5.4), (6.5, -3, 4.6), (0, 6.4, 5.4)),
    }[grade]
    plate = "M-11-14H11A3 3 0 0 1 14-11V11A3 3 0 0 1 11 14H-11A3 3 0 0 1-14 11V-11A3 3 0 0 1-11-14z"
    return (
        Area(plate, "grey"),
        Line("M-10.6-10.6h0M10.6-10.6h0M-10.6 10.6h0M10.6 10.6h0", "ink", 2.4),
        *(Area(_star(x, y, size, size * 0.48, 7, turn=13 * size), "ink") for x, y, size in dents),
        *(Area(_star(x, y, size * 0.5, size * 0.28, 7, turn=13 * size), "red") for x, y, size in dents),
    )


def _deaths(grade: int) -> Motif:
    """The motif for being destroyed: a tombstone, then a ghost, then a smiling ghost with a halo."""
    if grade == 1:
        return (
            Area("M-9.5 12.5V-5.5A9.5 9.5 0 0 1 9.5-5.5V12.5z", "grey"),
            Line("M0-9.5V4M-5-5H5", "ink", 3.2),
            Line("M-14.5 13H14.5", "green", 3),
        )
    ghost = (
        Area(
            "M-10 12.5V-3A10 10 0 0 1 10-3V12.5L6.7 8.7L3.4 12.5L0 8.7L-3.4 12.5L-6.7 8.7z",
            "green" if grade == 2 else "light",
        ),
        Line("M-3.8-2.4h0M3.8-2.4h0", "ink", 4.6),
        Line("M-2.6 4.4Q0 2.6 2.6 4.4" if grade == 2 else "M-2.8 3.2Q0 5.4 2.8 3.2", "ink", 2),
    )
    if grade == 2:
        return (*ghost, Line("M-14.5 1.5L-10.5 4.5M14.5 1.5L10.5 4.5", "green", 3.2))
    return (Line("M-6.5-16.2A6.5 2.2 0 0 1 6.5-16.2A6.5 2.2 0 0 1-6.5-16.2z", "yellow", 2.4), *ghost)


def _walked(grade: int) -> Motif:
    """The motif for cells walked: footprints. Each step of the medal adds a footprint."""
    steps = {
        1: ((-6, 6.5), (6, -4)),
        2: ((-7, 9.5), (7, 2), (-7, -7)),
        3: ((-7, 11.5), (7, 6), (-7, -3), (7, -9)),
    }[grade]
    size = {1: 1.45, 2: 1.16, 3: 1}[grade]
    return tuple(mark for x, y in steps for mark in _foot(x, y, size))


def _foot(x: float, y: float, size: float) -> Motif:
    """Return the print of one boot: the sole with its ribs, and the heel."""
    w = number(4.2 * size)
    left, right = number(x - 4.2 * size), number(x + 4.2 * size)
    top, middle = number(y - 3 * size), number(y + 1.4 * size)
    sole = f"M{left} {middle}V{top}A{w} {w} 0 0 1 {right} {top}V{middle}z"
    heel = f"M{number(x - 3.2 * size)} {number(y + 3.2 * size)}h{number(6.4 * size)}v{number(3 * size)}"
    ribs = "".join(
        f"M{number(x - 1.8 * size)} {number(y + rib * size)}h{number(3.6 * size)}" for rib in (-4.2, -1.4)
    )
    return (Area(sole, "yellow"), Area(f"{heel}h-{number(6.4 * size)}z", "yellow"), Line(ribs, "ink", 1.5))


def _backward(grade: int) -> Motif:
    """The motif for cells walked backwards: tracks with arrowheads that point backwards."""
    chevrons = {1: (2.5,), 2: (-3.5, 5), 3: (-8, 0, 8)}[grade]
    size = 5 if grade == 1 else 4.2
    treads = "".join(f"M{x} {y}h4" for x in (-14, 10) for y in range(-10, 11, 5))
    heads = "".join(
        f"M{number(-size)} {number(y - size * 0.6)}L0 {number(y + size * 0.4)}"
        f"L{number(size)} {number(y - size * 0.6)}"
        for y in chevrons
    )
    if grade == 1:
        heads += "M0-9V3"
    return (
        Line("M-14-12.5V12.5M-10-12.5V12.5M10-12.5V12.5M14-12.5V12.5", "grey", 1.6),
        Line(treads, "grey", 2.2),
        Line(heads, "orange", 3.8),
    )


def _turns(grade: int) -> Motif:
    """The motif for turns: a spiral, which is tighter at each step of the medal."""
    halves, step = {1: (3, 3.4), 2: (4, 2.8), 3: (6, 2.1)}[grade]
    middle = -step if halves == 3 else 0  # moves a spiral of few turns to the middle
    data, x = f"M{number(middle)} 0", float(middle)
    for index in range(1, halves + 1):
        x += 2 * step * index * (1 if index % 2 else -1)
        radius = number(step * index)
        data += f"A{radius} {radius} 0 0 1 {number(x)} 0"
    down = 1 if halves % 2 else -1
    head = f"M{number(x - 4.2)} {number(-3.4 * down)}L{number(x)} {number(0.8 * down)}"
    head += f"L{number(x + 4.2)} {number(-3.4 * down)}"
    width = 3.8 - 0.4 * grade
    return (
        Line(data, "violet", width),
        Line(head, "violet", width),
        Line(f"M{number(middle)} 0h0", "light", 4.4),
    )


def _damage_dealt(grade: int) -> Motif:
    """The motif for damage dealt: a flash, and one laser beam for each step of the medal."""
    beams = {1: (0.0,), 2: (-3.2, 3.2), 3: (-5.6, 0.0, 5.6)}[grade]
    lines = "".join(
        f"M{number(-9.5 + off)} {number(9.5 + off)}L{number(6 + off * 0.35)} {number(-6 + off * 0.35)}"
        for off in beams
    )
    return (
        Line(lines, "red", 3.2),
        Area(_star(6.5, -6.5, 12, 5.8, 8, turn=22), "yellow"),
        Line("M6.5-6.5h0", "light", 6),
        Area("M-17 4.5L-4.5 17L-9 19.6A20.5 20.5 0 0 1-19.6 9z", "grey"),
    )


def _repaired(grade: int) -> Motif:
    """The motif for damage repaired: a paint brush, then an oil can, then a shiny wrench."""
    if grade == 1:
        return (
            Line("M-12.5 13Q-1 9.5 12.5 13", "green", 4.6),
            Area("M2.4-3.2L13.6-15.6L16.4-13L5.8-.2z", "orange"),
            Area("M-1.6-.8L3-3.6L6.4 0L4 4.8z", "grey"),
            Area("M-2-.6L4.2 5.2C1.4 9.4-4 10.4-9.6 8.2C-5.4 6.4-6.2 2.4-2-.6z", "green"),
        )
    if grade == 2:
        return (
            Line("M-8-2.5H-14A3.5 3.5 0 0 0-14 8.5H-10", "grey", 2.8),
            Area("M-9-4.5H5L7.5 12H-11.5z", "green"),
            Area("M-5.5-4.5V-8.5H1.5V-4.5z", "grey"),
            Line("M5.5 2L14.5-10.5", "grey", 3.2),
            Area("M15.5-5.5C17.8-2.4 18 0 15.6 0C13.2 0 13.4-2.4 15.5-5.5z", "yellow"),
        )
    return (
        Area(
            "M-13.6 9.4L.6-4.8C-.8-9 2-14.4 7.8-15.2L4-10.2L6.2-6.2L10.8-5.4L15.2-9.4C15.6-3.2 10.4.8 5.2-.4"
            "L-9 13.8A3.2 3.2 0 0 1-13.6 9.4z",
            "green",
        ),
        Line("M-10.8 11h0", "ink", 2.8),
        Area(_star(-8.5, -8.5, 5.6, 1.8, 4), "yellow"),
        Area(_star(10, 9.5, 4.2, 1.4, 4), "yellow"),
    )


def _power_downs(grade: int) -> Motif:
    """The motif for power-downs: the moon, with one Z of a snore for each step of the medal."""
    snores = ((3.2, 4.4, 8.0), (9.6, -4.2, 6.2), (13.6, -11.4, 4.6))[:grade]
    return (
        Area("M-1.5-14.5A14.5 14.5 0 1 0 11 10.6A12.4 12.4 0 0 1-1.5-14.5z", "yellow"),
        *(Line(writing("Z", x, y, height), "light", 1.2 + height * 0.19) for x, y, height in snores),
    )


def _pushed(_grade: int) -> Motif:
    """The motif for pushing robots: one robot pushes another robot."""
    return (
        *_robot(-5.2, 2.5, "orange", size=1.15),
        *_robot(10, 4, "blue", size=0.88),
        Line("M-15.6-1.5h-2M-16 3.5h-2M-15.6 8.5h-2", "light", 2.2),
        Line("M-13 12.4H15", "grey", 2.4),
    )


def _no_damage(_grade: int) -> Motif:
    """The motif for a game without damage taken: a shiny new robot."""
    return (
        *_robot(0, 3, "blue", size=1.35),
        Line("M-3.4 6Q0 8.8 3.4 6", "ink", 1.8),
        Area(_star(-11.5, -9, 4.8, 1.5, 4), "yellow"),
        Area(_star(11.5, -10, 4, 1.3, 4), "yellow"),
    )


def _no_deaths(_grade: int) -> Motif:
    """The motif for a game without being destroyed: a crossed-out backup disk."""
    return (
        Area("M-11-11.5H8L12-7.5V11.5H-11z", "grey"),
        Area("M-5.5-11.5H4.5V-5H-5.5z", "light"),
        Area("M-7 1.5H8V11.5H-7z", "light"),
        Line("M-13.5 14.5L14.5-13.5", "ink", 6),
        Line("M-13.5 14.5L14.5-13.5", "red", 3.4),
    )


def _no_damage_dealt(_grade: int) -> Motif:
    """The motif for a game without damage dealt: a flower in place of a laser."""
    middles = [(5 * cos(radians(72 * index - 90)), 5 * sin(radians(72 * index - 90))) for index in range(5)]
    petals = [
        f"M{number(x - 3.6)} {number(y - 7.5)}a3.6 3.6 0 1 1 7.2 0a3.6 3.6 0 1 1-7.2 0z" for x, y in middles
    ]
    return (
        Line("M0 10V-2", "green", 3),
        Line("M0 6Q7 5.6 8.4-.4M0 8.6Q-6.6 7.6-8-.8", "green", 2.6),
        *(Area(petal) for petal in petals),
        Area("M-3-7.5a3 3 0 1 1 6 0a3 3 0 1 1-6 0z", "yellow"),
        Area("M-8.5 9.5H8.5L6 16.5H-6z", "grey"),
    )


def _prototypes_tested(_grade: int) -> Motif:
    """The motif for testing prototypes: a robot with a pilot's cap, goggles and a scarf in the wind."""
    glass = "a3.9 3.9 0 1 0 7.8 0a3.9 3.9 0 1 0-7.8 0z"
    return (
        Line("M6 11.5Q10.5 8.8 15 10.6M6 11.5Q10 12 13 15", "red", 3),
        Area("M-9-1H9V10H-9z", "orange"),
        Area("M-11 4.5V-4A11 11 0 0 1 11-4V4.5H7.5V-1.5H-7.5V4.5z", "violet"),
        Line("M-10.5-3.5H10.5", "ink", 2.4),
        Area(f"M-8.4-3.5{glass}M.6-3.5{glass}", "blue"),
        Line("M-3.6-3.5h0M5.4-3.5h0", "ink", 3),
        Line("M-3.2 6.2Q0 8.6 3.2 6.2", "ink", 1.8),
        Area("M-9.5 9.8H9.5V14H-9.5z", "red"),
    )


MOTIFS: Final[dict[str, Callable[[int], Motif]]] = {
    "destroyed": _destroyed,
    "half_turns": _half_turns,
    "damage_taken": _damage_taken,
    "deaths": _deaths,
    "walked": _walked,
    "backward": _backward,
    "turns": _turns,
    "damage_dealt": _damage_dealt,
    "repaired": _repaired,
    "power_downs": _power_downs,
    "pushed": _pushed,
    "no_damage": _no_damage,
    "no_deaths": _no_deaths,
    "no_damage_dealt": _no_damage_dealt,
    "prototypes_tested": _prototypes_tested,
}
"""The functions that draw the motifs, by name. Each takes the step of the medal, from 1 to 3."""


FRAMES: Final = ("washer", "nut", "gear", "badge")
"""The frames of medals for steps 1, 2 and 3, and for achievements in one game."""

_HALF: Final = 33
"""The distance from the middle of a medal to the edge of its picture, in user units."""
_FACE: Final = 22

_METALS: Final = {
    "washer": ("#c47f45", "#e8b483", "#7d4a20"),
    "nut": ("#c5ced9", "#f4f7fb", "#77859a"),
    "gear": ("#f0c034", "#ffe991", "#9a7008"),
    "badge": ("#45b9c4", "#a5ecef", "#17707c"),
}
"""The colours of each frame: metal, highlight and shade."""
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

    ``motif`` is one of `MOTIFS`, and ``frame`` one of `FRAMES`. ``name`` is the label of the picture. A
    picture without a name is decoration, and hidden from screen readers. Raises KeyError for an unknown motif
    or frame.
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
    """Draw an earned medal in its colours."""
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
    """Draw a medal that is not earned yet, as an outline."""
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
    """Enlarge a motif so that it fills the medal's face."""
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
    """Return path data for the shape of a badge. Size 1 is the size of a frame."""
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
    """Return path data for a polygon.

    Each corner is a radius, and an angle in degrees clockwise from east.
    """
    return "M" + "L".join(" ".join(map(number, _polar(*corner))) for corner in corners) + "z"


def _arc(radius: float, start: float, end: float) -> str:
    (x1, y1), (x2, y2) = _polar(radius, start), _polar(radius, end)
    r = number(radius)
    return f"M{number(x1)} {number(y1)}A{r} {r} 0 0 1 {number(x2)} {number(y2)}"


def _polar(radius: float, degrees: float) -> tuple[float, float]:
    return radius * cos(radians(degrees)), radius * sin(radians(degrees))


def _rivets(frame: str) -> list[tuple[float, float]]:
    """Return the positions of the rivets in a frame. There is one for each step of the medal."""
    if frame == "badge":
        return []
    count = FRAMES.index(frame) + 1
    return [_polar(25.6, 90 + 14 * (index - (count - 1) / 2)) for index in range(count)]


def _at(place: tuple[float, float]) -> str:
    return f"translate({number(place[0])} {number(place[1])})"
