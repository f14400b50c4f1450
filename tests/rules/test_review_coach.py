"""The coach gives allowed orders with their chances to win, and knows only a view and a hand."""

from dataclasses import replace

import pytest

import rules
from rules import computers
from rules.grid import E, N
from rules.orders import DECK
from rules.review import Choice, advise
from rules.review.coach import LOST
from tests.rules.strategies import RandomGame
from tests.rules.table import Table

ROWS = (". . . . . . . .+i1", "a . . . . . . .", ". ~ . . . . . .")


def duel() -> Table:
    """Return a game with Alice four cells from the goal, and Bob far away."""
    table = Table(*ROWS, players="Alice Bob")
    table.start()
    for robot, (column, row) in zip(table.state.robots, ((3, 0), (0, 2)), strict=True):
        robot.cell, robot.heading, robot.virtual = table.ship.cell(column, row), E, False
    return table


def advice(table: Table, index: int = 0, count: int = 3) -> tuple[Choice, ...]:
    seen, hand = rules.view(table.state, index), table.hands.get(index, ())
    return advise(table.setup, seen, index, hand, "test", count)


@pytest.mark.parametrize("key", rules.RULESETS)
def test_advice_is_allowed_in_every_ruleset(key: str) -> None:
    seed = {"robo-recon": 8, "robo-arena": 51, "group-11": 54, "factory-1999": 46}.get(key, 3)
    game = RandomGame(seed, key)
    for _ in game.turns(2):
        if game.state.turn:
            break
    index = min(game.orders)
    hand = game.hands.get(index, ())
    choices = advise(game.setup, rules.view(game.state, index), index, hand, seed)
    assert choices
    for orders, chance, phases in choices:
        assert not game.problems(index, orders)
        assert 0 <= chance <= 1
        assert phases is None, "every robot has rivals"


def test_the_first_choice_wins_if_the_hand_can() -> None:
    table = duel()
    table.give("1LRL3")
    first = advice(table)[0]
    assert [chip.kind for chip in first.orders.registers if chip][:2] in (["1", "3"], ["3", "1"])
    assert first.chance > 0.9


def test_alternatives_are_other_programs() -> None:
    choices = advice(duel(), count=4)
    assert len(choices) == 4
    kinds = {"".join(chip.kind if chip else "-" for chip in orders.registers) for orders, _, _ in choices}
    powers = {orders.power_down for orders, _, _ in choices}
    assert len(kinds) * len(powers) >= 4
    assert choices == advice(duel(), count=4)
    assert choices[:1] == advice(duel(), count=1)


def test_advice_before_the_first_turn_is_a_heading() -> None:
    table = Table(*ROWS, players="Alice Bob")
    choices = advice(table, count=4)
    assert {orders.heading for orders, _, _ in choices} == {0, 1, 2, 3}
    assert choices[0].orders.heading in (E, N)
    assert [chance for _, chance, _ in choices] == sorted((chance for _, chance, _ in choices), reverse=True)


def test_a_robot_without_rivals_is_advised_by_the_phases_that_it_needs() -> None:
    table = Table(*ROWS, players="Alice")
    choices = advice(table, count=4)
    assert [choice.phases for choice in choices] == sorted(choice.phases or 0 for choice in choices)
    assert choices[0].orders.heading in (E, N)
    table.start()
    robot = table.robot()
    robot.cell, robot.heading = table.ship.cell(3, 0), E
    table.give("LRUUU")
    assert (advice(table)[0].phases or 0) > 0
    table.give("1LRL3")
    first, *others = advice(table)
    assert [chip.kind for chip in first.orders.registers if chip][:2] in (["1", "3"], ["3", "1"])
    assert (first.chance, first.phases) == (1, 0), "it reaches the goal in this turn"
    assert all(other.phases is not None and other.phases >= 0 for other in others)


def test_without_rivals_a_lost_robot_counts_as_very_far_from_the_goal() -> None:
    table = Table("a . .+i1", players="Alice")
    table.start()
    robot = table.robot()
    robot.heading, robot.lives = E, 1
    table.give("33333")
    assert {(choice.chance, choice.phases) for choice in advice(table)} == {(0, LOST)}


def test_the_coach_knows_no_more_than_a_player() -> None:
    """Other hands and unused transporters do not change the advice."""
    table = Table("a t:red . t:red .", ". . t:red . .", ". . . . .+i1", players="Alice Bob")
    table.start()
    links = dict(table.state.links)
    found = advice(table)
    table.state = replace(table.state, links={to: origin for origin, to in links.items()})
    table.hands[1] = tuple(reversed(DECK[:9]))
    assert table.state.links != links
    assert advice(table) == found


def test_the_coach_knows_that_two_transporters_lead_to_each_other() -> None:
    table = Table("a t:red+wE ~ t:red .+i1", players="Alice")
    table.start()
    table.robot().heading = E
    table.give("1LR21")
    assert advice(table)[0].phases == 0


def test_a_robot_without_a_decision_gets_no_advice() -> None:
    table = duel()
    table.robot().down = True
    with pytest.raises(computers.ComputerError, match="Alice takes no orders in turn 1"):
        advice(table)
