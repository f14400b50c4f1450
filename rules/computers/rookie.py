"""The rookie: tries a handful of programs, heeds no one else, and does not always take the best."""

from typing import Final

from rules.computers.lane import PLACE
from rules.computers.task import Task
from rules.grid import HEADINGS, PHASES
from rules.orders import Orders
from rules.programming import complete, program

PROGRAMS: Final = 8
"""Programs that a rookie tries."""
SLIP: Final = 5
"""Once in a number of turns, a rookie takes the next best of them."""


def first_heading(task: Task) -> int:
    return task.chance("heading").choice(HEADINGS)


def choose(task: Task) -> Orders:
    """Return the best of a handful of random programs; now and then the second best."""
    tried = [_sample(task, number) for number in range(PROGRAMS)]
    ranked = sorted(tried, key=lambda orders: -_worth(task, orders))
    slips = task.chance("slip").below(SLIP) == 0
    return ranked[1] if slips else ranked[0]


def wants_redeal(task: Task) -> bool:
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
