"""What a computer player has before it: its seat, what it sees, its hand; and the tools to think with."""

from collections.abc import Sequence
from dataclasses import replace

from rules.chance import Chance, Seed, Stream
from rules.chips import Chip
from rules.computers.answers import registers_for
from rules.computers.lane import Lane
from rules.computers.prospects import Prospects
from rules.computers.search import Means, Plan, means_of
from rules.computers.stand import Stand, placed
from rules.computers.tracks import NOTHING
from rules.computers.worth import Worth
from rules.grid import HEADINGS, PHASES
from rules.orders import Orders
from rules.setup import Setup
from rules.state import Robot, State

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
        """Return the same task with another hand; what has been found out about the ship is kept."""
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
