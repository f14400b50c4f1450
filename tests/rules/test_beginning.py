"""Suggested first chips of a program for learners, on the board of mission 1."""

from itertools import permutations

import pytest

import rules
from tests.rules.test_missions_played import MISSIONS, setup_of

SETUP = setup_of(MISSIONS[0])
FILLED = 3
EAST = rules.HEADINGS[1]


def chips(kinds: str) -> rules.Hand:
    hand: list[rules.Chip] = []
    for kind in kinds:
        hand.append(next(chip for chip in rules.CHIPS.values() if chip.kind == kind and chip not in hand))
    return tuple(hand)


def dealt(heading: int, seed: int) -> rules.Deal:
    """Deal the first turn of mission 1 after turn 0, for a robot with the given heading."""
    opening = rules.begin(SETUP, ["robot"], seed)
    orders = {0: rules.Orders(heading=heading)}
    faced = rules.resolve_turn(SETUP, opening.state, opening.hands, orders, seed).state
    return rules.deal(SETUP, faced, seed)


def begun(state: rules.State, hand: rules.Hand, count: int = FILLED) -> tuple[rules.Chip | None, ...]:
    registers = rules.computers.begin_program(SETUP, rules.view(state), 0, hand, count).registers
    assert registers[count:] == (None,) * (rules.REGISTERS - count)
    return registers[:count]


def after(state: rules.State, registers: tuple[rules.Chip | None, ...]) -> rules.Robot:
    """Return the robot after playing a program. Empty registers do nothing."""
    program = registers + (None,) * (rules.REGISTERS - len(registers))
    return rules.preview(SETUP, state, 0, rules.Orders(registers=program)).state.robots[0]


def lost(state: rules.State, registers: tuple[rules.Chip | None, ...]) -> bool:
    return after(state, registers).lives < state.robots[0].lives


def ways_on(hand: rules.Hand, laid: tuple[rules.Chip | None, ...]) -> set[tuple[str, ...]]:
    """Return all sequences of kinds of chips that can fill the remaining registers."""
    left = [chip.kind for chip in hand if chip not in laid]
    return set(permutations(left, rules.REGISTERS - len(laid)))


def lost_on(state: rules.State, hand: rules.Hand, laid: tuple[rules.Chip | None, ...]) -> list[bool]:
    """Return for each way to complete the program whether it destroys the robot."""
    return [lost(state, (*laid, *chips("".join(way)))) for way in ways_on(hand, laid)]


@pytest.mark.parametrize("heading", rules.HEADINGS)
def test_the_first_chips_come_from_any_hand_and_keep_the_robot_safe(heading: int) -> None:
    for seed in range(60):
        deal = dealt(heading, seed)
        hand = deal.hands[0]
        laid = begun(deal.state, hand)
        assert len(set(laid)) == FILLED
        assert set(laid) <= set(hand)
        assert not lost(deal.state, laid), seed
        assert not all(lost_on(deal.state, hand, laid)), seed


@pytest.mark.parametrize(
    ("kinds", "unwise"),
    [("1122LLLLU", "11L"), ("11113BLLL", "111"), ("123LRRRUU", "L12"), ("1123LLRRR", "11L")],
)
def test_no_completion_destroys_the_robot_if_the_hand_allows_it(kinds: str, unwise: str) -> None:
    state, hand = dealt(EAST, 1).state, chips(kinds)
    assert any(lost_on(state, hand, chips(unwise)))
    laid = begun(state, hand)
    assert not any(lost_on(state, hand, laid))


def test_the_safe_beginning_that_leads_furthest_is_chosen() -> None:
    state = dealt(EAST, 1).state
    laid = begun(state, chips("11113BLLL"))
    assert [chip.kind for chip in laid if chip] == ["3", "L", "1"]
    assert SETUP.starship.pos(after(state, laid).cell) == (4, 2)


def test_a_program_is_begun_even_without_a_way_out() -> None:
    hand = chips("111122233")
    state = dealt(rules.HEADINGS[3], 1).state  # faces space, without chips that turn or back up
    assert all(begun(state, hand))


@pytest.mark.parametrize("count", [1, 2, 4])
def test_more_or_fewer_registers_can_be_filled(count: int) -> None:
    deal = dealt(EAST, 3)
    assert all(begun(deal.state, deal.hands[0], count))
