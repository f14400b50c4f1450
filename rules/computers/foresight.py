"""What an ace makes of a state: how far each robot is from its goal by the chips to be expected."""

from collections.abc import Sequence
from math import exp
from typing import Final

from rules.computers.expectation import DETOUR, expected_phases
from rules.computers.stand import Stand, stand_of
from rules.computers.worth import Worth
from rules.setup import Setup
from rules.state import State

SPREAD: Final = 2.0
"""How many phases ahead make a robot about thrice as likely to win as its rival, at the end of the way."""
GROWTH: Final = 0.1
"""By how much that is more for each phase that is left to go."""


SLOWER: Final[tuple[float, ...]] = (0.0, 0.05, 0.2, 0.45, 1.2, 2.7)
"""How much longer a way takes, by damage: measured in races against no one, with that damage all the time."""
CURE: Final = 5.5
"""What it costs to be rid of damage, in phases, where a robot may power down; twice as much where not."""
DANGER: Final[tuple[float, ...]] = (0.0, 0.0, 0.0, 0.2, 0.5, 1.0, 1.8, 3.0, 5.0, 8.0)
"""What damage costs besides, in phases, of the ten tenths of what destroys: the next shots may do so."""


class Foresight(Worth):
    """Judges by the phases that are to be expected, and not by those that are needed at best."""

    detour = DETOUR
    idle = 5.0

    def hurt(self, damage: int, left: float) -> float:
        cure = CURE if "power_down" in self.setup.ruleset.orders else 2 * CURE
        slower = min(cure, left * SLOWER[min(damage, len(SLOWER) - 1)])
        return slower + DANGER[min(len(DANGER) - 1, damage * 10 // self.limit)]

    def _table(self, cell: int) -> Sequence[Sequence[float]]:
        return expected_phases(self.chart, cell)


class Outlook:
    """Judges a state after a turn: how likely one robot is to win from there."""

    def __init__(self, setup: Setup, state: State, index: int) -> None:
        me = state.robots[index]
        self.index = index
        self.lives = {robot.index: robot.lives for robot in state.robots}
        self.mine = Foresight(setup, state, index)
        self.rivals = {
            robot.index: Foresight(setup, state, robot.index)
            for robot in state.robots
            if not (robot.scanner or robot.crystal or robot.index == index or robot.place or robot.out)
            and not (robot.squad and robot.squad == me.squad)
        }

        self._known: dict[int, dict[Stand, float]] = {index: {} for index in self.rivals}

    def chance(self, state: State, mine: float | None = None) -> float:
        """Return how likely the robot is to win, from 0 to 1; ``mine`` is what its stand is worth."""
        robot = state.robots[self.index]
        if state.over:
            return 1.0 if state.winner is not None and state.winner in (robot.index, robot.squad) else 0.0
        if mine is None:
            mine = self.mine.of(stand_of(state, robot), self.lives[self.index])
        chance = 1.0
        for index, worth in self.rivals.items():
            rival = state.robots[index]
            if rival.out:
                continue
            there = stand_of(state, rival)
            known = self._known[index]
            theirs = known.get(there)
            if theirs is None:
                theirs = known[there] = worth.of(there, self.lives[index])
            spread = SPREAD + GROWTH * min(100.0, max(0.0, -max(mine, theirs)))
            chance *= 1 / (1 + exp(max(-50, min(50, (theirs - mine) / spread))))
        return chance
