"""Branches: played turns with other orders, from all information or only from revealed information."""

import rules
from rules.grid import E
from rules.review import Played
from rules.review.branches import Changes, branch, revealed
from tests.rules.table import Table

ROWS = (". t:red . . .+i1", "a . . . .", ". . t:red . .", ". . t:red . .")


def end_of(table: Table, played: Played, changes: Changes | None = None) -> rules.State:
    """Return the state after a branch of one turn."""
    (turn,) = branch(table.setup, played, changes or Changes(), "what if")
    return rules.fold(turn.state, turn.events)


def test_a_transporter_leads_somewhere_once_a_robot_has_used_it_in_the_turn() -> None:
    table = Table(*ROWS, players="Alice Bob")
    table.start()
    robot, used, other = table.robot(), table.ship.cell(1, 0), table.ship.cell(2, 2)
    robot.cell, robot.heading, robot.virtual = table.ship.cell(0, 0), E, False
    state, orders = table.state.copy(), {0: table.give("1LRLR"), 1: table.give("LRLRU", 1)}
    played = Played(state, dict(table.hands), orders, table.resolve(orders))
    assert robot.cell != table.robot().cell == state.links[used]
    seen = revealed(table.setup, played, 1)
    assert other not in seen.state.links
    assert end_of(table, seen).robots[0].cell == state.links[used]


def test_orders_of_a_robot_that_is_off_are_read_like_in_a_game() -> None:
    """In the first version of Amigo, a robot takes orders while it is off, and has no registers to fill."""
    table = Table("a1 . .+i2 .+i1", "a2 . . .", players="Alice Bob", ruleset="amigo-1999", power_down=True)
    earlier = rules.ruleset("amigo-1999", 1)
    table.setup = rules.make_setup(earlier, {"power_down": True}, table.ship, 2)
    table.robot().down = True
    state, orders = table.state.copy(), {0: rules.Orders(), 1: table.give("1LRLR", 1)}
    played = Played(state, dict(table.hands), orders, table.resolve(orders))
    changes = Changes({0: rules.Orders(registers=(None,) * 400, stay_down=True)})
    assert end_of(table, played, changes).robots[0].down
