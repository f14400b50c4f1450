"""How well the levels of computer players play."""

from dataclasses import replace
from itertools import permutations
from time import process_time

import pytest

import rules
from rules.computers.ace import Guesses
from rules.computers.chart import Chart, Evaluator, chart_of
from rules.computers.choosing import state_from_view
from rules.computers.effects import OFFSET, robot_state_of
from rules.computers.pilot import Task
from rules.grid import E, N, S, W
from tests.rules.table import Table
from tests.rules.test_computers import chosen

MAZE = (
    "a    .    .+wE b1:S .+i2",
    ".    o    .    b1:S .",
    ".+wE g+   .    b2:W .",
    ".    .    f    .    .+i1",
    "~    .    h1   .    o",
)


def worth_of(table: Table, registers: tuple[rules.Chip, ...]) -> float:
    """Return a pilot's value of a program. The engine plays it, without other robots."""
    outcome = rules.preview(table.setup, table.state, 0, rules.Orders(registers=registers))
    evaluator = Evaluator(table.setup, table.state, 0)
    return evaluator.value_of(robot_state_of(outcome.state, outcome.state.robots[0]), table.robot().lives)


@pytest.mark.parametrize("seed", range(4))
def test_a_pilot_finds_the_best_program(seed: int) -> None:
    table = Table(*MAZE, players="Alice", seed=seed)
    table.start()
    hand = table.hands[0] = table.hands[0][:6]
    best = max(worth_of(table, program) for program in set(permutations(hand, 5)))
    registers = tuple(chip for chip in chosen(table, "pilot").registers if chip)
    assert worth_of(table, registers) == best


def test_a_pilot_drives_onto_the_checkpoint_and_stays() -> None:
    table = Table("a . . .+i1 . .", players="Alice")
    table.start()
    table.robot().heading = E
    table.give("12LLB")
    registers = chosen(table, "pilot").registers
    outcome = rules.preview(table.setup, table.state, 0, rules.Orders(registers=registers))
    assert outcome.state.over


def test_a_pilot_searches_all_programs_of_nine_chips_within_half_a_second() -> None:
    rows = [". . .+wN . o . .+wE . g+ . . ."] * 5 + [". b1:E b2:E . . . .+r24W . . h1 . ."] * 5
    table = Table("a . . . . . . . . . . .", *rows, ". . . . . . . . . . . .+i1", players="Alice")
    table.start()
    table.give("12BLRU3")
    started = process_time()
    chosen(table, "pilot")
    assert process_time() - started < 0.5


def test_a_rookie_seldom_drives_into_a_shaft() -> None:
    rows = ("o o o o o o o", "o . . . . . o", "o . a . .+i1 . o", "o . . . . . o", "o o o o o o o")
    lost = {"rookie": 0, "chance": 0}
    for seed in range(40):
        table = Table(*rows, seed=seed)
        table.start()
        for way, orders in (("rookie", chosen(table, "rookie")), ("chance", table.orders())):
            outcome = rules.preview(table.setup, table.state, 0, orders)
            lost[way] += not outcome.state.over and outcome.state.robots[0].lives < 3
    assert lost["rookie"] < 8 < lost["chance"]


def test_distances_know_rails_shafts_and_belts() -> None:
    table = Table(". b2:E b2:E . .+i1", ".+wE . . . .", "a . . o .")
    chart = chart_of(table.setup, {})
    ship = table.ship
    way = chart.to_cell(ship.cell(4, 0))[1]
    assert way[ship.cell(0, 0) << 2 | E] == 2
    assert way[ship.cell(3, 0) << 2 | E] == 1
    assert way[ship.cell(4, 1) << 2 | S] == 1
    assert way[ship.cell(0, 1) << 2 | N] == 4


def test_an_updated_chart_of_transporters_equals_a_new_one() -> None:
    table = Table("a t:red b1:E t:red .", ". b2:N t:red t:blue .", "b1:N . t:blue . .+i1")
    networks = table.ship.networks.values()
    rings = [ring(cells) for cells in networks] + [ring(cells[::-1]) for cells in networks]
    for links in (*rings, {**rings[0], **rings[1]}, {**rings[2], **rings[1]}, dict([*rings[0].items()][:1])):
        chart, plain = chart_of(table.setup, links), Chart(table.setup, links)
        assert chart.leads == plain.leads != chart_of(table.setup, {}).leads
        assert chart.rows == plain.rows
        goal = table.ship.checkpoints[1]
        assert chart.to_cell(goal) == plain.to_cell(goal)
        for node in range(OFFSET, len(chart.rows[1])):
            if chart.leads[1][node - OFFSET]:
                assert chart.virtual_row(1, node) == plain.virtual_row(1, node)


def ring(cells: list[int]) -> dict[int, int]:
    """Return transporter links from each cell to the next, and from the last cell to the first."""
    return dict(zip(cells, cells[1:] + cells[:1], strict=True))


def test_an_imagined_state_differs_only_in_secrets() -> None:
    table = Table("a t:red . t:red .", ". . t:red . .", ". . . . .+i1", players="Alice Bob", scanners=1)
    table.start()
    imagined = state_from_view(table.setup, rules.view(table.state))
    assert table.state.links and not imagined.links
    assert imagined == replace(table.state, links={})


def duel(*rows: str, mine: tuple[int, int, int], theirs: tuple[int, int, int], **options: object) -> Table:
    """Return a table with two real robots at the given positions: column, row and heading."""
    table = Table(*rows, players="Alice Bob", **options)
    table.start()
    for robot, (x, y, heading) in zip(table.state.players, (mine, theirs), strict=True):
        robot.cell, robot.heading, robot.virtual = table.ship.cell(x, y), heading, False
    return table


FIELD = ["a . . . . . . .", *[". . . . . . . ."] * 4, ". . . . . . . .+i1"]


def test_an_ace_powers_down_when_badly_hurt() -> None:
    table = duel(*FIELD, mine=(1, 1, E), theirs=(0, 5, W))
    table.damage_robot(8)
    table.robot().registers[1:] = rules.DECK[1:5]
    table.hands[0] = (rules.DECK[0],)
    assert chosen(table, "ace").power_down


def test_an_ace_does_not_power_down_when_unhurt_or_about_to_win() -> None:
    table = duel(*FIELD, mine=(1, 1, E), theirs=(0, 5, W))
    assert not chosen(table, "ace").power_down
    table = duel(*FIELD, mine=(5, 5, E), theirs=(0, 5, W))
    table.damage_robot(4)
    table.give("2LLRR")
    table.hands[0] = table.hands[0][:5]
    orders = chosen(table, "ace")
    assert not orders.power_down
    assert table.resolve({0: orders}) and table.state.winner == 0


def test_an_ace_doubles_the_shots_that_hit() -> None:
    """The other robot has one life left. Only four shots destroy it, so the ace needs them all."""
    fenced = ["a . . .", ". . . .+wE", ". . . ."]
    table = duel(*fenced, mine=(0, 1, E), theirs=(3, 1, S), ruleset="robo-arena")
    robot, other = table.state.robots
    robot.equipment, robot.ammo = "twin-lasers", 5
    other.down, other.lives = True, 1
    table.damage_robot(2, index=1)
    table.give("11BBU")
    orders = chosen(table, "ace")
    assert len(orders.equipment) >= 3
    table.resolve({0: orders})
    assert table.state.winner == 0


def test_an_ace_uses_nitro_to_win() -> None:
    table = duel(*FIELD, mine=(3, 5, E), theirs=(6, 0, W))
    robot = table.robot()
    robot.equipment, robot.ammo = "nitro", 5
    table.give("3UUUU")
    table.hands[0] = tuple(chip for chip in table.hands[0] if chip.kind in "3U")
    orders = chosen(table, "ace")
    assert orders.equipment
    table.resolve({0: orders})
    assert table.state.winner == 0


@pytest.mark.parametrize("level", ["pilot", "ace"])
def test_a_computer_brings_the_crystal_home(level: str) -> None:
    rows = [". . . . . .", "a:red . k . . .", ". . . . . a:blue"]
    table = duel(*rows, mine=(4, 1, W), theirs=(5, 0, N), ruleset="robo-recon", kinds="red blue")
    table.state.robots[1].down = True
    table.give("112LR")
    table.resolve({0: chosen(table, level)})
    assert table.state.winner == "red"


def test_guessed_hands_come_from_unseen_chips() -> None:
    table = Table("a1 . .+i1", "a2 . .", players="Alice Bob", ruleset="group-11", kinds="tanky tanky")
    task = Task(table.setup, table.state, 0, table.hands[0], 1)
    guesses = Guesses(task)
    for number in range(5):
        guess = guesses.guess(number)
        assert [*guess] == [1]
        assert not set(guess[1].registers) & set(table.hands[0])
        assert guess == Guesses(task).guess(number)
    assert guesses.guess(0) != guesses.guess(1)
