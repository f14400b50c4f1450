"""Who meets whom in a round: tables of which no one meets others twice, where that can be.

Nothing here knows a database, and the seed decides whatever else is left open: the same players, met and seed
make the same tables.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Final

MOST_AT_A_TABLE: Final = 8

STEPS: Final = 20_000
"""Exchanges of two players that are tried: a fixed number, so that each machine makes the same tables."""

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
    """Return tables of players, of near points, who have not met where that can be."""
    chance = Random(seed)
    by_key = {each.key: each for each in contenders}
    order = sorted(contenders, key=lambda each: each.key)
    chance.shuffle(order)
    order.sort(key=lambda each: -each.points)
    tables = _first_tables(order, sizes_of(len(order), size, larger=larger), met)
    search = _Search(by_key, met, tables)
    search.improve(chance)
    found = tuple(tuple(sorted(table, key=lambda key: (-by_key[key].points, key))) for table in tables)
    return Pairing(found, repeats_of(found, met), sum(search.spread(table) for table in found))


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
    """Fill tables from the top: next to the first who is left sit those nearest whom they have not met."""
    left = [each.key for each in order]
    tables: list[list[int]] = []
    for size in sizes:
        table = [left.pop(0)]
        while len(table) < size:
            costs = [sum(met.get(pair_of(key, other), 0) for other in table) for key in left]
            table.append(left.pop(costs.index(min(costs))))
        tables.append(table)
    return tables


class _Search:
    """Exchanges players between tables as long as that costs less."""

    def __init__(self, by_key: Mapping[int, Contender], met: Met, tables: list[list[int]]) -> None:
        self.by_key, self.met, self.tables = by_key, met, tables
        self.full = max((len(table) for table in tables), default=0)

    def spread(self, table: Sequence[int]) -> int:
        points = [self.by_key[key].points for key in table]
        return sum((one - other) ** 2 for one, other in combinations(points, 2))

    def cost(self, table: Sequence[int]) -> int:
        met = self.met
        repeats = sum(met.get(pair_of(*both), 0) ** 2 for both in combinations(table, 2))
        short = len(table) < self.full
        shorts = sum(self.by_key[key].shorts ** 2 + self.by_key[key].shorts for key in table) if short else 0
        return repeats * REPEAT + shorts * SHORT + self.spread(table)

    def improve(self, chance: Random) -> None:
        tables = self.tables
        if len(tables) < 2:
            return
        costs = [self.cost(table) for table in tables]
        for _ in range(STEPS):
            one, other = chance.sample(range(len(tables)), 2)
            here, there = chance.randrange(len(tables[one])), chance.randrange(len(tables[other]))
            self._swap(one, here, other, there)
            first, second = self.cost(tables[one]), self.cost(tables[other])
            if first + second < costs[one] + costs[other]:
                costs[one], costs[other] = first, second
            else:
                self._swap(one, here, other, there)

    def _swap(self, one: int, here: int, other: int, there: int) -> None:
        tables = self.tables
        tables[one][here], tables[other][there] = tables[other][there], tables[one][here]


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
