"""The wishes of players who wait for a game. Pure: it knows no database."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import rules

WINDOW: Final = 200
"""How far apart ratings may be at first."""

WIDER: Final = 50
"""By how much more after each `STEP`."""

STEP: Final = timedelta(hours=6)

ANY: Final = ""

LIVE: Final = "live"
"""The pace that is played only by those who ask for it."""

MOST_SEATS: Final = 8


@dataclass(frozen=True, slots=True)
class Wish:
    """What a game is to be like: `ANY` ruleset, size or pace but `LIVE` will do; players from and to."""

    ruleset: str = ANY
    pace: str = ANY
    size: str = ANY
    least: int = 2
    most: int = MOST_SEATS

    def agrees(self, other: "Wish") -> bool:
        """Return whether one ruleset, pace and size suit this and another wish, whatever their numbers.

        Wishes that agree two by two all agree.
        """
        if LIVE in (self.pace, other.pace) and self.pace != other.pace:
            return False  # a live game takes players who are there
        pairs = ((self.ruleset, other.ruleset), (self.pace, other.pace), (self.size, other.size))
        return all(ANY in both or both[0] == both[1] for both in pairs)

    def joined(self, other: "Wish") -> "Wish":
        """Return this wish and another one that agrees with it as one wish."""
        return Wish(
            ruleset=self.ruleset or other.ruleset,
            pace=self.pace or other.pace,
            size=self.size or other.size,
            least=max(self.least, other.least),
            most=min(self.most, other.most),
        )

    @property
    def numbers(self) -> range:
        """How many players there may be, in a ruleset where one is named; those of squads are even."""
        least, most = self.least, self.most
        step = 1
        if self.ruleset:
            ruleset = rules.RULESETS[self.ruleset]
            least, most = max(least, ruleset.seats[0]), min(most, ruleset.seats[1])
            step = len(ruleset.squads) or 1
            least += -least % step
        return range(max(2, least), most + 1, step)


@dataclass(frozen=True, slots=True)
class Seeker:
    """Someone who waits for a game: since when, how they play, and with whom they want to play.

    Reliability is in percent. They never meet those whom they shun: players whom they blocked, or live with.
    """

    user: int
    wish: Wish
    since: datetime
    rating: int = 1500
    reliability: int = 100
    spread: int | None = None
    least_reliability: int = 0
    computers_after: timedelta | None = None
    shuns: frozenset[int] = frozenset()

    def window(self, now: datetime) -> int:
        """Return how far from their own a rating may be by now, never beyond what they want."""
        waited = WINDOW + WIDER * int((now - self.since) / STEP)
        return waited if self.spread is None else min(self.spread, waited)

    def takes_computers(self, now: datetime) -> bool:
        """Return whether they have waited long enough to play with computers."""
        return self.computers_after is not None and now - self.since >= self.computers_after

    def plays_with(self, other: "Seeker", now: datetime) -> bool:
        """Return whether both may meet."""
        if other.user in self.shuns or self.user in other.shuns:
            return False
        if self.reliability < other.least_reliability or other.reliability < self.least_reliability:
            return False
        return abs(self.rating - other.rating) <= min(self.window(now), other.window(now))
