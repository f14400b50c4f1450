"""Show the number of rounds of leagues, and the repeated pairs of Swiss systems.

    .venv/bin/python -m bench.pairing                    leagues and Swiss systems, as tournaments play them
    .venv/bin/python -m bench.pairing --leagues          only leagues, of all numbers of players
    .venv/bin/python -m bench.pairing --swiss --seed 7   only Swiss systems, with reproducible finishes
    .venv/bin/python -m bench.pairing --search 4+4+4 --rounds 5   search for a league at these tables

Each figure has its lower bound beside it. Leagues also have the smallest known number of rounds. The bounds
come from the number of other players that a player can meet in a round, and from the number of pairs. The
exit status is 1 if a league or a Swiss system is worse than the best known one.

A search finds the tables of a few rounds by simulated annealing. A cyclic group, which permutes the players,
turns these rounds into all rounds. The search prints a line for `games/competitions/designs.txt`. With
``--apart``, it searches for rounds in which no two players meet twice. Some designs of that kind come from
larger designs (docs/internals.md).

It needs the packages of the service, but no database.
"""

import argparse
import secrets
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb, exp
from random import Random
from typing import Final

from games.competitions.formats import (
    DISJOINT,
    LEAGUE,
    LETTERS,
    MOST_IN_A_LEAGUE,
    Tables,
    pairs_of,
    round_robin,
    scheduled_tables,
)
from games.competitions.pairing import Contender, pair, pair_of, repeats_of, sizes_of
from games.competitions.selectors.results import PARTS_PER_POINT

BEST_ROUNDS: Final = {
    (6, 3): 4,
    (12, 3): 7,
    (12, 4): 5,
    (18, 6): 5,
    (24, 8): 5,
    (15, 5): 5,
    (16, 8): 3,
    (32, 4): 11,
    (24, 4): 9,
}
"""The smallest known number of rounds of leagues, by players and table size.

Leagues that reach the lower bound are left out.

Kirkman coverings exist for all multiples of six players at tables of three except 6 and 12 (Černý, Horák and
Wallis 1991). At tables of four or more, leagues with three tables take five rounds, and leagues with two
tables take three.
"""

SWISS: Final = (
    (12, 2, 9),
    (12, 4, 5),
    (15, 3, 7),
    (16, 4, 5),
    (20, 4, 5),
    (24, 4, 6),
    (28, 4, 9),
    (30, 3, 7),
    (32, 4, 7),
    (44, 4, 9),
    (48, 6, 3),
    (63, 2, 9),
    (64, 4, 5),
    (64, 8, 9),
)
"""Usual Swiss systems: players, table size and rounds. Each can reach the lower bound of repeated pairs."""


def fewest_rounds(sizes: Sequence[int]) -> int:
    """Return the lower bound for the number of rounds of a league at tables of these sizes.

    >>> fewest_rounds([4, 4, 4]), fewest_rounds([3] * 5)
    (4, 7)
    """
    players = sum(sizes)
    by_player = -(-(players - 1) // (max(sizes) - 1))
    return max(by_player, -(-comb(players, 2) // sum(comb(size, 2) for size in sizes)))


def least_repeats(sizes: Sequence[int], rounds: int) -> int:
    """Return the lower bound for the number of repeated pairs in rounds with tables of these sizes."""
    return max(0, rounds * sum(comb(size, 2) for size in sizes) - comb(sum(sizes), 2))


def leagues() -> Iterator[tuple[int, int, int, int, int]]:
    """Yield the number of players, table size and number of rounds of each league.

    Each tuple ends with the lower bound for the number of rounds, and the best known number of rounds.
    """
    for size in range(2, 9):
        for players in range(size + 1, MOST_IN_A_LEAGUE + 1):
            sizes = sizes_of(players, size)
            fewest = fewest_rounds(sizes)
            rounds = len(round_robin(range(players), size=size, seed="league"))
            best = max(fewest, BEST_ROUNDS.get((players, size), 0))
            yield players, size, rounds, fewest, best


def swiss_repeats(players: int, size: int, rounds: int, seed: str) -> int:
    """Return the number of repeated pairs in a Swiss system with random finishes."""
    chance = Random(seed)
    met: Counter[tuple[int, int]] = Counter()
    points: Counter[int] = Counter()
    shorts: Counter[int] = Counter()
    repeats = 0
    for number in range(1, rounds + 1):
        tables, _kind = scheduled_tables(range(players), met=met, size=size, rounds=rounds, number=number)
        if not tables:
            field = [Contender(key, points[key], shorts[key]) for key in range(players)]
            tables = pair(field, met=met, size=size, seed=f"{seed} {number}").tables
        repeats += repeats_of(tables, met)
        met.update(pairs_of([tables]))
        full = max(map(len, tables))
        for table in tables:
            finish = chance.sample(table, len(table))
            share = PARTS_PER_POINT // max(1, len(table) - 1)
            points.update({key: share * beaten for beaten, key in enumerate(finish)})
            shorts.update(table if len(table) < full else ())
    return repeats


def search(
    sizes: Sequence[int], rounds: int, *, apart: bool = False, steps: int, seed: str
) -> list[Tables] | None:
    """Search for the rounds of a league.

    Every pair of players meets in these rounds or, if ``apart`` is True, no pair meets twice. Returns None if
    no such rounds are found. The search tries cyclic groups of each order that divides the number of rounds.
    """
    for order in (each for each in range(rounds, 0, -1) if rounds % each == 0 and each <= sum(sizes)):
        found = _anneal(sizes, rounds // order, order, apart, steps, Random(f"{seed} {order}"))
        if found:
            return [
                tuple(tuple(_turned(key, turn, order, sum(sizes)) for key in table) for table in tables)
                for turn in range(order)
                for tables in found
            ]
    return None


def _turned(key: int, turn: int, order: int, players: int) -> int:
    """Return the group's image of player ``key`` after ``turn`` steps."""
    if key >= players // order * order:
        return key  # the group does not move the last players
    return key // order * order + (key % order + turn) % order


def _anneal(
    sizes: Sequence[int], base: int, order: int, apart: bool, steps: int, chance: Random
) -> list[Tables] | None:
    """Search by simulated annealing for the ``base`` rounds that a group turns into all rounds.

    Returns None if it finds none in ``steps`` steps.
    """
    players = sum(sizes)
    orbits: dict[tuple[int, int], tuple[int, int]] = {}
    for both in combinations(range(players), 2):
        if both not in orbits:
            turned = [pair_of(*(_turned(key, turn, order, players) for key in both)) for turn in range(order)]
            orbits |= dict.fromkeys(turned, both)
    lengths = Counter(orbits.values())
    met: Counter[tuple[int, int]] = Counter()

    def cost(orbit: tuple[int, int]) -> int:
        times = met[orbit] * (order // lengths[orbit])
        return lengths[orbit] * (max(0, times - 1) if apart else times == 0)

    def add(key: int, others: Sequence[int], times: int) -> int:
        change = 0
        for other in others:
            orbit = orbits[pair_of(key, other)]
            change -= cost(orbit)
            met[orbit] += times
            change += cost(orbit)
        return change

    rounds = []
    for _ in range(base):
        left = chance.sample(range(players), players)
        rounds.append([[left.pop() for _seat in range(size)] for size in sizes])
    for tables in rounds:
        for table in tables:
            for both in combinations(table, 2):
                met[orbits[pair_of(*both)]] += 1
    total = sum(map(cost, lengths))
    for step in range(steps):
        if not total:
            return [tuple(map(tuple, tables)) for tables in rounds]
        heat = order**0.5 * (1 - step / steps) + 0.01
        one, other = chance.sample(chance.choice(rounds), 2)
        here, there = chance.randrange(len(one)), chance.randrange(len(other))
        first, second = one.pop(here), other.pop(there)
        change = add(first, one, -1) + add(second, other, -1) + add(second, one, 1) + add(first, other, 1)
        if change > 0 and chance.random() >= exp(-change / heat):
            add(second, one, -1), add(first, other, -1), add(first, one, 1), add(second, other, 1)
            one.insert(here, first), other.insert(there, second)
        else:
            total += change
            one.insert(here, second), other.insert(there, first)
    return None


def main() -> int:
    """Show the figures, or search for a league. Return 1 if a figure is worse than the best known."""
    parser = argparse.ArgumentParser(prog="python -m bench.pairing", description="Rounds and repeats.")
    parser.add_argument("--leagues", action="store_true")
    parser.add_argument("--swiss", action="store_true")
    parser.add_argument("--seed", default=secrets.token_hex(8))
    parser.add_argument("--search", metavar="SIZES", help="such as 4+4+4")
    parser.add_argument("--rounds", type=int, default=0)
    parser.add_argument("--steps", type=int, default=200_000)
    parser.add_argument("--apart", action="store_true")
    options = parser.parse_args()
    if options.search:
        sizes = [int(size) for size in options.search.split("+")]
        rounds = options.rounds or fewest_rounds(sizes)
        found = search(sizes, rounds, apart=options.apart, steps=options.steps, seed=options.seed)
        if found is None:
            print(f"no {rounds} rounds found with seed {options.seed}")
            return 1
        told = [",".join("".join(LETTERS[key] for key in table) for table in tables) for tables in found]
        print(DISJOINT if options.apart else LEAGUE, options.search, *told)
        return 0
    well = True
    whole = not (options.leagues or options.swiss)
    if whole or options.leagues:
        print("players  at a table  rounds  by counting  best known")
        for players, size, rounds, fewest, best in leagues():
            known = str(best) if best > fewest or rounds == best else "?"
            print(f"{players:7}{size:12}{rounds:8}{fewest:13}{known:>12}")
            well &= rounds <= max(best, BEST_ROUNDS.get((players, size), rounds))
    if whole or options.swiss:
        print(f"seed {options.seed}")
        print("players  at a table  rounds  repeats  by counting")
        for players, size, rounds in SWISS:
            repeats = swiss_repeats(players, size, rounds, options.seed)
            least = least_repeats(sizes_of(players, size), rounds)
            print(f"{players:7}{size:12}{rounds:8}{repeats:9}{least:13}")
            well &= repeats == least
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
