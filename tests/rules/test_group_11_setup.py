"""The set-up of Group 11, and the special abilities of its robot models."""

from dataclasses import replace
from itertools import product
from typing import Any

import pytest

import rules
from rules import events as ev
from rules.orders import PAUSE
from tests.rules.table import Table

GROUP = "group-11"
ROWS = ["a1 . a2 . a3 .", ". .+i1 . .+i2 . .+i3"]
STARTS = " ".join(f"a{seat}" for seat in range(1, 9))


def group(*rows: str, kinds: str = "lazybot albot", seed: int = 1, **options: Any) -> Table:
    players = " ".join("ABCDEFGHI"[: len(kinds.split())])
    return Table(*(rows or ROWS), ruleset=GROUP, players=players, kinds=kinds, seed=seed, **options)


def redealt(table: Table, index: int = 1, count: int = 0) -> rules.Hand:
    return rules.redeal(table.setup, table.state, table.hands, index, table.seed, count)


# GR-1.1


@pytest.mark.clause("GR-1.1")
@pytest.mark.parametrize("seats", range(2, 9))
def test_two_to_eight_players_start_on_different_cells_with_three_spare_lives(seats: int) -> None:
    table = group(STARTS, ". .+i1 . . . . . .", kinds="tanky " * seats)
    assert [table.at(index) for index in range(seats)] == [(seat, 0) for seat in range(seats)]
    assert [robot.shown_lives for robot in table.state.robots] == [3] * seats
    assert not any(robot.virtual for robot in table.state.robots)


@pytest.mark.clause("GR-1.1")
@pytest.mark.parametrize("seats", [1, 9])
def test_one_or_nine_players_are_refused(seats: int) -> None:
    with pytest.raises(rules.SetupError, match="2 to 8 players"):
        group(STARTS, ".+i1 . . . . . . .", kinds="tanky " * seats)


@pytest.mark.clause("GR-1.1")
def test_a_board_with_fewer_start_cells_than_players_is_refused() -> None:
    with pytest.raises(rules.SetupError, match="start cells for 3 robots, not for 4"):
        group(kinds="tanky tanky tanky tanky")


@pytest.mark.clause("GR-1.1")
@pytest.mark.parametrize("kinds", ["tanky", "tanky shredder", ""])
def test_each_robot_has_one_of_five_models(kinds: str) -> None:
    table = group()
    assert table.setup.ruleset.models == ("tanky", "james-bot", "lazybot", "albot", "peach")
    with pytest.raises(rules.SetupError, match="each robot needs one of these models"):
        rules.begin(table.setup, ["Alice", "Bob"], 1, models=kinds.split())


@pytest.mark.clause("GR-1.1")
def test_several_robots_may_have_the_same_model() -> None:
    assert [robot.model for robot in group(kinds="peach peach").state.robots] == ["peach", "peach"]


@pytest.mark.clause("GR-1.1")
@pytest.mark.parametrize(("checkpoints", "finished"), [(1, True), (2, False), (0, False)])
def test_the_host_chooses_the_number_of_checkpoints(checkpoints: int, finished: bool) -> None:
    table = group("a1 .+i1 .+i2", "a2 . .", checkpoints=checkpoints)
    table.resolve({0: replace(table.give("1RLRL"), heading=1), 1: table.give("RLRLR", 1)})
    assert table.state.over is finished
    assert table.state.winner == (0 if finished else None)


@pytest.mark.clause("GR-1.1")
def test_more_checkpoints_than_the_board_has_are_refused() -> None:
    with pytest.raises(rules.SetupError, match="the starship has 3 checkpoints, but the option asks for 4"):
        group(checkpoints=4)


@pytest.mark.clause("GR-1.1")
def test_it_has_an_option_for_a_programming_aid() -> None:
    assert group().setup.options["programming_aid"] is True
    assert group(programming_aid=False).setup.options["programming_aid"] is False


# GR-1.2: LazyBot


@pytest.mark.clause("GR-1.2", "G-3.1")
def test_lazybot_may_pause_in_one_register_instead_of_a_chip() -> None:
    table = group()
    registers = table.orders().registers
    for register in range(5):
        paused = tuple(PAUSE if number == register else chip for number, chip in enumerate(registers))
        assert table.problems(rules.Orders(paused)) == []
    paused = (PAUSE, *registers[1:])
    events = [event for event in table.resolve({0: rules.Orders(paused)}) if event.phase == 1]
    assert [event for event in events if isinstance(event, ev.Move | ev.Turn) and event.robot == 0] == []


@pytest.mark.clause("GR-1.2", "G-8.2")
def test_lazybot_may_not_pause_twice() -> None:
    table = group()
    assert table.problems(rules.Orders((PAUSE, PAUSE, *table.orders().registers[2:]))) == ["pause", "pause"]


@pytest.mark.clause("GR-1.2", "G-8.2")
@pytest.mark.parametrize("model", ["tanky", "james-bot", "albot", "peach"])
def test_no_other_model_may_pause(model: str) -> None:
    table = group(kinds=f"{model} tanky")
    assert table.problems(rules.Orders((PAUSE, *table.orders().registers[1:]))) == ["pause"]


@pytest.mark.clause("GR-1.2")
def test_a_pause_is_written_as_p() -> None:
    orders = rules.read_orders({"registers": ["P", 10, 70, 80, 430]})
    assert orders.registers[0] == PAUSE
    assert rules.write_orders(orders)["registers"][0] == "P"


# GR-1.2: Albot


@pytest.mark.clause("GR-1.2")
def test_only_albot_may_redraw_its_hand() -> None:
    table = group(STARTS, ".+i1 . . . . . . .", kinds="tanky james-bot lazybot albot peach")
    able = [rules.can_redeal(table.setup, table.state, index, table.hands[index]) for index in range(5)]
    assert able == [False, False, False, True, False]
    table.robot(3).down = True
    assert not rules.can_redeal(table.setup, table.state, 3, table.hands[3])


@pytest.mark.clause("GR-1.2", "G-3.3")
@pytest.mark.parametrize("damage", [0, 3, 6])
def test_a_redrawn_hand_has_the_same_size_and_only_free_chips(damage: int) -> None:
    for seed in range(20):
        table = group(kinds="albot albot lazybot", seed=seed)
        table.damage_robot(damage, 1)
        table.deal()
        new = redealt(table)
        assert len(set(new)) == len(table.hands[1]) == 9 - damage
        locked = {table.robot(1).registers[register] for register in table.robot(1).locked}
        assert not set(new) & {*table.hands[0], *table.hands[2], *locked}


@pytest.mark.clause("GR-1.2", "G-2.4")
def test_redrawing_a_hand_twice_is_repeatable_for_the_same_seed() -> None:
    tables = [group(seed=seed) for seed in range(10)]
    assert all(redealt(table) == redealt(table) for table in tables)
    assert any(redealt(table) != table.hands[1] for table in tables)
    assert any(redealt(table, count=0) != redealt(table, count=1) for table in tables)


@pytest.mark.clause("GR-1.2")
def test_a_redrawn_hand_may_contain_old_chips() -> None:
    tables = [group(seed=seed) for seed in range(20)]
    assert any(set(redealt(table)) & set(table.hands[1]) for table in tables)


@pytest.mark.clause("GR-1.2")
def test_a_redrawn_hand_replaces_the_old_one_in_orders() -> None:
    table = group()
    old, new = table.hands[1], redealt(table)
    table.hands = {**table.hands, 1: new}
    assert table.problems(rules.Orders(new[:5]), 1) == []
    assert set(old) - set(new)
    assert "not-in-hand" in table.problems(rules.Orders(old[:5]), 1) + table.problems(
        rules.Orders(old[4:]), 1
    )


# GR-3.2


@pytest.mark.clause("GR-3.2", "G-2.5")
@pytest.mark.parametrize("model", ["tanky", "peach"])
def test_a_robot_that_is_down_gets_no_hand_and_takes_no_orders_for_one_turn(model: str) -> None:
    table = group("a1+wNESW a2+wNESW .+i1", kinds=f"{model} lazybot")
    table.damage_robot(3)
    table.deal()
    table.resolve({0: table.orders(power_down=True)})
    table.deal()
    assert table.robot().down
    assert table.robot().damage == 0
    assert 0 not in table.hands
    assert not rules.needs_orders(table.setup, table.state, 0)
    table.resolve()
    table.deal()
    assert not table.robot().down
    assert len(table.hands[0]) == 9


@pytest.mark.parametrize(("model", "heading"), list(product(["tanky", "peach"], range(4))))
def test_the_first_orders_choose_a_heading(model: str, heading: int) -> None:
    table = group(kinds=f"{model} lazybot")
    assert table.problems(replace(table.orders(), heading=heading)) == []
    table.resolve()
    table.deal()
    if not table.robot().returned:
        assert table.problems(replace(table.orders(), heading=heading)) == ["heading"]
