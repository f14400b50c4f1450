"""Find games for waiting players, from their preferences. Does not use the database."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Final

import rules

RATING_WINDOW: Final = 200
"""The largest allowed difference in ratings at the start of a player's wait."""

WINDOW_GROWTH: Final = 50
"""The increase of the allowed difference in ratings after each `WINDOW_STEP` of waiting."""

WINDOW_STEP: Final = timedelta(hours=6)

ANY: Final = ""

LIVE: Final = "live"
"""The pace of live games. Only players who ask for this pace get such a game."""

MOST_SEATS: Final = 8


@dataclass(frozen=True, slots=True)
class Wish:
    """A player's preferences for a game: ruleset, size, pace and numbers of players.

    `ANY` matches any value, except that `LIVE` games need an explicit choice.
    """

    ruleset: str = ANY
    pace: str = ANY
    size: str = ANY
    least: int = 2
    most: int = MOST_SEATS

    def agrees(self, other: "Wish") -> bool:
        """Return whether one ruleset, pace and board size suit both wishes.

        Does not compare the numbers of players. If every two wishes in a group agree, one choice suits the
        whole group.
        """
        if LIVE in (self.pace, other.pace) and self.pace != other.pace:
            return False  # players must have chosen a live game, to be there for it
        pairs = ((self.ruleset, other.ruleset), (self.pace, other.pace), (self.size, other.size))
        return all(ANY in both or both[0] == both[1] for both in pairs)

    def joined(self, other: "Wish") -> "Wish":
        """Return a wish that combines this wish and another one. The two must agree (`agrees`)."""
        return Wish(
            ruleset=self.ruleset or other.ruleset,
            pace=self.pace or other.pace,
            size=self.size or other.size,
            least=max(self.least, other.least),
            most=min(self.most, other.most),
        )

    @property
    def numbers(self) -> range:
        """Return the numbers of players that the wish allows.

        With squads, they are multiples of the number of squads.
        """
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
    """A waiting player, with their wish for a game and their limits for other players.

    ``since`` is the start of the wait. Reliabilities are in percent. ``spread`` is the largest accepted
    difference in ratings, or None for the usual limit. After a wait of ``computers_after``, the player
    accepts computers. If it is None, they never do. ``shuns`` has the players that this player has blocked,
    and players from the same household. The player never meets them in a game.
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
        """Return the allowed difference in ratings after the player's wait. It grows up to ``spread``."""
        waited = RATING_WINDOW + WINDOW_GROWTH * int((now - self.since) / WINDOW_STEP)
        return waited if self.spread is None else min(self.spread, waited)

    def takes_computers(self, now: datetime) -> bool:
        """Return whether the player has waited long enough to play with computers."""
        return self.computers_after is not None and now - self.since >= self.computers_after

    def plays_with(self, other: "Seeker", now: datetime) -> bool:
        """Return whether two players may meet in a game, given their blocks, reliability and ratings."""
        if other.user in self.shuns or self.user in other.shuns:
            return False
        if self.reliability < other.least_reliability or other.reliability < self.least_reliability:
            return False
        return abs(self.rating - other.rating) <= min(self.window(now), other.window(now))


# --- The search ---------------------------------------------------------------------------------------------


DEFAULT_RULESET: Final = "robo-runner"
"""The ruleset of a matched game if all players accept any ruleset and a starship fits this one."""

MOST_STEPS: Final = 5_000
"""The maximum number of steps in one search for a group of players.

A search would only need more steps if thousands of waiting players had blocked each other.
"""

Playable = Callable[[str, str, int], bool]
"""The type of a function that returns whether a starship fits a ruleset, board size and number of seats."""


@dataclass(frozen=True, slots=True)
class Match:
    """A possible game: its players, ruleset, combined wish and number of computers."""

    seekers: tuple[Seeker, ...]
    ruleset: str
    wish: Wish
    computers: int = 0

    @property
    def seats(self) -> int:
        """Return the number of seats: players and computers together."""
        return len(self.seekers) + self.computers


class Queue:
    """The waiting players at one moment. Finds games for them."""

    def __init__(
        self, seekers: Iterable[Seeker], *, now: datetime, playable: Playable = lambda *_game: True
    ) -> None:
        self.seekers = list(seekers)
        self.now = now
        self.ruleset_for = cache(lambda wish, seats: ruleset_for(wish, seats, playable))
        self._at = {seeker.user: place for place, seeker in enumerate(self.seekers)}
        self._numbers = [frozenset(seeker.wish.numbers) for seeker in self.seekers]
        self._meeting: dict[int, int] = {}
        self._steps = 0

    def remove(self, users: Iterable[int]) -> None:
        """Remove players who got a game or left the queue."""
        for user in users:
            self._at.pop(user, None)

    def seeker(self, user: int) -> Seeker | None:
        """Return a player in the queue, or None if they are not in it."""
        place = self._at.get(user)
        return None if place is None else self.seekers[place]

    def game_for(self, user: int) -> Match | None:
        """Return the best possible game for a waiting player, or None if there is none.

        Prefers games without computers, then more players, then closer ratings, then players who have waited
        longer.
        """
        first = self._at.get(user)
        if first is None:
            return None
        me = self.seekers[first]
        meeting = self._possible_opponents(first)
        others = [place for place in self._at.values() if meeting >> place & 1]
        others.sort(key=lambda place: _distance(me, self.seekers[place]))
        for number in range(MOST_SEATS, 1, -1):
            if found := self._group(first, others, people=number, seats=number):
                return found
        if not me.takes_computers(self.now):
            return None
        patient = [place for place in others if self.seekers[place].takes_computers(self.now)]
        for people in range(MOST_SEATS - 1, 0, -1):
            for seats in range(people + 1, MOST_SEATS + 1):
                if found := self._group(first, patient, people=people, seats=seats):
                    return found
        return None

    def _group(self, first: int, others: Sequence[int], *, people: int, seats: int) -> Match | None:
        """Return a game for ``first`` and ``people - 1`` of the ``others``, or None if no such game fits.

        Computers fill the rest of the ``seats``. ``first`` and ``others`` are places in the queue.
        """
        if seats not in self._numbers[first]:
            return None
        wish = self.seekers[first].wish
        fitting = [place for place in others if seats in self._numbers[place]]
        if len(fitting) < people - 1:
            return None  # before the starships are read
        self._steps = MOST_STEPS
        chosen = self._extended([first], wish, fitting, people - 1, seats)
        if chosen is None:
            return None
        players = tuple(self.seekers[place] for place in chosen)
        for player in players:
            wish = wish.joined(player.wish)
        ruleset = self.ruleset_for(wish, seats)
        assert ruleset, "the search has asked for it at each step"
        return Match(players, ruleset, wish, seats - people)

    def _extended(
        self, chosen: list[int], wish: Wish, candidates: Sequence[int], missing: int, seats: int
    ) -> list[int] | None:
        """Add ``missing`` candidates to the chosen players, so that all of them can meet in one game.

        Returns all players of the game, or None if no such candidates are found. Prefers earlier candidates.
        """
        if self.ruleset_for(wish, seats) is None:
            return None
        if not missing:
            return chosen
        if self._compatible_bound(candidates, missing) < missing:
            return None
        for number, place in enumerate(candidates):
            self._steps -= 1
            if self._steps < 0:
                return None
            meeting = self._possible_opponents(place)
            left = [other for other in candidates[number + 1 :] if meeting >> other & 1]
            if len(left) < missing - 1:
                continue
            joined = wish.joined(self.seekers[place].wish)
            if found := self._extended([*chosen, place], joined, left, missing - 1, seats):
                return found
        return None

    def _compatible_bound(self, candidates: Sequence[int], enough: int) -> int:
        """Return an upper bound for the number of candidates who can all meet in one game.

        Divides the candidates into groups of players who can't meet each other. A game has room for only one
        player of each group, so the bound is the number of groups. Stops counting at ``enough``.
        """
        groups: list[int] = []
        for place in candidates:
            if len(groups) >= enough:
                break
            meeting = self._possible_opponents(place)
            for number, group in enumerate(groups):
                if not group & meeting:
                    groups[number] |= 1 << place
                    break
            else:
                groups.append(1 << place)
        return len(groups)

    def _possible_opponents(self, place: int) -> int:
        """Return the possible opponents of the player at a place in the queue, as a bit mask of places."""
        if place not in self._meeting:
            one = self.seekers[place]
            self._meeting[place] = sum(
                1 << number
                for number, other in enumerate(self.seekers)
                if number != place and one.wish.agrees(other.wish) and one.plays_with(other, self.now)
            )
        return self._meeting[place]


def ruleset_for(wish: Wish, seats: int, playable: Playable) -> str | None:
    """Return a ruleset for a wish and a number of seats, or None.

    Returns None if the wish's ruleset does not allow this number of seats, or if no starship fits. If the
    wish accepts any ruleset, this prefers `DEFAULT_RULESET`.
    """
    choices = (
        [wish.ruleset]
        if wish.ruleset
        else [DEFAULT_RULESET, *(key for key in rules.RULESETS if key != DEFAULT_RULESET)]
    )
    for key in choices:
        if Wish(ruleset=key, least=seats, most=seats).numbers and playable(key, wish.size, seats):
            return key
    return None


def _distance(me: Seeker, other: Seeker) -> tuple[int, datetime, int]:
    return (abs(other.rating - me.rating), other.since, other.user)
