"""The task of a computer in one turn, and the levels Rookie and Pilot.

A rookie tries eight random programs, and sometimes takes the second best. A pilot tries all programs of its
hand, and takes the best. Both ignore other robots.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from rules.chance import Chance, Seed, Stream
from rules.computers.chart import Evaluator
from rules.computers.effects import NOTHING, RobotState, placed
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
from rules.grid import HEADINGS, PHASES
from rules.orders import MOVES, PAUSE, REGISTERS, Chip, Orders
from rules.programming import complete, program
from rules.setup import Setup
from rules.state import Robot, State


def registers_for(
    robot: Robot, hand: Sequence[Chip], plan: Plan, *, moves_first: bool = False, lowest: bool = False
) -> tuple[Chip | None, ...]:
    """Return the chips for the kinds of a program. Of each kind, chips with high numbers come first.

    With ``lowest``, chips with low numbers come first. If the program has fewer than five chips, the other
    registers get chips that remain in the hand. With ``moves_first``, register 1 gets a move chip if the
    program has no chip for it.
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
"""The minimum damage at which a computer lets its robot stay switched off.

It is given as a share of the damage limit.
"""


class Task:
    """The task of one computer: to choose orders for its robot in one turn."""

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
        """Return the same task with another hand. Both tasks share their calculations about the ship."""
        other = Task(self.setup, self.state, self.index, hand, self.seed)
        other._simulator, other._evaluator, other._turn_end = self.simulator, self.evaluator, self.turn_end
        return other

    def chance(self, purpose: str) -> Stream:
        """Return the random stream of this robot and turn for a purpose."""
        return Chance(self.seed, self.state.turn).stream(f"computer/{self.index}/{purpose}")

    def headings_by_value(self) -> list[int]:
        """Return all headings, starting with the best one for the robot in its current cell."""
        start = self.simulator.start
        return sorted(HEADINGS, key=lambda heading: -self.judge(placed(start, start.cell, heading)))

    def judge(self, robot_state: RobotState) -> float:
        """Return the value of a robot's state at the start of the next turn."""
        return self.evaluator.value_of(robot_state, self.robot.lives)

    def orders_for(self, plan: Plan, *, power_down: bool = False) -> Orders:
        """Return the orders that play a program with chips from the hand."""
        registers = registers_for(self.robot, self.hand, plan, moves_first=self.constraints.moves_first)
        return Orders(registers=registers, heading=plan.heading, power_down=power_down)

    def slower(self, orders: Orders) -> Orders:
        """Return orders for the same program, but with the lowest-numbered chips, to move later."""
        kinds = "".join(chip.kind if chip else "-" for chip in orders.registers)
        registers = registers_for(self.robot, self.hand, Plan(None, kinds), lowest=True)
        return replace(orders, registers=registers)

    def while_off(self) -> Orders:
        """Return orders for a robot that is switched off.

        The robot stays off if it is badly damaged and the ruleset allows it.
        """
        may = "stay_down" in self.setup.ruleset.orders
        return Orders(stay_down=may and self._is_badly_damaged(self.robot.damage))

    def stays_off(self) -> bool:
        """Return whether the robot stays off for another turn (AM-5.2).

        It stays off if it is badly damaged, and if it would still be alive and no longer badly damaged after
        the turn.
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
    """The decisions of computer players at one level."""

    first_heading: Callable[[Task], int]
    choose: Callable[[Task], Orders]
    wants_redeal: Callable[[Task], bool]


PROGRAMS: Final = 8
"""The number of random programs that a rookie tries."""
SLIP: Final = 5
"""The average number of turns for a rookie to take the second-best program once."""


def random_heading(task: Task) -> int:
    return task.chance("heading").choice(HEADINGS)


def choose_as_rookie(task: Task) -> Orders:
    """Return the best of a few random programs or, now and then, the second best."""
    tried = [_random_program(task, number) for number in range(PROGRAMS)]
    ranked = sorted(tried, key=lambda orders: -_value_of_orders(task, orders))
    slips = task.chance("slip").below(SLIP) == 0
    return ranked[1] if slips else ranked[0]


def never_redeals(task: Task) -> bool:
    """Return False, because a rookie never redraws its hand."""
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
"""The small cost of each phase of a program, in phases. It favours the shorter of equally good programs."""
MIN_HAND_GAIN: Final = 3.0
"""The minimum improvement of the robot's state by the best program of a hand, in phases.

A computer wants to redraw a hand that improves the state by less.
"""

Judged = tuple[float, Path, bool]
"""A judged program: its value in phases, the program as a path, and whether to power down after it."""


def best_heading(task: Task) -> int:
    """Return the heading with the shortest way to the goal."""
    return task.headings_by_value()[0]


def choose_as_pilot(task: Task) -> Orders:
    """Return orders for the best program of the hand, with a power-down if that is worth more."""
    _, path, off = max(judged(task), key=_value)
    return task.orders_for(plan_of(path), power_down=off)


def ranked(task: Task) -> list[Judged]:
    """Return a program for each state that the hand can lead to, with its value, best first."""
    return sorted(judged(task), key=_value, reverse=True)


def judged(task: Task) -> list[Judged]:
    """Return a program for each state that the hand can lead to, with its value, in the order of the search.

    If the ruleset has power-down, each program also appears with a power-down after it.
    """
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
    """Return whether the hand is so poor that the computer wants another one.

    The hand is poor if even its best program improves the robot's state by fewer phases than `MIN_HAND_GAIN`.
    """
    return max(judged(task), key=_value)[0] < task.judge(task.simulator.start) + MIN_HAND_GAIN


PILOT: Final = Level(best_heading, choose_as_pilot, wants_faster_hand)
