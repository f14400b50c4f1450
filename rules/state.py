"""The changing state of a game: robots, hull damage, transporter links, and the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from rules.events import Winner
from rules.grid import OFF
from rules.language import N_
from rules.orders import REGISTERS, Chip, locked_registers

Registers = list[Chip | None]


@dataclass(slots=True)
class VisibleRobot:
    """The public part of a robot (G-1.4).

    ``index`` is the robot's seat minus 1. ``cell`` is OFF while the robot is off the board. ``lives``
    includes the life in use. If the robot ``pays`` a life to come back, people see only its spare lives:
    `shown_lives` (G-9.1). ``registers`` has the chips as last revealed. ``locked`` has the indexes of locked
    registers, from 0 (G-7.2).

    ``returned`` is true from the robot's coming back (or its start, in rulesets without an opening) until the
    next phase 1. Until then, its player may choose its heading (G-9.4). ``was_down`` is true until the next
    phase 1 if the robot was off in the previous turn. Until then, its player may order it to stay off
    (AM-5.2).

    ``rank`` is 0 in rulesets without ranks, ``ammo`` is None without equipment, and ``heading`` is None
    before the first choice. ``camped`` is true if the robot began the turn virtual on an airlock (RA-2).
    ``laid`` is higher the later the robot set its archive (AM-6.2). ``fell`` is the number of the moment
    when the robot went out of the game, or 0. Some rulesets do not number these moments (G-10.3).

    Scanners and the power crystal (RC-3) are robots too, because they can be in the way.
    """

    index: int
    name: str
    cell: int
    heading: int | None
    archive: int
    lives: int
    damage: int = 0
    next: int = 1
    registers: Registers = field(default_factory=lambda: [None] * REGISTERS)
    rank: int = 0
    alive: bool = True
    virtual: bool = False
    down: bool = False
    was_down: bool = False
    returned: bool = False
    scanner: bool = False
    squad: str | None = None
    model: str | None = None
    equipment: str | None = None
    ammo: int | None = None
    place: int | None = None
    camped: bool = False
    crystal: bool = False
    laid: int = 0
    fell: int = 0
    locked: tuple[int, ...] = ()
    pays: bool = False

    @property
    def out(self) -> bool:
        """Whether the robot is out of the game (G-9.1). It then has no rank (RR-2.1)."""
        return not self.alive and self.lives <= 0 and not self.scanner

    @property
    def shown_lives(self) -> int:
        """The lives that documents and pages show: only spare lives if the robot ``pays`` (G-9.1)."""
        return max(0, self.lives - self.pays)


@dataclass(slots=True)
class Robot(VisibleRobot):
    """A robot with all its data, including its start cell."""

    start: int = OFF

    def __post_init__(self) -> None:
        if not self.locked:
            self.locked = locked_registers(self.damage)

    @property
    def on_board(self) -> bool:
        return self.cell != OFF

    @property
    def finished(self) -> bool:
        """Whether the robot has taken a place and left the board (FA-4)."""
        return self.place is not None and self.cell == OFF

    @property
    def waiting(self) -> bool:
        """Whether the robot still waits to be placed on the board (AM-1.2)."""
        return self.alive and self.cell == OFF and self.place is None

    def copy(self) -> Robot:
        """Return an independent copy of the robot. Copying each field is fast in compiled code."""
        twin = Robot.__new__(Robot)
        twin.index, twin.name, twin.model, twin.squad = self.index, self.name, self.model, self.squad
        twin.scanner, twin.crystal, twin.rank = self.scanner, self.crystal, self.rank
        twin.cell, twin.heading, twin.virtual = self.cell, self.heading, self.virtual
        twin.start, twin.archive, twin.laid, twin.camped = self.start, self.archive, self.laid, self.camped
        twin.next, twin.place, twin.lives, twin.alive = self.next, self.place, self.lives, self.alive
        twin.damage, twin.fell, twin.returned = self.damage, self.fell, self.returned
        twin.down, twin.was_down, twin.locked = self.down, self.was_down, self.locked
        twin.pays = self.pays
        twin.equipment, twin.ammo, twin.registers = self.equipment, self.ammo, list(self.registers)
        twin.__post_init__()
        return twin


@dataclass(slots=True)
class State:
    """The part of a game that changes.

    ``turn`` is the number of the current turn. ``hull`` has the number of repairs that each checkpoint still
    needs. ``links`` has the destination of each transporter, by cell. ``known`` are the transporters that a
    robot has used, so their destinations are public (RR-1.4). ``return_damage`` is the damage of robots that
    come back. ``scanner_damage`` is the damage of a scanner that replaces a destroyed one. It is None if the
    damage is ``return_damage`` (RR-11.1).
    """

    turn: int
    robots: list[Robot]
    hull: dict[int, int]
    links: dict[int, int] = field(default_factory=dict)
    known: set[int] = field(default_factory=set)
    return_damage: int = 0
    scanner_damage: int | None = None
    over: bool = False
    winner: Winner = None

    def copy(self) -> State:
        """Return an independent copy of the state. Changes to the copy leave the original as it is."""
        return State(
            self.turn,
            [robot.copy() for robot in self.robots],
            dict(self.hull),
            self.links,
            set(self.known),
            self.return_damage,
            self.scanner_damage,
            self.over,
            self.winner,
        )

    def learn_link(self, origin: int, to: int) -> None:
        """Record that a robot used a transporter, so that its destination is public (RR-1.4)."""
        self.known.add(origin)

    @property
    def players(self) -> Iterator[Robot]:
        """The players' robots in seat order. Scanners and the crystal are not among them."""
        return (robot for robot in self.robots if not robot.scanner and not robot.crystal)

    @property
    def crystal(self) -> int | None:
        """The cell of the power crystal, or None if it is not on the board (RC-3)."""
        last = self.robots[-1]
        return last.cell if last.crystal and last.on_board else None


TANKY: Final = "tanky"
JAMES_BOT: Final = "james-bot"
LAZYBOT: Final = "lazybot"
ALBOT: Final = "albot"
PEACH: Final = "peach"

MODELS: Final = {
    TANKY: N_("Tanky repairs 1 damage at the end of each turn."),
    JAMES_BOT: N_("James Bot’s shots deal 2 damage."),
    LAZYBOT: N_("LazyBot may pause in one register per turn, instead of executing a chip."),
    ALBOT: N_("Albot may redraw its hand once a turn, before submitting orders."),
    PEACH: N_("If a shot hits Peach from behind, Peach reflects it onto the robot that fired it."),
}
"""A sentence about each model of robot, by the model's key."""


def reflects(robot: Robot, heading: int) -> bool:
    """Return whether a robot reflects a shot that travels in this heading.

    Only the model Peach does, if the shot comes from behind (GR-1.2).
    """
    return robot.model == PEACH and robot.heading == heading
