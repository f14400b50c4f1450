"""The rules of the competition formats: schedules, knock-out brackets, ladders and divisions."""

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
"""The file of known schedules (“designs”), one on each line: kind, table sizes, and rounds.

The rounds name each player with one of the `LETTERS`.
"""

MOST_IN_A_LEAGUE: Final = 32
"""The number of players in the largest league of `designs.txt`. Such a league takes a year to play."""

LETTERS: Final = digits + ascii_lowercase

LEAGUE: Final = "league"
"""A kind of schedule in `designs.txt`: every pair of players meets."""

DISJOINT: Final = "apart"
"""A kind of schedule in `designs.txt`: no two players meet twice."""

POLYNOMIALS: Final = {4: 0b111, 8: 0b1011, 16: 0b10011, 32: 0b100101}
"""The irreducible polynomials of the finite fields of 4, 8, 16 and 32 elements, as bits."""


def round_robin(players: Sequence[int], *, size: int, seed: str, larger: bool = True) -> list[Tables]:
    """Return the rounds of the shortest known schedule for all players to meet each other.

    ``size`` is the number of players at a table. If ``larger``, one table may have one extra player.
    Raises ValueError if no schedule is known. For tables of three or more, none is known for more than
    `MOST_IN_A_LEAGUE` players.
    """
    order = sorted(players)
    Random(seed).shuffle(order)
    if len(order) < 2:
        return []
    if rounds := _league(order, size, larger):
        return rounds
    raise ValueError(f"no league of {len(order)} players at tables of {size} is known")


def _league(players: Sequence[int], size: int, larger: bool) -> list[Tables]:
    """Return the shortest known schedule for all players to meet, or an empty list if none is known."""
    sizes = sizes_of(len(players), size, larger=larger)
    if len(sizes) == 1:
        return [(tuple(players),)]
    if size == 2:
        return _circle(players)
    if len(players) in (size * size, size * size - 1) and (rounds := plane(players, size=size)):
        return rounds
    return _tables_of_players(designs().get((LEAGUE, tuple(sizes)), ()), players)


def disjoint_rounds(players: Sequence[int], *, size: int, larger: bool = True) -> list[Tables]:
    """Return the longest known schedule in which no two players meet twice.

    Unlike `round_robin`, this does not shuffle the players.
    """
    if size == 2:
        return _circle(players)
    sizes = sizes_of(len(players), size, larger=larger)
    lines = plane(players, size=size)
    if lines and sorted(map(len, lines[0])) != sorted(sizes):
        lines = []
    found = _tables_of_players(designs().get((DISJOINT, tuple(sizes)), ()), players)
    return max(lines, found, key=len)


def scheduled_tables(
    players: Sequence[int], *, met: Met, size: int, rounds: int, number: int, larger: bool = True
) -> tuple[Tables, str]:
    """Return the tables of round ``number`` of a Swiss tournament, and the kind of its schedule.

    There are two kinds: in a `DISJOINT` schedule, no two players meet twice; in a `LEAGUE` schedule, every
    pair of players meets within ``rounds`` rounds. Returns no tables and an empty kind if the caller must
    pair players by points instead: if there are many players (see `is_tight`), if the schedule has ended, or
    if more pairs would meet again than planned, because players have joined, left or sat out. ``met`` counts
    how often each pair of players has met before.
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
    """Count how often each pair of players meets in the given rounds."""
    return Counter(pair_of(*both) for tables in rounds for table in tables for both in combinations(table, 2))


def is_tight(players: int, *, size: int, rounds: int) -> bool:
    """Return whether there are so few players that pairing by points might repeat pairs.

    >>> [is_tight(number, size=4, rounds=5) for number in (16, 20, 30, 31, 64)]
    [True, True, False, False, False]
    """
    return 2 * rounds * (size - 1) > players


@cache
def designs() -> dict[tuple[str, tuple[int, ...]], tuple[Tables, ...]]:
    """Return the schedules of `designs.txt`, by their kind and the sizes of their tables."""
    found = {}
    for line in DESIGNS.read_text(encoding="ascii").splitlines():
        kind, sizes, *rounds = line.split()
        found[kind, tuple(map(int, sizes.split("+")))] = tuple(
            tuple(tuple(map(LETTERS.index, table)) for table in tables.split(",")) for tables in rounds
        )
    return found


def _tables_of_players(rounds: Sequence[Tables], players: Sequence[int]) -> list[Tables]:
    """Return the rounds of a known schedule, with the given players in place of its player numbers."""
    return [tuple(tuple(players[number] for number in table) for table in tables) for tables in rounds]


def plane(players: Sequence[int], *, size: int) -> list[Tables]:
    """Return a schedule from the lines of a finite plane. No two players meet twice.

    The players are points in the plane over a finite field, on ``size`` parallel lines. The last of these
    lines may lack points. Each other direction gives a round, and each line in this direction is a table.
    So there are as many tables as the field has elements. If the players fill the whole plane, or leave one
    point free, the parallel lines form one more round, and every pair meets. Returns an empty list if there
    is no field of this size.

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
    """Return rounds of two-player tables for all players to meet.

    If the number of players is odd, one player has a bye in each round.
    """
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
    """Return knock-out tables for players sorted by strength. The best players sit at different tables.

    At two-player tables, the strongest players may get byes, so that the number of players in the next round
    is a power of 2.

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
    """Return how many players of a knock-out table of this size advance to the next round.

    >>> [advancing(size) for size in (2, 3, 4, 8)]
    [1, 1, 2, 2]
    """
    return 1 if size < 4 else 2


# --- Ladders ------------------------------------------------------------------------------------------------


NEAREST_RUNG: Final = 3
FARTHEST_RUNG: Final = 50
"""The number of places up that a player may challenge on the largest ladders (`reach`).

On small ladders, the number is `NEAREST_RUNG`.
"""

PROTECTED_FOR: Final = timedelta(days=7)
"""The time without new challenges after a player has taken or defended a place on a ladder."""

REPEAT_AFTER: Final = timedelta(days=14)
"""The minimum time between two challenges of the same player by the same challenger on a ladder."""

LOST_PLACES: Final = 5
"""The number of places that a player loses for being absent from a ladder game."""

ABSENCE_WINDOW: Final = timedelta(days=60)
"""The maximum time between two absences from ladder games that make a player rest from the ladder."""

IDLE_AFTER: Final = timedelta(days=90)
"""The time without a ladder game until a player automatically starts to rest from the ladder."""

MAX_REST: Final = timedelta(days=30)
"""The maximum length of a rest from a ladder. The player keeps their place for this time."""

MIN_REST_INTERVAL: Final = timedelta(days=60)
"""The minimum time from the end of a player's rest from a ladder to the start of the next rest."""

CHALLENGE_HOURS: Final = 48
"""The time for each turn of a ladder game, in hours."""


def reach(size: int) -> int:
    """Return how many places up a player may challenge on a ladder of this size.

    >>> [reach(size) for size in (2, 30, 55, 1000)]
    [3, 3, 6, 50]
    """
    return min(FARTHEST_RUNG, max(NEAREST_RUNG, -(-size // 10)))


def highest(place: int, size: int, *, first: bool) -> int:
    """Return the highest place within a player's reach on a ladder of this size.

    A player's ``first`` challenge can reach the middle of the ladder.

    >>> highest(40, 40, first=False), highest(40, 40, first=True), highest(2, 40, first=True)
    (36, 20, 1)
    """
    near = max(1, place - reach(size))
    return min(near, max(1, size // 2)) if first else near


# --- Divisions ----------------------------------------------------------------------------------------------


DIVISION_SIZE: Final = 16
"""The number of players in a division. At tables of four, each pair meets once in five rounds."""

PROMOTED_PLAYERS: Final = 4
"""The number of players promoted from each division, and also the number relegated."""

GAMES_FOR_PLACING: Final = 5
"""The minimum number of rated games to place a newcomer in a season's divisions by rating.

Newcomers with fewer games come last.
"""

LAST_ROUND_DAYS: Final = 28
"""The number of days from the start of a season's last round to the end of the season."""

SEASON_ROUNDS: Final = 5


@dataclass(frozen=True, slots=True)
class Candidate:
    """A player to place in a division of a new season.

    ``division``, ``place`` and ``size`` are from the season before: the player's division, their place in it,
    and the number of its players. All three are 0 for newcomers. ``rating`` is the player's rating in the
    ruleset, based on ``games`` games.
    """

    key: int
    division: int = 0
    place: int = 0
    size: int = 0
    rating: int = 0
    games: int = 0


def divide(candidates: Sequence[Candidate], *, lowest: int) -> list[list[int]]:
    """Return the players' keys in each division of a new season, highest division first.

    The first four players of a division move up one division. The last four move down, except from the
    ``lowest`` division of the season before. Newcomers come after all other players, sorted by rating. In
    this order, the players fill one division after another.

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
    """Return the number of days between the starts of two consecutive rounds of a season.

    The last round starts `LAST_ROUND_DAYS` days before the end of the season.
    """
    return ((ends_at - starts_at).days - LAST_ROUND_DAYS) // (SEASON_ROUNDS - 1)
