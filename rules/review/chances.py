"""The value function: every player's chance to win, from the state between two turns.

An Ace's evaluator gives the phases that each robot still needs. The robots then race: the fewer phases a
robot needs, compared with the others, the likelier it wins. The further the leader is from the goal, the less
a lead counts. The constants were fitted once, on simulated games (`bench.review`), and then checked on other
games. All figures of reviews depend on them, so a change of a constant needs a new `VERSION`.
"""

from collections.abc import Sequence
from math import exp
from typing import Final, NamedTuple

from rules.computers.ace import ExpectedEvaluator
from rules.computers.effects import RobotState, robot_state_of
from rules.setup import Setup
from rules.state import Robot, State

VERSION: Final = 1
"""The version of the value function and of the figures that follow from it."""


class Race(NamedTuple):
    """The constants of the race in one ruleset.

    A lead of ``spread`` + ``growth`` × the leader's remaining phases makes a robot e times as likely to win.
    A robot with N lives left needs ``risk`` / N additional phases, and ``damage`` for each point of damage.
    """

    spread: float
    growth: float
    risk: float
    damage: float


RACES: Final = {
    "robo-runner": Race(0.97, 0.32, 0.0, 0.15),
    "robo-recon": Race(153.0, 0.06, 73.6, 21.6),
    "robo-arena": Race(0.06, 0.757, 284.0, 2.5),
    "amigo-1999": Race(0.77, 0.167, 0.0, 0.0),
    "factory-1999": Race(0.865, 0.15, 0.0, 0.0),
    "group-11": Race(1.61, 0.176, 5.1, 0.0),
    "websocket": Race(1.0, 0.271, 5.25, 0.0),
}
"""The constants by ruleset.

They give the winners of 931 simulated games between Pilots and Aces the highest likelihood. None of these
games is among the games of `bench.review`.
"""
USUAL: Final = Race(1.0, 0.3, 1.0, 0.0)
"""The constants in rulesets that are not in `RACES`."""

MIN_SPREAD: Final = 0.3
FAR: Final = 50.0
"""The lead, in spreads, beyond which a robot has no chance."""
NO_PHASES: Final = -1.0
"""In a list of remaining phases, the entry of a robot that can no longer win."""


class Chances:
    """Calculates chances to win in the states that can follow from one state.

    ``players`` are the indexes of the players' robots. ``state`` must not contain secrets.
    """

    def __init__(self, setup: Setup, state: State) -> None:
        self.race = RACES.get(setup.ruleset.key, USUAL)
        self.players = [robot.index for robot in state.players]
        self.squads = [robot.squad for robot in state.players]
        self.evaluators = {
            robot.index: ExpectedEvaluator(setup, state, robot.index)
            for robot in state.players
            if not robot.out and robot.place is None
        }
        self._lives = {robot.index: robot.lives for robot in state.players}
        self._known: dict[int, dict[RobotState, float]] = {index: {} for index in self.players}

    def of(self, state: State) -> list[float]:
        """Return each player's chance to win, in seat order. The chances of squads add up to 1.

        The result of a finished game, or of a game with a first finisher, is exact.
        """
        found = self.decided(state)
        return self.of_phases(self.phases(state)) if found is None else found

    def decided(self, state: State) -> list[float] | None:
        """Return each player's result, 1 or 0, or None if no player has won yet."""
        if state.over:
            if state.winner is None:
                return [0.0] * len(self.players)
            return self.result(state.winner)
        for robot in state.players:
            if robot.place == 1:
                return self.result(robot.squad or robot.index)
        return None

    def result(self, winner: int | str) -> list[float]:
        """Return each player's result, 1 or 0, if this robot or squad wins."""
        return [
            1.0 if winner in (index, squad) else 0.0
            for index, squad in zip(self.players, self.squads, strict=True)
        ]

    def phases(self, state: State) -> list[float]:
        """Return the phases that each player's robot needs to win, or NO_PHASES if it can no longer win."""
        return [self.phases_of(state, state.robots[index]) for index in self.players]

    def phases_of(self, state: State, robot: Robot) -> float:
        """Return the phases that a player's robot needs to win, or NO_PHASES if it can no longer win."""
        if robot.out or robot.place is not None or robot.index not in self.evaluators:
            return NO_PHASES
        return self.phases_in(robot.index, robot_state_of(state, robot))

    def phases_in(self, index: int, here: RobotState) -> float:
        """Return the phases that a player's robot needs to win from this state."""
        if here.lives <= 0:
            return NO_PHASES
        known = self._known[index]
        found = known.get(here)
        if found is None:
            found = known[here] = self.phases_from(
                self.evaluators[index].value_of(here, self._lives[index]), here
            )
        return found

    def phases_from(self, value: float, here: RobotState) -> float:
        """Return the phases that a robot needs to win from a state with this value."""
        return max(0.0, -value) + self.race.risk / here.lives + self.race.damage * here.damage

    def of_phases(self, phases: Sequence[float]) -> list[float]:
        """Return each player's chance to win, from the phases that the robots need."""
        racing = [left for left in phases if left >= 0]
        if not racing:
            return [0.0] * len(phases)
        lead = min(racing)
        spread = max(MIN_SPREAD, self.race.spread + self.race.growth * lead)
        weights = [exp(-min(FAR, (left - lead) / spread)) if left >= 0 else 0.0 for left in phases]
        total = sum(weights)
        chances = [weight / total for weight in weights]
        if not any(self.squads):
            return chances
        shares: dict[str | None, float] = {}
        for squad, chance in zip(self.squads, chances, strict=True):
            shares[squad] = shares.get(squad, 0.0) + chance
        return [shares[squad] for squad in self.squads]


def chances(setup: Setup, state: State) -> list[float]:
    """Return each player's chance to win in a state between two turns. ``state`` must not contain secrets."""
    return Chances(setup, state).of(state)
