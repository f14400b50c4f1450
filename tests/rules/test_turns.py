"""The state that turns pass on, and random draws that depend only on seed and turn."""

import subprocess
import sys
from dataclasses import fields, replace
from pathlib import Path

import pytest

import rules
from rules import events as ev
from rules.chance import Chance
from rules.grid import E, N, S
from rules.physics import nearest_free
from rules.scenario import read_scenario
from tests.rules.strategies import RandomGame
from tests.rules.table import Table

ROOT = Path(__file__).parents[2]
CASES = sorted((ROOT / "tests" / "rules" / "cases" / "robo-runner").glob("rr-[2-7]*.json"))
PEN = "a+wNESW .+i1"
"""An airlock that no program can leave."""
RAFT = [
    "o o o o o o o o o",
    *["o . . . . . . . o"] * 3,
    "o . . . h1 . . . o",
    *["o . . . . . . . o"] * 3,
    "o a .+i1 o o o o o o",
]
"""A small ship with a scanner depot, surrounded by shafts."""


@pytest.mark.clause("G-2.4")
def test_the_same_input_gives_the_same_result_and_the_same_log() -> None:
    for seed in range(5):
        games = RandomGame(seed), RandomGame(seed)
        for _ in range(4):
            for game in games:
                game.order()
            first, second = (game.resolve() for game in games)
            assert first == second
            if first.state.over:
                break
            for game, outcome in zip(games, (first, second), strict=True):
                game.go_on(outcome)


@pytest.mark.clause("G-2.4")
def test_the_order_of_sets_and_dicts_in_memory_does_not_matter() -> None:
    def resolved(hash_seed: str) -> str:
        command = [sys.executable, "-m", "rules", "resolve", *map(str, CASES)]
        environment = {"PYTHONHASHSEED": hash_seed}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
        return done.stdout

    assert resolved("0") == resolved("1")


@pytest.mark.clause("G-2.4")
def test_draws_are_the_same_on_all_machines() -> None:
    stream = Chance("seed", 3).stream("ranks")
    assert [stream.below(84) for _ in range(6)] == [43, 18, 14, 16, 34, 31]


@pytest.mark.clause("G-2.4")
def test_an_extra_draw_for_a_purpose_changes_no_other_purpose() -> None:
    chance, other = Chance(7, 4), Chance(7, 4)
    chance.stream("ranks").below(6)
    assert chance.stream("deck/0").shuffled(range(84)) == other.stream("deck/0").shuffled(range(84))
    alone, together = Table("a .+i1", players="A", seed=3), Table("a .+i1", players="A B C", seed=3)
    alone.start()
    together.start()
    assert alone.hands[0] == together.hands[0]


@pytest.mark.clause("G-2.4")
@pytest.mark.parametrize(("seed", "turn", "purpose"), [(8, 4, "ranks"), (7, 5, "ranks"), (7, 4, "deck/0")])
def test_each_seed_turn_and_purpose_has_a_different_stream(seed: int, turn: int, purpose: str) -> None:
    stream, other = Chance(7, 4).stream("ranks"), Chance(seed, turn).stream(purpose)
    assert stream.shuffled(range(84)) != other.shuffled(range(84))


@pytest.mark.clause("G-2.5", "RR-9.3")
def test_a_copy_of_a_robot_is_equal_and_independent() -> None:
    registers = [rules.CHIPS[10], None, None, None, None]
    robot = rules.Robot(
        *(3, "Ann", 17, 2, 18, 2, 6, 4, registers, 2),
        *(False, True, True, True, True, True, "red", "lazybot", "nitro", 3, 1, True, True, 5, 6, (4,)),
        pays=True,
        start=19,
    )
    blank = rules.Robot(0, "", 0, None, 0, 0)
    assert all(getattr(robot, field.name) != getattr(blank, field.name) for field in fields(robot))
    twin = robot.copy()
    assert twin == robot
    twin.registers[0] = None
    assert robot.registers == registers


def test_a_reboot_costs_only_the_next_turn() -> None:
    table = Table(PEN, players="Alice Bob")
    table.start()
    table.damage_robot(4)
    table.deal()
    table.resolve({0: table.orders(power_down=True)})
    table.deal()
    assert table.robot().damage == 0
    assert 0 not in table.hands
    assert not rules.needs_orders(table.setup, table.state, 0)
    log = table.resolve()
    assert not [event for event in log if isinstance(event, ev.Turn | ev.Move) and event.robot == 0]
    table.deal()
    assert len(table.hands[0]) == 9
    assert rules.needs_orders(table.setup, table.state, 0)


@pytest.mark.clause("G-9.4")
def test_a_returned_robot_turns_once_before_phase_1() -> None:
    table = Table("a .+i1", ". .")
    table.start()
    table.resolve({0: table.give("1LRLR")})
    assert table.robot().lives == 2
    table.deal()
    orders = table.give("RLRLU")
    assert table.problems(replace(orders, heading=S)) == []
    log = table.resolve({0: replace(orders, heading=S)})
    assert log[0] == ev.Turn(0, "headings", 0, N, S, "order")
    table.deal()
    assert table.problems(replace(table.give("RLRLU"), heading=S)) == ["heading"]


@pytest.mark.clause("G-9.4")
def test_a_returned_robot_keeps_its_heading_by_default() -> None:
    table = Table("a .+i1", ". .")
    table.start()
    table.resolve({0: table.give("1LRLR")})
    table.deal()
    log = table.resolve({0: table.give("RLRLU")})
    assert next(event for event in log if isinstance(event, ev.Turn)).origin == N


@pytest.mark.clause("G-2.6", "G-10.1")
def test_a_finished_game_has_no_orders_and_no_turns() -> None:
    table = Table("a .+i1")
    table.resolve({0: rules.Orders(heading=E)})
    table.deal()
    table.resolve({0: table.give("1LRLR")})
    assert table.state.over
    assert table.state.winner == 0
    assert not rules.needs_orders(table.setup, table.state, 0)
    with pytest.raises(ValueError, match="over"):
        table.resolve()


@pytest.mark.clause("G-10.3")
def test_a_robot_already_out_does_not_win_when_the_others_go_out_together() -> None:
    table = Table("a .+i1", ". .+i2", players="Alice Bob Carol", lives=1)
    table.start()
    alice, bob, carol = table.state.robots
    alice.alive, alice.lives, alice.cell, alice.next = False, 0, rules.OFF, 2
    bob.rank, carol.rank = 2, 1
    table.resolve({1: table.give("1LRLR", 1), 2: table.give("1LRLR", 2)})
    assert table.state.over
    assert table.state.winner == 2
    assert [robot.place for robot in table.state.robots] == [None, None, None]


@pytest.mark.clause("RR-2.1")
def test_a_preview_into_space_on_the_last_life_announces_no_winner() -> None:
    table = Table("a ~", ". .+i1", players="Alice Bob", lives=1)
    table.resolve({0: rules.Orders(heading=E), 1: rules.Orders(heading=E)})
    table.deal()
    outcome = rules.preview(table.setup, table.state, 0, table.give("1"))
    log = rules.events_to_json(rules.Vocabulary(table.ship, table.names), outcome.events)
    types = [event["type"] for event in log]
    assert "destroyed" in types
    assert "over" not in types
    assert "finish" not in types


def test_ties_in_weight_are_drawn_and_the_ranks_are_public() -> None:
    drawn = set()
    for seed in range(30):
        table = Table(PEN, players="A B C", seed=seed)
        table.start()
        (rank,) = (event for event in table.resolve() if isinstance(event, ev.Rank))
        assert sorted(rank.ranks.values()) == [1, 2, 3]
        assert [robot.rank for robot in table.state.robots] == list(rank.ranks.values())
        drawn.add(tuple(rank.ranks.values()))
    assert len(drawn) == 6


@pytest.mark.clause("RR-2.1")
def test_earned_weight_counts_before_ties() -> None:
    for seed in range(10):
        table = Table("a+wN . . . . .+i1", players="A B C", seed=seed)
        table.resolve({index: rules.Orders(heading=E if index == 1 else N) for index in range(3)})
        table.deal()
        table.resolve({0: table.give("1RLRL"), 1: table.give("1RLRL", 1), 2: table.give("1RLRL", 2)})
        assert table.robot(1).rank == 1


@pytest.mark.clause("RR-11.3")
@pytest.mark.parametrize("seed", range(12))
def test_a_scanner_avoids_its_destruction_if_possible(seed: int) -> None:
    table = Table(*RAFT, scanners=1, seed=seed)
    table.start()
    assert len(table.hands[1]) == 9
    log = table.resolve({0: table.give("LRLRL")})
    assert not [event for event in log if isinstance(event, ev.Destroyed) and event.robot == 1]


@pytest.mark.clause("RR-11.3")
def test_a_scanner_covers_more_cells_than_chance_would() -> None:
    def covered(log: tuple[rules.Event, ...], index: int) -> int:
        return len({event.to for event in log if isinstance(event, ev.Move) and event.robot == index})

    by_scanner = by_chance = 0
    for seed in range(10):
        rows = [". " * 21] * 10 + ["a " + ". " * 9 + "h1 " + ". " * 9 + ".+i1"] + [". " * 21] * 10
        table = Table(*rows, scanners=1, seed=seed)
        table.start()
        by_chance += covered(rules.preview(table.setup, table.state, 1, table.orders(1)).events, 1)
        by_scanner += covered(table.resolve({0: table.give("LRLRL")}), 1)
    assert by_scanner > 1.5 * by_chance


@pytest.mark.clause("RR-11.3")
def test_a_scanner_only_orders_a_program() -> None:
    table = Table("a h1 .+i1", scanners=1)
    table.start()
    assert not rules.needs_orders(table.setup, table.state, 1)
    log = table.resolve()
    assert not [event for event in log if isinstance(event, ev.Power) and event.robot == 1]


@pytest.mark.clause("G-9.3")
@pytest.mark.parametrize(
    ("rows", "sought", "found"),
    [
        ([". . .", ". a .", ". . ."], [1, 1], (1, 0)),
        ([". o .", ". a .", ". . ."], [1, 1], (2, 1)),
        ([". h1 .", ". a f", ". . ."], [1, 1], (1, 2)),
        ([". g+ .", ". a b1:E", ". ~ ."], [1, 1], (0, 1)),
        (["a+wE .", "o ."], [0, 0], (1, 0)),
        ([". o o", "o a o", "o o ."], [1, 1], (2, 2)),
        (["o o .", "o a o", "o o ."], [1, 1], (2, 0)),
        ([". o o o", "o o a o", "o . o ."], [2, 1], (3, 2)),
        (["o .+i1*2 .", ". a o", "o o o"], [1, 1], (0, 1)),
        (["o .+i1 .", ". a o", "o o o"], [1, 1], (1, 0)),
    ],
)
def test_the_nearest_free_hull_cell_is_the_first_clockwise_by_steps(
    rows: list[str], sought: list[int], found: tuple[int, int]
) -> None:
    scenario = {
        "format": "scenario/1",
        "ruleset": "robo-runner",
        "starship": {"format": "starship/1", "rows": rows},
        "robots": [{"name": "A", "at": sought, "heading": "N"}],
        "phases": 1,
    }
    turn = read_scenario(scenario).run()
    assert turn.ship.pos(nearest_free(turn, turn.ship.cell(*sought))) == found


@pytest.mark.clause("G-9.3")
def test_only_real_robots_occupy_a_cell() -> None:
    scenario = {
        "format": "scenario/1",
        "ruleset": "robo-runner",
        "starship": {"format": "starship/1", "rows": ["o . o", ". a .", "o o o"]},
        "robots": [
            {"name": "A", "at": [1, 1], "heading": "S"},
            {"name": "B", "at": [1, 0]},
            {"name": "C", "at": [2, 1], "virtual": True},
        ],
        "phases": 1,
    }
    turn = read_scenario(scenario).run()
    assert turn.ship.pos(nearest_free(turn, turn.ship.cell(1, 1))) == (2, 1)


@pytest.mark.clause("G-7.3")
def test_locked_registers_show_their_chips_even_if_the_game_ends_in_mid_turn() -> None:
    table = Table("a+wW+l2W . .+i1")
    table.damage_robot(4)
    table.resolve({0: rules.Orders(heading=E)})
    table.deal()
    orders = table.give("11RLU")
    events = table.resolve({0: orders})
    (robot,) = rules.view_to_json(table.ship, rules.view(table.state))["robots"]
    assert (table.state.over, robot["damage"]) == (True, 8)
    assert robot["locked"] == {"2": "1", "3": "R", "4": "L", "5": "U"}
    written = rules.events_to_json(rules.Vocabulary(table.ship, table.names), events)
    chips = [str(chip) for chip in orders.registers]
    assert written[-1]["locked"] == {"Alice": {"3": chips[2], "4": chips[3], "5": chips[4]}}
    renamed = rules.rename_in_event(written[-1], {"Alice": "Ann"})
    assert (renamed["winner"], list(renamed["locked"])) == ("Ann", ["Ann"])
