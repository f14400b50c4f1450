"""The beginning of a program, for a player who is still learning and fills the other registers alone."""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from rules.chips import REGISTERS
from rules.computers.answers import registers_for
from rules.computers.lane import Stand
from rules.computers.search import Plan, choices
from rules.computers.task import Task
from rules.orders import Orders


class Prospect(NamedTuple):
    """What becomes of a robot on average, if the other registers are filled by chance."""

    deadly: float
    worth: float


class Beginning(NamedTuple):
    """The kinds of the first chips, phase by phase, where they lead, and what may follow."""

    kinds: str
    stand: Stand
    prospect: Prospect


def begin(task: Task, count: int) -> Orders:
    """Return orders that fill the first ``count`` registers, and leave the others empty.

    No choice of chips for the others destroys the robot, if the hand has such a beginning; else not all do,
    if it has one like that. Of several, it is one that leads somewhere else than to where the robot stands,
    and of these the one that is worth most on average.
    """
    here = task.lane.start.cell

    def rank(found: Beginning) -> tuple[bool, bool, bool, float]:
        prospect = found.prospect
        return prospect.deadly == 0, prospect.deadly < 1, found.stand.cell != here, prospect.worth

    plan = Plan(None, max(_beginnings(task, count), key=rank).kinds)
    registers = registers_for(task.robot, task.hand, plan, moves_first=task.means.moves_first)
    return Orders(registers=registers[:count] + (None,) * (REGISTERS - count))


def _beginnings(task: Task, count: int) -> Iterator[Beginning]:
    """Yield all beginnings with chips of different kinds."""
    lane, means = task.lane, task.means

    @cache
    def prospect(phase: int, stand: Stand, chips: int) -> Prospect:
        if stand.done or phase > REGISTERS:
            return Prospect(float(not stand.alive), task.judge(lane.end(stand)))
        deadly = worth = total = 0.0
        for kind, left, copies in choices(means, phase, chips):
            after = prospect(phase + 1, lane.step(phase, stand, kind), left)
            deadly += copies * after.deadly
            worth += copies * after.worth
            total += copies
        return Prospect(deadly / total, worth / total)

    def walk(phase: int, stand: Stand, chips: int, kinds: str) -> Iterator[Beginning]:
        if stand.done or phase > count:
            yield Beginning(kinds, stand, prospect(phase, stand, chips))
            return
        for kind, left, _ in choices(means, phase, chips):
            yield from walk(phase + 1, lane.step(phase, stand, kind), left, kinds + (kind or "-"))

    yield from walk(1, lane.start, means.packed, "")
