"""Turns played on trial: one robot's orders, with guesses at the orders of all others.

The guesses use only public information. They are the same for every player of a turn, so a robot's own hand
does not change the guesses at the others.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from rules.chance import Chance
from rules.computers.ace import Guesses
from rules.computers.effects import RobotState, robot_state_of
from rules.computers.pilot import Task, best_heading, ranked
from rules.computers.search import plan_of
from rules.engine import play, programs_of
from rules.grid import OFF
from rules.orders import Chip, Orders
from rules.programming import needs_orders
from rules.resolution import Resolution
from rules.review.chances import Chances
from rules.setup import Setup
from rules.state import State

WORLDS: Final = 12
"""The number of guesses at the hands and orders of all robots. The guessed hands are also the hands that each
robot might have had."""
CANDIDATES: Final = 12
"""The number of programs of a hand to try against the guesses. They are the best ones without rivals."""

NO_ROBOT: Final = -1
"""The index to give to `Task` for guesses at the orders of all robots."""
REVEALED: Final = "revealed"
"""The name of the world with the revealed orders."""

Hand = Sequence[Chip]
World = dict[int, Orders]


class Worlds:
    """The guesses for one turn, and the chances to win after it. ``state`` must not contain secrets.

    ``positions`` counts the turns that were played on trial. It measures the cost of a review.
    """

    def __init__(self, setup: Setup, state: State) -> None:
        ruleset = setup.ruleset
        self.setup, self.state = setup, state
        self.seed = f"review of turn {state.turn}"
        self.chances = Chances(setup, state)
        self.positions = 0
        self.hands: list[dict[int, tuple[Chip, ...]]] = []
        self.worlds: list[World] = []
        # The ranks of the next turn do not change the value of a state, so they are not calculated.
        plain = ruleset.has("ranks") and not ruleset.crystal
        self._trial = replace(setup, ruleset=ruleset.without("ranks")) if plain else setup
        if state.turn == 0:
            self._guess_headings()
        else:
            self._guess_programs()

    def _guess_headings(self) -> None:
        setup, state = self.setup, self.state
        deciding = [robot.index for robot in state.robots if needs_orders(setup, state, robot.index)]
        headings = {index: best_heading(Task(setup, state, index, (), self.seed)) for index in deciding}
        self.worlds = [{index: Orders(heading=heading) for index, heading in headings.items()}]

    def _guess_programs(self) -> None:
        guesses = Guesses(Task(self.setup, self.state, NO_ROBOT, (), self.seed))
        for number in range(WORLDS):
            hands = guesses.hands(number)
            self.hands.append(hands)
            self.worlds.append(guesses.orders(hands, number))

    # Turns on trial

    def after(self, own: State, given: World, number: int | str) -> State:
        """Return the state after a turn with these orders, played from a copy of ``own``."""
        self.positions += 1
        state = own.copy()
        chance = Chance(f"{self.seed}/{number}", state.turn)
        play(Resolution(self._trial, state, given, programs_of(state, given), chance, logs=False))
        return state

    def each_after(self, own: State, index: int, orders: Orders) -> list[State]:
        """Return the states after a robot's orders, one for each guess at the other robots' orders."""
        return [self.after(own, {**world, index: orders}, number) for number, world in enumerate(self.worlds)]

    def without(self, own: State, given: World, index: int, absent: int) -> RobotState:
        """Return a robot's state after a turn with these orders in which another robot is not on the board.

        The absent robot is not out of the game, so no robot wins as the last one standing.
        """
        self.positions += 1
        state = own.copy()
        robot = state.robots[absent]
        robot.cell, robot.alive, robot.lives = OFF, False, max(1, robot.lives)
        chance = Chance(f"{self.seed}/{REVEALED}", state.turn)
        play(Resolution(self._trial, state, given, programs_of(state, given), chance, alone=True, logs=False))
        return robot_state_of(state, state.robots[index])


class Seat:
    """The programs of one robot in one turn, judged from its seat.

    ``own`` is the state as its player saw it.
    """

    def __init__(self, worlds: Worlds, own: State, index: int) -> None:
        self.worlds, self.own, self.index = worlds, own, index
        self.place = worlds.chances.players.index(index)
        self._states: dict[Orders, list[State]] = {}
        self.task = Task(worlds.setup, own, index, (), worlds.seed)
        if index in worlds.chances.evaluators:
            self.task.evaluate_with(worlds.chances.evaluators[index])

    def candidates(self, hand: Hand, count: int = CANDIDATES) -> list[Orders]:
        """Return the orders to try with a hand: its best programs without rivals, or all first headings."""
        if self.own.turn == 0:
            return [Orders(heading=heading) for heading in self.task.headings_by_value()]
        task = self.task.with_hand(hand)
        return [task.orders_for(plan_of(path), power_down=off) for _, path, off in ranked(task)[:count]]

    def states(self, orders: Orders) -> list[State]:
        """Return the states after these orders, one for each guess."""
        if orders not in self._states:
            self._states[orders] = self.worlds.each_after(self.own, self.index, orders)
        return self._states[orders]

    def judge(self, orders: Orders) -> float:
        """Return the average chance to win after these orders, over the guesses."""
        chances = [self.chance(state) for state in self.states(orders)]
        return sum(chances) / len(chances)

    def chance(self, state: State) -> float:
        """Return the robot's chance to win in a state after the turn."""
        return self.worlds.chances.of(state)[self.place]

    def expected(self) -> float:
        """Return the average chance to win with the best program of each guessed hand of this robot."""
        values = [
            max(self.judge(orders) for orders in self.candidates(hands[self.index]))
            for hands in self.worlds.hands
        ]
        return sum(values) / len(values)
