"""How sure a figure is: intervals, and a test of places."""

from collections.abc import Callable, Sequence
from math import erfc, exp, lgamma, log, sqrt
from random import Random
from statistics import NormalDist, stdev
from typing import Final, NamedTuple, TypeVar

T = TypeVar("T")

RESAMPLES: Final = 400
"""How often flights are drawn again to see how much a figure varies."""


class Measured(NamedTuple):
    """A figure with the interval in which it lies, but for a risk that was agreed before."""

    value: float
    low: float
    high: float


def wilson(hits: int, trials: int, risk: float) -> Measured:
    """Return a share with Wilson's interval, which misses the true share with that risk.

    >>> share = wilson(25, 200, 0.05)
    >>> [round(number, 3) for number in share]
    [0.125, 0.086, 0.178]
    """
    if not trials:
        return Measured(0.0, 0.0, 1.0)
    z, share = _deviations(risk), hits / trials
    middle = share + z * z / (2 * trials)
    reach = z * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    return Measured(share, max(0.0, (middle - reach) / scale), min(1.0, (middle + reach) / scale))


def bootstrap(
    flights: Sequence[T], figure: Callable[[Sequence[T]], float], risk: float, name: str
) -> Measured:
    """Return a figure of flights, never negative, with its interval: as many are drawn again and again.

    The interval is that of a normal distribution which varies as much. ``name`` seeds the draws, so that the
    same flights give the same interval.
    """
    value = figure(flights)
    if len(flights) < 2:
        return Measured(value, float("-inf"), float("inf"))
    chance = Random(name)
    drawn = [figure(chance.choices(flights, k=len(flights))) for _ in range(RESAMPLES)]
    reach = _deviations(risk) * stdev(drawn)
    return Measured(value, max(0.0, value - reach), value + reach)


def _deviations(risk: float) -> float:
    """Return how many standard deviations on both sides of the mean leave that risk."""
    return NormalDist().inv_cdf(1 - risk / 2)


def friedman(blocks: Sequence[Sequence[float]]) -> float:
    """Return how likely places as unequal as these are if all starts are equal: Friedman's test.

    Each block has the figures of the same starts in one flight, the least being the best; only their order
    counts, and equal ones share their rank. Returns 1 where there is nothing to compare.

    >>> round(friedman([(1, 2, 3)] * 4), 4), friedman([(1, 2, 3), (3, 2, 1)])
    (0.0183, 1.0)
    """
    if not blocks or len(blocks[0]) < 2:
        return 1.0
    starts, flights = len(blocks[0]), len(blocks)
    ranked = [ranks(block) for block in blocks]
    sums = [sum(column) for column in zip(*ranked, strict=True)]
    expected = flights * (starts + 1) / 2
    spread = sum(rank * rank for block in ranked for rank in block) - flights * starts * (starts + 1) ** 2 / 4
    if spread <= 0:
        return 1.0
    statistic = (starts - 1) * sum((each - expected) ** 2 for each in sums) / spread
    return chi_square(statistic, starts - 1)


def ranks(values: Sequence[float]) -> list[float]:
    """Return the rank of each value, 1 for the least; equal ones share the mean of theirs.

    >>> ranks([7.0, 2.0, 7.0])
    [2.5, 1.0, 2.5]
    """
    return [
        1 + sum(other < value for other in values) + (sum(other == value for other in values) - 1) / 2
        for value in values
    ]


def chi_square(statistic: float, freedom: int) -> float:
    """Return how likely a chi-square value that large or larger is, by degrees of freedom.

    >>> round(chi_square(3.841, 1), 3), round(chi_square(11.07, 5), 3), round(chi_square(18.475, 7), 3)
    (0.05, 0.05, 0.01)
    """
    half = statistic / 2
    if half <= 0:
        return 1.0
    shape, tail = (0.5, erfc(sqrt(half))) if freedom % 2 else (1.0, exp(-half))
    while shape < freedom / 2:
        tail += exp(shape * log(half) - half - lgamma(shape + 1))
        shape += 1
    return min(1.0, tail)


def median(values: Sequence[float]) -> float:
    """Return the value in the middle, 0 where there is none."""
    return quantile(values, 0.5)


def quantile(values: Sequence[float], share: float) -> float:
    """Return the value below which that share of the values lies, between two of them if need be.

    >>> quantile([1, 2, 3, 4], 0.5), quantile([7], 0.9), quantile([], 0.1)
    (2.5, 7.0, 0.0)
    """
    if not values:
        return 0.0
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)
