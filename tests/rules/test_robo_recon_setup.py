"""The set-up of Robo Recon, and the arrival of the power crystal."""

from typing import Any

import pytest

import rules
from rules import events as ev
from rules.grid import N
from tests.rules.table import Table

ROWS = [". a:red . k . a:blue .", ". . . . . . a:blue"]
RECON = "robo-recon"


def recon(
    *rows: str, players: str = "Alice Bob", kinds: str = "red blue", seed: int = 1, **options: Any
) -> Table:
    return Table(*(rows or ROWS), ruleset=RECON, players=players, kinds=kinds, seed=seed, **options)


@pytest.mark.clause("RC-1")
def test_robots_start_on_the_airlocks_of_their_colour_in_rotation() -> None:
    table = recon(players="A B C D E F", kinds="blue red blue red red blue")
    assert [robot.squad for robot in table.state.robots[:6]] == ["blue", "red", "blue", "red", "red", "blue"]
    assert [table.at(index) for index in range(6)] == [(5, 0), (1, 0), (6, 1), (1, 0), (1, 0), (5, 0)]
    assert all(robot.archive == robot.cell for robot in table.state.players)


@pytest.mark.clause("RC-1")
@pytest.mark.parametrize(
    "kinds", ["red red", "blue red red blue blue blue", "red", "", "red green", "red blue blue"]
)
def test_unequal_and_unknown_squads_are_refused(kinds: str) -> None:
    players = " ".join("ABCDEF"[: max(2, len(kinds.split()))])
    with pytest.raises(rules.SetupError, match="squads"):
        recon(players=players, kinds=kinds)


@pytest.mark.clause("RC-1")
@pytest.mark.parametrize("seats", [1, 3, 5, 7])
def test_numbers_of_players_that_cannot_form_two_squads_are_refused(seats: int) -> None:
    with pytest.raises(rules.SetupError, match=r"2 to 8 players|squads of the same size"):
        recon(players=" ".join("ABCDEFG"[:seats]))


@pytest.mark.clause("RC-1", "RC-2")
@pytest.mark.parametrize(
    ("rows", "missing"),
    [
        ([". a:red k"], "no airlock for the blue squad"),
        ([". a k"], "an airlock for neither the red squad nor the blue squad"),
        (["a:red . a:blue"], "no grappler"),
    ],
)
def test_a_board_without_an_airlock_for_each_squad_or_without_a_grappler_is_refused(
    rows: list[str], missing: str
) -> None:
    with pytest.raises(rules.SetupError, match=missing):
        recon(*rows)


@pytest.mark.clause("RC-2")
def test_the_crystal_arrives_on_a_grappler_after_the_choice_of_headings() -> None:
    table = recon()
    assert table.state.crystal is None
    log = table.resolve({0: rules.Orders(heading=N), 1: rules.Orders(heading=N)})
    assert [type(event) for event in log] == [ev.Turn, ev.Turn, ev.Enter]
    assert table.state.crystal == table.ship.cell(3, 0)
    assert table.hands == {}


@pytest.mark.clause("RC-2")
def test_one_of_several_grapplers_is_drawn_at_random() -> None:
    cells = set()
    for seed in range(30):
        table = recon("a:red k . k . k a:blue", seed=seed)
        table.start()
        cells.add(table.ship.pos(table.state.crystal or 0))
    assert cells == {(1, 0), (3, 0), (5, 0)}


@pytest.mark.clause("RC-2", "RC-4")
def test_an_arriving_crystal_is_destroyed_with_robots_in_its_cell_and_returns_a_turn_later() -> None:
    table = recon("a:red+wNESW . k+wNESW a:blue+wNESW")
    table.start()
    table.deal()
    alice, _, crystal = table.state.robots
    alice.cell, alice.virtual = table.ship.cell(2, 0), False
    crystal.cell, crystal.alive = rules.OFF, False
    log = table.resolve()
    ended = [event.robot for event in log if isinstance(event, ev.Destroyed) and event.by == "implosion"]
    assert ended == [0, 2]
    assert table.state.crystal is None
    assert (table.at(0), table.robot(0).lives) == ((0, 0), 2)
    table.deal()
    log = table.resolve()
    assert not [event for event in log if isinstance(event, ev.Destroyed)]
    assert table.state.crystal == table.ship.cell(2, 0)


@pytest.mark.clause("RC-3")
def test_the_crystal_is_neither_a_player_nor_a_shown_robot() -> None:
    table = recon()
    table.start()
    assert [robot.name for robot in table.state.players] == ["Alice", "Bob"]
    assert 2 not in table.hands
    assert not rules.needs_orders(table.setup, table.state, 2)
    seen = rules.view_to_json(table.ship, rules.view(table.state))
    assert [robot["name"] for robot in seen["robots"]] == ["Alice", "Bob"]
    assert seen["crystal"] == [3, 0]


@pytest.mark.clause("RC-6")
def test_a_board_without_checkpoints_suits() -> None:
    assert not rules.reasons_against(rules.ruleset(RECON), recon().ship)
