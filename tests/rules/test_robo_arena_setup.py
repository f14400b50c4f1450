"""The set-up of Robo Arena, and the penalty for staying on an airlock."""

from typing import Any

import pytest

import rules
from rules import events as ev
from tests.rules.table import Table

PEN = "a+wNESW"
"""An airlock that no program can leave."""


def arena(*rows: str, players: str = "Alice Bob", **options: Any) -> Table:
    return Table(*rows, ruleset="robo-arena", players=players, **options)


@pytest.mark.clause("RA-1")
def test_a_board_needs_no_checkpoints() -> None:
    table = arena("a . .")
    table.start()
    assert not table.state.over


@pytest.mark.clause("RA-1")
def test_checkpoints_are_not_inspected_and_their_hull_damage_counts_as_0() -> None:
    table = arena(f"{PEN}+i1*4 . .")
    table.start()
    assert table.state.hull == {1: 0}
    log = table.resolve()
    assert not [event for event in log if isinstance(event, ev.Inspect | ev.Weld)]
    assert not table.state.over


@pytest.mark.clause("RA-1")
def test_there_is_no_option_for_hull_damage() -> None:
    with pytest.raises(rules.SetupError, match="hull_damage"):
        arena("a . .", hull_damage=1)


@pytest.mark.clause("RA-2")
def test_a_robot_is_driven_out_after_two_consecutive_turns_on_an_airlock() -> None:
    table = arena(f"{PEN} . .")
    table.start()
    assert not any(robot.camped for robot in table.state.robots)
    table.resolve()
    assert [robot.virtual for robot in table.state.robots] == [True, True]
    table.deal()
    assert all(robot.camped for robot in table.state.robots)
    log = table.resolve()
    driven = [event for event in log if isinstance(event, ev.Enter | ev.Real)]
    assert [(type(event), event.robot) for event in driven] == [(ev.Enter, 0), (ev.Real, 0), (ev.Real, 1)]
    assert [table.at(index) for index in range(2)] == [(1, 0), (0, 0)]


@pytest.mark.clause("RA-2")
def test_a_returned_robot_may_stay_on_the_airlock_for_a_turn() -> None:
    table = arena(f"{PEN} .+wNESW .+wNESW", players="Alice Bob Carol")
    table.start()
    for _ in range(2):
        table.resolve()
        table.deal()
    alice, bob, carol = table.state.robots
    assert not (alice.virtual or bob.virtual or carol.virtual)
    carol.alive, carol.cell = False, rules.OFF
    bob.cell = carol.archive
    table.resolve()
    assert table.robot(2).virtual
    assert table.at(2) == (0, 0)
    table.deal()
    table.resolve()
    assert not table.robot(2).virtual
