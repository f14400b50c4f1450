"""The coach gives allowed orders with their chances to win, and knows only a view and a hand."""

from dataclasses import replace

import pytest

import rules
from rules import computers
from rules.grid import E, N
from rules.orders import DECK
from rules.review import Choice, advise
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
    for orders, chance in choices:
        assert not game.problems(index, orders)
        assert 0 <= chance <= 1


def test_the_first_choice_wins_if_the_hand_can() -> None:
    table = duel()
    table.give("1LRL3")
    first = advice(table)[0]
    assert [chip.kind for chip in first.orders.registers if chip][:2] in (["1", "3"], ["3", "1"])
    assert first.chance > 0.9


def test_alternatives_are_other_programs() -> None:
    choices = advice(duel(), count=4)
    assert len(choices) == 4
    kinds = {"".join(chip.kind if chip else "-" for chip in orders.registers) for orders, _ in choices}
    powers = {orders.power_down for orders, _ in choices}
    assert len(kinds) * len(powers) >= 4
    assert choices == advice(duel(), count=4)
    assert choices[:1] == advice(duel(), count=1)


def test_advice_before_the_first_turn_is_a_heading() -> None:
    table = Table(*ROWS, players="Alice Bob")
    choices = advice(table, count=4)
    assert {orders.heading for orders, _ in choices} == {0, 1, 2, 3}
    assert choices[0].orders.heading in (E, N)
    assert [chance for _, chance in choices] == sorted((chance for _, chance in choices), reverse=True)


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


def test_a_robot_without_a_decision_gets_no_advice() -> None:
    table = duel()
    table.robot().down = True
    with pytest.raises(computers.ComputerError, match="Alice takes no orders in turn 1"):
        advice(table)
