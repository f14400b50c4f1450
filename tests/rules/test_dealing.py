"""Chips, decks and hands."""

from collections import Counter
from dataclasses import replace

import pytest

import rules
from rules import events as ev
from rules.chance import Chance
from tests.rules.table import Table

SERIES = [
    ("U", 10, 60, 10, 6),
    ("L", 70, 410, 20, 18),
    ("R", 80, 420, 20, 18),
    ("B", 430, 480, 10, 6),
    ("1", 490, 660, 10, 18),
    ("2", 670, 780, 10, 12),
    ("3", 790, 840, 10, 6),
]


@pytest.mark.clause("G-3.2")
@pytest.mark.parametrize(("kind", "first", "last", "step", "count"), SERIES)
def test_the_numbers_of_a_kind_have_equal_distances(
    kind: str, first: int, last: int, step: int, count: int
) -> None:
    numbers = [chip.number for chip in rules.DECK if chip.kind == kind]
    assert sorted(numbers) == list(range(first, last + 1, step))
    assert len(numbers) == count


@pytest.mark.clause("G-3.2")
def test_the_deck_has_84_chips_with_different_numbers() -> None:
    assert len({chip.number for chip in rules.DECK}) == len(rules.DECK) == 84
    assert rules.CHIPS[790] == rules.Chip(790, "3")


@pytest.mark.clause("G-3.3")
def test_each_robot_has_its_deck() -> None:
    dealt: Counter[rules.Chip] = Counter()
    for seed in range(20):
        table = Table("a .+i1", players="A B C D E F G H", seed=seed)
        table.start()
        for hand in table.hands.values():
            assert len(set(hand)) == len(hand)
        dealt.update(set().union(*table.hands.values()))
        chips = Counter(chip for hand in table.hands.values() for chip in hand)
        assert max(chips.values()) > 1, "nine times eight of 84 chips without a double are of one deck"
    assert set(dealt) == set(rules.DECK)


@pytest.mark.clause("G-3.3")
def test_a_chip_locked_in_a_register_is_not_in_the_hand() -> None:
    for seed in range(30):
        table = Table("a .+i1", seed=seed)
        table.start()
        robot = table.robot()
        robot.damage = 8
        robot.registers = list(rules.DECK[:5])
        table.deal()
        assert len(table.hands[0]) == 1
        assert not set(table.hands[0]) & set(rules.DECK[1:5])


@pytest.mark.clause("G-3.3")
def test_from_a_shared_deck_no_chip_is_dealt_twice() -> None:
    table = Table("a .+i1", players="A B C D E F G H")
    shared = replace(table.setup, ruleset=replace(table.setup.ruleset, shared_deck=True))
    robot = table.robot(7)
    robot.damage, robot.registers = 9, list(rules.DECK[:5])
    hands = rules.deal(shared, table.state, 1).hands
    chips = [chip for hand in hands.values() for chip in hand]
    assert len(chips) == len(set(chips)) == 7 * 9
    assert not set(chips) & set(rules.DECK[:5])


@pytest.mark.clause("G-3.4")
@pytest.mark.parametrize("damage", range(10))
def test_a_hand_has_nine_chips_less_the_damage(damage: int) -> None:
    table = Table("a .+i1", players="Alice Bob")
    table.start()
    table.damage_robot(damage)
    table.deal()
    assert len(table.hands[0]) == 9 - damage
    assert len(table.hands[1]) == 9


@pytest.mark.clause("G-3.4", "RR-9.3")
def test_a_robot_that_is_down_gets_no_hand() -> None:
    table = Table("a .+i1", players="Alice Bob")
    table.start()
    table.robot(1).down = True
    table.deal()
    assert list(table.hands) == [0]


@pytest.mark.clause("G-7.2")
def test_a_locked_register_keeps_and_executes_its_chip() -> None:
    table = Table("a+wNESW .+i1")
    table.start()
    table.damage_robot(5)
    table.robot().registers[4] = rules.CHIPS[10]
    for _ in range(2):
        table.deal()
        phases = [event for event in table.resolve() if isinstance(event, ev.Phase)]
        assert phases[4].chips == {0: rules.CHIPS[10]}
        assert table.robot().registers[4] == rules.CHIPS[10]


@pytest.mark.clause("G-7.3")
def test_an_empty_register_that_locks_is_filled_by_the_next_deal() -> None:
    filled = set()
    for seed in range(10):
        table = Table("a .+i1", seed=seed)
        table.start()
        robot = table.robot()
        robot.damage, robot.registers = 7, [None, None, None, rules.CHIPS[490], None]
        table.deal()
        registers = table.robot().registers
        assert registers[:2] == [None, None]
        assert registers[3] == rules.CHIPS[490]
        assert registers[2] is not None
        assert registers[4] is not None
        assert not {registers[2], registers[3], registers[4]} & set(table.hands[0])
        filled.add(registers[2])
    assert len(filled) > 5


@pytest.mark.clause("G-7.4")
def test_a_register_freed_by_a_repair_is_empty_for_the_next_hand() -> None:
    table = Table("a .+i1")
    table.start()
    robot = table.robot()
    robot.damage, robot.registers = 5, list(rules.DECK[:5])
    table.deal()
    assert table.robot().registers == [None, None, None, None, rules.DECK[4]]


@pytest.mark.clause("G-3.3")
def test_chips_come_from_a_shuffled_deck() -> None:
    table = Table("a .+i1", players="A B", seed=5)
    table.start()
    for robot, hand in table.hands.items():
        shuffled = Chance(5, table.state.turn).stream(f"deck/{robot}").shuffled(rules.DECK)
        assert hand == tuple(shuffled[: -len(hand) - 1 : -1])
