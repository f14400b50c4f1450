"""The statistics of the wind tunnel, checked against published tables and simulations."""

from random import Random

import pytest

from rules.tunnel.figures import bootstrap, chi_square, friedman, quantile, ranks, wilson

TABLE = [(3.841, 1, 0.05), (6.635, 1, 0.01), (5.991, 2, 0.05), (9.210, 2, 0.01), (7.815, 3, 0.05)]
TABLE += [(14.067, 7, 0.05), (18.475, 7, 0.01), (16.919, 9, 0.05), (0.0, 4, 1.0)]


@pytest.mark.parametrize(("statistic", "freedom", "likely"), TABLE)
def test_chi_square_matches_the_tables(statistic: float, freedom: int, likely: float) -> None:
    assert chi_square(statistic, freedom) == pytest.approx(likely, abs=0.0002)


def test_the_test_of_places_matches_a_textbook() -> None:
    """The example by Hollander and Wolfe is about ways to round first base.

    It has 22 players and three ways. The statistic with ties is 11.14.
    """
    narrow = [5.40, 5.85, 5.20, 5.55, 5.90, 5.45, 5.40, 5.45, 5.25, 5.85, 5.25]
    narrow += [5.65, 5.60, 5.05, 5.50, 5.45, 5.55, 5.45, 5.50, 5.65, 5.70, 6.30]
    round_out = [5.50, 5.70, 5.60, 5.50, 5.85, 5.55, 5.40, 5.50, 5.15, 5.80, 5.20]
    round_out += [5.55, 5.35, 5.00, 5.50, 5.55, 5.55, 5.50, 5.45, 5.60, 5.65, 6.30]
    wide = [5.55, 5.75, 5.50, 5.40, 5.70, 5.60, 5.35, 5.35, 5.00, 5.70, 5.10]
    wide += [5.45, 5.45, 4.95, 5.40, 5.50, 5.35, 5.55, 5.25, 5.40, 5.55, 6.25]
    blocks = list(zip(narrow, round_out, wide, strict=True))
    assert friedman(blocks) == pytest.approx(0.0038, abs=0.0002)


def test_equal_starts_are_called_unequal_no_more_often_than_agreed() -> None:
    chance = Random(1)
    likely = [friedman([chance.sample(range(4), 4) for _ in range(60)]) for _ in range(400)]
    assert 0.01 < sum(value < 0.05 for value in likely) / 400 < 0.09


def test_a_start_that_always_loses_is_found_in_few_flights() -> None:
    chance = Random(2)
    assert friedman([[*chance.sample(range(3), 3), 3] for _ in range(12)]) < 0.001


def test_starts_with_the_same_places_in_all_flights_are_equal() -> None:
    assert friedman([[2.5] * 4] * 40) == 1.0
    assert friedman([]) == friedman([[1.0]] * 10) == 1.0


@pytest.mark.parametrize("share", [0.02, 0.3, 0.9])
def test_the_interval_of_a_share_misses_it_no_more_often_than_agreed(share: float) -> None:
    chance = Random(str(share))
    missed = 0
    for _ in range(500):
        measured = wilson(sum(chance.random() < share for _ in range(100)), 100, 0.05)
        missed += not measured.low <= share <= measured.high
    assert missed / 500 < 0.09


def test_a_share_without_data_is_unknown() -> None:
    assert wilson(0, 0, 0.01) == (0.0, 0.0, 1.0)


def test_the_interval_of_a_figure_contains_the_truth_and_is_repeatable() -> None:
    chance = Random(3)
    values = [chance.gauss(10, 2) for _ in range(100)]

    def mean(some: list[float]) -> float:
        return sum(some) / len(some)

    measured = bootstrap(values, mean, 0.01, "mean")
    assert measured == bootstrap(values, mean, 0.01, "mean")
    assert measured.low < 10 < measured.high
    assert measured.high - measured.low == pytest.approx(2 * 2.58 * 2 / 10, rel=0.2)


def test_a_single_flight_gives_no_certainty() -> None:
    assert bootstrap([7.0], sum, 0.01, "sum") == (7.0, float("-inf"), float("inf"))


def test_ranks_and_quantiles_are_right_for_small_examples() -> None:
    assert ranks([3, 1, 1, 2]) == [4.0, 1.5, 1.5, 3.0]
    assert [quantile(range(11), share) for share in (0, 0.1, 0.5, 1)] == [0, 1, 5, 10]
