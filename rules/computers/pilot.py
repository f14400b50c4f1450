"""What a computer player knows and thinks with, and the two levels that plan only their own way.

The rookie tries a handful of programs and does not always take the best. The pilot plays all programs of
its hand and takes the best. Neither considers other robots.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from rules.chance import Chance, Seed, Stream
from rules.computers.chart import Worth
from rules.computers.lane import (
    PLACE,
    Lane,
    Means,
    Path,
    Plan,
    Prospects,
    length_of,
    means_of,
    plan_of,
    search,
)
from rules.computers.tracks import NOTHING, Stand, placed
from rules.grid import HEADINGS, PHASES
from rules.orders import MOVES, PAUSE, REGISTERS, Chip, Orders
from rules.programming import complete, program
from rules.setup import Setup
from rules.state import Robot, State


def registers_for(
    robot: Robot, hand: Sequence[Chip], plan: Plan, *, moves_first: bool = False, lowest: bool = False
) -> tuple[Chip | None, ...]:
    """Return chips of the hand that play a program, of each kind the highest numbers first.

    With ``lowest``, it is the lowest numbers. The rest of an early end is filled with the remaining chips.
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


OFF_AT: float = 0.5
"""The share of what destroys it, from which on a robot that is switched off stays so."""


class Task:
    """One turn to be programmed by one computer."""

    def __init__(self, setup: Setup, state: State, index: int, hand: Sequence[Chip], seed: Seed) -> None:
        self.setup, self.state, self.index, self.seed = setup, state, index, seed
        self.hand = tuple(hand)
        self._lane: Lane | None = None
        self._worth: Worth | None = None
        self._prospects: Prospects | None = None
        self._means: Means | None = None

    @property
    def robot(self) -> Robot:
        return self.state.robots[self.index]

    # Tools, made when they are first asked for

    @property
    def lane(self) -> Lane:
        if self._lane is None:
            self._lane = Lane(self.setup, self.state, self.index)
        return self._lane

    @property
    def worth(self) -> Worth:
        if self._worth is None:
            self._worth = Worth(self.setup, self.state, self.index)
        return self._worth

    def judge_by(self, worth: Worth) -> None:
        """Judge by this from now on."""
        self._worth, self._prospects = worth, None

    @property
    def prospects(self) -> Prospects:
        if self._prospects is None:
            self._prospects = Prospects(self.lane, self.worth, self.robot.lives)
        return self._prospects

    @property
    def means(self) -> Means:
        if self._means is None:
            self._means = means_of(self.setup, self.state, self.index, self.hand)
        return self._means

    def with_hand(self, hand: Sequence[Chip]) -> "Task":
        """Return the same task with another hand, and the knowledge of the ship."""
        other = Task(self.setup, self.state, self.index, hand, self.seed)
        other._lane, other._worth, other._prospects = self.lane, self.worth, self.prospects
        return other

    def chance(self, purpose: str) -> Stream:
        """Return a stream of random draws of this robot in this turn."""
        return Chance(self.seed, self.state.turn).stream(f"computer/{self.index}/{purpose}")

    def headings_by_worth(self) -> list[int]:
        """Return all headings, that first in which the robot has the shortest way from where it stands."""
        start = self.lane.start
        return sorted(HEADINGS, key=lambda heading: -self.judge(placed(start, start.cell, heading)))

    def judge(self, stand: Stand) -> float:
        """Return what it is worth for the robot to stand so when the next turn begins."""
        return self.worth.of(stand, self.robot.lives)

    def orders_for(self, plan: Plan, *, power_down: bool = False) -> Orders:
        """Return orders that play a program."""
        registers = registers_for(self.robot, self.hand, plan, moves_first=self.means.moves_first)
        return Orders(registers=registers, heading=plan.heading, power_down=power_down)

    def slower(self, orders: Orders) -> Orders:
        """Return the same program, played with the chips of the lowest numbers."""
        kinds = "".join(chip.kind if chip else "-" for chip in orders.registers)
        registers = registers_for(self.robot, self.hand, Plan(None, kinds), lowest=True)
        return replace(orders, registers=registers)

    def while_off(self) -> Orders:
        """Return orders of a robot that is switched off: it stays so while it is badly hurt."""
        may = "stay_down" in self.setup.ruleset.orders
        return Orders(stay_down=may and self._badly_hurt(self.robot.damage))

    def stays_off(self) -> bool:
        """Return whether a robot that was off stays off (AM-5.2): it is badly hurt, and staying mends it."""
        if not self._badly_hurt(self.robot.damage):
            return False
        stand = self.lane.number(self.lane.start._replace(damage=0, down=True))
        for phase in PHASES:
            stand = self.lane.after(phase, stand, NOTHING)
        after = self.lane.stand(stand)
        return after.alive and not self._badly_hurt(after.damage)

    def _badly_hurt(self, damage: int) -> bool:
        return damage >= self.setup.ruleset.damage_limit * OFF_AT


class Level(NamedTuple):
    """The decisions of a computer player at one level."""

    first_heading: Callable[[Task], int]
    choose: Callable[[Task], Orders]
    wants_redeal: Callable[[Task], bool]


PROGRAMS: Final = 8
"""Programs that a rookie tries."""
SLIP: Final = 5
"""Once in a number of turns, a rookie takes the next best of them."""


def random_heading(task: Task) -> int:
    return task.chance("heading").choice(HEADINGS)


def choose_as_rookie(task: Task) -> Orders:
    """Return the best of a handful of random programs; now and then the second best."""
    tried = [_sample(task, number) for number in range(PROGRAMS)]
    ranked = sorted(tried, key=lambda orders: -_worth(task, orders))
    slips = task.chance("slip").below(SLIP) == 0
    return ranked[1] if slips else ranked[0]


def never_redeals(task: Task) -> bool:
    """A rookie never redraws its hand."""
    return False


def _sample(task: Task, number: int) -> Orders:
    seed = f"{task.seed}/computer/{task.index}/{number}"
    orders = complete(task.setup, task.state, task.index, task.hand, None, seed)
    heading = task.means.headings[number % len(task.means.headings)]
    return Orders(registers=orders.registers, heading=heading)


def _worth(task: Task, orders: Orders) -> float:
    lane = task.lane
    stand = lane.origin if orders.heading is None else lane.turned(lane.origin, orders.heading)
    for phase, chip in zip(PHASES, program(task.robot, orders), strict=True):
        if lane.done[stand >> lane.bits]:
            break
        stand = lane.after(phase, stand, PLACE[chip.kind if chip else ""])
    return task.prospects.of(stand)


ROOKIE: Final = Level(random_heading, choose_as_rookie, never_redeals)


SOONER: Final = 0.001
"""What it is worth, in phases, to be done a phase sooner."""
PROGRESS: Final = 3.0
"""The phases by which a hand has to bring a robot forward, not to be redrawn."""

Judged = tuple[float, Path, bool]
"""What a program is worth, the program as a path, and whether to power down with it."""


def best_heading(task: Task) -> int:
    """Return the heading from which the way is shortest."""
    return task.headings_by_worth()[0]


def choose_as_pilot(task: Task) -> Orders:
    """Return the best program of the hand, with power-down where standing still is worth more after it."""
    _, path, off = max(judged(task), key=_value)
    return task.orders_for(plan_of(path), power_down=off)


def ranked(task: Task) -> list[Judged]:
    """Return all programs of the hand, but of those that end alike only one, the best first."""
    return sorted(judged(task), key=_value, reverse=True)


def judged(task: Task) -> list[Judged]:
    """Return all programs of the hand, but of those that end alike only one, in the order of their search."""
    lane, prospects = task.lane, task.prospects
    may_power_down = "power_down" in task.setup.ruleset.orders
    found: list[Judged] = []
    for stand, path in search(lane, task.means).items():
        late = length_of(path) * SOONER
        found.append((prospects.of(stand) - late, path, False))
        if may_power_down and not lane.done[stand >> lane.bits]:
            found.append((prospects.of(stand, power_down=True) - late, path, True))
    return found


def _value(judged: Judged) -> float:
    return judged[0]


def wants_faster_hand(task: Task) -> bool:
    """Return whether the hand brings the robot forward too little."""
    return max(judged(task), key=_value)[0] < task.judge(task.lane.start) + PROGRESS


PILOT: Final = Level(best_heading, choose_as_pilot, wants_faster_hand)
