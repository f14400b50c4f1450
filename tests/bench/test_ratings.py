"""The simulation of ratings recovers players' skills from the results of games."""

import subprocess
import sys
from collections.abc import Sequence

import pytest

from bench import ratings


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ratings, "PLAYERS", 120)


def test_the_order_is_found_unless_finishes_are_shuffled() -> None:
    assert ratings.found_order("a seed", seats=4) > 0.85
    assert abs(ratings.found_order("a seed", seats=4, shuffled=True)) < 0.4


def test_one_skill_has_one_rating_at_tables_of_any_size() -> None:
    found = [ratings.rating_at("a seed", seats=seats, careers=4, games=200) for seats in (2, 8)]
    assert max(found) - min(found) < 150
    assert min(found) > 1900


def test_the_same_seed_simulates_the_same() -> None:
    assert ratings.drift("a seed", years=1, improves=5, players=60) == ratings.drift(
        "a seed", years=1, improves=5, players=60
    )


@pytest.mark.parametrize(("means", "sign"), [([30.0, 30.0], 1), ([20.0, 20.0], -1)])
def test_an_error_is_positive_for_a_player_rated_too_high(means: Sequence[float], sign: int) -> None:
    assert sign * ratings.level_error([(25.0, mu, 3.0) for mu in means]) > 2


def test_the_simulation_runs_as_a_command() -> None:
    help_ = subprocess.run(
        [sys.executable, "-m", "bench.ratings", "--help"], capture_output=True, text=True, check=True
    )
    assert "--drift" in help_.stdout
