"""The wins of each start, counted during a run."""

from random import Random

import pytest

from rules.tunnel.figures import UNEQUAL, odds_of, wins_of
from tests.rules.tunnel.flown import flight, flights, run_of


def test_only_pilots_in_finished_flights_count() -> None:
    run = run_of("a1 . .+i1", "a2 . .", key="websocket")
    both = flights(run, 20)
    counted = wins_of(both)
    assert sum(counted.values()) == sum(each.level == "pilot" for each in both) == 14
    assert counted[0, 0] + counted[0, 1] == 14
    assert wins_of([flight(run, 0, over=False), flight(run, 2, failure="boom"), flight(run, 1)]) == {}


def test_joint_winners_share_one_win() -> None:
    run = run_of("a1 . .+i1", "a2 . .", key="websocket")
    assert wins_of([flight(run, 0, places=(1.5, 1.5))]) == {(0, 0): 0.5, (0, 1): 0.5}


def test_a_start_with_twice_its_share_is_found() -> None:
    assert odds_of([56, 28, 28, 28], [0.25] * 4) < UNEQUAL < odds_of([80, 20, 20, 20], [0.25] * 4)


def test_shares_may_be_different() -> None:
    assert odds_of([90, 45], [2 / 3, 1 / 3]) < 1 < UNEQUAL < odds_of([45, 90], [2 / 3, 1 / 3])


def test_without_a_win_the_result_is_unknown() -> None:
    assert odds_of([0, 0], [0.5, 0.5]) == pytest.approx(1)


def test_equal_starts_are_rarely_called_unequal_even_after_many_looks() -> None:
    chance, alarms = Random(5), 0
    for _ in range(200):
        wins = [0] * 4
        for _ in range(300):
            wins[chance.randrange(4)] += 1
            if odds_of(wins, [0.25] * 4) >= UNEQUAL:
                alarms += 1
                break
    assert alarms <= 4
