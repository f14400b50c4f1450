"""The tables of a round, at which no two players meet twice if that is possible.

Tables of two are exact. Larger tables are annealed with a fixed number of steps, in integers, so that each
machine makes the same tables of the same players, met and seed. Nothing here knows a database.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Final

from games.tournaments.blossom import least_cost_pairs

MOST_AT_A_TABLE: Final = 8

STEPS: Final = 20_000
"""Exchanges of two players that are tried to bring points closer."""

ANNEALING: Final = 60_000
"""Exchanges of two players that are tried to have fewer pairs meet again."""

COLDEST: Final = 12
"""Annealing begins at 1. At level k it accepts one more repeat with a chance of 1 in 2 to the power of k."""

REPEAT: Final = 10**18
SHORT: Final = 10**14
"""What weighs how much: first that no two meet again, then who sits at a short table again, then points."""

Met = Mapping[tuple[int, int], int]
"""How often two players have met before, by their keys in order."""


@dataclass(frozen=True, slots=True)
class Contender:
    """A player to be paired: what they have scored, and at how many short tables they sat, or had byes."""

    key: int
    points: int = 0
    shorts: int = 0


@dataclass(frozen=True, slots=True)
class Pairing:
    """Tables of a round, as the keys of their players, and what could not be helped.

    ``repeats`` are pairs that meet again, and ``spread`` is how far apart the points of those who meet are,
    as a sum of squares.
    """

    tables: tuple[tuple[int, ...], ...]
    repeats: int
    spread: int


def sizes_of(players: int, size: int, *, larger: bool = True) -> list[int]:
    """Return how many sit at each table: ``size``, or one less; else one with one more, if ``larger``.

    Where neither works out the players are spread evenly. Of tables of two, one player is left over in odd
    numbers, who has a bye.

    >>> [sizes_of(number, 4) for number in (3, 5, 6, 8, 11, 9)]
    [[3], [5], [3, 3], [4, 4], [4, 4, 3], [3, 3, 3]]
    >>> sizes_of(5, 2), sizes_of(17, 8)
    ([2, 2, 1], [6, 6, 5])
    """
    if players <= size:
        return [players] if players else []
    tables = -(-players // size)
    larger = larger and 2 < size < MOST_AT_A_TABLE
    if larger and tables * (size - 1) > players and players % size == 1:
        return [size + 1] + [size] * (players // size - 1)
    least, more = divmod(players, tables)
    if size == 2:
        return [2] * (players // 2) + [1] * (players % 2)
    return [least + 1] * more + [least] * (tables - more)


def pair(contenders: Sequence[Contender], *, met: Met, size: int, seed: str, larger: bool = True) -> Pairing:
    """Return tables of players with near points who have not met, if that is possible."""
    chance = Random(seed)
    by_key = {each.key: each for each in contenders}
    order = sorted(contenders, key=lambda each: each.key)
    chance.shuffle(order)
    order.sort(key=lambda each: -each.points)
    if size == 2:
        tables = _pairs(order, met)
    else:
        search = _Search(order, met, _first_tables(order, sizes_of(len(order), size, larger=larger), met))
        search.improve(chance)
        tables = [[order[place].key for place in table] for table in search.tables]
    found = tuple(tuple(sorted(table, key=lambda key: (-by_key[key].points, key))) for table in tables)
    return Pairing(found, repeats_of(found, met), sum(_spread(table, by_key) for table in found))


def _pairs(order: Sequence[Contender], met: Met) -> list[list[int]]:
    """Return the tables of two with the least cost, and a bye in odd numbers.

    No pair need be further apart in the order than `reach`. Of a pair (a, d) that is further apart, more than
    ``2 * most`` other pairs have a player between. Each of these could exchange partners with it: (a, d) and
    (b, c) become (a, b) and (c, d), which are no further apart in points. At most ``2 * most`` exchanges have
    a pair meet again, as neither a nor d has met more than ``most`` players.
    """
    keys = {each.key for each in order}
    opponents = Counter(key for both, times in met.items() if times and keys.issuperset(both) for key in both)
    reach = 4 * max(opponents.values(), default=0) + 2
    costs: dict[tuple[int, int], int] = {}
    for place, one in enumerate(order):
        for other in range(place + 1, min(len(order), place + reach + 1)):
            times = met.get(pair_of(one.key, order[other].key), 0)
            costs[place, other] = times**2 * REPEAT + (one.points - order[other].points) ** 2
    if len(order) % 2:
        costs |= {(place, len(order)): _short_cost(one) * SHORT for place, one in enumerate(order)}
    pairs = [[place for place in both if place < len(order)] for both in least_cost_pairs(costs)]
    pairs.sort(key=lambda both: (-len(both), both))
    return [[order[place].key for place in both] for both in pairs]


def _short_cost(contender: Contender) -> int:
    """Return how much it costs to give a player one more short table or bye."""
    return contender.shorts**2 + contender.shorts


def _spread(table: Sequence[int], by_key: Mapping[int, Contender]) -> int:
    points = [by_key[key].points for key in table]
    return sum((one - other) ** 2 for one, other in combinations(points, 2))


def repeats_of(tables: Sequence[Sequence[int]], met: Met) -> int:
    """Return how many pairs meet again."""
    return sum(bool(met.get(pair_of(*both))) for table in tables for both in combinations(table, 2))


def pair_of(one: int, other: int) -> tuple[int, int]:
    """Return two players as `Met` has them.

    >>> pair_of(7, 3)
    (3, 7)
    """
    return (one, other) if one < other else (other, one)


def _first_tables(order: Sequence[Contender], sizes: Sequence[int], met: Met) -> list[list[int]]:
    """Fill tables from the top with the nearest players who have not met, as places in the order."""
    left = list(range(len(order)))
    tables: list[list[int]] = []
    for size in sizes:
        table = [left.pop(0)]
        while len(table) < size:
            costs = [
                sum(met.get(pair_of(order[place].key, order[other].key), 0) for other in table)
                for place in left
            ]
            table.append(left.pop(costs.index(min(costs))))
        tables.append(table)
    return tables


class _Search:
    """Exchanges players between tables: points come closer, and annealing avoids repeats.

    Players are places in an order. ``repeats`` says how much it costs if two of them meet again.
    """

    def __init__(self, order: Sequence[Contender], met: Met, tables: list[list[int]]) -> None:
        self.tables = tables
        self.full = max((len(table) for table in tables), default=0)
        self.shorts = [_short_cost(each) * SHORT for each in order]
        self.repeats = [[met.get(pair_of(one.key, other.key), 0) ** 2 for other in order] for one in order]
        self.costs = [
            [
                times * REPEAT + (one.points - other.points) ** 2
                for other, times in zip(order, row, strict=True)
            ]
            for one, row in zip(order, self.repeats, strict=True)
        ]

    def improve(self, chance: Random) -> None:
        """Improve the tables. Annealing counts only if it finds fewer repeats."""
        if len(self.tables) < 2:
            return
        self._approach(chance)
        before = [list(table) for table in self.tables]
        repeats = self._repeated()
        if repeats:
            self._anneal(chance, repeats)
            self._approach(chance)
            if self._repeated() >= repeats:
                self.tables = before

    def _repeated(self) -> int:
        return sum(self.repeats[one][other] for table in self.tables for one, other in combinations(table, 2))

    def _approach(self, chance: Random) -> None:
        """Exchange players as long as the whole cost gets less."""
        for _ in range(STEPS):
            one, here, other, there = self._exchange(chance)
            change = self._change(self.costs, one, here, other, there)
            if len(one) < self.full:
                change += self.shorts[other[there]] - self.shorts[one[here]]
            if len(other) < self.full:
                change += self.shorts[one[here]] - self.shorts[other[there]]
            if change < 0:
                one[here], other[there] = other[there], one[here]

    def _anneal(self, chance: Random, repeats: int) -> None:
        """Exchange players to have fewer repeats, also if there are more of them for a while."""
        least, best = repeats, [list(table) for table in self.tables]
        for step in range(ANNEALING):
            one, here, other, there = self._exchange(chance)
            change = self._change(self.repeats, one, here, other, there)
            level = 1 + step * COLDEST // ANNEALING
            if change > 0 and chance.getrandbits(change * level):
                continue
            one[here], other[there] = other[there], one[here]
            repeats += change
            if repeats < least:
                least, best = repeats, [list(table) for table in self.tables]
                if not repeats:
                    break
        self.tables = best

    def _exchange(self, chance: Random) -> tuple[list[int], int, list[int], int]:
        """Draw two tables and a seat at each."""
        tables, drawn = self.tables, chance.random
        number = int(drawn() * len(tables))
        one = tables[number]
        other = tables[(number + 1 + int(drawn() * (len(tables) - 1))) % len(tables)]
        return one, int(drawn() * len(one)), other, int(drawn() * len(other))

    @staticmethod
    def _change(
        costs: Sequence[Sequence[int]], one: Sequence[int], here: int, other: Sequence[int], there: int
    ) -> int:
        """Return how much more it costs if the players of two seats exchange them."""
        leaves, comes = costs[one[here]], costs[other[there]]
        change = -2 * leaves[other[there]]  # the loops count these two as if they met at both tables
        for each in one:
            change += comes[each] - leaves[each]
        for each in other:
            change += leaves[each] - comes[each]
        return change


def starts_of(table: Sequence[int], used: Mapping[tuple[int, int], int], *, seed: str) -> list[int]:
    """Return the players of a table in the order of their seats: each on one that they have had least often.

    ``used`` counts how often a player had a seat, from 1.
    """
    order = sorted(table)
    Random(seed).shuffle(order)

    def cost(key: int, place: int) -> int:
        return used.get((key, place + 1), 0) ** 2

    improved = True
    while improved:
        improved = False
        for one, other in combinations(range(len(order)), 2):
            first, second = order[one], order[other]
            if cost(second, one) + cost(first, other) < cost(first, one) + cost(second, other):
                order[one], order[other], improved = second, first, True
    return order
