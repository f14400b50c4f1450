"""The state of a game between two events: robots, hull, transporter links, and how it ended."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from rules.chips import REGISTERS, Chip, locked_registers
from rules.events import Winner
from rules.grid import OFF

Registers = list[Chip | None]


@dataclass(slots=True)
class Robot:
    """One robot (G-1.4); ``index`` is its seat less one, ``cell`` is OFF while it is off the board.

    ``registers`` hold the chips as last revealed. ``returned`` is true from coming back until the
    next phase 1, while its player may choose its heading (G-9.4). ``rank`` is 0 in rulesets
    without ranks, ``ammo`` None without equipment, ``heading`` None until the first is chosen.
    """

    index: int
    name: str
    cell: int
    heading: int | None
    start: int
    archive: int
    lives: int
    damage: int = 0
    next: int = 1
    registers: Registers = field(default_factory=lambda: [None] * REGISTERS)
    rank: int = 0
    alive: bool = True
    virtual: bool = False
    down: bool = False
    returned: bool = False
    scanner: bool = False
    squad: str | None = None
    model: str | None = None
    equipment: str | None = None
    ammo: int | None = None
    place: int | None = None
    camped: bool = False

    @property
    def out(self) -> bool:
        """Whether the robot is out of the game for good (G-9.1)."""
        return not self.alive and self.lives <= 0 and not self.scanner

    @property
    def on_board(self) -> bool:
        return self.cell != OFF

    @property
    def locked(self) -> range:
        """The locked registers, by index from 0 (G-7.2)."""
        return locked_registers(self.damage)

    def copy(self) -> Robot:
        return replace(self, registers=list(self.registers))


@dataclass(slots=True)
class State:
    """All that changes in a game.

    ``turn`` is the turn that is being programmed or resolved. ``hull`` has the repairs left by
    checkpoint. ``links`` says where each transporter leads; ``known`` are those that have been
    used, and so are public (RR-1.4). ``return_damage`` is what a robot that comes back has.
    """

    turn: int
    robots: list[Robot]
    hull: dict[int, int]
    links: dict[int, int] = field(default_factory=dict)
    known: set[int] = field(default_factory=set)
    crystal: int | None = None
    return_damage: int = 0
    over: bool = False
    winner: Winner = None

    def copy(self) -> State:
        """Return an independent copy; resolving works on one, so that a state never changes unseen."""
        return replace(
            self,
            robots=[robot.copy() for robot in self.robots],
            hull=dict(self.hull),
            known=set(self.known),
        )

    def learn_link(self, origin: int, to: int) -> None:
        """Note that a transporter's link was used, and so is public from now on (RR-1.4)."""
        self.known.add(origin)

    @property
    def players(self) -> Iterator[Robot]:
        """The players' robots, in seat order; scanners are not among them."""
        return (robot for robot in self.robots if not robot.scanner)
