"""Pairing: tables, schedules, seats, and brackets of knock-out cups."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product
from random import Random

import pytest
from hypothesis import given, strategies as st

from games.competitions import pairing
from games.competitions.formats import (
    DISJOINT,
    LEAGUE,
    MOST_IN_A_LEAGUE,
    disjoint_rounds,
    is_tight,
    pairs_of,
    round_robin,
    scheduled_tables,
    seeded_tables,
)
from games.competitions.pairing import (
    Contender,
    least_cost_pairs,
    pair,
    pair_of,
    repeats_of,
    sizes_of,
    starts_of,
)


def test_any_number_of_players_is_seated() -> None:
    for size, number in product(range(2, 9), range(1, 60)):
        sizes = sizes_of(number, size)
        assert sum(sizes) == number
        assert max(sizes) <= min(8, size + 1)
        if number > size:
            assert min(sizes) >= size // 2, (number, sizes)
        assert sizes.count(1) == (number % 2 if size == 2 else number == 1)


def test_the_order_of_the_field_does_not_change_the_tables() -> None:
    field = [Contender(key, Random(key).randrange(3) * 840) for key in range(20)]
    one = pair(field, met={(0, 1): 1}, size=4, seed="a")
    assert pair(list(reversed(field)), met={(0, 1): 1}, size=4, seed="a") == one
    assert pair(field, met={(0, 1): 1}, size=4, seed="b") != one


@pytest.mark.parametrize("seed", range(5))
def test_a_small_field_is_paired_optimally(seed: int) -> None:
    """The test tries every way to seat six players at tables of three."""
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


def test_no_two_of_sixty_four_meet_twice_in_five_rounds() -> None:
    met: Counter[tuple[int, int]] = Counter()
    points: Counter[int] = Counter()
    for number in range(5):
        found = pair([Contender(key, points[key]) for key in range(64)], met=met, size=4, seed=str(number))
        assert found.repeats == 0
        for table in found.tables:
            met.update(pair_of(*both) for both in combinations(table, 2))
            points.update({key: 280 * place for place, key in enumerate(sorted(table))})
    assert set(met.values()) == {1}


def test_equal_players_meet() -> None:
    field = [Contender(key, 840 * (key % 4)) for key in range(16)]
    for table in pair(field, met={}, size=4, seed="x").tables:
        assert len({key % 4 for key in table}) == 1


def test_short_tables_and_byes_are_shared_evenly() -> None:
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
def test_in_a_full_schedule_all_pairs_meet_exactly_once(number: int, size: int, rounds: int) -> None:
    found = round_robin(range(number), size=size, seed="x")
    met = Counter(pair_of(*both) for tables in found for table in tables for both in combinations(table, 2))
    assert len(found) == rounds
    assert len(met) == number * (number - 1) // 2 and set(met.values()) == {1}
    for tables in found:
        assert sorted(key for table in tables for key in table) == list(range(number))


def fields(most: int) -> Iterator[tuple[int, int, bool]]:
    """Yield numbers of players, sizes of tables, and whether a table may be larger by one."""
    yield from (
        (n, size, larger) for size in range(2, 9) for n in range(2, most + 1) for larger in (True, False)
    )


def test_in_every_league_all_pairs_meet() -> None:
    for number, size, larger in fields(MOST_IN_A_LEAGUE):
        found = round_robin(range(number), size=size, seed="x", larger=larger)
        assert len(pairs_of(found)) == number * (number - 1) // 2, (number, size)
        for tables in found:
            assert sorted(key for table in tables for key in table) == list(range(number))
            assert sorted(map(len, tables)) == sorted(sizes_of(number, size, larger=larger))


@pytest.mark.parametrize(
    ("number", "size", "rounds"),
    [
        *((24, 8, 5), (12, 4, 5), (32, 8, 5), (15, 3, 7), (21, 3, 10), (24, 3, 12), (27, 3, 13), (20, 4, 8)),
        *((32, 4, 11), (27, 4, 9), (24, 4, 9), (28, 4, 9), (16, 8, 3), (18, 6, 5), (18, 3, 9)),
    ],
)
def test_a_league_is_no_longer_than_the_best_known_schedule(number: int, size: int, rounds: int) -> None:
    assert len(round_robin(range(number), size=size, seed="x")) <= rounds


def test_a_swiss_schedule_has_no_repeated_pair() -> None:
    for number, size, larger in fields(66):
        found = disjoint_rounds(range(number), size=size, larger=larger)
        assert set(pairs_of(found).values()) <= {1}, (number, size)
        for tables in found:
            assert sorted(key for table in tables for key in table) == list(range(number))
            assert sorted(map(len, tables)) == sorted(sizes_of(number, size, larger=larger))


@pytest.mark.parametrize(
    ("number", "size", "rounds"),
    [
        *((20, 4, 5), (15, 3, 7), (16, 4, 5), (24, 4, 6), (28, 4, 9), (44, 4, 11), (64, 8, 9), (63, 8, 9)),
        (12, 2, 11),
    ],
)
def test_small_fields_have_a_schedule_without_repeats(number: int, size: int, rounds: int) -> None:
    assert len(disjoint_rounds(range(number), size=size)) >= rounds


@pytest.mark.parametrize(("number", "size", "rounds"), [(32, 4, 5), (48, 4, 7), (40, 6, 3), (24, 2, 9)])
def test_points_decide_if_they_cause_no_repeats(number: int, size: int, rounds: int) -> None:
    assert not is_tight(number, size=size, rounds=rounds)
    met: Counter[tuple[int, int]] = Counter()
    points: Counter[int] = Counter()
    for turn in range(rounds):
        found = pair(
            [Contender(key, points[key]) for key in range(number)], met=met, size=size, seed=str(turn)
        )
        assert found.repeats == 0
        met.update(pairs_of([found.tables]))
        for table in found.tables:
            points.update({key: 840 * place for place, key in enumerate(sorted(table))})


def test_a_swiss_system_of_20_at_tables_of_four_repeats_no_pair() -> None:
    met: Counter[tuple[int, int]] = Counter()
    for number in range(1, 6):
        tables, kind = scheduled_tables(range(20), met=met, size=4, rounds=5, number=number)
        assert kind == DISJOINT
        assert sorted(key for table in tables for key in table) == list(range(20))
        met.update(pairs_of([tables]))
    assert set(met.values()) == {1}
    assert scheduled_tables(range(20), met=met, size=4, rounds=6, number=6) == ((), "")


def test_a_swiss_system_in_which_all_meet_has_the_fewest_repeats() -> None:
    """Twelve players meet at tables of four for five rounds.

    These rounds have 90 pairs of players, but only 66 different pairs exist.
    """
    met: Counter[tuple[int, int]] = Counter()
    repeats = 0
    for number in range(1, 6):
        tables, kind = scheduled_tables(range(12), met=met, size=4, rounds=5, number=number)
        assert kind == LEAGUE
        repeats += repeats_of(tables, met)
        met.update(pairs_of([tables]))
    assert repeats == 90 - 66


def test_points_decide_once_the_schedule_would_repeat_a_pair() -> None:
    """A late entrant moves the others to different tables, so the schedule would repeat a pair."""
    field = list(range(20))
    met = pairs_of([scheduled_tables(field, met={}, size=4, rounds=5, number=number)[0] for number in (1, 2)])
    assert scheduled_tables(field, met=met, size=4, rounds=5, number=3)[0]
    assert not scheduled_tables([20, *field[:-1]], met=met, size=4, rounds=5, number=3)[0]


def test_annealing_finds_fewer_repeats(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test pairs a sixth round after five rounds without repeated pairs.

    There are 24 players at tables of four.
    """
    met, field = pairs_of(disjoint_rounds(range(24), size=4)[:5]), [Contender(key) for key in range(24)]
    found = [pair(field, met=met, size=4, seed=str(seed)).repeats for seed in range(4)]
    monkeypatch.setattr(pairing, "REPEAT_SWAPS", 0)
    before = [pair(field, met=met, size=4, seed=str(seed)).repeats for seed in range(4)]
    assert sum(found) < sum(before), (found, before)


CONTENDERS = st.lists(
    st.tuples(st.integers(0, 4).map(lambda points: 210 * points), st.integers(0, 2)), min_size=2, max_size=7
).map(lambda field: [Contender(key, *each) for key, each in enumerate(field)])


@given(CONTENDERS, st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=12))
def test_tables_of_two_are_optimal(field: list[Contender], before: set[tuple[int, int]]) -> None:
    met = {pair_of(*both): 1 for both in before if both[0] != both[1]}

    def cost(order: Sequence[Contender]) -> tuple[int, int, int]:
        pairs = list(zip(order[::2], order[1::2], strict=False))
        bye = order[-1].shorts if len(order) % 2 else 0
        repeats = sum(met.get(pair_of(one.key, other.key), 0) for one, other in pairs)
        return repeats, bye**2 + bye, sum((one.points - other.points) ** 2 for one, other in pairs)

    found = pair(field, met=met, size=2, seed="x")
    order = [field[key] for table in sorted(found.tables, key=len, reverse=True) for key in table]
    assert sorted(each.key for each in order) == list(range(len(field)))
    assert cost(order) == min(map(cost, permutations(field)))
    assert (found.repeats, found.spread) == (cost(order)[0], cost(order)[2])


@given(
    st.integers(1, 4).flatmap(
        lambda half: st.dictionaries(
            st.sampled_from(list(combinations(range(2 * half), 2))),
            st.one_of(st.integers(0, 3), st.integers(0, 10**20)),
            min_size=1,
        )
    )
)
def test_pairs_have_the_lowest_total_cost(costs: dict[tuple[int, int], int]) -> None:
    vertices = sorted({one for both in costs for one in both})

    def ways(left: list[int]) -> Iterator[int]:
        if not left:
            yield 0
        for other in left[1:]:
            if (left[0], other) in costs:
                rest = [one for one in left[1:] if one != other]
                yield from (costs[left[0], other] + cost for cost in ways(rest))

    best = min(ways(vertices), default=None)
    if best is None:
        with pytest.raises(ValueError, match="leave a vertex over"):
            least_cost_pairs(costs)
    else:
        found = least_cost_pairs(costs)
        assert sorted(one for both in found for one in both) == vertices
        assert sum(costs[both] for both in found) == best


def test_a_large_field_is_paired_as_well_as_with_all_pairs_considered() -> None:
    """For sixty players after eight rounds, most pairs differ too much in points to be considered."""
    chance = Random(7)
    field = [Contender(key, 840 * chance.randrange(6)) for key in range(60)]
    met = Counter(pairs_of(round_robin(range(60), size=2, seed="y")[:8]))
    points = {each.key: each.points for each in field}
    costs = {
        (one, other): met[one, other] * pairing.REPEAT_WEIGHT + (points[one] - points[other]) ** 2
        for one, other in combinations(range(60), 2)
    }
    best = sum(costs[both] for both in least_cost_pairs(costs))
    found = pair(field, met=met, size=2, seed="x")
    assert found.repeats * pairing.REPEAT_WEIGHT + found.spread == best


def test_seats_are_shared_evenly() -> None:
    used: Counter[tuple[int, int]] = Counter()
    for turn in range(8):
        for seat, key in enumerate(starts_of(range(4), used, seed=str(turn)), 1):
            used[key, seat] += 1
    assert set(used.values()) == {2}


def test_the_first_round_of_a_bracket_leaves_a_power_of_two() -> None:
    for number in range(2, 40):
        tables = seeded_tables(range(number), size=2)
        assert sorted(key for table in tables for key in table) == list(range(number))
        assert len(tables).bit_count() == 1
        byes = [table[0] for table in tables if len(table) == 1]
        assert byes == list(range(len(byes))), "the best have byes"
