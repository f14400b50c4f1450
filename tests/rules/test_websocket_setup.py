"""The set-up of the ruleset "websocket" for one to six players, and its built-in boards."""

from pathlib import Path
from typing import Any

import pytest

import rules
from rules import events as ev
from tests.rules.table import Table

STARSHIPS = Path(__file__).parents[2] / "fixtures" / "starships"
BOARDS = sorted(STARSHIPS.glob("3[4-7]-*.json"))
STARTS = "a1 a2 a3 a4 a5 a6"
WEB = "websocket"


def web(*rows: str, seats: int = 2, **options: Any) -> Table:
    players = " ".join("ABCDEFG"[:seats])
    return Table(*(rows or [STARTS, ". .+i1 . . .+i2 ."]), ruleset=WEB, players=players, **options)


@pytest.mark.clause("WS-1")
@pytest.mark.parametrize("seats", range(1, 7))
def test_one_to_six_players_start_on_different_cells_with_three_lives_and_nine_cards(seats: int) -> None:
    table = web(seats=seats)
    assert [table.at(index) for index in range(seats)] == [(seat, 0) for seat in range(seats)]
    assert [robot.lives for robot in table.state.robots] == [3] * seats
    assert [len(table.hands[index]) for index in range(seats)] == [9] * seats


@pytest.mark.clause("WS-1")
@pytest.mark.parametrize("seats", [0, 7])
def test_zero_or_seven_players_are_refused(seats: int) -> None:
    with pytest.raises(rules.SetupError, match="1 to 6 players"):
        web(seats=seats)


@pytest.mark.clause("WS-1")
def test_a_board_with_fewer_start_cells_than_players_is_refused() -> None:
    with pytest.raises(rules.SetupError, match="start cells for 1 robot, not for 2"):
        web("a1 .+i1", seats=2)


@pytest.mark.clause("WS-6", "WS-7", "G-2.5")
def test_a_robot_switched_off_in_time_misses_one_turn_in_full_health() -> None:
    table = web("a1+wNESW a2+wNESW .+i1")
    table.damage_robot(6)
    table.deal()
    table.resolve({0: table.orders(power_down=True)})
    table.deal()
    assert table.robot().damage == 0
    assert 0 not in table.hands
    assert not rules.needs_orders(table.setup, table.state, 0)
    table.resolve()
    table.deal()
    assert len(table.hands[0]) == 9


@pytest.mark.clause("WS-8")
def test_the_game_has_four_built_in_boards() -> None:
    assert len(BOARDS) == 4


@pytest.mark.clause("WS-8")
@pytest.mark.parametrize("file", BOARDS, ids=lambda file: file.stem)
def test_each_of_the_four_boards_is_12_by_12_and_for_this_game(file: Path) -> None:
    report = rules.check_starship(rules.parse(file.read_bytes()))
    ship = report.starship
    assert ship is not None
    assert report.problems == ()
    assert (ship.width, ship.height) == (12, 12)
    assert rules.reasons_against(rules.ruleset(WEB), ship) == []
    assert sorted(ship.starts) == [1, 2, 3, 4, 5, 6]
    assert len(ship.checkpoints) == 2, "an intermediate checkpoint, and the finish"
    assert ship.beams
    assert ship.depots
    rules.make_setup(rules.ruleset(WEB), {}, ship, seats=6)


@pytest.mark.clause("WS-8")
def test_the_four_boards_have_different_difficulties() -> None:
    """One board has beams of two speeds, one has lasers, and the fourth has the most merging beams."""
    ships = [rules.read_starship(rules.parse(file.read_bytes())) for file in BOARDS]
    assert len({tuple(cell.token for cell in ship.cells) for ship in ships}) == 4
    assert sum(ship.speeds == {1, 2} for ship in ships) >= 1
    assert sum(bool(ship.emitters) for ship in ships) >= 1
    merging = [sum(len(beam.entries) > 1 for beam in ship.beams.values()) for ship in ships]
    assert max(merging) == merging[3] > 0


@pytest.mark.clause("WS-5")
def test_the_first_robot_at_the_finish_ends_the_game_without_further_places() -> None:
    table = web("a1 . .+i1 .", "a2 . . .")
    table.robot().cell = table.ship.cell(1, 0)
    table.robot().heading = 1
    log = table.resolve({0: table.give("1RLRL")})
    assert [event.place for event in log if isinstance(event, ev.Finish)] == [1]
    assert (table.state.over, table.state.winner) == (True, 0)


@pytest.mark.clause("WS-5", "G-10.3")
def test_the_last_robot_plays_on_and_the_last_one_out_wins_ties() -> None:
    table = web("a1 a2 .+i1 .+i2", lives=1)
    table.deal()
    table.resolve({0: table.give("1RLRL", 0), 1: table.give("RLRLR", 1)})
    assert (table.robot(0).out, table.state.over) == (True, False)
    stored = rules.state_to_json(table.ship, table.state)
    assert rules.state_from_json(table.ship, stored) == table.state
    table.deal()
    events = table.resolve({1: table.give("L1RLR", 1)})
    over = events[-1]
    assert isinstance(over, ev.Over)
    assert (over.winner, over.reason) == (1, "all out")
