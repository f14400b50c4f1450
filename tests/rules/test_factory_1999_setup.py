"""The set-up of SWP'99, and games that continue until the last place is decided."""

from typing import Any

import pytest

import rules
from rules import events as ev
from tests.rules.table import Table

FACTORY = "factory-1999"
ROWS = [". . .+i1 .", ". a1 . .+i2", ". . . ."]


def factory(*rows: str, players: str = "Alice Bob Carol", **options: Any) -> Table:
    return Table(*(rows or ROWS), ruleset=FACTORY, players=players, **options)


@pytest.mark.clause("FA-1")
@pytest.mark.parametrize("start", ["a", "a1"])
@pytest.mark.parametrize("players", ["Alice Bob Carol", "Alice"])
def test_all_robots_start_virtual_on_the_single_start_cell(start: str, players: str) -> None:
    table = factory(f". {start} .+i1", players=players)
    for robot in table.state.robots:
        assert table.at(robot.index) == (1, 0)
        assert robot.virtual
        assert robot.archive == robot.cell


@pytest.mark.clause("FA-1")
def test_all_robots_start_on_the_first_of_several_start_cells() -> None:
    table = factory(". a2 . a1 .+i1")
    assert {table.at(index) for index in range(3)} == {(3, 0)}


@pytest.mark.clause("FA-1")
def test_a_board_without_a_start_or_without_flags_is_refused() -> None:
    with pytest.raises(rules.SetupError) as refusal:
        factory(". . .")
    no_start, no_flag = map(str, refusal.value.problems)
    assert "no airlock or start cell" in no_start
    assert "needs at least 1 checkpoint" in no_flag


@pytest.mark.clause("FA-1")
@pytest.mark.parametrize("tiles", [1, 5, 16, 50])
def test_any_number_of_tiles_may_be_joined(tiles: int) -> None:
    ruleset = rules.ruleset(FACTORY)
    assert tiles <= ruleset.boards
    start, plain = (
        rules.read_starship({"format": "starship/1", "rows": [row, ". b1:E"]}) for row in ("a .", ". o")
    )
    pieces = [rules.Tile(plain if number else start, (number, 0), number % 4) for number in range(tiles)]
    course = rules.with_checkpoints(rules.join(pieces), [(1, 0)])
    setup = rules.make_setup(ruleset, {}, course, seats=8)
    assert setup.starship.width == 2 * tiles


@pytest.mark.clause("FA-1")
def test_flags_may_be_in_any_cell_that_can_hold_a_robot() -> None:
    table = factory("a+i1 g++i2 b1:E+i3 h1+i4 .+x2+i5")
    assert len(table.ship.checkpoints) == 5
    with pytest.raises(rules.SetupError, match="row 1, column 2"):
        factory("a o+i1")


@pytest.mark.clause("FA-1")
@pytest.mark.parametrize(("width", "height", "suits"), [(64, 64, True), (100, 40, True), (65, 64, False)])
def test_a_board_has_at_most_4096_cells(width: int, height: int, suits: bool) -> None:
    rows = [" ".join(["a", ".+i1", *["."] * (width - 2)]), *[" ".join(["."] * width)] * (height - 1)]
    ship = rules.read_starship({"format": "starship/1", "rows": rows})
    reasons = [str(reason) for reason in rules.reasons_against(rules.ruleset(FACTORY), ship)]
    told = "Factory 1999 allows at most 4,096 cells, but the starship has 4,160"
    assert reasons == ([] if suits else [told])
    assert rules.reasons_against(rules.ruleset(FACTORY, 1), ship) == []


@pytest.mark.clause("FA-1")
@pytest.mark.parametrize("cell", [(0, 0), (1, 1), (3, 0), (0, 2)])
def test_the_host_may_choose_the_start(cell: tuple[int, int]) -> None:
    board = rules.read_starship(
        {"format": "starship/1", "rows": [". b1:E .+i1 a", ". a1 . .+i2", ".+wN . . ."]}
    )
    ship = rules.with_start(board, cell)
    assert [ship.pos(start) for start in (*ship.airlocks, *ship.starts.values())] == [cell]
    table = factory(*rules.write_starship(ship)["rows"])
    assert {table.at(index) for index in range(3)} == {cell}
    assert rules.with_start(ship, cell).cells == ship.cells


@pytest.mark.clause("FA-1")
@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ((1, 0), "row 1, column 2: .* must be on plain hull"),
        ((4, 0), "off the board"),
        ((0, -1), "off the board"),
    ],
)
def test_an_impossible_start_is_refused(cell: tuple[int, int], reason: str) -> None:
    board = rules.read_starship({"format": "starship/1", "rows": [". b1:E .+i1 a"]})
    with pytest.raises(rules.SetupError, match=reason):
        rules.with_start(board, cell)


ROOM = ["a . . o", ". g++i1 b1:E ~", ".+wNESW . h1 ."]


def scattered(count: int, seed: rules.Seed, *rows: str) -> rules.Starship:
    board = rules.read_starship({"format": "starship/1", "rows": list(rows or ROOM)})
    return rules.with_random_checkpoints(board, count, board.cell(0, 0), seed)


@pytest.mark.clause("FA-1")
def test_random_checkpoints_are_reachable_and_follow_from_the_seed() -> None:
    places = set()
    for seed in range(60):
        ship = scattered(3, seed)
        assert sorted(ship.checkpoints) == [1, 2, 3]
        assert scattered(3, seed).cells == ship.cells
        places |= {ship.pos(cell) for cell in ship.checkpoints.values()}
    every = {(x, y) for x in range(4) for y in range(3)}
    assert places == every - {(0, 0), (3, 0), (3, 1), (0, 2)}


@pytest.mark.clause("FA-1")
def test_random_checkpoints_need_room() -> None:
    assert len(scattered(8, 1).checkpoints) == 8
    with pytest.raises(rules.SetupError, match="9 random checkpoints do not fit: there is room for 8"):
        scattered(9, 1)


@pytest.mark.clause("FA-1")
def test_a_game_counts_its_random_checkpoints() -> None:
    factory(*rules.write_starship(scattered(3, 1))["rows"], random_checkpoints=3)
    with pytest.raises(rules.SetupError, match="has 3 checkpoints, but the option asks for 2"):
        factory(*rules.write_starship(scattered(3, 1))["rows"], random_checkpoints=2)


@pytest.mark.clause("FA-4")
def test_a_finished_robot_takes_no_orders_and_gets_no_hand() -> None:
    table = factory(". .+i1 .", ". a .")
    alice = table.robot()
    alice.virtual = False
    log = table.resolve({0: table.give("1RLRL")})
    assert [event for event in log if isinstance(event, ev.Finish)] == [
        ev.Finish(1, "flags and repair fields", 0, None, 1, True)
    ]
    assert not table.state.over
    table.deal()
    assert table.robot().finished
    assert not table.robot().on_board
    assert 0 not in table.hands
    assert not rules.needs_orders(table.setup, table.state, 0)
    assert table.problems(rules.Orders()) == ["nothing-to-order"]


@pytest.mark.clause("FA-4", "G-10.3")
def test_the_game_is_over_when_only_one_robot_has_no_place() -> None:
    table = factory(". .+i1 .", ". a .", players="Alice Bob")
    table.resolve({0: table.give("1RLRL"), 1: table.give("RLRLR", 1)})
    assert table.state.over
    assert table.state.winner == 0
    assert [robot.place for robot in table.state.robots] == [1, None]


@pytest.mark.clause("FA-5")
def test_a_robot_has_three_lives() -> None:
    assert [robot.lives for robot in factory().state.robots] == [3, 3, 3]
