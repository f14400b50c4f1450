"""A computer's task for a turn, and the levels Rookie and Pilot.

A rookie tries eight programs and sometimes takes the second best. A pilot plays all programs of its hand and
takes the best. Neither considers other robots.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from rules.chance import Chance, Seed, Stream
from rules.computers.chart import Evaluator
from rules.computers.search import (
    KIND_INDEX,
    Path,
    Plan,
    ProgramConstraints,
    SoloSimulator,
    TurnEndEvaluator,
    constraints_of,
    length_of,
    plan_of,
    search,
)
from rules.computers.tracks import NOTHING, RobotState, placed
from rules.grid import HEADINGS, PHASES
from rules.orders import MOVES, PAUSE, REGISTERS, Chip, Orders
from rules.programming import complete, program
from rules.setup import Setup
from rules.state import Robot, State


def registers_for(
    robot: Robot, hand: Sequence[Chip], plan: Plan, *, moves_first: bool = False, lowest: bool = False
) -> tuple[Chip | None, ...]:
    """Return the chips for a program, with the highest numbers of each kind first.

    With ``lowest``, the lowest numbers come first. Registers beyond the program get the remaining chips.
    """
    spare = sorted(hand, reverse=not lowest)
    registers: list[Chip | None] = [None] * REGISTERS
    for register, kind in enumerate(plan.kinds):
        if register not in robot.locked:
            registers[register] = PAUSE if kind == PAUSE.kind else _take(spare, kind)
    for register in range(REGISTERS):
        if register not in robot.locked and registers[register] is None:
            if register == 0 and moves_first:
                spare.sort(key=lambda chip: chip.kind not in MOVES)
            registers[register] = spare.pop(0)
    return tuple(registers)


def _take(spare: list[Chip], kind: str) -> Chip:
    chip = next(chip for chip in spare if chip.kind == kind)
    spare.remove(chip)
    return chip


STAY_OFF_SHARE: float = 0.5
"""A robot stays off while its damage is at least this share of the damage limit."""


class Task:
    """The task of one computer to order one turn."""

    def __init__(self, setup: Setup, state: State, index: int, hand: Sequence[Chip], seed: Seed) -> None:
        self.setup, self.state, self.index, self.seed = setup, state, index, seed
        self.hand = tuple(hand)
        self._simulator: SoloSimulator | None = None
        self._evaluator: Evaluator | None = None
        self._turn_end: TurnEndEvaluator | None = None
        self._constraints: ProgramConstraints | None = None

    @property
    def robot(self) -> Robot:
        return self.state.robots[self.index]

    # Tools, created on first use

    @property
    def simulator(self) -> SoloSimulator:
        if self._simulator is None:
            self._simulator = SoloSimulator(self.setup, self.state, self.index)
        return self._simulator

    @property
    def evaluator(self) -> Evaluator:
        if self._evaluator is None:
            self._evaluator = Evaluator(self.setup, self.state, self.index)
        return self._evaluator

    def evaluate_with(self, evaluator: Evaluator) -> None:
        self._evaluator, self._turn_end = evaluator, None

    @property
    def turn_end(self) -> TurnEndEvaluator:
        if self._turn_end is None:
            self._turn_end = TurnEndEvaluator(self.simulator, self.evaluator, self.robot.lives)
        return self._turn_end

    @property
    def constraints(self) -> ProgramConstraints:
        if self._constraints is None:
            self._constraints = constraints_of(self.setup, self.state, self.index, self.hand)
        return self._constraints

    def with_hand(self, hand: Sequence[Chip]) -> "Task":
        """Return the same task with another hand, sharing knowledge of the ship."""
        other = Task(self.setup, self.state, self.index, hand, self.seed)
        other._simulator, other._evaluator, other._turn_end = self.simulator, self.evaluator, self.turn_end
        return other

    def chance(self, purpose: str) -> Stream:
        """Return this robot's random stream for a purpose in this turn."""
        return Chance(self.seed, self.state.turn).stream(f"computer/{self.index}/{purpose}")

    def headings_by_value(self) -> list[int]:
        """Return all headings, best first for the robot's present cell."""
        start = self.simulator.start
        return sorted(HEADINGS, key=lambda heading: -self.judge(placed(start, start.cell, heading)))

    def judge(self, robot_state: RobotState) -> float:
        """Return the value of a state at the start of the next turn."""
        return self.evaluator.value_of(robot_state, self.robot.lives)

    def orders_for(self, plan: Plan, *, power_down: bool = False) -> Orders:
        """Return the orders for a program."""
        registers = registers_for(self.robot, self.hand, plan, moves_first=self.constraints.moves_first)
        return Orders(registers=registers, heading=plan.heading, power_down=power_down)

    def slower(self, orders: Orders) -> Orders:
        """Return the same program with the lowest-numbered chips."""
        kinds = "".join(chip.kind if chip else "-" for chip in orders.registers)
        registers = registers_for(self.robot, self.hand, Plan(None, kinds), lowest=True)
        return replace(orders, registers=registers)

    def while_off(self) -> Orders:
        """Return orders for a robot while off: it stays off if badly damaged and allowed."""
        may = "stay_down" in self.setup.ruleset.orders
        return Orders(stay_down=may and self._is_badly_damaged(self.robot.damage))

    def stays_off(self) -> bool:
        """Return whether the robot stays off for another turn (AM-5.2).

        It does if it is badly damaged now, and would end the turn alive and not badly damaged.
        """
        if not self._is_badly_damaged(self.robot.damage):
            return False
        robot_state = self.simulator.number(self.simulator.start._replace(damage=0, down=True))
        for phase in PHASES:
            robot_state = self.simulator.after(phase, robot_state, NOTHING)
        after = self.simulator.robot_state(robot_state)
        return after.alive and not self._is_badly_damaged(after.damage)

    def _is_badly_damaged(self, damage: int) -> bool:
        return damage >= self.setup.ruleset.damage_limit * STAY_OFF_SHARE


class Level(NamedTuple):
    """The decisions of a computer player at one level."""

    first_heading: Callable[[Task], int]
    choose: Callable[[Task], Orders]
    wants_redeal: Callable[[Task], bool]


PROGRAMS: Final = 8
"""The number of programs tried by a rookie."""
SLIP: Final = 5
"""A rookie takes the second-best program once in this number of turns, on average."""


def random_heading(task: Task) -> int:
    return task.chance("heading").choice(HEADINGS)


def choose_as_rookie(task: Task) -> Orders:
    """Return the best of a few random programs, or sometimes the second best."""
    tried = [_random_program(task, number) for number in range(PROGRAMS)]
    ranked = sorted(tried, key=lambda orders: -_value_of_orders(task, orders))
    slips = task.chance("slip").below(SLIP) == 0
    return ranked[1] if slips else ranked[0]


def never_redeals(task: Task) -> bool:
    """Return False: a rookie never redraws its hand."""
    return False


def _random_program(task: Task, number: int) -> Orders:
    seed = f"{task.seed}/computer/{task.index}/{number}"
    orders = complete(task.setup, task.state, task.index, task.hand, None, seed)
    heading = task.constraints.headings[number % len(task.constraints.headings)]
    return Orders(registers=orders.registers, heading=heading)


def _value_of_orders(task: Task, orders: Orders) -> float:
    simulator = task.simulator
    robot_state = (
        simulator.origin if orders.heading is None else simulator.turned(simulator.origin, orders.heading)
    )
    for phase, chip in zip(PHASES, program(task.robot, orders), strict=True):
        if simulator.done[robot_state >> simulator.bits]:
            break
        robot_state = simulator.after(phase, robot_state, KIND_INDEX[chip.kind if chip else ""])
    return task.turn_end.value_of(robot_state)


ROOKIE: Final = Level(random_heading, choose_as_rookie, never_redeals)


EARLY_FINISH_VALUE: Final = 0.001
"""The bonus for each phase that a program finishes earlier, measured in phases."""
MIN_HAND_GAIN: Final = 3.0
"""The gain in phases below which a computer redraws its hand."""

Judged = tuple[float, Path, bool]
"""The value of a program, the program as a path, and whether to power down."""


def best_heading(task: Task) -> int:
    """Return the heading with the shortest way."""
    return task.headings_by_value()[0]


def choose_as_pilot(task: Task) -> Orders:
    """Return the best program of the hand, with power-down if worth more."""
    _, path, off = max(judged(task), key=_value)
    return task.orders_for(plan_of(path), power_down=off)


def ranked(task: Task) -> list[Judged]:
    """Return one program for each possible result of the hand, best first."""
    return sorted(judged(task), key=_value, reverse=True)


def judged(task: Task) -> list[Judged]:
    """Return one program for each possible result of the hand, in search order."""
    simulator, turn_end = task.simulator, task.turn_end
    may_power_down = "power_down" in task.setup.ruleset.orders
    found: list[Judged] = []
    for robot_state, path in search(simulator, task.constraints).items():
        late = length_of(path) * EARLY_FINISH_VALUE
        found.append((turn_end.value_of(robot_state) - late, path, False))
        if may_power_down and not simulator.done[robot_state >> simulator.bits]:
            found.append((turn_end.value_of(robot_state, power_down=True) - late, path, True))
    return found


def _value(judged: Judged) -> float:
    return judged[0]


def wants_faster_hand(task: Task) -> bool:
    """Return whether the hand gains too few phases."""
    return max(judged(task), key=_value)[0] < task.judge(task.simulator.start) + MIN_HAND_GAIN


PILOT: Final = Level(best_heading, choose_as_pilot, wants_faster_hand)
