"""The pilot: plays all programs of its hand, as if nobody else were there, and takes the best."""

from rules.computers.search import Plan, search
from rules.computers.task import Task
from rules.orders import Orders


def first_heading(task: Task) -> int:
    return task.headings_by_worth()[0]


def choose(task: Task) -> Orders:
    """Return the best program of the hand, with power-down if standing still is worth more after it."""
    _, plan, off = best(task)
    return task.orders_for(plan, power_down=off)


def best(task: Task) -> tuple[float, Plan, bool]:
    """Return what the best program is worth, the program itself, and whether to power down with it."""
    lane = task.lane
    downs = (False, True) if "power_down" in task.setup.ruleset.orders else (False,)
    return max(
        (
            (task.judge(lane.end(stand, power_down=off)) - len(plan.kinds) / 1000, plan, off)
            for stand, plan in search(lane, task.means).items()
            for off in downs
            if not (off and stand.done)
        ),
        key=lambda found: found[0],
    )


def wants_redeal(task: Task) -> bool:
    """A pilot has a hand dealt anew that does not bring it forward by three phases."""
    return best(task)[0] < task.judge(task.lane.start) + 3
