"""The set-up of Robo Runner, and the boards that suit it."""

from typing import Any

import pytest

import rules
from rules import events as ev
from rules.grid import E, W
from tests.rules.table import OPEN, Table

EVERY_ELEMENT = [
    "a        .+wN+pN     b1:E  b2:E   b3:E   ~          o   d24",
    "t:purple t:red       t:red t:blue t:blue t:yellow   f   h1",
    "h2       h3          g+    g-     g2     .+r24N     .   .+i1",
    ".+i2*4   .+wE+cE+l2E .     b1:NWE b2:ES  .+wS+p135S a1  b3:NSWE",
]


def ranks(table: Table) -> list[int]:
    return [robot.rank for robot in table.state.robots]


@pytest.mark.clause("G-1.8")
def test_it_accepts_a_board_with_all_its_elements() -> None:
    assert Table(*EVERY_ELEMENT).state.turn == 0


@pytest.mark.clause("G-1.8")
@pytest.mark.parametrize(
    ("token", "element"),
    [(".+x15", "crusher"), ("s", "oil"), ("k", "grappler"), ("a:red", "coloured airlock")],
)
def test_it_refuses_a_board_with_an_unknown_element(token: str, element: str) -> None:
    with pytest.raises(rules.SetupError) as refusal:
        Table("a . .+i1", f". {token} .")
    (problem,) = refusal.value.problems
    assert (problem.row, problem.column) == (2, 2)
    assert element in str(problem)


@pytest.mark.clause("RR-1.1")
@pytest.mark.parametrize("seats", range(1, 9))
def test_one_to_eight_players_are_allowed(seats: int) -> None:
    table = Table("a .+i1", players=" ".join("ABCDEFGH"[:seats]))
    assert len(table.state.robots) == seats


@pytest.mark.clause("RR-1.1")
@pytest.mark.parametrize("seats", [0, 9])
def test_zero_or_nine_players_are_refused(seats: int) -> None:
    with pytest.raises(rules.SetupError, match="1 to 8 players"):
        Table("a .+i1", players=" ".join("ABCDEFGHI"[:seats]))


@pytest.mark.clause("RR-1.1")
def test_robots_have_three_lives_by_default() -> None:
    assert Table("a .+i1").robot().lives == 3
    assert Table("a .+i1", lives=1).robot().lives == 1


@pytest.mark.clause("RR-1.1")
def test_the_options_are_lives_hull_damage_scanners_and_equipment() -> None:
    options: dict[str, Any] = {"lives": 2, "hull_damage": False, "scanners": 2, "equipment": True}
    table = Table("a h1 .+i1*3", **options)
    assert table.setup.options == options
    assert [robot.scanner for robot in table.state.robots] == [False, True, True]
    assert table.state.hull == {1: 0}


@pytest.mark.clause("RR-1.1")
def test_an_unknown_or_out_of_range_option_is_refused() -> None:
    with pytest.raises(rules.SetupError) as refusal:
        Table("a .+i1", lasers=True, lives=0, equipment="yes")
    assert len(refusal.value.problems) == 3


@pytest.mark.clause("RR-1.2")
def test_robots_start_virtual_on_the_airlocks_in_rotation_without_a_heading() -> None:
    table = Table(". . a", "a . .+i1", players="Alice Bob Carol")
    assert [table.at(index) for index in range(3)] == [(2, 0), (0, 1), (2, 0)]
    for robot in table.state.robots:
        assert robot.heading is None
        assert robot.virtual
        assert robot.archive == robot.cell


@pytest.mark.clause("RR-1.2")
def test_the_only_robot_in_a_game_is_real_from_the_start() -> None:
    assert not Table("a .+i1").robot().virtual


@pytest.mark.clause("RR-1.2")
def test_a_robot_with_only_a_scanner_starts_virtual() -> None:
    table = Table("a h1 .+i1", scanners=1)
    assert [robot.virtual for robot in table.state.robots] == [True, True]


@pytest.mark.clause("RR-1.2")
def test_a_starship_without_airlock_is_refused() -> None:
    with pytest.raises(rules.SetupError, match="no airlock"):
        Table(". .+i1")


@pytest.mark.clause("RR-1.3")
def test_turn_0_only_accepts_a_heading() -> None:
    table = Table("a .+i1")
    assert table.state.turn == 0
    assert table.problems(rules.Orders(heading=E)) == []
    assert table.problems(rules.Orders()) == ["heading-missing"]
    assert table.problems(rules.Orders(heading=E, power_down=True)) == ["heading-alone"]
    assert table.problems(rules.Orders(heading=E, registers=(rules.CHIPS[490],))) == ["heading-alone"]


@pytest.mark.clause("RR-1.3")
def test_turn_0_resolves_after_all_choices_without_moves() -> None:
    table = Table("a .+i1", players="Alice Bob")
    with pytest.raises(ValueError, match="Bob"):
        rules.resolve_turn(table.setup, table.state, {}, {0: rules.Orders(heading=E)}, 1)
    log = table.resolve({0: rules.Orders(heading=E), 1: rules.Orders(heading=W)})
    assert [robot.heading for robot in table.state.robots] == [E, W]
    assert {type(event) for event in log} == {ev.Turn}


@pytest.mark.clause("RR-1.3")
def test_turn_1_deals_the_first_chips() -> None:
    table = Table("a .+i1", players="Alice Bob")
    table.start()
    assert table.state.turn == 1
    assert [len(table.hands[index]) for index in range(2)] == [9, 9]


@pytest.mark.clause("RR-1.4")
@pytest.mark.parametrize("seed", range(10))
def test_each_network_of_transporters_is_one_closed_loop(seed: int) -> None:
    table = Table("a t:red t:red t:red t:red", ".+i1 t:blue t:blue t:purple .", seed=seed)
    for network, length in (("red", 4), ("blue", 2)):
        members = table.ship.networks[network]
        cell, loop = members[0], set()
        while cell not in loop:
            loop.add(cell)
            cell = table.state.links[cell]
        assert loop == set(members)
        assert len(loop) == length


@pytest.mark.clause("RR-1.4")
def test_loops_are_shuffled_when_the_game_starts_and_stay_so() -> None:
    games = [Table("a t:red t:red t:red t:red t:red .+i1", seed=seed) for seed in range(20)]
    assert len({tuple(game.state.links.items()) for game in games}) > 5
    game = games[0]
    links = dict(game.state.links)
    game.start()
    game.resolve()
    assert game.state.links == links


@pytest.mark.clause("RR-1.4")
def test_the_link_of_a_transporter_is_secret_until_its_first_use() -> None:
    table = Table("a t:red t:red .+i1", ". t:red . .")
    assert rules.view(table.state).links == {}
    table.resolve({0: rules.Orders(heading=E)})
    table.deal()
    entered = table.ship.cell(1, 0)
    table.resolve({0: table.give("1LRLR")})
    assert rules.view(table.state).links == {entered: table.state.links[entered]}


@pytest.mark.clause("RR-1.4")
def test_a_preview_does_not_reveal_the_link_of_a_transporter() -> None:
    table = Table("a t:red t:red .+i1")
    table.resolve({0: rules.Orders(heading=E)})
    table.deal()
    seen = rules.preview(table.setup, table.state, 0, table.give("1LRLR")).state.robots[0]
    assert seen.cell == table.ship.cell(1, 0)


@pytest.mark.clause("RR-1.5")
def test_with_equipment_each_robot_draws_one_of_six_loaded_items() -> None:
    drawn = set()
    for seed in range(40):
        for robot in Table("a .+i1", players="Alice Bob", seed=seed, equipment=True).state.robots:
            assert robot.ammo == (2 if robot.equipment in rules.HAND_EQUIPMENT else 5)
            drawn.add(robot.equipment)
    assert drawn == {"twin-lasers", "rear-laser", "shields", "repulsors", "nitro", "clamps"}


@pytest.mark.clause("RR-1.5")
def test_without_the_option_robots_have_no_equipment() -> None:
    robot = Table("a .+i1").robot()
    assert robot.equipment is None
    assert robot.ammo is None


@pytest.mark.clause("RR-1.6")
def test_the_first_move_order_is_random() -> None:
    drawn = [ranks(Table(*OPEN, "a h1 .+i1 . .", players="A B C", scanners=1, seed=n)) for n in range(30)]
    assert all(sorted(ranks) == [1, 2, 3, 4] for ranks in drawn)
    assert len({tuple(ranks) for ranks in drawn}) > 8


@pytest.mark.clause("RR-11.1")
def test_scanners_start_virtual_on_the_repair_depots_in_rotation() -> None:
    table = Table(". h1 a", "h2 . .+i1", scanners=3)
    scanners = table.state.robots[1:]
    assert [table.at(robot.index) for robot in scanners] == [(1, 0), (0, 1), (1, 0)]
    assert all(robot.scanner and robot.virtual and robot.lives == 0 for robot in scanners)


@pytest.mark.clause("RR-1.3", "RR-11.1")
def test_scanners_need_no_choice_of_heading() -> None:
    drawn = set()
    for seed in range(20):
        table = Table("a h1 .+i1", scanners=1, seed=seed)
        table.resolve({0: rules.Orders(heading=E)})
        drawn.add(table.robot(1).heading)
    assert drawn == set(rules.HEADINGS)


@pytest.mark.clause("RR-11.1", "RR-11.2")
def test_scanners_start_on_the_airlock_without_a_depot_and_have_no_equipment() -> None:
    table = Table(". . a", ". . .+i1", scanners=1, equipment=True)
    assert table.at(1) == (2, 0)
    assert table.robot(1).equipment is None
