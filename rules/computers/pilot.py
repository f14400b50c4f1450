"""The pilot: plays all programs of its hand, as if no one else were there, and takes the best."""

from typing import Final

from rules.computers.search import Plan, search
from rules.computers.task import Task
from rules.orders import Orders

SOONER: Final = 0.001
"""What it is worth, in phases, to be done a phase sooner."""
PROGRESS: Final = 3.0
"""The phases by which a hand has to bring a robot forward, not to be redrawn."""

Judged = tuple[float, Plan, bool]
"""What a program is worth, the program, and whether to power down with it."""


def first_heading(task: Task) -> int:
    """Return the heading from which the way is shortest."""
    return task.headings_by_worth()[0]


def choose(task: Task) -> Orders:
    """Return the best program of the hand, with power-down where standing still is worth more after it."""
    _, plan, off = ranked(task)[0]
    return task.orders_for(plan, power_down=off)


def ranked(task: Task) -> list[Judged]:
    """Return all programs of the hand, but of those that end alike only one, the best first."""
    lane = task.lane
    downs = (False, True) if "power_down" in task.setup.ruleset.orders else (False,)
    return sorted(
        (
            (task.judge(lane.end(stand, power_down=off)) - len(plan.kinds) * SOONER, plan, off)
            for stand, plan in search(lane, task.means).items()
            for off in downs
            if not (off and stand.done)
        ),
        key=lambda judged: -judged[0],
    )


def wants_redeal(task: Task) -> bool:
    """Return whether the hand brings the robot forward too little."""
    return ranked(task)[0][0] < task.judge(task.lane.start) + PROGRESS
