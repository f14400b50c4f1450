"""The scale of ratings, and what one game changes: Weng–Lin's Bradley–Terry model, as openskill has it.

Pure arithmetic, without a database. A skill is a normal distribution. A game compares each side with each
other side: the one ahead has won, and a tie is half a win for both. So a difference of two ratings promises
the same at a table of any size. `bench.ratings` and `bench.finishes` measure the parameters.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from typing import Any, Final

from openskill.models import BradleyTerryFull

MU: Final = 25.0
"""The mean that a newcomer starts with."""

SIGMA: Final = MU / 3
"""The deviation that a newcomer starts with."""

BETA: Final = MU / 6
"""How much luck there is in one game: the deviation of a performance around the skill."""

BEHIND: Final = 0.25
"""The part of its weight that a comparison has between two players behind the winner: it tells less.

The game ends when one has won, wherever the others are. `bench.finishes` measures what their order tells.
"""

LEAST_SIGMA: Final = 2.5
"""The smallest deviation: below it, skills would seem more certain than they prove to be."""

YEARLY: Final = 9.0
"""By how much the variance grows in a year without games."""

EXACT: Final = 1e-6
"""The deviation of a skill that is fixed: the model divides by it."""

SHOWN: Final = 1500
"""What a newcomer's mean is shown as."""

POINTS: Final = 40
"""How many points are shown for one of the mean."""

DIGITS: Final = 6
"""Decimals that are kept, so that the same games come to the same columns everywhere."""


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill: its mean and its deviation; that of a computer is ``fixed``, and no game changes it."""

    mu: float = MU
    sigma: float = SIGMA
    fixed: bool = False

    def after(self, years: float) -> "Skill":
        """Return the skill when no game was played for a time: as likely, and less certain."""
        if self.fixed or years <= 0:
            return self
        return Skill(self.mu, round(min(SIGMA, sqrt(self.sigma**2 + YEARLY * years)), DIGITS))


def points(mu: float) -> int:
    """Return a mean as it is shown.

    >>> points(25.0), points(32.5)
    (1500, 1800)
    """
    return round(SHOWN + POINTS * (mu - MU))


def give_or_take(sigma: float) -> int:
    """Return by how much a shown mean may be wrong: the true one is within that in 19 of 20 cases.

    >>> give_or_take(2.5)
    200
    """
    return round(2 * POINTS * sigma)


@dataclass(frozen=True, slots=True)
class Side:
    """Who has won or lost together: the ``rank`` that they took, 1 for the best, equal ranks being ties."""

    rank: int
    skills: tuple[Skill, ...]


def weight_of(pair: Sequence[float], ranks: Sequence[int]) -> float:
    """Return the weight of a comparison of two ranks in a game that ended with ``ranks``.

    A comparison between two players behind the winner has the part `BEHIND` of the weight of one with the
    winner. Comparisons of one player are not independent, since one performance decides them all. Among n
    equals, a player's score has the variance (n − 1) / 4 + k² (n − 1) (n − 2) / 12, with k = `BEHIND`.
    Independent comparisons would have (n − 1) (2 + k (n − 2)) / 4n. The weight makes both agree: else ratings
    of large tables would seem more certain than they are.

    >>> [round(weight_of([1, 2], range(1, seats + 1)), 2) for seats in (2, 4, 8)]
    [1.0, 0.6, 0.39]
    >>> round(weight_of([2, 3], [1, 2, 3, 4]), 2)
    0.15
    """
    behind = len(ranks) - 2
    weight = (2 + BEHIND * behind) / (len(ranks) * (1 + BEHIND**2 * behind / 3))
    return weight if min(ranks) in pair else BEHIND * weight


def rate(sides: Sequence[Side]) -> list[list[Skill]]:
    """Return the skills of all sides after a game, in the order in which sides and skills were given."""
    ranks = [side.rank for side in sides]
    # The order of the arguments must not matter, not even in the last digit.
    places = sorted(range(len(sides)), key=lambda place: (sides[place].rank, _key(sides[place])))
    teams = [[_MODEL.rating(each.mu, _deviation(each)) for each in side.skills] for side in sides]
    moves = [[_Move() for _ in side.skills] for side in sides]
    for pair in combinations(places, 2):
        compared = [float(ranks[place]) for place in pair]
        weight = weight_of(compared, ranks)
        rated = _MODEL.rate([teams[place] for place in pair], ranks=compared)
        for place, found in zip(pair, rated, strict=True):
            for move, before, after in zip(moves[place], teams[place], found, strict=True):
                move.mean += weight * (after.mu - before.mu)
                move.shrinks += weight * (1 - (after.sigma / before.sigma) ** 2)
    return [
        [move.of(skill) for move, skill in zip(moved, side.skills, strict=True)]
        for moved, side in zip(moves, sides, strict=True)
    ]


@dataclass(slots=True)
class _Move:
    """The change of a skill by a game's comparisons: of its mean, and the share of its variance that goes."""

    mean: float = 0.0
    shrinks: float = 0.0

    def of(self, skill: Skill) -> Skill:
        if skill.fixed:
            return skill
        sigma = skill.sigma * sqrt(max(0.0, 1 - self.shrinks))
        return Skill(round(skill.mu + self.mean, DIGITS), round(max(LEAST_SIGMA, sigma), DIGITS))


def _gamma(*_: Any, **__: Any) -> float:
    """Return how fast deviations shrink: as the paper has it, not damped."""
    return 1.0


_MODEL: Final = BradleyTerryFull(mu=MU, sigma=SIGMA, beta=BETA, tau=0.0, gamma=_gamma)


def _deviation(skill: Skill) -> float:
    return EXACT if skill.fixed else skill.sigma


def _key(side: Side) -> tuple[tuple[float, float], ...]:
    return tuple((skill.mu, _deviation(skill)) for skill in side.skills)
