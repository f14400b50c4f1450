"""Schedules that are known before a tournament starts.

A league follows a schedule in which everybody meets everybody. A Swiss system with few players follows one in
which no two meet twice. They come from three places: the circle method for tables of two, lines of a finite
plane, and the designs of `designs.txt`, which a long search has found (`bench.pairing`).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations, product
from pathlib import Path
from random import Random
from string import ascii_lowercase, digits
from typing import Final

from games.tournaments.pairing import Met, pair_of, repeats_of, sizes_of

Tables = tuple[tuple[int, ...], ...]

DESIGNS: Final = Path(__file__).with_name("designs.txt")
"""One design in a line: its kind, the sizes of its tables, and its rounds, with a letter for each player."""

MOST_IN_A_LEAGUE: Final = 32
"""Players of the largest league that `designs.txt` knows. It takes a year."""

LETTERS: Final = digits + ascii_lowercase

LEAGUE: Final = "league"
"""The kind of design in which everybody meets everybody."""

APART: Final = "apart"
"""The kind of design in which no two meet twice."""

POLYNOMIALS: Final = {4: 0b111, 8: 0b1011, 16: 0b10011, 32: 0b100101}
"""The fields of polynomials over two elements, and the polynomial by which they are divided."""


def everybody_meets(players: Sequence[int], *, size: int, seed: str, larger: bool = True) -> list[Tables]:
    """Return the fewest known rounds of tables in which each two of the players meet.

    Raises ValueError for more than `MOST_IN_A_LEAGUE` players at larger tables than two.
    """
    order = sorted(players)
    Random(seed).shuffle(order)
    if len(order) < 2:
        return []
    if rounds := _league(order, size, larger):
        return rounds
    raise ValueError(f"no league of {len(order)} players at tables of {size} is known")


def _league(players: Sequence[int], size: int, larger: bool) -> list[Tables]:
    """Return the fewest known rounds in which everybody meets; none if they are not known."""
    sizes = sizes_of(len(players), size, larger=larger)
    if len(sizes) == 1:
        return [(tuple(players),)]
    if size == 2:
        return _circle(players)
    if len(players) in (size * size, size * size - 1) and (rounds := plane(players, size=size)):
        return rounds
    return _seated(designs().get((LEAGUE, tuple(sizes)), ()), players)


def nobody_meets_twice(players: Sequence[int], *, size: int, larger: bool = True) -> list[Tables]:
    """Return the most known rounds of tables in which no two of the players meet twice, in their order."""
    if size == 2:
        return _circle(players)
    sizes = sizes_of(len(players), size, larger=larger)
    lines = plane(players, size=size)
    if lines and sorted(map(len, lines[0])) != sorted(sizes):
        lines = []
    found = _seated(designs().get((APART, tuple(sizes)), ()), players)
    return max(lines, found, key=len)


def scheduled_tables(
    players: Sequence[int], *, met: Met, size: int, rounds: int, number: int, larger: bool = True
) -> tuple[Tables, str]:
    """Return the tables of a round of a Swiss system that follows a schedule, and the kind of schedule.

    In a schedule no two meet twice, or everybody meets in no more than these rounds. There are no tables if
    points decide: in a large field, after the last round of the schedule, and if more pairs would meet again
    than the schedule has, because others have joined, left or sat out since.
    """
    if not is_tight(len(players), size=size, rounds=rounds):
        return (), ""
    known, kind = nobody_meets_twice(players, size=size, larger=larger), APART
    league = _league(players, size, larger)
    if len(known) < rounds and 0 < len(league) <= rounds:
        known, kind = league, LEAGUE
    if number > len(known):
        return (), ""
    tables, before = known[number - 1], pairs_of(known[: number - 1])
    return ((), "") if repeats_of(tables, met) > repeats_of(tables, before) else (tables, kind)


def pairs_of(rounds: Iterable[Tables]) -> Counter[tuple[int, int]]:
    """Return how often each two players meet in some rounds."""
    return Counter(pair_of(*both) for tables in rounds for table in tables for both in combinations(table, 2))


def is_tight(players: int, *, size: int, rounds: int) -> bool:
    """Return whether everybody would meet so many others that pairing by points might have pairs meet again.

    >>> [is_tight(number, size=4, rounds=5) for number in (16, 20, 30, 31, 64)]
    [True, True, False, False, False]
    """
    return 2 * rounds * (size - 1) > players


@cache
def designs() -> dict[tuple[str, tuple[int, ...]], tuple[Tables, ...]]:
    """Return the designs of `designs.txt` by kind and sizes of tables, with numbers for players."""
    found = {}
    for line in DESIGNS.read_text(encoding="ascii").splitlines():
        kind, sizes, *rounds = line.split()
        found[kind, tuple(map(int, sizes.split("+")))] = tuple(
            tuple(tuple(map(LETTERS.index, table)) for table in tables.split(",")) for tables in rounds
        )
    return found


def _seated(rounds: Sequence[Tables], players: Sequence[int]) -> list[Tables]:
    """Return the rounds of a design with players in place of its numbers."""
    return [tuple(tuple(players[number] for number in table) for table in tables) for tables in rounds]


def plane(players: Sequence[int], *, size: int) -> list[Tables]:
    """Return rounds of lines in the plane over a field, in which no two meet twice.

    There are as many tables as the field has elements. The players are points on ``size`` parallel lines,
    and the last of these may lack points. Each other direction is a round. If the points are the whole plane,
    or only one is missing, the parallel lines are one more round, and everybody meets everybody. Without such
    a field there are no rounds.

    >>> [len(plane(range(number), size=4)) for number in (15, 16, 20, 19, 24)]
    [5, 5, 5, 5, 0]
    >>> plane(range(4), size=2)
    [((0, 2), (1, 3)), ((0, 3), (1, 2)), ((0, 1), (2, 3))]
    """
    order = -(-len(players) // size)
    if size > order or not _is_field(order):
        return []
    at = dict(enumerate(players))
    whole = len(players) >= order * order - 1
    rounds: list[Tables] = []
    for slope in (*range(order), *([None] if whole and size == order else [])):
        lines: dict[int, list[int]] = {}
        for x, y in product(range(size), range(order)):
            player = at.get(x * order + y)
            if player is not None:
                line = x if slope is None else _sum(y, _product(slope, x, order), order)
                lines.setdefault(line, []).append(player)
        rounds.append(tuple(tuple(table) for table in lines.values()))
    return rounds


def _circle(order: Sequence[int]) -> list[Tables]:
    """Return rounds of tables of two. In odd numbers, another player has a bye in each round."""
    ring: list[int | None] = [*order, None] if len(order) % 2 else [*order]
    half = len(ring) // 2
    rounds: list[Tables] = []
    for _ in range(len(ring) - 1):
        pairs = zip(ring[:half], reversed(ring[half:]), strict=True)
        tables = [tuple(each for each in both if each is not None) for both in pairs]
        rounds.append(tuple(sorted(tables, key=lambda table: -len(table))))
        ring = [ring[0], ring[-1], *ring[1:-1]]
    return rounds


def _is_field(order: int) -> bool:
    return order in POLYNOMIALS or (order > 1 and all(order % each for each in range(2, order)))


def _sum(one: int, other: int, order: int) -> int:
    return one ^ other if order in POLYNOMIALS else (one + other) % order


def _product(one: int, other: int, order: int) -> int:
    if order not in POLYNOMIALS:
        return one * other % order
    found = 0
    while other:
        if other & 1:
            found ^= one
        one, other = one << 1, other >> 1
        if one & order:
            one ^= POLYNOMIALS[order]
    return found
