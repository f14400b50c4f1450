"""Which flights a run has: the level of the computers in each of them, and its seed.

Both follow from the number of the flight. So flights can be flown in any order, in batches, in several
processes, and again after one of these has died: they are always the same flights.
"""

from hashlib import sha256
from typing import Final

from rules.chance import Seed

MIX: Final = (
    *("pilot", "rookie", "pilot", "pilot", "pilot", "rookie", "pilot", "pilot", "ace", "pilot"),
    *("pilot", "rookie", "pilot", "pilot", "rookie", "pilot", "pilot", "pilot", "rookie", "pilot"),
)
"""The levels of 20 flights, over and over: 140 of 200 flights are of Pilots, 50 of Rookies, 10 of Aces."""

FLIGHTS: Final = 200
"""Flights of a run, unless another number is asked for."""
MOST_FLIGHTS: Final = 1000

LOOKS: Final = (40, 100)
"""After how many flights a run may stop early, if there are more to fly."""


def level_of(number: int) -> str:
    """Return the level of all computers in a flight; flights are numbered from 0.

    >>> from collections import Counter
    >>> Counter(level_of(number) for number in range(200)) == {"pilot": 140, "rookie": 50, "ace": 10}
    True
    """
    return MIX[number % len(MIX)]


def seed_of(run: Seed, number: int) -> str:
    """Return the seed of a flight, which follows from the seed of the run.

    >>> seed_of(1, 0) != seed_of(1, 1) == seed_of("1", 1)
    True
    """
    return sha256(f"tunnel {run} {number}".encode()).hexdigest()[:16]


def looks(flights: int) -> tuple[int, ...]:
    """Return after how many flights a run is judged, ending with all of them.

    >>> looks(200), looks(60), looks(12)
    ((40, 100, 200), (40, 60), (12,))
    """
    return (*(look for look in LOOKS if look < flights), flights)
