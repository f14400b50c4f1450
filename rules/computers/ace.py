"""The ace: plays its best programs against what the others may order, and takes the likeliest to win."""

from dataclasses import replace
from typing import Final

from rules.chance import Chance
from rules.computers import pilot
from rules.computers.foresight import Foresight, Outlook
from rules.computers.gear import equip
from rules.computers.guesses import Guesses
from rules.computers.search import plan_of
from rules.computers.sequel import Sequel
from rules.computers.stand import stand_of
from rules.computers.task import Task
from rules.orders import Orders
from rules.play import play
from rules.programming import program
from rules.resolution import Resolution
from rules.solo import programs_of
from rules.state import State

CANDIDATES: Final = 24
"""Programs that are played against what the others may order: the best of those played alone."""
FINALISTS: Final = 8
"""Those of them with which equipment, and chips of other numbers, are tried."""
GUESSES: Final = 12
"""How often it is guessed what another may order."""
CROWD: Final = 3
"""With this many others or more, each guess has variety enough that half as many will do."""

World = dict[int, Orders]
"""What the others order, by robot."""


def first_heading(task: Task) -> int:
    task.judge_by(Foresight(task.setup, task.state, task.index))
    return pilot.first_heading(task)


def choose(task: Task) -> Orders:
    """Return the orders with which the robot is likeliest to win."""
    outlook = Outlook(task.setup, task.state, task.index)
    task.judge_by(outlook.mine)
    trials = Trials(task, outlook)
    tried = [
        task.orders_for(plan_of(path), power_down=off) for _, path, off in pilot.ranked(task)[:CANDIDATES]
    ]
    finalists = sorted(tried, key=trials.judge, reverse=True)[:FINALISTS]
    if not task.setup.ruleset.ranks:
        finalists += [task.slower(orders) for orders in finalists]
    return max((equip(task, orders, trials.judge_well) for orders in finalists), key=_chance)[1]


def _chance(found: tuple[float, Orders]) -> float:
    return found[0]


class Trials:
    """Orders played against guesses of what the others may order, each of them once."""

    def __init__(self, task: Task, outlook: Outlook) -> None:
        self.task, self.outlook = task, outlook
        guesses = Guesses(task)
        many = 1 if not guesses.others else GUESSES if len(guesses.others) < CROWD else GUESSES // 2
        self.worlds = [guesses.guess(number) for number in range(many)]
        self.sequel = Sequel(task)
        # The ranks that follow from a turn make no difference to what it is worth.
        ruleset = task.setup.ruleset
        plain = ruleset.has("ranks") and not ruleset.crystal
        self.setup = replace(task.setup, ruleset=ruleset.without("ranks")) if plain else task.setup
        self._played: dict[Orders, list[State]] = {}

    def judge(self, orders: Orders) -> float:
        """Return how likely the robot is to win with orders."""
        chances = [self.outlook.chance(state) for state in self.after(orders)]
        return sum(chances) / len(chances)

    def judge_well(self, orders: Orders) -> float:
        """Return how likely the robot is to win with orders, the next turn considered."""
        registers = program(self.task.robot, orders)
        chances = []
        for state in self.after(orders):
            worth = self.sequel.worth(stand_of(state, state.robots[self.task.index]), registers)
            chances.append(self.outlook.chance(state, worth))
        return sum(chances) / len(chances)

    def after(self, orders: Orders) -> list[State]:
        """Return the states after a turn in which the others order what was guessed."""
        if orders not in self._played:
            self._played[orders] = [
                self._play(world, orders, number) for number, world in enumerate(self.worlds)
            ]
        return self._played[orders]

    def _play(self, world: World, orders: Orders, number: int) -> State:
        task = self.task
        state = task.state.copy()
        given = {**world, task.index: orders}
        chance = Chance(f"{task.seed}/guess/{number}", state.turn)
        play(Resolution(self.setup, state, given, programs_of(state, given), chance, logs=False))
        return state


def wants_redeal(task: Task) -> bool:
    """An ace redraws a hand that brings it forward by less than is to be expected of one."""
    task.judge_by(Foresight(task.setup, task.state, task.index))
    return pilot.wants_redeal(task)
