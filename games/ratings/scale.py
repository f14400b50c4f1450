"""The scale of ratings, and what one game changes: Weng–Lin's Plackett–Luce model, as openskill has it.

Pure arithmetic, without a database. A skill is a normal distribution. Each game moves the skills of its
players by the whole order in which they finished. The parameters are those that `bench.ratings` measures.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from math import sqrt
from typing import Any, Final

from openskill.models import PlackettLuce

MU: Final = 25.0
"""The mean that a newcomer starts with."""

SIGMA: Final = MU / 3
"""The deviation that a newcomer starts with."""

BETA: Final = MU / 6
"""How much luck there is in one game: the deviation of a performance around the skill."""

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


def rate(sides: Sequence[Side]) -> list[list[Skill]]:
    """Return the skills of all sides after a game, in the order in which sides and skills were given.

    Players who are tied get the average of all orders in which they might have finished: openskill pays too
    little for ties above the last place (its issue 201), and the average does not.
    """
    orders = list(_orders([side.rank for side in sides]))
    if not orders:
        return []
    sums = [[(0.0, 0.0)] * len(side.skills) for side in sides]
    # The order of the arguments must not matter, not even in the last digit.
    places = sorted(range(len(sides)), key=lambda place: (sides[place].rank, _key(sides[place])))
    teams = [
        [_MODEL.rating(mu=each.mu, sigma=_deviation(each)) for each in sides[place].skills]
        for place in places
    ]
    for order in _orders([sides[place].rank for place in places]):
        for place, team in zip(places, _MODEL.rate(teams, ranks=list(order)), strict=True):
            sums[place] = [
                (mu + found.mu, variance + found.sigma**2)
                for (mu, variance), found in zip(sums[place], team, strict=True)
            ]
    return [
        [
            skill if skill.fixed else _settled(mu / len(orders), variance / len(orders))
            for skill, (mu, variance) in zip(side.skills, summed, strict=True)
        ]
        for side, summed in zip(sides, sums, strict=True)
    ]


def _unchanged(*args: Any, **more: Any) -> float:
    """Return how fast deviations shrink: as the paper has it, not damped."""
    return 1.0


_MODEL: Final = PlackettLuce(mu=MU, sigma=SIGMA, beta=BETA, tau=0.0, gamma=_unchanged)


def _deviation(skill: Skill) -> float:
    return EXACT if skill.fixed else skill.sigma


def _key(side: Side) -> tuple[tuple[float, float], ...]:
    return tuple((skill.mu, _deviation(skill)) for skill in side.skills)


def _settled(mu: float, variance: float) -> Skill:
    return Skill(round(mu, DIGITS), round(max(LEAST_SIGMA, sqrt(variance)), DIGITS))


def _orders(ranks: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield every order without ties that these ranks leave open, as a place for each.

    >>> list(_orders([1, 2, 2]))
    [(0, 1, 2), (0, 2, 1)]
    """
    groups = [[place for place, each in enumerate(ranks) if each == rank] for rank in sorted(set(ranks))]
    for chosen in product(*(permutations(group) for group in groups)):
        order = [place for group in chosen for place in group]
        yield tuple(order.index(place) for place in range(len(ranks)))
