"""Who wins while a run is flown: wins by start, and whether they are too unequal to be chance."""

from collections.abc import Iterable, Sequence
from math import exp, lgamma, log
from typing import Final

from rules.grid import Pos
from rules.tunnel.figures import FAIREST
from rules.tunnel.flight import Flight

STRENGTH: Final = 40.0
"""How closely unequal starts are expected to gather around equal ones: as if so many wins had been seen."""
UNEQUAL: Final = 100.0
"""Odds from which starts count as unequal: equal ones reach them in about one run of a hundred."""
MOST_ODDS: Final = 1e6


def wins_of(flights: Iterable[Flight]) -> dict[Pos, float]:
    """Return the wins of Pilots by the cell in which they started; those who win together share one."""
    wins: dict[Pos, float] = {}
    for flight in flights:
        if flight.level != FAIREST or flight.failure or not flight.starts or not flight.over:
            continue
        first = min(flight.places)
        winners = [at for at, place in zip(flight.starts, flight.places, strict=True) if place == first]
        for at in winners:
            wins[at] = wins.get(at, 0.0) + 1 / len(winners)
    return wins


def odds_of(wins: Sequence[float], shares: Sequence[float]) -> float:
    """Return the odds of unequal starts against fair ones, by how often each has won and should win.

    It is the Bayes factor of a Dirichlet distribution around the fair ``shares`` against these shares alone.
    It may be looked at after each flight.

    >>> round(odds_of([5, 5, 5, 5], [0.25] * 4), 2), odds_of([40, 3, 3, 4], [0.25] * 4) > UNEQUAL
    (0.54, True)
    """
    total = sum(wins)
    found = lgamma(STRENGTH) - lgamma(STRENGTH + total)
    for won, share in zip(wins, shares, strict=True):
        prior = STRENGTH * share
        found += lgamma(prior + won) - lgamma(prior) - won * log(share)
    return exp(min(found, log(MOST_ODDS)))
