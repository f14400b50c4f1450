"""Measurements of a board that need no flights."""

import pytest

import rules
from rules.suitability import middle, player_numbers
from rules.tunnel.geometry import corners, elements_share, floor, lines_of_fire, shelter
from rules.tunnel.outlook import describe
from rules.tunnel.play import ways_behind
from tests.rules.tunnel.flown import FAIR, run_of, ship_of


@pytest.mark.parametrize("rails", ["NE", "ES", "SW", "NW", "NES"])
def test_rails_on_adjacent_edges_are_a_corner(rails: str) -> None:
    assert corners(ship_of("a . .", f". .+i1+w{rails} .")) == {1: (1, 1)}


def test_a_rail_of_the_next_cell_can_make_a_corner() -> None:
    assert corners(ship_of("a .+wS", ". .+i1+wE")) == {1: (1, 1)}


@pytest.mark.parametrize("cell", [".+i1", ".+i1+wN", ".+i1+wNS", ".+i1+wE+r135N"])
def test_separate_rails_and_slide_rails_are_no_corner(cell: str) -> None:
    assert corners(ship_of("a . .", f". {cell} .")) == {}


def test_a_line_of_fire_only_leads_from_a_checkpoint_to_the_next() -> None:
    (line,) = lines_of_fire(ship_of("a .+i1 o .+i2", ". .+i3 . ."))
    assert (line.checkpoint, line.cells) == (1, ((1, 0), (2, 0), (3, 0)))


@pytest.mark.parametrize("row", [".+i1 .+wE . .+i2", ".+i1 . .+i3 .+i2+wW"])
def test_a_rail_bars_a_line_of_fire(row: str) -> None:
    assert all(line.checkpoint != 1 for line in lines_of_fire(ship_of(row, "a . . .")))


def test_cells_are_sheltered_if_nothing_shoots_far_from_two_sides() -> None:
    open_ship = ship_of(*[". . . . . . . . ."] * 4, ". . . . a . . . .", *[". . . . . . . . ."] * 4)
    starts = open_ship.airlocks
    assert shelter(open_ship, starts)[0] == 0
    walled = ship_of(*[". . . . . . . . ."] * 4, ". . . .+wEW a+wNS .+wEW . . .", *[". . . . . . . . ."] * 4)
    share, bare = shelter(walled, walled.airlocks)
    assert (share, bare) == (1, [])


def test_deserts_have_almost_no_elements() -> None:
    assert elements_share(ship_of("a . .+i1", "~ ~ ~", ". . .")) == 0
    assert elements_share(ship_of("a o .+i1", "~ ~ ~", ". b1:E .+wN")) == 0.5


def test_habitable_cells_do_not_always_destroy_robots() -> None:
    assert floor(ship_of("a o ~ d2 .+i1")) == [(0, 0), (3, 0), (4, 0)]


def test_a_start_is_behind_if_its_way_to_the_first_checkpoint_is_longer() -> None:
    run = run_of("a1 . . .+i1 . . . . . . . . . a2", ". .+i2 . . . . . . . . . . . .", key="websocket")
    behind = ways_behind(run.setup, run.start_cells)
    assert behind[0, 0] == -behind[13, 0]
    assert behind[13, 0] > 1


def test_shared_starts_and_games_without_a_race_have_no_start_behind() -> None:
    shared = run_of(*FAIR)
    arena = run_of("a . . . a", key="robo-arena")
    assert ways_behind(shared.setup, shared.start_cells) == {}
    assert ways_behind(arena.setup, arena.start_cells) == {}


def test_a_board_is_described_in_numbers() -> None:
    run = run_of(*FAIR)
    told = describe(run.setup.starship, run.start_cells)
    assert told.keys() == {"corners", "lines", "shelter", "field", "elements"}
    assert (told["corners"], told["lines"]) == (0, 0)


@pytest.mark.parametrize(
    ("key", "rows", "numbers"),
    [
        ("robo-runner", ["a .+i1"], (2,)),
        ("robo-runner", ["a" + " ." * 19] * 4, (2, 3, 4)),
        ("robo-recon", ["a:red a:blue k" + " ." * 37] * 3, (2, 4, 6)),
        ("websocket", ["a1 a2 a3 .+i1" + " ." * 96], (2, 3)),
        ("websocket", ["a1 . .+i1"], ()),
    ],
)
def test_robots_need_a_start_and_room(key: str, rows: list[str], numbers: tuple[int, ...]) -> None:
    assert player_numbers(rules.ruleset(key), ship_of(*rows)) == numbers


def test_the_middle_of_two_is_the_lower() -> None:
    assert middle((2, 3)) == 2
