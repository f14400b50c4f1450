"""The coach: the best orders for a robot, with their chances to win.

The coach thinks like an Ace (`rules.computers.ace`), and longer: it tries more programs against more guesses,
and looks at more hands of the next turn. It judges by the chances to win of reviews, and expects the other
robots to play their hands as an Ace would if it were alone. It knows no more than a player.
"""

from typing import Final, NamedTuple

from rules.chance import Seed
from rules.computers.ace import Guesses, NextTurnEvaluator, Trials, weighed
from rules.computers.choosing import ComputerError, state_from_view
from rules.computers.effects import placed, robot_state_of
from rules.computers.pilot import Task
from rules.dealing import Hand
from rules.orders import Orders
from rules.programming import needs_orders
from rules.review.chances import Chances
from rules.setup import Setup
from rules.state import State
from rules.view import View

CANDIDATES: Final = 40
FINALISTS: Final = 16
GUESSES: Final = 36
CROWD: Final = 3
"""The minimum number of other robots at which the coach makes only half of `GUESSES` guesses."""
HANDS: Final = 16
CHOICES: Final = 3
"""The number of different programs in an answer, if no other number is given."""


class Choice(NamedTuple):
    """Orders that the coach considers good, with the chance to win after them."""

    orders: Orders
    chance: float


def advise(
    setup: Setup, seen: View, index: int, hand: Hand, seed: Seed, count: int = CHOICES
) -> tuple[Choice, ...]:
    """Return the best orders for a robot and up to ``count`` - 1 alternatives, best first.

    The coach knows only the view ``seen`` and the robot's ``hand``. The same arguments always give the same
    answer. Raises ComputerError if the robot takes no orders.
    """
    state = state_from_view(setup, seen)
    if not needs_orders(setup, state, index):
        raise ComputerError(f"{state.robots[index].name} takes no orders in turn {state.turn}")
    coach = _Coach(setup, state, index, hand, seed)
    if state.turn == 0:
        choices = coach.headings()
    elif state.robots[index].down:
        choices = [Choice(coach.task.while_off(), coach.chance(state, None))]
    else:
        choices = coach.programs()
    return tuple(choices[:count])


class _Coach:
    def __init__(self, setup: Setup, state: State, index: int, hand: Hand, seed: Seed) -> None:
        self.index = index
        self.chances = Chances(setup, state)
        self.place = self.chances.players.index(index)
        self.task = Task(setup, state, index, hand, seed)
        self.task.evaluate_with(self.chances.evaluators[index])

    def headings(self) -> list[Choice]:
        """Return all first headings, best first."""
        task = self.task
        start = task.simulator.start
        return [
            Choice(
                Orders(heading=heading),
                self.chance(task.state, task.judge(placed(start, start.cell, heading))),
            )
            for heading in task.headings_by_value()
        ]

    def programs(self) -> list[Choice]:
        """Return the best orders, best first. Of the same program, only the best orders are included."""
        task = self.task
        guesses = Guesses(task, self.chances.evaluators)
        many = GUESSES if len(guesses.others) < CROWD else GUESSES // 2
        trials = Trials(task, self.chance, guesses, many, NextTurnEvaluator(task, HANDS))
        found = weighed(task, trials, CANDIDATES, FINALISTS)
        choices: dict[tuple[object, ...], Choice] = {}
        for _, orders in sorted(found, key=lambda weight: -weight[0]):
            kinds = "".join(chip.kind if chip else "-" for chip in orders.registers)
            choices.setdefault(
                (kinds, orders.heading, orders.power_down), Choice(orders, trials.judge_well(orders))
            )
        return list(choices.values())

    def chance(self, state: State, value: float | None) -> float:
        """Return the chance to win in a state. ``value`` is the value of the own robot's state, or None."""
        decided = self.chances.decided(state)
        if decided is not None:
            return decided[self.place]
        phases = self.chances.phases(state)
        if value is not None and phases[self.place] >= 0:
            robot = robot_state_of(state, state.robots[self.index])
            phases[self.place] = self.chances.phases_from(value, robot)
        return self.chances.of_phases(phases)[self.place]
