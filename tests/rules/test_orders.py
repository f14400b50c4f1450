"""Allowed orders, refused orders, and random orders for missing ones."""

from dataclasses import replace

import pytest

import rules
from rules.grid import E, S
from tests.rules.table import Table

HULL = ["a . . . .+i1"]
STRANGE = rules.CHIPS[840]


def chips(table: Table, count: int = 5) -> list[rules.Chip | None]:
    return [*table.hands[0][:count]]


def begun(players: str = "Alice", **options: bool) -> Table:
    table = Table(*HULL, players=players, **options)
    table.start()
    table.hands[0] = rules.DECK[:9]
    return table


def equipped(item: str, ammo: int) -> Table:
    table = begun()
    table.robot().equipment, table.robot().ammo = item, ammo
    return table


def program(*registers: rules.Chip | None, table: Table) -> list[str]:
    return table.problems(rules.Orders(registers=registers))


@pytest.mark.clause("G-8.1")
def test_a_chip_of_the_hand_for_every_register_is_allowed() -> None:
    table = begun()
    assert program(*chips(table), table=table) == []
    assert table.problems(rules.Orders(tuple(chips(table)), power_down=True)) == []


@pytest.mark.clause("G-8.1")
def test_locked_registers_are_omitted() -> None:
    table = begun()
    table.damage_robot(6)
    table.hands[0] = rules.DECK[:3]
    assert program(*chips(table, 3), None, None, table=table) == []


@pytest.mark.clause("G-8.1", "G-9.4")
def test_only_a_robot_that_has_just_returned_chooses_its_heading() -> None:
    table = begun()
    orders = rules.Orders(tuple(chips(table)), heading=S)
    assert table.problems(orders) == ["heading"]
    table.robot().returned = True
    assert table.problems(orders) == []


@pytest.mark.clause("G-8.1", "RR-10")
@pytest.mark.parametrize("item", sorted(rules.EQUIPMENT))
def test_equipment_is_ordered_by_phase_or_for_the_turn(item: str) -> None:
    table = equipped(item, 2)
    whole = rules.Orders(tuple(chips(table)), engaged=True)
    phases = rules.Orders(tuple(chips(table)), equipment=frozenset({2, 5}))
    by_hand = item in ("rear-laser", "shields")
    assert table.problems(whole) == ([] if by_hand else ["equipment"])
    assert table.problems(phases) == (["equipment"] if by_hand else [])


@pytest.mark.parametrize("item", sorted(rules.EQUIPMENT))
def test_faults_of_equipment_orders_are_in_good_english(item: str) -> None:
    table = equipped(item, 1)
    whole = rules.Orders(tuple(chips(table)), engaged=True)
    phases = rules.Orders(tuple(chips(table)), equipment=frozenset({2, 5}))
    name = item.replace("-", " ")
    told = {problem.detail for orders in (whole, phases) for problem in table.faults(orders)}
    assert told <= {
        f"This equipment is used for the whole turn: {name}. Send true instead of phases.",
        f"This equipment is used phase by phase: {name}. Send the phases.",
        f"You chose 2 phases, but have ammunition for 1: {name}.",
    }
    assert told


@pytest.mark.clause("G-8.2")
def test_a_chip_outside_the_hand_is_refused() -> None:
    table = begun()
    assert program(*chips(table, 4), STRANGE, table=table) == ["not-in-hand"]


@pytest.mark.clause("G-8.2")
def test_a_chip_used_twice_is_refused_in_both_registers() -> None:
    table = begun()
    first, *rest = chips(table, 4)
    hand = table.hands[0]
    orders = rules.Orders((first, *rest, first))
    found = rules.problems(table.setup, table.state, 0, hand, orders)
    assert [(problem.code, problem.register) for problem in found] == [("twice", 1), ("twice", 5)]


@pytest.mark.clause("G-8.2")
def test_a_chip_for_a_locked_register_is_refused() -> None:
    table = begun()
    table.damage_robot(5)
    assert program(*chips(table), table=table) == ["locked"]


@pytest.mark.clause("G-8.2")
def test_too_few_and_too_many_chips_are_refused() -> None:
    table = begun()
    assert program(*chips(table, 4), None, table=table) == ["empty"]
    assert program(*chips(table, 4), table=table) == ["too-few"]
    assert program(*chips(table, 6), table=table) == ["too-many"]
    assert program(table=table) == ["too-few"]


@pytest.mark.clause("G-8.2")
def test_every_fault_is_named_with_its_register() -> None:
    table = begun()
    table.damage_robot(5)
    one, two = table.hands[0][:2]
    orders = rules.Orders((one, STRANGE, None, one, two), equipment=frozenset({1}), place=(0, 0))
    found = rules.problems(table.setup, table.state, 0, table.hands[0], orders)
    assert [(problem.code, problem.register) for problem in found] == [
        ("twice", 1),
        ("not-in-hand", 2),
        ("empty", 3),
        ("twice", 4),
        ("locked", 5),
        ("no-equipment", None),
        ("place", None),
    ]
    assert all(problem.detail.endswith(".") for problem in found)


@pytest.mark.clause("G-8.2")
def test_equipment_that_the_robot_lacks_is_refused() -> None:
    table = begun()
    given = tuple(chips(table))
    assert table.problems(rules.Orders(given, engaged=True)) == ["no-equipment"]
    assert table.problems(rules.Orders(given, equipment=frozenset({1}))) == ["no-equipment"]


@pytest.mark.clause("G-8.2")
def test_equipment_without_ammunition_is_refused() -> None:
    nitro = equipped("nitro", 2)
    orders = rules.Orders(tuple(chips(nitro)), equipment=frozenset({1, 2, 3}))
    assert nitro.problems(orders) == ["ammo"]
    shields = equipped("shields", 0)
    assert shields.problems(rules.Orders(tuple(chips(shields)), engaged=True)) == ["ammo"]


@pytest.mark.clause("G-8.2")
def test_equipment_in_an_unknown_phase_is_refused() -> None:
    table = equipped("clamps", 5)
    orders = rules.Orders(tuple(chips(table)), equipment=frozenset({0, 3, 6}))
    assert table.problems(orders) == ["equipment", "equipment"]


@pytest.mark.clause("G-8.2")
def test_orders_unknown_to_robo_runner_are_refused() -> None:
    table = begun()
    orders = rules.Orders(tuple(chips(table)), place=(1, 0), unlock=(5,), stay_down=True)
    assert table.problems(orders) == ["place", "unlock", "stay-down"]


@pytest.mark.clause("G-8.2", "RR-9.3")
def test_a_robot_that_is_down_or_out_takes_no_orders() -> None:
    table = begun("Alice Bob")
    table.robot(0).down = True
    table.robot(1).alive, table.robot(1).lives = False, 0
    for index in range(2):
        assert not rules.needs_orders(table.setup, table.state, index)
        assert table.problems(rules.Orders(), index) == ["nothing-to-order"]


@pytest.mark.clause("G-8.3")
def test_registers_left_empty_are_filled_from_the_rest_of_the_hand() -> None:
    table = begun()
    given = rules.Orders((None, table.hands[0][3], None, table.hands[0][0], None))
    orders = table.orders(registers=given.registers)
    assert orders.registers[1] == table.hands[0][3]
    assert orders.registers[3] == table.hands[0][0]
    assert table.problems(orders) == []


@pytest.mark.clause("G-8.3")
def test_missing_orders_become_a_random_program() -> None:
    table = begun()
    drawn = set()
    for seed in range(20):
        orders = rules.complete(table.setup, table.state, 0, table.hands[0], None, seed)
        assert table.problems(orders) == []
        assert orders == rules.complete(table.setup, table.state, 0, table.hands[0], None, seed)
        drawn.add(orders.registers)
    assert len(drawn) > 15


@pytest.mark.clause("G-8.3")
def test_locked_registers_are_not_filled() -> None:
    table = begun()
    table.damage_robot(7)
    table.hands[0] = rules.DECK[:2]
    orders = table.orders()
    assert set(orders.registers[:2]) == set(rules.DECK[:2])
    assert orders.registers[2:] == (None, None, None)
    assert table.problems(orders) == []


@pytest.mark.clause("G-8.3")
def test_other_orders_are_kept() -> None:
    table = begun()
    orders = replace(table.orders(), power_down=True)
    assert table.orders(power_down=True) == orders


@pytest.mark.clause("G-8.3", "RR-1.3")
def test_a_missing_first_heading_is_drawn() -> None:
    table = Table(*HULL)
    drawn = {rules.complete(table.setup, table.state, 0, (), None, seed).heading for seed in range(30)}
    assert drawn == set(rules.HEADINGS)
    assert table.orders(heading=E).heading == E
