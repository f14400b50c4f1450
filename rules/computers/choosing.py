"""Choose orders for computer players, with no more knowledge than any player.

They work from a state imagined from public knowledge, without secrets. For a learner, they fill only the
first registers of a program.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from rules.chance import Seed
from rules.computers.ace import ACE
from rules.computers.lane import Plan, choices
from rules.computers.pilot import PILOT, ROOKIE, Level, Task, registers_for
from rules.computers.tracks import KINDS, NOTHING
from rules.dealing import Hand, can_redeal, is_set_aside
from rules.document import RulesError
from rules.launch import squad_airlock_of
from rules.orders import REGISTERS, Orders
from rules.programming import needs_orders, problems
from rules.setup import Setup
from rules.state import Robot, State
from rules.view import SEEN, RobotView, View


class ComputerError(RulesError):
    """Raised if the robot takes no orders, or the level is unknown."""


def imagine(setup: Setup, seen: View) -> State:
    """Return a state that fits a view. Unused transporters have no targets (RR-1.4)."""
    squads = [robot.squad for robot in seen.robots]
    return State(
        turn=seen.turn,
        robots=[_robot(setup, robot, squads) for robot in seen.robots],
        hull=dict(seen.hull),
        links=dict(seen.links),
        known=set(seen.links),
        return_damage=seen.return_damage,
        scanner_damage=seen.scanner_damage,
        over=seen.over,
        winner=seen.winner,
    )


def _robot(setup: Setup, seen: RobotView, squads: list[str | None]) -> Robot:
    known = {name: getattr(seen, name) for name in SEEN} | {"registers": list(seen.registers)}
    return Robot(start=_start(setup, seen, squads), **known)


def _start(setup: Setup, seen: RobotView, squads: list[str | None]) -> int:
    """Return a robot's start, from its seat. For scanners, it is their archive."""
    ship = setup.starship
    if seen.crystal or seen.scanner:
        return seen.archive
    start = setup.ruleset.start.cell
    seat = squads[: seen.index].count(seen.squad) if seen.squad and start is squad_airlock_of else seen.index
    cell = start(ship, seat, seen.squad)
    return seen.archive if cell is None else cell


class Prospect(NamedTuple):
    """The average outcome for a robot if the remaining registers are filled at random."""

    deadly: float
    worth: float


class Beginning(NamedTuple):
    """The kinds of the first chips by phase, with the resulting cell and prospect."""

    kinds: str
    cell: int
    prospect: Prospect


def begin(task: Task, count: int) -> Orders:
    """Return orders with the first ``count`` registers filled.

    It prefers beginnings after which no choice of the other chips destroys the robot, then those after which
    some choice does not. Then it prefers beginnings that move the robot, and the best average value.
    """
    here = task.lane.start.cell

    def rank(found: Beginning) -> tuple[bool, bool, bool, float]:
        prospect = found.prospect
        return prospect.deadly == 0, prospect.deadly < 1, found.cell != here, prospect.worth

    plan = Plan(None, max(_Beginnings(task, count).found, key=rank).kinds)
    registers = registers_for(task.robot, task.hand, plan, moves_first=task.means.moves_first)
    return Orders(registers=registers[:count] + (None,) * (REGISTERS - count))


class _Beginnings:
    """All beginnings with chips of different kinds."""

    def __init__(self, task: Task, count: int) -> None:
        self.task, self.lane, self.means, self.count = task, task.lane, task.means, count
        self.found: list[Beginning] = []
        self._known: dict[tuple[int, int, int], Prospect] = {}
        self._walk(1, self.lane.origin, self.means.packed, "")

    def _walk(self, phase: int, stand: int, chips: int, kinds: str) -> None:
        if phase > self.count or self.lane.done[stand >> self.lane.bits]:
            cell = self.lane.stand(stand).cell
            self.found.append(Beginning(kinds, cell, self._prospect(phase, stand, chips)))
            return
        for place, left, _ in choices(self.means, phase, chips):
            after = self.lane.after(phase, stand, place)
            self._walk(phase + 1, after, left, kinds + ("-" if place == NOTHING else KINDS[place]))

    def _prospect(self, phase: int, stand: int, chips: int) -> Prospect:
        key = phase, stand, chips
        if key not in self._known:
            self._known[key] = self._worked_out(phase, stand, chips)
        return self._known[key]

    def _worked_out(self, phase: int, stand: int, chips: int) -> Prospect:
        if phase > REGISTERS or self.lane.done[stand >> self.lane.bits]:
            alive = self.lane.stand(stand).alive
            return Prospect(float(not alive), self.task.prospects.of(stand))
        deadly = worth = total = 0.0
        for place, left, copies in choices(self.means, phase, chips):
            after = self._prospect(phase + 1, self.lane.after(phase, stand, place), left)
            deadly += copies * after.deadly
            worth += copies * after.worth
            total += copies
        return Prospect(deadly / total, worth / total)


STRENGTHS: Final[Mapping[str, str]] = {
    "rookie": "Tries a handful of programs, heeds nobody else, and does not always take the best.",
    "pilot": "Finds the best program of its hand for the ship as it stands.",
    "ace": "Weighs what the others may do, and uses equipment, lasers and power-down with intent.",
}
"""Every level of computer players, with a description in one sentence."""

_LEVELS: Final[Mapping[str, Level]] = {"rookie": ROOKIE, "pilot": PILOT, "ace": ACE}


def choose(setup: Setup, seen: View, index: int, hand: Hand, strength: str, seed: Seed) -> Orders:
    """Return valid orders for a robot, chosen by a computer of a level.

    The computer knows only the public view ``seen`` and its own ``hand``. The same input gives the same
    orders. Raises ComputerError if the level is unknown or the robot takes no orders.
    """
    task, level = _task(setup, seen, index, hand, strength, seed)
    state = task.state
    if not needs_orders(setup, state, index):
        raise ComputerError(f"{state.robots[index].name} takes no orders in turn {state.turn}")
    if state.turn == 0:
        orders = Orders(heading=level.first_heading(task))
    elif state.robots[index].down:
        orders = task.while_off()
    else:
        orders = level.choose(task)
    if faults := problems(setup, state, index, hand, orders):
        raise ComputerError(*(fault.detail for fault in faults))
    return orders


def begin_program(setup: Setup, seen: View, index: int, hand: Hand, count: int) -> Orders:
    """Return orders with the first ``count`` registers filled, for a learner.

    If the hand allows it, no choice of chips for the other registers destroys the robot.
    """
    return begin(Task(setup, imagine(setup, seen), index, hand, 0), count)


def stays_off(setup: Setup, seen: View, index: int) -> bool:
    """Return whether a computer keeps its robot off for another turn (AM-5.2)."""
    return seen.robots[index].was_down and Task(setup, imagine(setup, seen), index, (), 0).stays_off()


def wants_redeal(
    setup: Setup, seen: View, index: int, hand: Hand, strength: str, seed: Seed = 0, times: int = 0
) -> bool:
    """Return whether a computer would redraw its hand after ``times`` redraws.

    It always redraws a hand with only turning chips (AM-1.4). Returns False if the robot may not redraw.
    Raises ComputerError if the level is unknown.
    """
    task, level = _task(setup, seen, index, hand, strength, seed)
    if seen.turn == 0 or not can_redeal(setup, task.state, index, hand, times):
        return False
    return is_set_aside(setup, hand) or level.wants_redeal(task)


def _task(setup: Setup, seen: View, index: int, hand: Hand, strength: str, seed: Seed) -> tuple[Task, Level]:
    if strength not in _LEVELS:
        raise ComputerError(f"there is no computer “{strength}”; there are: {', '.join(_LEVELS)}")
    return Task(setup, imagine(setup, seen), index, hand, seed), _LEVELS[strength]
