"""Computer players submit allowed orders, and know only as much as other players."""

from dataclasses import replace

import pytest

import rules
from rules import computers
from tests.rules.strategies import RandomGame
from tests.rules.table import OPEN, Table

LEVELS = tuple(computers.LEVELS)


def chosen(table: Table, level: str, index: int = 0) -> rules.Orders:
    """Return a computer's orders for the robot with the given index."""
    hand = table.hands.get(index, ())
    return computers.choose(table.setup, rules.view(table.state), index, hand, level, 1)


@pytest.mark.parametrize("key", rules.RULESETS)
def test_orders_of_computers_are_allowed_in_every_ruleset(key: str) -> None:
    """Each game uses all levels in turn. An ace plays only one robot, since it thinks longer."""
    for seed in range(2):
        game = RandomGame(seed, key)
        for number, _ in enumerate(game.turns(3)):
            seen = rules.view(game.state)
            level = LEVELS[(seed + number) % len(LEVELS)]
            for index in [*game.orders][: 1 if level == "ace" else None]:
                hand = game.hands.get(index, ())
                orders = computers.choose(game.setup, seen, index, hand, level, seed)
                assert not game.problems(index, orders)
                computers.wants_redeal(game.setup, seen, index, hand, level, seed)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("damage", range(4, 10))
def test_locked_registers_stay_unchanged(level: str, damage: int) -> None:
    table = Table(". . . . .+i1", ". . . . .", "a . . . .", players="Alice Bob")
    table.start()
    table.damage_robot(damage)
    table.robot().registers = list(rules.DECK[-5:])
    hand = table.hands[0] = table.hands[0][: 9 - damage]
    orders = chosen(table, level)
    assert not table.problems(orders)
    assert {chip for chip in orders.registers if chip} <= set(hand)


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_situation_gets_the_same_orders(level: str) -> None:
    table = Table(*OPEN[:3], "a . . . .+i1", players="Alice Bob")
    table.start()
    assert chosen(table, level) == chosen(table, level)


@pytest.mark.parametrize("level", LEVELS)
def test_no_level_sees_more_than_a_player(level: str) -> None:
    """The orders stay the same if transporters' links and the other player's hand change."""
    table = Table("a t:red . t:red .", ". . t:red . .", ". . . . .+i1", players="Alice Bob")
    table.start()
    links = dict(table.state.links)
    orders = chosen(table, level)
    table.state = replace(table.state, links={to: origin for origin, to in links.items()})
    table.hands[1] = tuple(reversed(rules.DECK[:9]))
    assert table.state.links != links
    assert chosen(table, level) == orders


@pytest.mark.parametrize("level", LEVELS)
def test_a_computer_changes_no_state(level: str) -> None:
    table = Table(*OPEN[:3], "a . . . .+i1+wE", players="Alice Bob")
    table.start()
    before, seen = table.state.copy(), rules.view(table.state)
    computers.choose(table.setup, seen, 0, table.hands[0], level, 1)
    assert table.state == before
    assert seen == rules.view(before)


@pytest.mark.parametrize("level", ["pilot", "ace"])
def test_the_first_heading_is_towards_the_first_checkpoint(level: str) -> None:
    table = Table("a . . . . . .+i1", players="Alice Bob")
    assert chosen(table, level).heading == 1


@pytest.mark.parametrize("level", LEVELS)
def test_in_version_1_a_robot_stays_off_only_while_badly_hurt(level: str) -> None:
    """In version 1 of the ruleset, a player whose robot is off decides whether it stays off next turn."""
    table = Table("a . . .+i1 . .+i2", players="Alice Bob", ruleset="amigo-1999", power_down=True)
    table.setup = replace(table.setup, ruleset=replace(table.setup.ruleset, orders_while_off=True))
    table.robot().down = True
    assert not chosen(table, level).stay_down
    table.damage_robot(6)
    assert chosen(table, level).stay_down


def off_until_now(row: str, damage: int) -> bool:
    """Return whether a computer keeps a robot that was off in the last turn off for another turn.

    The robot is in the first cell of the row, with this much damage.
    """
    table = Table(row, players="Alice Bob", ruleset="amigo-1999", power_down=True)
    robot = table.robot()
    robot.cell, robot.was_down = table.ship.cell(0, 0), True
    table.damage_robot(damage)
    return computers.stays_off(table.setup, rules.view(table.state), 0)


@pytest.mark.clause("AM-5.2")
@pytest.mark.parametrize(("damage", "stays"), [(0, False), (4, False), (5, True), (9, True)])
def test_a_robot_that_was_off_stays_off_while_badly_hurt(damage: int, stays: bool) -> None:
    assert off_until_now(". . . .+i1 . .+i2", damage) is stays


@pytest.mark.clause("AM-5.2")
def test_a_robot_in_a_harmful_cell_is_switched_on() -> None:
    """If it stayed off, the cell would damage it each turn, so the computer would never switch it on."""
    assert not off_until_now(".+wW+l1W . . .+i1 . .+i2", damage=6)
    assert off_until_now("b1:E .+wN . .+i1 . .+i2", damage=6)


@pytest.mark.clause("AM-1.4")
@pytest.mark.parametrize("level", LEVELS)
def test_a_hand_of_only_turning_chips_is_always_put_aside(level: str) -> None:
    table = Table("a . . .+i1 . .+i2", players="Alice Bob", ruleset="amigo-1999")
    seen = rules.view(table.state)
    turning = [chip for chip in rules.DECK if chip.kind in "LRU"]
    for hand in (turning[:9], turning[:1]):
        for times in (0, 5):
            assert computers.wants_redeal(table.setup, seen, 0, tuple(hand), level, times=times)
    moving = (*turning[:8], rules.CHIPS[490])
    assert not computers.wants_redeal(table.setup, seen, 0, moving, level)


def test_an_albot_redraws_a_hand_that_leads_nowhere() -> None:
    table = Table(
        "a1 . . . . . . .+i1",
        "a2 . . . . . . .",
        players="Alice Bob",
        ruleset="group-11",
        kinds="albot tanky",
    )
    seen = rules.view(table.state)

    for level in ("pilot", "ace"):
        table.hands[0] = tuple(chip for chip in rules.DECK if chip.kind in "UL")[:9]
        assert computers.wants_redeal(table.setup, seen, 0, table.hands[0], level)
        table.give("12321")
        assert not computers.wants_redeal(table.setup, seen, 0, table.hands[0], level)
        assert not computers.wants_redeal(table.setup, seen, 1, table.hands[0], level)


def test_an_unknown_level_is_named() -> None:
    table = Table("a . .+i1", players="Alice Bob")
    with pytest.raises(computers.ComputerError, match=r"no computer “genius”.*rookie, pilot, ace"):
        chosen(table, "genius")


def test_a_robot_that_needs_no_orders_gets_no_orders() -> None:
    table = Table("a . .+i1", players="Alice Bob")
    table.start()
    table.robot().down = True
    with pytest.raises(computers.ComputerError, match="Alice takes no orders in turn 1"):
        chosen(table, "ace")
