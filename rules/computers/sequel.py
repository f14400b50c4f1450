"""The turn after: what a robot can make of where it stands then, with hands that it may be dealt."""

from collections import Counter
from collections.abc import Sequence
from math import inf
from typing import Final

from rules.chips import DECK, HAND, Chip, hand_size, locked_registers
from rules.computers.prospects import Prospects
from rules.computers.search import Means, length_of, search
from rules.computers.stand import Stand
from rules.computers.task import Task
from rules.computers.tracks import KINDS
from rules.grid import HEADINGS, PHASES

HANDS: Final = 5
"""Hands with which the turn after is played."""


class Sequel:
    """Judges stands by the best program of the turn after, on the average of a few hands."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self._hands = [
            task.chance(f"hand of the turn after/{number}").shuffled(DECK)[:HAND] for number in range(HANDS)
        ]
        self._by_lives = {task.robot.lives: task.prospects}
        self._known: dict[tuple[Stand, tuple[str, ...]], float] = {}

    def worth(self, stand: Stand, registers: Sequence[Chip | None]) -> float:
        """Return what it is worth to stand so between two turns, having played these registers."""
        robot = self.task.robot
        if stand.done or stand.down or stand.lives <= 0:
            return self.task.judge(stand)
        locked = locked_registers(stand.damage) if stand.lives == robot.lives else ()
        kinds = tuple(chip.kind if (chip := registers[place]) else "" for place in locked)
        key = stand, kinds
        if key not in self._known:
            worths = [self._best(stand, hand, dict(zip(locked, kinds, strict=True))) for hand in self._hands]
            self._known[key] = sum(worths) / len(worths)
        return self._known[key]

    def _best(self, stand: Stand, hand: Sequence[Chip], locked: dict[int, str]) -> float:
        count = Counter(chip.kind for chip in hand[: hand_size(stand.damage)])
        returned = stand.lives < self.task.robot.lives
        headings = HEADINGS if returned else (None,)
        means = Means(tuple(count[kind] for kind in KINDS), locked, headings, moves_first=False)
        lane, prospects = self.task.lane, self._prospects(stand.lives)
        best = -inf
        for after, path in search(lane, means, lane.number(stand)).items():
            worth = -length_of(path) if lane.won(after) else prospects.of(after) - len(PHASES)
            best = max(best, worth)
        return best

    def _prospects(self, lives: int) -> Prospects:
        if lives not in self._by_lives:
            self._by_lives[lives] = Prospects(self.task.lane, self.task.worth, lives)
        return self._by_lives[lives]
