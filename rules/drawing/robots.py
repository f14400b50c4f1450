"""Draw robots: eight silhouettes with their colours, and their positions on the board.

A robot is ``<g class="robot" data-robot="NAME">``, moved to the middle of its cell by its ``transform``.
Inside it, ``.stance`` moves robots that share a cell apart, and ``.pose`` turns the body. The drawing always
has the parts for all states of a robot: ``.when-real``, ``.when-virtual``, ``.when-chosen``, ``.when-up``,
``.when-down``, ``.when-undecided``, and ``[data-from]`` for parts that appear from a certain damage. Parts
for states that the robot is not in have ``display="none"``.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Protocol

from rules.drawing.pen import (
    HIDDEN,
    Drawing,
    Point,
    Sheet,
    area,
    centre,
    circle,
    escaped,
    line,
    moved,
    number,
    place,
    writing,
)
from rules.grid import LETTERS, N
from rules.language import N_
from rules.starship import Starship


@dataclass(frozen=True, slots=True)
class Silhouette:
    """The shape of a robot, as path data.

    ``body`` is closed, and ``limbs`` are lines of width ``limb``. ``lines`` are details on the body, and
    ``eyes`` are points.
    """

    name: str
    body: str
    eyes: tuple[tuple[float, float], ...]
    lines: str = ""
    limbs: str = ""
    limb: float = 2.2


SILHOUETTES = (
    Silhouette(
        N_("beetle"),
        "M0-11.6C3.4-11.6 5.4-9.8 5.8-7.4C8.4-5 9.3-2 9.3 1.4C9.3 7.6 5.2 12 0 12C-5.2 12-9.3 7.6-9.3 1.4"
        "C-9.3-2-8.4-5-5.8-7.4C-5.4-9.8-3.4-11.6 0-11.6z",
        ((-2.7, -8.6), (2.7, -8.6)),
        lines="M-6.6-5.6C-3-4.2 3-4.2 6.6-5.6M0-4.6V11.4",
        limbs="M-7-3L-11.4-5.6M-8-0L-11.4-5.6M-8 3.6H-12M-7 7.4L-11 10.6M7-3L11.4-5.6M8 3.6H12M7 7.4L11 10.6"
        "M-2-11L-4.4-13.4M2-11L4.4-13.4",
    ),
    Silhouette(
        N_("disc"),
        "M-3.6-10.8L-1-13.8Q0-14.8 1-13.8L3.6-10.8A11.4 11.4 0 1 1-3.6-10.8z",
        ((-3.2, -7.6), (3.2, -7.6)),
        lines="M-8.2-2.6A8.6 8.6 0 0 0 8.2-2.6M-7.6 4.6A8.9 8.9 0 0 0 7.6 4.6",
    ),
    Silhouette(
        N_("wedge"),
        "M-3.4-12.2C-1.6-13.4 1.6-13.4 3.4-12.2C4.4-11.6 11.2 7.4 11.6 9.4C11.8 11 11 11.8 9.4 11.8"
        "H-9.4C-11 11.8-11.8 11-11.6 9.4C-11.2 7.4-4.4-11.6-3.4-12.2z",
        ((-2.2, -8.4), (2.2, -8.4)),
        lines="M-9.4 8.4H9.4M-3 8.4V11.4M3 8.4V11.4",
    ),
    Silhouette(
        N_("crab"),
        "M-4.4-6.4H4.4C8.6-6.4 10.6-3.6 10.6.6C10.6 5 7 8 0 8C-7 8-10.6 5-10.6.6C-10.6-3.6-8.6-6.4-4.4-6.4z"
        "M-6.2-13.4A4.4 4.4 0 1 0-5.6-7.4L-8.4-9.4zM6.2-13.4A4.4 4.4 0 1 1 5.6-7.4L8.4-9.4z",
        ((-2.6, -6.4), (2.6, -6.4)),
        limbs="M-8.6-4L-9.4-7M8.6-4L9.4-7M-7 6L-10.6 11M-3.4 7.4L-4.8 12M7 6L10.6 11M3.4 7.4L4.8 12",
        lines="M-7.6 3.6C-3 7 3 7 7.6 3.6",
    ),
    Silhouette(
        N_("spider"),
        "M0-8.8C4-8.8 7-5.6 7.4-1C7.8 5 4.6 10 0 10C-4.6 10-7.8 5-7.4-1C-7-5.6-4-8.8 0-8.8z",
        ((-2.3, -6.2), (2.3, -6.2)),
        limbs="M-5-4L-8.6-7.4L-8.2-12M-6.4-1L-10.6-3.4L-12.6-7M-6.4 3.6L-11 4.4L-13 8M-5 6.6L-8.6 9L-9 13"
        "M5-4L8.6-7.4L8.2-12M6.4-1L10.6-3.4L12.6-7M6.4 3.6L11 4.4L13 8M5 6.6L8.6 9L9 13",
        limb=1.8,
        lines="M-4 7.4C-1.6 8.6 1.6 8.6 4 7.4",
    ),
    Silhouette(
        N_("tank"),
        "M-11.8-8.4C-11.8-9.8-11-10.4-9.8-10.4H-7.4C-6.4-10.4-5.8-9.8-5.8-8.6H-2.2V-13.4H2.2V-8.6H5.8"
        "C5.8-9.8 6.4-10.4 7.4-10.4H9.8C11-10.4 11.8-9.8 11.8-8.4V9.6C11.8 11 11 11.6 9.8 11.6H7.4"
        "C6.4 11.6 5.8 11 5.8 9.8H-5.8C-5.8 11-6.4 11.6-7.4 11.6H-9.8C-11 11.6-11.8 11-11.8 9.6z",
        ((-3.4, -6.2), (3.4, -6.2)),
        lines="M-6-8.2V9.4M6-8.2V9.4"
        "M-11-5.4H-7M-11-1.4H-7M-11 2.6H-7M-11 6.6H-7M11-5.4H7M11-1.4H7M11 2.6H7M11 6.6H7",
    ),
    Silhouette(
        N_("magnet"),
        "M-11-11.6H-4.4V-7.4C-4.4-5.4-2.4-4.6 0-4.6C2.4-4.6 4.4-5.4 4.4-7.4V-11.6H11V1C11 7.6 6.4 11.8 0 11.8"
        "C-6.4 11.8-11 7.6-11 1z",
        ((-7.6, -7.6), (7.6, -7.6)),
        lines="M-11-3.6H-5M11-3.6H5",
    ),
    Silhouette(
        N_("drone"),
        "M-6.6-12.2A4.8 4.8 0 0 1-2.2-9.2H2.2A4.8 4.8 0 1 1 8.2-2.6V2.6A4.8 4.8 0 1 1 2.6 8.2H-2.6"
        "A4.8 4.8 0 1 1-8.2 2.6V-2.6A4.8 4.8 0 0 1-6.6-12.2z",
        ((-2.5, -6.9), (2.5, -6.9)),
        lines="M-9.4-7.4H-5.6M5.6-7.4H9.4M-7.4 5.6V9.4M7.4 5.6V9.4",
        limbs="M0-9V-13.4M-2.2-13.6H2.2",
    ),
)

SCANNER = Silhouette(
    "scanner",
    "M-5.6-10.4H5.6L11.4 0L5.6 10.4H-5.6L-11.4 0z",
    ((0, -7.4),),
    lines="M-5.6-4.6L-8.4 0L-5.6 4.6M5.6-4.6L8.4 0L5.6 4.6",
)
"""The silhouette of scanners, the game's own robots. It has one eye."""


NOSE = "M-8-6L-1-18Q0-19.4 1-18L8-6z"
"""The wedge at a robot's front, which shows its heading where eyes are too small to see."""

STICKER_LETTERS = "ABCDEFGH"
"""The letters on the robots' stickers. The first letter belongs to look 1."""


@dataclass(frozen=True, slots=True)
class Look:
    """The look of one robot: its key, silhouette, letter and colours.

    ``outline`` is the colour of the robot while it is virtual. This colour must be visible on hull.
    """

    key: str
    shape: Silhouette
    letter: str
    colour: str
    outline: str


def robot_look(sheet: Sheet, number_: int) -> Look:
    """Return one of the eight looks of players' robots, by its number from 1."""
    model = (number_ - 1) % len(SILHOUETTES)
    ink = sheet.ink
    return Look(
        str(model + 1), SILHOUETTES[model], STICKER_LETTERS[model], ink.robot(model), ink.outline(model)
    )


def scanner_look(sheet: Sheet, number_: int) -> Look:
    """Return the look of a scanner. It shows the scanner's number, from 1, in place of a letter."""
    return Look("scanner", SCANNER, str(number_), sheet.ink.scanner, sheet.ink.scanner)


def body(look: Look) -> Drawing:
    """Return the drawing of a real robot's body, in its colour."""

    def draw(sheet: Sheet) -> str:
        ink, limb = sheet.ink, look.shape.limb
        return (
            _body(sheet, look, ink.robot_shadow, 4.6, ' stroke-opacity=".4"')
            + _limbs(sheet, look, ink.robot_ink, limb + 1.7)
            + _limbs(sheet, look, look.colour, limb)
            + _body(sheet, look, ink.robot_ink, 1.7, f' fill="{look.colour}"')
            + line(look.shape.lines, ink.robot_ink, 1.1, ' stroke-opacity=".62"')
        )

    return draw


def virtual_robot(look: Look) -> Drawing:
    """Return the drawing of a virtual robot, as an outline."""

    def draw(sheet: Sheet) -> str:
        # A band of hull colour around the lines separates them from the picture below.
        hull = sheet.ink.hull
        return (
            _limbs(sheet, look, hull, 4.6, ' stroke-opacity=".8"')
            + _body(sheet, look, hull, 4.6, ' stroke-opacity=".8"')
            + _limbs(sheet, look, look.outline, 1.5)
            + _body(sheet, look, look.outline, 1.9, f' fill="{hull}" fill-opacity=".3"')
        )

    return draw


def nose(look: Look) -> Drawing:
    """Return the drawing of a real robot's heading, in its colour."""

    def draw(sheet: Sheet) -> str:
        ink = sheet.ink
        halo = area(NOSE, "none", ink.robot_shadow, 4.6, ' stroke-opacity=".4"')
        return halo + area(NOSE, look.colour, ink.robot_ink, 1.7)

    return draw


def virtual_nose(look: Look) -> Drawing:
    """Return the drawing of a virtual robot's heading. It is solid, to be visible when it is small."""
    return lambda sheet: area(NOSE, look.outline, sheet.ink.hull, 2.2, ' stroke-opacity=".8"')


def _body(sheet: Sheet, look: Look, colour: str, width: float, more: str = "") -> str:
    stroke = f' stroke="{colour}" stroke-width="{number(width)}"'
    return sheet.use(f"body{look.key}", lambda _: f'<path d="{look.shape.body}"/>', more=stroke + more)


def _limbs(sheet: Sheet, look: Look, colour: str, width: float, more: str = "") -> str:
    if not look.shape.limbs:
        return ""
    stroke = f' stroke="{colour}" stroke-width="{number(width)}"'
    return sheet.use(f"limbs{look.key}", lambda _: f'<path d="{look.shape.limbs}"/>', more=stroke + more)


def eyes(look: Look) -> Drawing:
    """Return the drawing of a robot's eyes, which show its heading."""
    whites = "".join(f"M{number(x)} {number(y)}h0" for x, y in look.shape.eyes)
    pupils = "".join(f"M{number(x)} {number(y - 1)}h0" for x, y in look.shape.eyes)

    def draw(sheet: Sheet) -> str:
        dark, light = sheet.ink.robot_ink, sheet.ink.robot_light
        return line(whites, dark, 6.8) + line(whites, light, 5) + line(pupils, dark, 2.5)

    return draw


def lids(look: Look) -> Drawing:
    """Return the drawing of closed eyes, for a robot that is off."""
    sockets = "".join(f"M{number(x)} {number(y)}h0" for x, y in look.shape.eyes)
    lashes = "".join(f"M{number(x - 2)} {number(y - 0.5)}q2 2.6 4 0" for x, y in look.shape.eyes)

    def draw(sheet: Sheet) -> str:
        dark, lid = sheet.ink.robot_ink, sheet.ink.bare
        return line(sockets, dark, 6.8) + line(sockets, lid, 5) + line(lashes, dark, 1.5)

    return draw


def sleep(sheet: Sheet) -> str:
    """Draw the letters of a snore, for a robot that is off."""
    strokes = writing("Z", 10.4, -10.6, 6) + writing("Z", 14.6, -15, 4)
    return line(strokes, sheet.ink.rail_edge, 3.2) + line(strokes, sheet.ink.rail, 1.4)


def undecided(sheet: Sheet) -> str:
    """Draw four arrows, for a robot that has no heading yet."""
    ways = "M-2.4-12.6L0-15L2.4-12.6M12.6-2.4L15 0L12.6 2.4M2.4 12.6L0 15L-2.4 12.6M-12.6 2.4L-15 0L-12.6-2.4"
    return line(ways, sheet.ink.rail, 1.6)


def sticker(look: Look) -> Drawing:
    """Return the drawing of a real robot's letter, on a round sticker."""
    letter = writing(look.letter, 0, 0, 6.2)
    return lambda sheet: (
        circle(5, sheet.ink.robot_light, sheet.ink.robot_ink, 1.1) + line(letter, sheet.ink.robot_ink, 1.5)
    )


def outlined_letter(look: Look) -> Drawing:
    """Return the drawing of a virtual robot's letter."""
    letter = writing(look.letter, 0, 0.6, 8)
    return lambda sheet: line(letter, look.outline, 1.9)


SCARS = (
    (6.4, 4.6),
    (-6.6, -2.2),
    (-4.6, 6.8),
    (6.8, -2.6),
    (1.6, 8),
    (-7, 2.6),
    (4.2, 7.2),
    (7, 1.2),
    (-1.8, 7.4),
)
"""The positions of scratches in a robot's paint. Each point of damage adds one scratch."""
_SCARS = (
    "M-2-.8L.4-2L2 .2L.2 1.9L-1.6 1.4z",
    "M-1.4-1.8L1.2-1.4L1.9 1L-.4 2L-2 .4z",
    "M-1.9-.2L-.2-1.9L1.8-.8L1.2 1.6L-1 1.7z",
)
PUFFS = ((5, -8.6, -9.4, 3.0), (7, -11.8, -12.6, 2.4), (9, -8.4, -14.6, 1.8))
"""The puffs of smoke above a damaged robot: the minimum damage, x, y, and the radius of each."""


def scars(sheet: Sheet, damage: int) -> str:
    """Draw all scratches in a robot's paint, and hide those for more damage than the robot has."""
    return "".join(
        sheet.use(f"scar{place % 3 + 1}", _scar(_SCARS[place % 3]), at, more=_from(place + 1, damage))
        for place, at in enumerate(SCARS)
    )


def _scar(path: str) -> Drawing:
    return lambda sheet: area(path, sheet.ink.bare, sheet.ink.robot_ink, 0.9)


def smoke(sheet: Sheet, damage: int) -> str:
    """Draw all puffs of smoke of a robot, and hide those for more damage than the robot has."""
    return "".join(
        sheet.use(f"puff{least}", _puff(radius), (x, y), more=_from(least, damage))
        for least, x, y, radius in PUFFS
    )


def _puff(radius: float) -> Drawing:
    return lambda sheet: circle(radius, sheet.ink.smoke, sheet.ink.robot_ink)


def _from(least: int, damage: int) -> str:
    """Return the attributes of a part that is visible only at ``least`` or more damage.

    Page scripts read them to show or hide the part when the damage changes.
    """
    return f' data-from="{least}"' + ("" if damage >= least else HIDDEN)


class Drawable(Protocol):
    """A robot that can be drawn: a `rules.Robot`, a `rules.RobotView` or a `Figure`."""

    @property
    def index(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def cell(self) -> int: ...
    @property
    def heading(self) -> int | None: ...
    @property
    def damage(self) -> int: ...
    @property
    def virtual(self) -> bool: ...
    @property
    def down(self) -> bool: ...
    @property
    def scanner(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Figure:
    """A robot that is drawn outside of a game.

    ``index`` is the number of its look minus 1. Scanners are numbered in the order of their ``index``.
    """

    index: int
    name: str
    cell: int
    heading: int | None = N
    damage: int = 0
    virtual: bool = False
    down: bool = False
    scanner: bool = False


@dataclass(frozen=True, slots=True)
class Stance:
    """The position of a robot relative to the middle of its cell, and its size."""

    shift: Point = (0, 0)
    scale: float = 1

    @property
    def transform(self) -> str:
        return "" if self == ALONE else f' transform="{moved(self.shift)}scale({number(self.scale)})"'

    @property
    def letter_scale(self) -> float:
        """The scale of a robot's letter, relative to its body.

        Letters shrink less than bodies, to stay legible.
        """
        return min(1, self.scale * 1.25) / self.scale

    @property
    def letter(self) -> str:
        return "" if self.letter_scale == 1 else f' transform="scale({number(self.letter_scale)})"'


ALONE = Stance()


def draw_robots(
    sheet: Sheet,
    ship: Starship,
    robots: Iterable[Drawable],
    looks: Mapping[int, int] | None = None,
    own: int | None = None,
) -> str:
    """Draw all robots on the board. Robots that share a cell are drawn side by side.

    ``own`` is the index of the viewer's robot, which has its full size on top of the others.
    """
    return "".join(
        _placed(sheet, ship, robot, look, stance)
        for group in _by_cell(sheet, ship, robots, looks, own)
        for robot, look, stance in group
    )


def draw_groups(
    sheet: Sheet, ship: Starship, robots: Iterable[Drawable], looks: Mapping[int, int] | None = None
) -> dict[int, str]:
    """Return the drawings of the robots in each cell, by cell number.

    The drawings are centred on the origin, without the names of the robots.
    """
    return {
        group[0][0].cell: "".join(draw_robot(sheet, *each) for each in group)
        for group in _by_cell(sheet, ship, robots, looks, None)
    }


def _by_cell(
    sheet: Sheet,
    ship: Starship,
    robots: Iterable[Drawable],
    looks: Mapping[int, int] | None,
    own: int | None,
) -> Iterator[list[tuple[Drawable, Look, Stance]]]:
    """Yield the robots in each cell, each robot with its look and its stance."""
    everyone = list(robots)
    here = sorted(
        (robot for robot in everyone if ship.inside(robot.cell)), key=lambda robot: drawing_order(robot, own)
    )
    for _, group in groupby(here, key=lambda robot: robot.cell):
        sharing = list(group)
        looking = [look_of(sheet, robot, everyone, looks) for robot in sharing]
        yield list(zip(sharing, looking, stances(sharing, own), strict=True))


def drawing_order(robot: Drawable, own: int | None) -> tuple[object, ...]:
    """Return a sort key of robots, so that those in one cell follow each other, the viewer's robot last."""
    return robot.cell, robot.index == own, robot.virtual, robot.index


def look_of(
    sheet: Sheet, robot: Drawable, robots: Iterable[Drawable], looks: Mapping[int, int] | None = None
) -> Look:
    """Return the look of a robot in a game.

    ``looks`` has the numbers of chosen looks by robot index. By default, a look has the number of the robot's
    seat. Scanners are numbered from 1.
    """
    if not robot.scanner:
        return robot_look(sheet, (looks or {}).get(robot.index, robot.index + 1))
    return scanner_look(sheet, 1 + sum(other.scanner and other.index < robot.index for other in robots))


CORNERS = ((1, -1), (-1, -1), (1, 1), (-1, 1))
"""The directions of up to four robots around the viewer's robot. The first two are above it."""


def stances(sharing: list[Drawable], own: int | None = None) -> Iterator[Stance]:
    """Yield a stance for each robot of a cell, in `drawing_order`.

    The viewer's robot is in the middle at full size, or else a real robot. The others form a ring.
    """
    count = len(sharing)
    if sharing[-1].index == own:
        for index in range(count - 1):
            yield _beside(index, count - 1)
    if count == 1 or sharing[-1].index == own:
        yield ALONE
        return
    real = sum(not robot.virtual for robot in sharing)
    ring = count - real
    scale = 0.46 if real else {2: 0.66, 3: 0.6, 4: 0.56}.get(count, 0.5)
    needed = 27 * scale / (2 * math.sin(math.pi / ring)) if ring > 1 else 0.0
    radius = max(needed, 13.0 if real else 0.0)
    first = -math.pi / 4 if ring == 4 or real else math.pi if ring == 2 else -math.pi / 2
    for index in range(count):
        if index < real:
            yield Stance(scale=0.8)
        else:
            angle = first + 2 * math.pi * (index - real) / ring
            yield Stance((radius * math.cos(angle), radius * math.sin(angle)), scale)


def _beside(index: int, count: int) -> Stance:
    """Return the stance of one of the robots around the viewer's robot."""
    if count <= len(CORNERS):
        x, y = CORNERS[index]
        return Stance((12.8 * x, 12.8 * y), 0.56)
    angle = 2 * math.pi * (index + 0.5) / count - math.pi / 2
    return Stance((18.5 * math.cos(angle), 18.5 * math.sin(angle)), min(0.5, 4.3 / count + 0.01))


def _placed(sheet: Sheet, ship: Starship, robot: Drawable, look: Look, stance: Stance) -> str:
    x, y = ship.pos(robot.cell)
    states = ("scanner", robot.scanner), ("virtual", robot.virtual), ("down", robot.down)
    classes = " ".join(["robot", *(name for name, holds in states if holds)])
    heading = "" if robot.heading is None else LETTERS[robot.heading]
    return (
        f'<g class="{classes}" data-robot="{escaped(robot.name)}" data-seat="{robot.index + 1}"{place(x, y)}'
        f' data-heading="{heading}" data-damage="{robot.damage}" transform="{moved(centre(x, y))}">'
        f"<title>{escaped(robot.name)}</title>{draw_robot(sheet, robot, look, stance)}</g>"
    )


def draw_robot(
    sheet: Sheet, robot: Drawable, look: Look, stance: Stance = ALONE, *, nosed: bool = True
) -> str:
    chosen = robot.heading is not None
    turn = f' transform="rotate({robot.heading * 90})"' if robot.heading else ""
    real, virtual = _shown("when-real", not robot.virtual), _shown("when-virtual", robot.virtual)
    nosing = _shown("when-chosen", chosen)
    up, down = _shown("when-up", chosen and not robot.down), _shown("when-down", chosen and robot.down)
    outlined = sheet.use(f"virtual-nose{look.key}", virtual_nose(look), more=virtual) if nosed else ""
    return (
        f'<g class="stance"{stance.transform}><g class="pose"{turn}>'
        + sheet.use(f"ghost{look.key}", virtual_robot(look), more=virtual)
        + (f"<g{nosing}>{outlined}</g>" if nosed else "")
        + f"<g{real}>"
        + (sheet.use(f"nose{look.key}", nose(look), more=nosing) if nosed else "")
        + sheet.use(f"robot{look.key}", body(look))
        + f"{scars(sheet, robot.damage)}</g>"
        + sheet.use(f"eyes{look.key}", eyes(look), more=up)
        + sheet.use(f"lids{look.key}", lids(look), more=down)
        + "</g>"
        + sheet.use("undecided", undecided, more=_shown("when-undecided", not chosen))
        + f'<g class="letter"{stance.letter}>'
        + sheet.use(f"sticker{look.letter}", sticker(look), more=real)
        + sheet.use(f"letter{look.letter}-{look.key}", outlined_letter(look), more=virtual)
        + f"</g><g{real}>{smoke(sheet, robot.damage)}</g>"
        + sheet.use("sleep", sleep, more=down)
        + "</g>"
    )


def _shown(name: str, now: bool) -> str:
    """Return the attributes of a part with this class. The part is hidden unless ``now`` is true."""
    return f' class="{name}"' + ("" if now else HIDDEN)
