"""Single phases of a robot that is alone on its ship, played by the real engine."""

from typing import Final

from rules import events as ev
from rules.chance import Chance
from rules.chips import CHIPS, PAUSE, Chip
from rules.computers.stand import Stand, stand_of
from rules.grid import AFTER, OFF, PHASES
from rules.orders import Orders
from rules.play import begin_phase, run_where_needed
from rules.resolution import Resolution
from rules.setup import Setup
from rules.starship import Starship
from rules.state import State

CHIP_OF: Final[dict[str, Chip]] = {chip.kind: chip for chip in CHIPS.values()} | {PAUSE.kind: PAUSE}
"""A chip of each kind."""


class Alone:
    """The engine, with one robot.

    Equipment is left out; other robots too, but the power crystal is there (RC-3).
    """

    def __init__(self, setup: Setup, state: State, index: int) -> None:
        self.setup = setup
        self.ship = setup.starship
        names = [name for name, _, _ in setup.phase]
        split = names.index("chips") + 1 if "chips" in names else 0
        # No one has ranks where one is alone; with the crystal, they order the two.
        ranked = any(other.crystal for other in state.robots)
        self.end_steps = tuple([step for step in setup.end if ranked or step[0] != "ranks"])
        self.first_steps, self.later_steps = setup.phase[:split], setup.phase[split:]
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
        self.start = stand_of(self.turn.state, self.robot)

    def play(self, phase: int, stand: Stand, kind: str) -> Stand:
        """Return how the robot stands after a phase in which it executes a chip of that kind, "" for none."""
        self._begin(phase, stand, kind)
        run_where_needed(self.turn, self.turn.setup.phase)
        return self._verdict()

    def execute(self, phase: int, stand: Stand, kind: str) -> Stand:
        """Return how the robot stands once it has executed a chip, before the ship does anything."""
        self._begin(phase, stand, kind)
        run_where_needed(self.turn, self.first_steps)
        return stand_of(self.turn.state, self.robot)

    def entered(self) -> tuple[int, ...]:
        """Return the cells that the robot has come into in what was played last."""
        return tuple([entry[5] for entry in self.turn.log if entry[0] is ev.Move and entry[3] == 0])

    def fired(self) -> bool:
        """Return whether the robot has fired in what was played last."""
        return any(entry[0] is ev.Shot and entry[3] == 0 for entry in self.turn.log)

    def end(self, stand: Stand, *, power_down: bool) -> Stand:
        """Return how the robot stands when the next turn begins."""
        turn, ship = self.turn, self.ship
        self._put(stand)
        turn.phase, turn.ways, turn.falls = AFTER, ship.ways[AFTER], ship.falls[AFTER]
        turn.orders = {0: Orders(power_down=power_down)}
        if not stand.alive:
            turn.destroyed = [self.robot]
        run_where_needed(turn, self.end_steps)
        turn.orders = {}
        return stand_of(turn.state, self.robot)

    def _begin(self, phase: int, stand: Stand, kind: str) -> None:
        turn = self.turn
        self._put(stand)
        turn.acting = []
        if kind and stand.alive and not stand.down:
            program: list[Chip | None] = [None] * len(PHASES)
            program[phase - 1] = CHIP_OF[kind]
            turn.acting = [(self.robot, program)]
        begin_phase(turn, phase)

    def _verdict(self) -> Stand:
        turn = self.turn
        if turn.departed or self.crystal:
            turn.run(turn.setup.ruleset.verdict)
        return stand_of(turn.state, self.robot)

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
