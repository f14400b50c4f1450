"""The flights of a run: levels, seeds, and when the run is judged."""

from collections import Counter

import pytest

from rules.tunnel.flying import MAX_FLIGHTS, judged_after, level_of, seed_of

SHARES = {"pilot": 0.7, "rookie": 0.25, "ace": 0.05}


@pytest.mark.parametrize("flights", range(1, MAX_FLIGHTS + 1, 37))
def test_the_first_flights_have_about_the_shares_of_all(flights: int) -> None:
    levels = Counter(map(level_of, range(flights)))
    for level, share in SHARES.items():
        assert abs(levels[level] - share * flights) <= 1.5


@pytest.mark.parametrize("flights", [200, MAX_FLIGHTS])
def test_whole_runs_have_exactly_the_shares(flights: int) -> None:
    levels = Counter(map(level_of, range(flights)))
    assert levels == {level: round(share * flights) for level, share in SHARES.items()}


def test_each_flight_of_each_run_has_a_different_seed() -> None:
    seeds = [seed_of(run, number) for run in (1, 2, "1 2") for number in range(200)]
    assert len(set(seeds)) == len(seeds)


@pytest.mark.parametrize("flights", [1, 40, 41, 100, 101, 200, 1000])
def test_a_run_is_judged_early_and_at_its_end(flights: int) -> None:
    stops = judged_after(flights)
    assert stops[-1] == flights
    assert list(stops) == sorted(set(stops))
    assert set(stops[:-1]) <= {40, 100}
