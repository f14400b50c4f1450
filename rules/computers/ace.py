"""The ace: plays its best programs against what the others may order, and takes the likeliest to win."""

from typing import Final

from rules.chance import Chance
from rules.computers import pilot
from rules.computers.foresight import Foresight, Outlook
from rules.computers.gear import equip
from rules.computers.guesses import Guesses
from rules.computers.sequel import Sequel
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
    task.worth = Foresight(task.setup, task.state, task.index)
    return pilot.first_heading(task)


def choose(task: Task) -> Orders:
    """Return the orders with which the robot is likeliest to win."""
    outlook = Outlook(task.setup, task.state, task.index)
    task.worth = outlook.mine
    guesses = Guesses(task)
    many = 1 if not guesses.others else GUESSES if len(guesses.others) < CROWD else GUESSES // 2
    worlds = [guesses.guess(number) for number in range(many)]

    def judge(orders: Orders) -> float:
        chances = [outlook.chance(_after(task, world, orders, number)) for number, world in enumerate(worlds)]
        return sum(chances) / len(chances)

    tried = [task.orders_for(plan, power_down=off) for _, plan, off in pilot.ranked(task)[:CANDIDATES]]
    finalists = sorted(tried, key=judge, reverse=True)[:FINALISTS]
    sequel = Sequel(task)

    def judge_well(orders: Orders) -> float:
        registers = program(task.robot, orders)
        chances = [
            outlook.chance(_after(task, world, orders, number), lambda stand: sequel.worth(stand, registers))
            for number, world in enumerate(worlds)
        ]
        return sum(chances) / len(chances)

    if not task.setup.ruleset.ranks:
        finalists += [task.slower(orders) for orders in finalists]
    return max((equip(task, orders, judge_well) for orders in finalists), key=lambda found: found[0])[1]


def _after(task: Task, world: World, orders: Orders, number: int) -> State:
    """Return the state after a turn in which the others order that."""
    state = task.state.copy()
    given = {**world, task.index: orders}
    chance = Chance(f"{task.seed}/guess/{number}", state.turn)
    play(Resolution(task.setup, state, given, programs_of(state, given), chance))
    return state


def wants_redeal(task: Task) -> bool:
    """An ace redraws a hand that brings it forward by less than is to be expected of one."""
    task.worth = Foresight(task.setup, task.state, task.index)
    return pilot.wants_redeal(task)
