"""Choose orders for computer players. They know no more than a human player.

Computers work with a state that is made from a player's view and therefore contains no secrets. To help
learners, this module can also fill only the first registers of a program.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from rules.chance import Seed
from rules.computers.ace import ACE
from rules.computers.effects import KINDS, NOTHING
from rules.computers.pilot import PILOT, ROOKIE, Level, Task, registers_for
from rules.computers.search import Plan, choices
from rules.dealing import Hand, can_redeal, is_set_aside
from rules.document import RulesError
from rules.launch import squad_airlock_of
from rules.orders import REGISTERS, Orders
from rules.programming import needs_orders, problems
from rules.setup import Setup
from rules.state import Robot, State
from rules.view import VIEW_FIELDS, RobotView, View


class ComputerError(RulesError):
    """Raised if a robot takes no orders, or if there is no computer of the requested level."""


def state_from_view(setup: Setup, seen: View) -> State:
    """Return a state that fits a view. Transporters that no robot has used lead nowhere (RR-1.4)."""
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
    known = {name: getattr(seen, name) for name in VIEW_FIELDS} | {"registers": list(seen.registers)}
    return Robot(start=_start(setup, seen, squads), **known)


def _start(setup: Setup, seen: RobotView, squads: list[str | None]) -> int:
    """Return a robot's start cell, found from its seat.

    For a scanner or the crystal, it is the archive.
    """
    ship = setup.starship
    if seen.crystal or seen.scanner:
        return seen.archive
    start = setup.ruleset.start.cell
    seat = squads[: seen.index].count(seen.squad) if seen.squad and start is squad_airlock_of else seen.index
    cell = start(ship, seat, seen.squad)
    return seen.archive if cell is None else cell


class Prospect(NamedTuple):
    """A robot's average outcome if its remaining registers are filled at random.

    ``deadly`` is the probability that the robot is destroyed. ``value`` is the average value of its state
    after the turn.
    """

    deadly: float
    value: float


class Beginning(NamedTuple):
    """The beginning of a program.

    ``kinds`` are its kinds of chips, ``cell`` is the robot's cell after it, and ``prospect`` is the outcome
    of the rest of the turn.
    """

    kinds: str
    cell: int
    prospect: Prospect


def begin(task: Task, count: int) -> Orders:
    """Return orders with only the first ``count`` registers filled: the best beginning of a program.

    The best beginnings are safe: the robot survives any choice of chips for the other registers. Next come
    beginnings after which it survives some choices. Of equally safe beginnings, one that takes the robot to
    another cell is better. If several are still equal, the one with the highest average value is best.
    """
    here = task.simulator.start.cell

    def rank(found: Beginning) -> tuple[bool, bool, bool, float]:
        prospect = found.prospect
        return prospect.deadly == 0, prospect.deadly < 1, found.cell != here, prospect.value

    plan = Plan(None, max(_Beginnings(task, count).found, key=rank).kinds)
    registers = registers_for(task.robot, task.hand, plan, moves_first=task.constraints.moves_first)
    return Orders(registers=registers[:count] + (None,) * (REGISTERS - count))


class _Beginnings:
    """Finds all beginnings of a program that differ in their kinds of chips."""

    def __init__(self, task: Task, count: int) -> None:
        self.task, self.simulator, self.constraints, self.count = (
            task,
            task.simulator,
            task.constraints,
            count,
        )
        self.found: list[Beginning] = []
        self._known: dict[tuple[int, int, int], Prospect] = {}
        self._walk(1, self.simulator.origin, self.constraints.packed, "")

    def _walk(self, phase: int, robot_state: int, chips: int, kinds: str) -> None:
        if phase > self.count or self.simulator.done[robot_state >> self.simulator.bits]:
            cell = self.simulator.robot_state(robot_state).cell
            self.found.append(Beginning(kinds, cell, self._prospect(phase, robot_state, chips)))
            return
        for kind_index, left, _ in choices(self.constraints, phase, chips):
            after = self.simulator.after(phase, robot_state, kind_index)
            self._walk(phase + 1, after, left, kinds + ("-" if kind_index == NOTHING else KINDS[kind_index]))

    def _prospect(self, phase: int, robot_state: int, chips: int) -> Prospect:
        key = phase, robot_state, chips
        if key not in self._known:
            self._known[key] = self._worked_out(phase, robot_state, chips)
        return self._known[key]

    def _worked_out(self, phase: int, robot_state: int, chips: int) -> Prospect:
        if phase > REGISTERS or self.simulator.done[robot_state >> self.simulator.bits]:
            alive = self.simulator.robot_state(robot_state).alive
            return Prospect(float(not alive), self.task.turn_end.value_of(robot_state))
        deadly = value = total = 0.0
        for kind_index, left, copies in choices(self.constraints, phase, chips):
            after = self._prospect(phase + 1, self.simulator.after(phase, robot_state, kind_index), left)
            deadly += copies * after.deadly
            value += copies * after.value
            total += copies
        return Prospect(deadly / total, value / total)


LEVELS: Final[Mapping[str, str]] = {
    "rookie": "Tries a handful of programs, heeds nobody else, and does not always take the best.",
    "pilot": "Finds the best program of its hand for the ship as it stands.",
    "ace": "Weighs what the others may do, and uses equipment, lasers and power-down with intent.",
}
"""The levels of computer players, each with a description of one sentence."""

_PLAYERS: Final[Mapping[str, Level]] = {"rookie": ROOKIE, "pilot": PILOT, "ace": ACE}


def choose(setup: Setup, seen: View, index: int, hand: Hand, level: str, seed: Seed) -> Orders:
    """Return valid orders for a robot, chosen by a computer of the given level.

    The computer knows only the view ``seen`` and its own ``hand``. The same arguments always give the same
    orders. Raises ComputerError if there is no such level, or if the robot takes no orders.
    """
    task, player = _task(setup, seen, index, hand, level, seed)
    state = task.state
    if not needs_orders(setup, state, index):
        raise ComputerError(f"{state.robots[index].name} takes no orders in turn {state.turn}")
    if state.turn == 0:
        orders = Orders(heading=player.first_heading(task))
    elif state.robots[index].down:
        orders = task.while_off()
    else:
        orders = player.choose(task)
    if faults := problems(setup, state, index, hand, orders):
        raise ComputerError(*(fault.detail for fault in faults))
    return orders


def begin_program(setup: Setup, seen: View, index: int, hand: Hand, count: int) -> Orders:
    """Return orders with only the first ``count`` registers filled, to help a learner begin.

    If the hand allows it, no choice of chips for the other registers destroys the robot.
    """
    return begin(Task(setup, state_from_view(setup, seen), index, hand, 0), count)


def stays_off(setup: Setup, seen: View, index: int) -> bool:
    """Return whether a computer lets its robot stay switched off for another turn (AM-5.2)."""
    return seen.robots[index].was_down and Task(setup, state_from_view(setup, seen), index, (), 0).stays_off()


def wants_redeal(
    setup: Setup, seen: View, index: int, hand: Hand, level: str, seed: Seed = 0, times: int = 0
) -> bool:
    """Return whether a computer redraws its hand, after ``times`` earlier redraws in this turn.

    It always redraws a hand with only turning chips (AM-1.4). Returns False if the robot may not redraw.
    Raises ComputerError if there is no such level.
    """
    task, player = _task(setup, seen, index, hand, level, seed)
    if seen.turn == 0 or not can_redeal(setup, task.state, index, hand, times):
        return False
    return is_set_aside(setup, hand) or player.wants_redeal(task)


def _task(setup: Setup, seen: View, index: int, hand: Hand, level: str, seed: Seed) -> tuple[Task, Level]:
    if level not in _PLAYERS:
        raise ComputerError(f"there is no computer “{level}”; there are: {', '.join(_PLAYERS)}")
    return Task(setup, state_from_view(setup, seen), index, hand, seed), _PLAYERS[level]
