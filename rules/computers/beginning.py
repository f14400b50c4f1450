"""The beginning of a program, for a player who is still learning and fills the other registers alone."""

from typing import NamedTuple

from rules.chips import REGISTERS
from rules.computers.answers import registers_for
from rules.computers.search import Plan, choices
from rules.computers.task import Task
from rules.computers.tracks import KINDS, NOTHING
from rules.orders import Orders


class Prospect(NamedTuple):
    """What becomes of a robot on average, if the other registers are filled by chance."""

    deadly: float
    worth: float


class Beginning(NamedTuple):
    """The kinds of the first chips, phase by phase, where they lead, and what may follow."""

    kinds: str
    cell: int
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
        return prospect.deadly == 0, prospect.deadly < 1, found.cell != here, prospect.worth

    plan = Plan(None, max(_Beginnings(task, count).found, key=rank).kinds)
    registers = registers_for(task.robot, task.hand, plan, moves_first=task.means.moves_first)
    return Orders(registers=registers[:count] + (None,) * (REGISTERS - count))


class _Beginnings:
    """All beginnings with chips of different kinds."""

    def __init__(self, task: Task, count: int) -> None:
        self.task, self.lane, self.means, self.count = task, task.lane, task.means, count
        self.found: list[Beginning] = []
        self._known: dict[tuple[int, int, int], Prospect] = {}
        self._walk(1, self.lane.origin, self.means.packed, "")

    def _walk(self, phase: int, stand: int, chips: int, kinds: str) -> None:
        if phase > self.count or self.lane.done[stand >> self.lane.bits]:
            cell = self.lane.stand(stand).cell
            self.found.append(Beginning(kinds, cell, self._prospect(phase, stand, chips)))
            return
        for place, left, _ in choices(self.means, phase, chips):
            after = self.lane.after(phase, stand, place)
            self._walk(phase + 1, after, left, kinds + ("-" if place == NOTHING else KINDS[place]))

    def _prospect(self, phase: int, stand: int, chips: int) -> Prospect:
        key = phase, stand, chips
        if key not in self._known:
            self._known[key] = self._worked_out(phase, stand, chips)
        return self._known[key]

    def _worked_out(self, phase: int, stand: int, chips: int) -> Prospect:
        if phase > REGISTERS or self.lane.done[stand >> self.lane.bits]:
            alive = self.lane.stand(stand).alive
            return Prospect(float(not alive), self.task.prospects.of(stand))
        deadly = worth = total = 0.0
        for place, left, copies in choices(self.means, phase, chips):
            after = self._prospect(phase + 1, self.lane.after(phase, stand, place), left)
            deadly += copies * after.deadly
            worth += copies * after.worth
            total += copies
        return Prospect(deadly / total, worth / total)
