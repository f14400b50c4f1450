"""The rules of each format: schedules, knock-out brackets, ladders and divisions."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import combinations, product
from pathlib import Path
from random import Random
from string import ascii_lowercase, digits
from typing import Final

from games.competitions.pairing import Met, pair_of, repeats_of, sizes_of

# --- Schedules that are known before a tournament starts ----------------------------------------------------


Tables = tuple[tuple[int, ...], ...]

DESIGNS: Final = Path(__file__).with_name("designs.txt")
"""One design per line: kind, sizes of tables, and rounds with a letter per player."""

MOST_IN_A_LEAGUE: Final = 32
"""Players in the largest league of `designs.txt`. It takes a year."""

LETTERS: Final = digits + ascii_lowercase

LEAGUE: Final = "league"
"""A kind of design: every two players meet."""

DISJOINT: Final = "apart"
"""A kind of design: no two players meet twice."""

POLYNOMIALS: Final = {4: 0b111, 8: 0b1011, 16: 0b10011, 32: 0b100101}
"""The fields of polynomials over two elements, with the divisor of each."""


def round_robin(players: Sequence[int], *, size: int, seed: str, larger: bool = True) -> list[Tables]:
    """Return the shortest known schedule for all players to meet each other.

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
    """Return the shortest known schedule for all to meet, or no rounds if unknown."""
    sizes = sizes_of(len(players), size, larger=larger)
    if len(sizes) == 1:
        return [(tuple(players),)]
    if size == 2:
        return _circle(players)
    if len(players) in (size * size, size * size - 1) and (rounds := plane(players, size=size)):
        return rounds
    return _seated(designs().get((LEAGUE, tuple(sizes)), ()), players)


def disjoint_rounds(players: Sequence[int], *, size: int, larger: bool = True) -> list[Tables]:
    """Return the longest known schedule in which no two players meet twice.

    Players keep their order.
    """
    if size == 2:
        return _circle(players)
    sizes = sizes_of(len(players), size, larger=larger)
    lines = plane(players, size=size)
    if lines and sorted(map(len, lines[0])) != sorted(sizes):
        lines = []
    found = _seated(designs().get((DISJOINT, tuple(sizes)), ()), players)
    return max(lines, found, key=len)


def scheduled_tables(
    players: Sequence[int], *, met: Met, size: int, rounds: int, number: int, larger: bool = True
) -> tuple[Tables, str]:
    """Return the tables and the kind of schedule for a round of a Swiss system.

    In a schedule, no two players meet twice, or all players meet within these rounds. Returns no tables if
    points decide: in a large field, after the last round of the schedule, and if more pairs would meet again
    than in the schedule, because other players joined, left or sat out.
    """
    if not is_tight(len(players), size=size, rounds=rounds):
        return (), ""
    known, kind = disjoint_rounds(players, size=size, larger=larger), DISJOINT
    league = _league(players, size, larger)
    if len(known) < rounds and 0 < len(league) <= rounds:
        known, kind = league, LEAGUE
    if number > len(known):
        return (), ""
    tables, before = known[number - 1], pairs_of(known[: number - 1])
    return ((), "") if repeats_of(tables, met) > repeats_of(tables, before) else (tables, kind)


def pairs_of(rounds: Iterable[Tables]) -> Counter[tuple[int, int]]:
    """Count how often each pair of players meets in some rounds."""
    return Counter(pair_of(*both) for tables in rounds for table in tables for both in combinations(table, 2))


def is_tight(players: int, *, size: int, rounds: int) -> bool:
    """Return whether pairing by points might repeat pairs, because the field is small.

    >>> [is_tight(number, size=4, rounds=5) for number in (16, 20, 30, 31, 64)]
    [True, True, False, False, False]
    """
    return 2 * rounds * (size - 1) > players


@cache
def designs() -> dict[tuple[str, tuple[int, ...]], tuple[Tables, ...]]:
    """Return the designs of `designs.txt` by kind and sizes of tables."""
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
    """Return rounds of lines in the plane over a field. No two players meet twice.

    There are as many tables as the field has elements. The players are points on ``size`` parallel lines. The
    last of these may lack points. Each other direction is a round. If the points fill the whole plane, or all
    but one, the parallel lines are one more round, and every pair meets. Returns no rounds without such a
    field.

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
    """Return rounds of two-player tables. With an odd number, one player has a bye."""
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


# --- Knock-out ----------------------------------------------------------------------------------------------


def seeded_tables(order: Sequence[int], *, size: int, larger: bool = True) -> Tables:
    """Return the tables for players sorted by strength. The best sit apart.

    With two-player tables, the first players have a bye, to leave a power of two for the next round.

    >>> seeded_tables([1, 2, 3, 4], size=2)
    ((1, 4), (2, 3))
    >>> seeded_tables([1, 2, 3, 4, 5, 6], size=2)
    ((1,), (2,), (3, 6), (4, 5))
    >>> seeded_tables([1, 2, 3, 4, 5, 6, 7], size=4)
    ((1, 4, 5), (2, 3, 6, 7))
    """
    if size == 2 and len(order) > 1:
        power = 1 << (len(order) - 1).bit_length()
        byes = power - len(order)
        rest = order[byes:]
        pairs = zip(rest[: len(rest) // 2], reversed(rest[len(rest) // 2 :]), strict=True)
        return (*((key,) for key in order[:byes]), *pairs)
    sizes = sorted(sizes_of(len(order), size, larger=larger))
    tables: list[list[int]] = [[] for _ in sizes]
    forward, left = True, list(order)
    while left:
        for number in range(len(sizes)) if forward else reversed(range(len(sizes))):
            if left and len(tables[number]) < sizes[number]:
                tables[number].append(left.pop(0))
        forward = not forward
    return tuple(tuple(table) for table in tables)


def advancing(size: int) -> int:
    """Return how many players of a table advance to the next round.

    >>> [advancing(size) for size in (2, 3, 4, 8)]
    [1, 1, 2, 2]
    """
    return 1 if size < 4 else 2


# --- Ladders ------------------------------------------------------------------------------------------------


NEAREST_RUNG: Final = 3
FARTHEST_RUNG: Final = 50
"""Smallest and largest reach of a challenge, usually a tenth of the ladder."""

PROTECTED_FOR: Final = timedelta(days=7)
"""Time without challenges for a player who took or defended a place."""

REPEAT_AFTER: Final = timedelta(days=14)
"""Time before a player may challenge the same player again."""

LOST_PLACES: Final = 5
"""Places lost for an absence."""

ABSENCE_WINDOW: Final = timedelta(days=60)
"""A second absence within this time makes a player rest."""

IDLE_AFTER: Final = timedelta(days=90)
"""A player rests after this time without a game."""

REST_KEPT: Final = timedelta(days=30)
"""A resting player keeps the place for this time."""

REST_AGAIN: Final = timedelta(days=60)
"""Shortest time from the end of a rest to the next one."""

CHALLENGE_HOURS: Final = 48
"""Hours for a turn."""


def reach(size: int) -> int:
    """Return how many places up a player may challenge on a ladder of this size.

    >>> [reach(size) for size in (2, 30, 55, 1000)]
    [3, 3, 6, 50]
    """
    return min(FARTHEST_RUNG, max(NEAREST_RUNG, -(-size // 10)))


def highest(place: int, size: int, *, first: bool) -> int:
    """Return the highest place to challenge. The ``first`` time, it may be the middle.

    >>> highest(40, 40, first=False), highest(40, 40, first=True), highest(2, 40, first=True)
    (36, 20, 1)
    """
    near = max(1, place - reach(size))
    return min(near, max(1, size // 2)) if first else near


# --- Divisions ----------------------------------------------------------------------------------------------


DIVISION_SIZE: Final = 16
"""Players in a division. Each pair meets once, at tables of four, in five rounds."""

PROMOTED_PLAYERS: Final = 4
"""Number of players to promote from each division, and to relegate."""

GAMES_FOR_PLACING: Final = 5
"""Rated games a newcomer needs to be placed by rating. Others come last."""

LAST_ROUND_DAYS: Final = 28
"""Days from the start of the last round to the end."""

SEASON_ROUNDS: Final = 5


@dataclass(frozen=True, slots=True)
class Candidate:
    """A player for a season.

    ``division``, ``place`` and ``size`` are from the season before: the size is the number of players in the
    division. All three are 0 for newcomers. ``rating`` is the player's rating in the ruleset, based on
    ``games`` games.
    """

    key: int
    division: int = 0
    place: int = 0
    size: int = 0
    rating: int = 0
    games: int = 0


def divide(candidates: Sequence[Candidate], *, lowest: int) -> list[list[int]]:
    """Return the divisions of a season from the top. The top is filled first.

    The first four of a division move up. The last four move down, except from the ``lowest``. Newcomers
    follow, by rating.

    >>> two = [Candidate(1, 1, 16, 16), Candidate(2, 2, 1, 16)]
    >>> divide([*two, Candidate(3), Candidate(4, rating=1500, games=5)], lowest=2)
    [[2, 1, 4, 3]]
    """

    def order(each: Candidate) -> tuple[int, int, int, int]:
        if not each.division:
            placed = each.games >= GAMES_FOR_PLACING
            return (lowest + 1 if placed else lowest + 2, -each.rating if placed else 0, 0, each.key)
        return (_target(each, lowest), each.division, each.place, each.key)

    ordered = [each.key for each in sorted(candidates, key=order)]
    return [ordered[start : start + DIVISION_SIZE] for start in range(0, len(ordered), DIVISION_SIZE)]


def _target(each: Candidate, lowest: int) -> int:
    if each.place <= PROMOTED_PLAYERS:
        return max(1, each.division - 1)
    if each.place > each.size - PROMOTED_PLAYERS and each.division < lowest:
        return each.division + 1
    return each.division


def next_quarter(now: datetime) -> datetime:
    """Return the start of the next quarter of a year.

    >>> [f"{next_quarter(datetime(2026, month, 1, tzinfo=UTC)):%Y-%m-%d}" for month in (1, 11)]
    ['2026-04-01', '2027-01-01']
    """
    month = (now.month - 1) // 3 * 3 + 4
    return datetime(now.year + (month > 12), (month - 1) % 12 + 1, 1, tzinfo=UTC)


def round_days(starts_at: datetime, ends_at: datetime) -> int:
    """Return the days between rounds. The last starts four weeks before the end."""
    return ((ends_at - starts_at).days - LAST_ROUND_DAYS) // (SEASON_ROUNDS - 1)
