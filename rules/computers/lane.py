"""A robot's way through a turn, as if it were alone: single phases by the real engine, each played once."""

from typing import NamedTuple

from rules import events as ev
from rules.chance import Chance
from rules.chips import CHIPS, PAUSE, Chip
from rules.grid import AFTER, OFF, PHASES
from rules.orders import Orders
from rules.play import begin_phase, run_where_needed
from rules.resolution import Resolution
from rules.setup import Setup
from rules.starship import Starship
from rules.state import Robot, State

CHIP_OF: dict[str, Chip] = {chip.kind: chip for chip in CHIPS.values()} | {PAUSE.kind: PAUSE}
"""A chip of each kind."""


class Stand(NamedTuple):
    """How a robot stands between two phases, and what else of the ship it may have changed.

    ``hull`` are the repairs left at the checkpoints that need any, in their order; ``crystal`` is the
    cell of the power crystal; ``over`` says that the game has ended, ``won`` that it did so for this robot.
    """

    cell: int
    heading: int
    damage: int
    next: int
    archive: int
    lives: int
    alive: bool
    virtual: bool
    down: bool
    hull: tuple[int, ...]
    crystal: int
    over: bool
    won: bool

    @property
    def done(self) -> bool:
        """Whether nothing more is executed in this turn."""
        return self.over or self.won or not self.alive


class Lane:
    """The phases of one robot alone on its ship.

    Equipment is left out; other robots too, but the power crystal is there (RC-3).
    """

    def __init__(self, setup: Setup, state: State, index: int) -> None:
        self.setup = setup
        self.ship = setup.starship
        self.classes = phase_classes(setup.starship)
        robot = state.robots[index].copy()
        robot.index, robot.equipment, robot.ammo = 0, None, None
        self.robot = robot
        crew = [robot]
        self.crystal = next((other.copy() for other in state.robots if other.crystal), None)
        if self.crystal:
            self.crystal.index = 1
            crew.append(self.crystal)
        self.damaged_numbers = tuple(state.hull)
        self.turn = Resolution(
            setup,
            State(
                turn=max(1, state.turn),
                robots=crew,
                hull=dict(state.hull),
                links={origin: to for origin, to in state.links.items() if origin in state.known},
                return_damage=state.return_damage,
            ),
            {},
            {0: [None] * len(PHASES), 1: [None] * len(PHASES)},
            Chance("alone", state.turn),
            alone=True,
        )
        self._known: list[dict[str, dict[Stand, Stand]]] = [
            {kind: {} for kind in (*CHIP_OF, "")} for _ in range(len(PHASES) + 1)
        ]
        self._ends: tuple[dict[Stand, Stand], dict[Stand, Stand]] = {}, {}
        self.start = stand_of(self.turn.state, self.robot)

    def step(self, phase: int, stand: Stand, kind: str) -> Stand:
        """Return how the robot stands after a phase in which it executes a chip of that kind, "" for none."""
        known = self._known[self.classes[phase]][kind]
        found = known.get(stand)
        if found is None:
            found = known[stand] = self.play(phase, stand, kind)
        return found

    def play(self, phase: int, stand: Stand, kind: str) -> Stand:
        """Play a phase, known or not; `entered` then tells what cells the robot came through."""
        turn = self.turn
        self._put(stand)
        turn.acting = []
        if kind and stand.alive and not stand.down:
            program: list[Chip | None] = [None] * len(PHASES)
            program[phase - 1] = CHIP_OF[kind]
            turn.acting = [(0, program)]
        begin_phase(turn, phase)
        run_where_needed(turn, turn.setup.phase)
        if turn.departed or self.crystal:
            turn.run(turn.setup.ruleset.verdict)
        return stand_of(turn.state, self.robot)

    def end(self, stand: Stand, *, power_down: bool = False) -> Stand:
        """Return how the robot stands when the next turn begins."""
        known = self._ends[power_down]
        if stand not in known:
            known[stand] = stand if stand.over or stand.won else self._end(stand, power_down)
        return known[stand]

    def _end(self, stand: Stand, power_down: bool) -> Stand:
        turn, ship = self.turn, self.ship
        self._put(stand)
        turn.phase, turn.ways, turn.falls = AFTER, ship.ways[AFTER], ship.falls[AFTER]
        turn.orders = {0: Orders(power_down=power_down)}
        if not stand.alive:
            turn.destroyed = [self.robot]
        run_where_needed(turn, turn.setup.end)
        turn.orders = {}
        return stand_of(turn.state, self.robot)

    def entered(self) -> list[int]:
        """Return the cells that the robot has come into in the phase played last."""
        return [entry[5] for entry in self.turn.log if entry[0] is ev.Move and entry[3] == 0]

    def _put(self, stand: Stand) -> None:
        turn, robot, ship = self.turn, self.robot, self.ship
        turn.clear()
        robot.cell, robot.heading, robot.damage, robot.next, robot.archive = stand[:5]
        robot.lives, robot.alive, robot.virtual, robot.down = stand[5:9]
        robot.place, robot.locked = None, ()
        state = turn.state
        state.over, state.winner = False, None
        if stand.cell != OFF and not stand.virtual:
            turn.occupied[stand.cell] = robot
        turn.ghostly = stand.virtual
        if crystal := self.crystal:
            crystal.cell = stand.crystal
            crystal.alive = stand.crystal != OFF
            if crystal.alive:
                turn.occupied[stand.crystal] = crystal
        if self.damaged_numbers:
            state.hull.update(zip(self.damaged_numbers, stand.hull, strict=True))
            turn.damaged = {ship.checkpoints[number] for number, left in state.hull.items() if left}
        turn.falls = ship.falls[AFTER]
        turn.log = []
        turn.phase_begins = 0
        turn.departed.clear()
        turn.destroyed = []


def stand_of(state: State, robot: Robot) -> Stand:
    crystal = state.robots[-1].cell if state.robots[-1].crystal else OFF
    won = robot.place is not None or (
        state.over and state.winner is not None and state.winner in (robot.index, robot.squad)
    )
    return Stand(
        robot.cell,
        robot.heading or 0,
        robot.damage,
        robot.next,
        robot.archive,
        robot.lives,
        robot.alive,
        robot.virtual,
        robot.down,
        tuple(state.hull.values()),
        crystal,
        state.over,
        won,
    )


def phase_classes(ship: Starship) -> list[int]:
    """Return for each phase, from 1, the first phase in which the ship works like in it."""
    classes = [0]
    works: list[object] = [None]
    for phase in PHASES:
        works.append(
            (
                ship.rails[phase],
                ship.falls[phase],
                [arm for arms in ship.arms.values() for arm in arms if phase in arm.phases],
                [cell for cell, phases in ship.crushers.items() if phase in phases],
                [cell for cell, phases in ship.bays.items() if phase in phases],
            )
        )
        classes.append(works.index(works[phase], 1))
    return classes
