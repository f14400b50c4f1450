"""Robots on the board: where they stand, which way they face, and in what state they are.

A robot is ``<g class="robot" data-robot="NAME">``, moved to the middle of its cell by its ``transform``.
Inside it ``.stance`` fans out those that share a cell, and ``.pose`` turns the body. Parts that depend on its
state are all there, and those that do not apply have ``display="none"``: ``.when-real``, ``.when-virtual``,
``.when-up``, ``.when-down``, ``.when-undecided``, and ``[data-from]`` from that much damage on.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Protocol

from rules.drawing import bodies
from rules.drawing.bodies import Look, robot_look, scanner_look
from rules.drawing.lettering import number
from rules.drawing.sheet import HIDDEN, Point, Sheet, centre, escaped, moved, place
from rules.grid import LETTERS, N
from rules.starship import Starship


class Drawable(Protocol):
    """What can be drawn as a robot: a `rules.Robot`, a `rules.RobotView`, a `Figure`."""

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
    """A robot to draw where there is no game: ``index`` is its seat less one, ``cell`` a cell's number."""

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
    """Where in its cell a robot stands, and how large."""

    shift: Point = (0, 0)
    scale: float = 1

    @property
    def transform(self) -> str:
        return "" if self == ALONE else f' transform="{moved(self.shift)}scale({number(self.scale)})"'

    @property
    def letter_scale(self) -> float:
        """How much larger its letter is than its body: letters shrink less, to stay legible."""
        return min(1, self.scale * 1.25) / self.scale

    @property
    def letter(self) -> str:
        return "" if self.letter_scale == 1 else f' transform="scale({number(self.letter_scale)})"'


ALONE = Stance()


def draw_robots(
    sheet: Sheet, ship: Starship, robots: Iterable[Drawable], looks: Mapping[int, int] | None = None
) -> str:
    """Draw all robots that are on the board; those that share a cell stand beside each other."""
    return "".join(
        _placed(sheet, ship, robot, look, stance)
        for group in _by_cell(sheet, ship, robots, looks)
        for robot, look, stance in group
    )


def draw_groups(
    sheet: Sheet, ship: Starship, robots: Iterable[Drawable], looks: Mapping[int, int] | None = None
) -> dict[int, str]:
    """Draw the robots of each cell around its middle, without their names, by the number of the cell."""
    return {
        group[0][0].cell: "".join(draw_robot(sheet, *each) for each in group)
        for group in _by_cell(sheet, ship, robots, looks)
    }


def _by_cell(
    sheet: Sheet, ship: Starship, robots: Iterable[Drawable], looks: Mapping[int, int] | None
) -> Iterator[list[tuple[Drawable, Look, Stance]]]:
    """Yield the robots of each cell, with how they look and stand."""
    everyone = list(robots)
    here = sorted(
        (robot for robot in everyone if ship.inside(robot.cell)),
        key=lambda robot: (robot.cell, robot.virtual, robot.index),
    )
    for _, group in groupby(here, key=lambda robot: robot.cell):
        sharing = list(group)
        looking = [look_of(sheet, robot, everyone, looks) for robot in sharing]
        yield list(zip(sharing, looking, stances(sharing), strict=True))


def look_of(
    sheet: Sheet, robot: Drawable, robots: Iterable[Drawable], looks: Mapping[int, int] | None = None
) -> Look:
    """Return how a robot looks among the robots of its game; scanners are numbered.

    ``looks`` are the numbers of the looks that were chosen, by robot index; the others look like their seat.
    """
    if not robot.scanner:
        return robot_look(sheet, (looks or {}).get(robot.index, robot.index + 1))
    return scanner_look(sheet, 1 + sum(other.scanner and other.index < robot.index for other in robots))


def stances(sharing: list[Drawable]) -> Iterator[Stance]:
    """Yield a stance for each robot of a cell: first real ones, in the middle; the others in a ring."""
    count = len(sharing)
    if count == 1:
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


def draw_robot(sheet: Sheet, robot: Drawable, look: Look, stance: Stance = ALONE) -> str:
    chosen = robot.heading is not None
    turn = f' transform="rotate({robot.heading * 90})"' if robot.heading else ""
    real, virtual = _shown("when-real", not robot.virtual), _shown("when-virtual", robot.virtual)
    up, down = _shown("when-up", chosen and not robot.down), _shown("when-down", chosen and robot.down)
    return (
        f'<g class="stance"{stance.transform}><g class="pose"{turn}>'
        + sheet.use(f"ghost{look.key}", bodies.ghost(look), more=virtual)
        + f"<g{real}>{sheet.use(f'robot{look.key}', bodies.body(look))}"
        + f"{bodies.scars(sheet, robot.damage)}</g>"
        + sheet.use(f"eyes{look.key}", bodies.eyes(look), more=up)
        + sheet.use(f"lids{look.key}", bodies.lids(look), more=down)
        + "</g>"
        + sheet.use("undecided", bodies.undecided, more=_shown("when-undecided", not chosen))
        + f'<g class="letter"{stance.letter}>'
        + sheet.use(f"sticker{look.letter}", bodies.sticker(look), more=real)
        + sheet.use(f"letter{look.letter}-{look.key}", bodies.outlined_letter(look), more=virtual)
        + f"</g><g{real}>{bodies.smoke(sheet, robot.damage)}</g>"
        + sheet.use("sleep", bodies.sleep, more=down)
        + "</g>"
    )


def _shown(name: str, now: bool) -> str:
    """Return the class by which a page script shows or hides a part, and whether it shows now."""
    return f' class="{name}"' + ("" if now else HIDDEN)
