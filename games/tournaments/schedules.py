"""Rounds that are known beforehand, in which everybody meets everybody else.

For tables of two that is the circle method. For tables of q, q prime or 4 or 8, and q times q players, or one
fewer, it is the affine plane of order q: its lines are the tables, and its q + 1 directions the rounds. For
all other numbers tables are looked for, round by round, until all have met.
"""

from collections.abc import Sequence
from itertools import combinations
from random import Random
from typing import Final

from games.tournaments.pairing import Contender, pair, pair_of

Tables = tuple[tuple[int, ...], ...]

POLYNOMIALS: Final = {4: 0b111, 8: 0b1011}
"""The fields of 4 and 8 elements: by what products of polynomials over two elements are divided."""

PRIMES: Final = frozenset({2, 3, 5, 7})


def everybody_meets(players: Sequence[int], *, size: int, seed: str, larger: bool = True) -> list[Tables]:
    """Return rounds of tables in which each two of the players meet, once where that can be."""
    order = sorted(players)
    Random(seed).shuffle(order)
    if len(order) < 2:
        return []
    if size >= len(order):
        return [(tuple(order),)]
    if size == 2:
        return _circle(order)
    return plane(order, size=size) or _search(order, size, seed, larger)


def plane(players: Sequence[int], *, size: int) -> list[Tables]:
    """Return rounds of an affine plane, in which each two meet once; none where there is no such plane.

    >>> rounds = plane(range(16), size=4)
    >>> len(rounds), {len(table) for tables in rounds for table in tables}
    (5, {4})
    >>> plane(range(12), size=4)
    []
    """
    if len(players) not in (size * size - 1, size * size) or size not in {*PRIMES, *POLYNOMIALS}:
        return []
    at = dict(enumerate(players))
    cells = [(x, y) for x in range(size) for y in range(size)]
    rounds: list[Tables] = []
    for slope in (*range(size), None):
        lines: dict[int, list[int]] = {}
        for x, y in cells:
            player = at.get(x * size + y)
            if player is not None:
                line = x if slope is None else _sum(y, _product(slope, x, size), size)
                lines.setdefault(line, []).append(player)
        rounds.append(tuple(tuple(table) for table in lines.values()))
    return rounds


def _circle(order: Sequence[int]) -> list[Tables]:
    """Return rounds of tables of two; with an odd number, each round another player has a bye."""
    ring: list[int | None] = [*order, None] if len(order) % 2 else [*order]
    half = len(ring) // 2
    rounds: list[Tables] = []
    for _ in range(len(ring) - 1):
        pairs = zip(ring[:half], reversed(ring[half:]), strict=True)
        tables = [tuple(each for each in both if each is not None) for both in pairs]
        rounds.append(tuple(sorted(tables, key=lambda table: -len(table))))
        ring = [ring[0], ring[-1], *ring[1:-1]]
    return rounds


def _search(order: Sequence[int], size: int, seed: str, larger: bool) -> list[Tables]:
    """Return rounds in which those meet who have not, until everybody has met."""
    met: dict[tuple[int, int], int] = {}
    wanted = len(order) * (len(order) - 1) // 2
    rounds: list[Tables] = []
    while len(met) < wanted:
        field = [Contender(key) for key in order]
        found = pair(field, met=met, size=size, seed=f"{seed} {len(rounds)}", larger=larger).tables
        news = {pair_of(*both) for table in found for both in combinations(table, 2)} - met.keys()
        if not news:  # the last two who have not met, at a table that has room for them
            missing = next(both for both in combinations(sorted(order), 2) if both not in met)
            found = _with_pair(missing, order, size, larger)
        for table in found:
            for both in combinations(table, 2):
                met[pair_of(*both)] = met.get(pair_of(*both), 0) + 1
        rounds.append(found)
    return rounds


def _with_pair(both: tuple[int, int], order: Sequence[int], size: int, larger: bool) -> Tables:
    others = [each for each in order if each not in both]
    first, rest = (*both, *others[: size - 2]), others[size - 2 :]
    field = [Contender(key) for key in rest]
    return (first, *pair(field, met={}, size=size, seed="", larger=larger).tables)


def _sum(one: int, other: int, size: int) -> int:
    return one ^ other if size in POLYNOMIALS else (one + other) % size


def _product(one: int, other: int, size: int) -> int:
    if size not in POLYNOMIALS:
        return one * other % size
    product = 0
    while other:
        if other & 1:
            product ^= one
        one, other = one << 1, other >> 1
        if one & size:
            one ^= POLYNOMIALS[size]
    return product
