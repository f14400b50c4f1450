"""What players want of a game, and what several of them want together. Pure: it knows no database."""

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

    def both(self, other: "Wish") -> "Wish | None":
        """Return what fits this and another wish; None where nothing does."""
        if LIVE in (self.pace, other.pace) and self.pace != other.pace:
            return None  # a live game takes players who are there
        joined: dict[str, str] = {}
        for name in ("ruleset", "pace", "size"):
            one, two = getattr(self, name), getattr(other, name)
            if one and two and one != two:
                return None
            joined[name] = one or two
        least, most = max(self.least, other.least), min(self.most, other.most)
        wish = Wish(**joined, least=least, most=most)
        return wish if wish.numbers else None

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


@dataclass(frozen=True, slots=True)
class Match:
    """Who plays together, what fits all of them, and with how many computers."""

    seekers: tuple[Seeker, ...]
    wish: Wish
    computers: int = 0

    @property
    def seats(self) -> int:
        return len(self.seekers) + self.computers


def match(first: Seeker, others: list[Seeker], now: datetime) -> Match | None:
    """Return with whom a player may play now; None where that is not enough.

    The closest ratings come first. A game is as large as there are players for it, and computers fill it up
    to the least number where all have waited long enough for them.
    """
    group, wish = [first], first.wish
    for other in sorted(others, key=lambda each: (abs(each.rating - first.rating), each.since, each.user)):
        if len(group) == max(wish.numbers, default=0):
            break
        if not all(other.plays_with(each, now) for each in group):
            continue
        joined = wish.both(other.wish)
        if joined is None or max(joined.numbers) <= len(group):
            continue
        group, wish = [*group, other], joined
    while len(group) > 1 and len(group) not in wish.numbers and len(group) > min(wish.numbers):
        group.pop()  # squads are equal
    if len(group) in wish.numbers:
        return Match(tuple(group), wish)
    least = min(wish.numbers, default=0)
    if least > len(group) and all(each.takes_computers(now) for each in group):
        return Match(tuple(group), wish, least - len(group))
    return None
