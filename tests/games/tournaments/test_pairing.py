"""Who meets whom: tables, schedules, seats and knock-out brackets."""

from collections import Counter
from itertools import combinations, permutations
from random import Random

import pytest

from games.tournaments.knockout import seeded_tables
from games.tournaments.pairing import Contender, pair, pair_of, repeats_of, sizes_of, starts_of
from games.tournaments.schedules import everybody_meets, plane


@pytest.mark.parametrize("size", range(2, 9))
def test_every_number_of_players_is_seated(size: int) -> None:
    for number in range(1, 60):
        sizes = sizes_of(number, size)
        assert sum(sizes) == number
        assert max(sizes) <= min(8, size + 1)
        if number > size:
            assert min(sizes) >= size // 2, (number, sizes)
        assert sizes.count(1) == (number % 2 if size == 2 else number == 1)


def test_the_same_field_makes_the_same_tables_in_any_order() -> None:
    field = [Contender(key, Random(key).randrange(3) * 840) for key in range(20)]
    one = pair(field, met={(0, 1): 1}, size=4, seed="a")
    assert pair(list(reversed(field)), met={(0, 1): 1}, size=4, seed="a") == one
    assert pair(field, met={(0, 1): 1}, size=4, seed="b") != one


@pytest.mark.parametrize("seed", range(5))
def test_few_players_are_paired_as_well_as_can_be(seed: int) -> None:
    """Against all ways to seat six players at tables of three."""
    chance = Random(seed)
    field = [Contender(key, 210 * chance.randrange(9)) for key in range(6)]
    met = {pair_of(*chance.sample(range(6), 2)): 1 for _ in range(5)}

    def cost(tables: tuple[tuple[int, ...], ...]) -> tuple[int, int]:
        points = {each.key: each.points for each in field}
        spread = sum((points[a] - points[b]) ** 2 for table in tables for a, b in combinations(table, 2))
        return repeats_of(tables, met), spread

    best = min(cost((order[:3], order[3:])) for order in permutations(range(6)))
    found = pair(field, met=met, size=3, seed=str(seed))
    assert (found.repeats, found.spread) == best == cost(found.tables)


def test_nobody_meets_twice_in_five_rounds_of_sixty_four() -> None:
    met: Counter[tuple[int, int]] = Counter()
    points: Counter[int] = Counter()
    for number in range(5):
        found = pair([Contender(key, points[key]) for key in range(64)], met=met, size=4, seed=str(number))
        assert found.repeats == 0
        for table in found.tables:
            met.update(pair_of(*both) for both in combinations(table, 2))
            points.update({key: 280 * place for place, key in enumerate(sorted(table))})
    assert set(met.values()) == {1}


def test_equals_meet_equals() -> None:
    field = [Contender(key, 840 * (key % 4)) for key in range(16)]
    for table in pair(field, met={}, size=4, seed="x").tables:
        assert len({key % 4 for key in table}) == 1


def test_short_tables_and_byes_go_around() -> None:
    for number, size, rounds in ((11, 4, 8), (7, 2, 7)):
        shorts: Counter[int] = Counter()
        for turn in range(rounds):
            field = [Contender(key, 0, shorts[key]) for key in range(number)]
            tables = pair(field, met={}, size=size, seed=str(turn)).tables
            shorts.update(key for table in tables if len(table) < size for key in table)
        assert max(shorts.values()) - min(shorts[key] for key in range(number)) <= 1


@pytest.mark.parametrize(
    ("number", "size", "rounds"),
    [(4, 2, 3), (7, 2, 7), (9, 3, 4), (8, 3, 4), (16, 4, 5), (15, 4, 5), (25, 5, 6), (49, 7, 8), (64, 8, 9)],
)
def test_everybody_meets_everybody_once(number: int, size: int, rounds: int) -> None:
    found = everybody_meets(range(number), size=size, seed="x")
    met = Counter(pair_of(*both) for tables in found for table in tables for both in combinations(table, 2))
    assert len(found) == rounds
    assert len(met) == number * (number - 1) // 2 and set(met.values()) == {1}
    for tables in found:
        assert sorted(key for table in tables for key in table) == list(range(number))


@pytest.mark.parametrize(("number", "size"), [(5, 4), (6, 4), (10, 3), (12, 4), (13, 8), (32, 4)])
def test_everybody_meets_everybody_at_least_once_where_no_plane_fits(number: int, size: int) -> None:
    assert plane(range(number), size=size) == []
    found = everybody_meets(range(number), size=size, seed="x")
    met = {pair_of(*both) for tables in found for table in tables for both in combinations(table, 2)}
    assert len(met) == number * (number - 1) // 2
    for tables in found:
        assert sorted(key for table in tables for key in table) == list(range(number))


def test_seats_go_around() -> None:
    used: Counter[tuple[int, int]] = Counter()
    for turn in range(8):
        for seat, key in enumerate(starts_of(range(4), used, seed=str(turn)), 1):
            used[key, seat] += 1
    assert set(used.values()) == {2}


@pytest.mark.parametrize("number", range(2, 40))
def test_a_bracket_of_two_leaves_a_power_of_two(number: int) -> None:
    tables = seeded_tables(range(number), size=2)
    assert sorted(key for table in tables for key in table) == list(range(number))
    assert len(tables).bit_count() == 1
    byes = [table[0] for table in tables if len(table) == 1]
    assert byes == list(range(len(byes))), "the best have byes"
