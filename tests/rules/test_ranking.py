"""Results of games: winner, places, checkpoints, and times of going out (G-10)."""

import pytest

import rules
from rules import events as ev
from rules.state import State
from rules.statistics import departures, rank_sides
from tests.rules.table import OPEN, Table


def four(**changes: dict[int, object]) -> State:
    """Return a state with four robots. ``changes`` has new values by attribute and robot index."""
    state = Table("a . . .+i2 .+i1", *OPEN, players="Alice Bob Carol Dave").state
    for name, values in changes.items():
        for index, value in values.items():
            setattr(state.robots[index], name, value)
    return state


@pytest.mark.clause("G-10.1")
def test_places_come_first_then_checkpoints() -> None:
    state = four(place={2: 1, 0: 2}, next={1: 1, 3: 2})
    assert rank_sides(state, {}, winner=2) == [[(2,)], [(0,)], [(3,)], [(1,)]]


@pytest.mark.clause("G-10.3")
def test_survivors_come_first_and_then_the_last_ones_out() -> None:
    state = four(lives={0: 0, 1: 0, 3: 0}, alive={0: False, 1: False, 3: False})
    departed = {0: (3, 2, 0), 1: (3, 5, 0), 3: (3, 5, 1)}
    assert rank_sides(state, departed, winner=2) == [[(2,)], [(3,)], [(1,)], [(0,)]]


def test_checkpoints_weigh_more_than_staying_in() -> None:
    state = four(next={0: 3}, lives={0: 0}, alive={0: False})
    assert rank_sides(state, {0: (9, 1, 0)}, winner=None) == [[(0,)], [(1,), (2,), (3,)]]


def test_equal_robots_are_tied_and_the_winner_of_a_conceded_game_is_first() -> None:
    state = four(next={3: 2})
    assert rank_sides(state, {}, winner=1) == [[(1,)], [(3,)], [(0,), (2,)]]


@pytest.mark.clause("RC-5")
def test_squads_win_together_and_are_tied_without_a_winner() -> None:
    ducts = ["a:red . . .", ". . k .", ". . . .", "a:blue . . ."]
    state = Table(*ducts, ruleset="robo-recon", players="A B C D", kinds="red blue red blue").state
    assert rank_sides(state, {}, winner="blue") == [[(1, 3)], [(0, 2)]]
    assert rank_sides(state, {}, winner=None) == [[(0, 2), (1, 3)]]


def destroyed(phase: int, robot: int, out: int | None = None) -> rules.Event:
    return ev.Destroyed(phase, "board", robot, 0, "space", out=out)


def test_a_robot_only_departs_with_its_last_life() -> None:
    state = four(lives={0: 2, 1: 1})
    state.turn = 7
    found = departures(state, [destroyed(1, 0), destroyed(2, 1), destroyed(4, 0)])
    assert found == {0: (7, 4, 0), 1: (7, 2, 0)}


def test_a_robot_that_is_out_does_not_depart_again() -> None:
    state = four(lives={0: 0}, alive={0: False})
    assert departures(state, [destroyed(1, 0)]) == {}
