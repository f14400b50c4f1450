"""The coach: the best orders for a robot, with their chances to win.

The coach thinks like an Ace (`rules.computers.ace`), and longer: it tries more programs against more guesses,
and looks at more hands of the next turn. It judges by the chances to win of reviews, and expects the other
robots to play their hands as an Ace would if it were alone. It knows no more than a player.

A robot without rivals, as in a training mission, has no chance to win to compare. The coach then compares the
phases that it still needs to reach the goal.
"""

from collections.abc import Sequence
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

CROWD: Final = 3
"""The minimum number of other robots at which the coach makes only half of its guesses."""
LOST: Final = 100.0
"""The number of phases that counts for a robot without rivals that is out of the game."""
CHOICES: Final = 3
"""The number of different programs in an answer, if no other number is given."""


class Effort(NamedTuple):
    """The numbers of programs, of guesses at the other robots' orders, and of hands of the next turn to try.

    The ``finalists`` among the ``candidates`` are judged one turn ahead.
    """

    candidates: int
    finalists: int
    guesses: int
    hands: int


AGAINST_RIVALS: Final = Effort(candidates=40, finalists=16, guesses=36, hands=16)
ALONE: Final = Effort(candidates=24, finalists=8, guesses=12, hands=12)
"""The effort for a robot without rivals. A player waits for the answer."""


class Choice(NamedTuple):
    """Orders that the coach considers good, with the chance to win after them.

    ``phases`` is None or, for a robot without rivals, the average number of phases that it then still needs
    to reach the goal. It is 0 if the robot reaches the goal in this turn.
    """

    orders: Orders
    chance: float
    phases: float | None


def advise(
    setup: Setup, seen: View, index: int, hand: Hand, seed: Seed, count: int = CHOICES
) -> tuple[Choice, ...]:
    """Return the best orders for a robot and up to ``count`` - 1 alternatives, best first.

    The coach knows only the view ``seen`` and the robot's ``hand``. The same arguments always give the same
    answer. Raises ComputerError if the robot takes no orders.
    """
    state = state_from_view(setup, seen)
    _add_certain_links(setup, state)
    if not needs_orders(setup, state, index):
        raise ComputerError(f"{state.robots[index].name} takes no orders in turn {state.turn}")
    coach = _Coach(setup, state, index, hand, seed)
    if state.turn == 0:
        choices = coach.headings()
    elif state.robots[index].down:
        choices = [coach.choice(coach.task.while_off(), coach.worth(state, None), [state])]
    else:
        choices = coach.programs()
    return tuple(choices[:count])


def _add_certain_links(setup: Setup, state: State) -> None:
    """Add the links of networks with two transporters, which always lead to each other (RR-5.3)."""
    if setup.ruleset.has("transporters"):
        for cells in setup.starship.networks.values():
            if len(cells) == 2:
                links = dict(zip(cells, reversed(cells), strict=True))
                state.links.update(links)
                state.known.update(links)


class _Coach:
    def __init__(self, setup: Setup, state: State, index: int, hand: Hand, seed: Seed) -> None:
        self.index = index
        self.chances = Chances(setup, state)
        self.place = self.chances.players.index(index)
        self.task = Task(setup, state, index, hand, seed)
        self.task.evaluate_with(self.chances.evaluators[index])
        sides = {robot.squad or robot.index for robot in state.players}
        self.alone = len(sides) == 1

    def headings(self) -> list[Choice]:
        """Return all first headings, best first."""
        task = self.task
        start, state = task.simulator.start, task.state
        return [
            self.choice(
                Orders(heading=heading),
                self.worth(state, task.judge(placed(start, start.cell, heading))),
                [state],
            )
            for heading in task.headings_by_value()
        ]

    def programs(self) -> list[Choice]:
        """Return the best orders, best first. Of the same program, only the best orders are included."""
        task, effort = self.task, ALONE if self.alone else AGAINST_RIVALS
        guesses = Guesses(task, self.chances.evaluators)
        many = effort.guesses if len(guesses.others) < CROWD else effort.guesses // 2
        trials = Trials(task, self.worth, guesses, many, NextTurnEvaluator(task, effort.hands))
        found = weighed(task, trials, effort.candidates, effort.finalists)
        choices: dict[tuple[object, ...], Choice] = {}
        for _, orders in sorted(found, key=lambda weight: -weight[0]):
            kinds = "".join(chip.kind if chip else "-" for chip in orders.registers)
            kind = kinds, orders.heading, orders.power_down
            if kind not in choices:
                choices[kind] = self.choice(orders, trials.judge_well(orders), trials.after(orders))
        return list(choices.values())

    def choice(self, orders: Orders, worth: float, states: Sequence[State]) -> Choice:
        """Return orders as a choice. ``worth`` is their average `worth` in the ``states`` after them."""
        if not self.alone:
            return Choice(orders, worth, None)
        return Choice(orders, sum(self.chance(state, None) for state in states) / len(states), 0.0 - worth)

    def worth(self, state: State, value: float | None) -> float:
        """Return the chance to win in a state or, for a robot without rivals, minus the phases it needs."""
        return -self.phases(state, value) if self.alone else self.chance(state, value)

    def phases(self, state: State, value: float | None) -> float:
        """Return the phases that the own robot needs to reach the goal, from a state on."""
        decided = self.chances.decided(state)
        if decided is not None:
            return 0.0 if decided[self.place] else LOST
        robot = state.robots[self.index]
        left = self.chances.phases_of(state, robot)
        if left < 0:
            return LOST
        return left if value is None else self.chances.phases_from(value, robot_state_of(state, robot))

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
