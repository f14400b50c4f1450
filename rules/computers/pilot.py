"""The pilot: plays all programs of its hand, as if no one else were there, and takes the best."""

from typing import Final

from rules.computers.search import Path, length_of, plan_of, search
from rules.computers.task import Task
from rules.orders import Orders

SOONER: Final = 0.001
"""What it is worth, in phases, to be done a phase sooner."""
PROGRESS: Final = 3.0
"""The phases by which a hand has to bring a robot forward, not to be redrawn."""

Judged = tuple[float, Path, bool]
"""What a program is worth, the program as a path, and whether to power down with it."""


def first_heading(task: Task) -> int:
    """Return the heading from which the way is shortest."""
    return task.headings_by_worth()[0]


def choose(task: Task) -> Orders:
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


def wants_redeal(task: Task) -> bool:
    """Return whether the hand brings the robot forward too little."""
    return max(judged(task), key=_value)[0] < task.judge(task.lane.start) + PROGRESS
