"""Redrawing of hands with only turning chips, in Robo Rally 1999 (AM-1.4)."""

import pytest

import rules
from rules.orders import MOVES
from tests.rules.table import Table

ROWS = [". . . . . .", ". .+i1 . . .+i2 .", ". . . . . ."]
MOVE, TURN = rules.CHIPS[490], rules.CHIPS[70]


def amigo(players: str, seed: int) -> Table:
    return Table(*ROWS, ruleset="amigo-1999", players=players, seed=seed)


def hands_of_turning_chips(seed: int = 1, players: str = "A B C", damage: int = 8) -> Table:
    """Return a table in turn 2. All hands contain only turning chips."""
    table = amigo(players=players, seed=seed)
    table.state.turn = 1
    for index in range(len(table.names)):
        table.damage_robot(damage, index)
    table.deal()
    turning = [chip for chip in rules.DECK if chip.kind not in MOVES]
    for index in range(len(table.names)):
        table.hands[index] = tuple(turning.pop(0) for _ in range(rules.HAND - damage))
    return table


def redrawn(table: Table, index: int = 0, count: int = 0) -> rules.Hand:
    return rules.redeal(table.setup, table.state, table.hands, index, table.seed, count)


@pytest.mark.clause("AM-1.2", "AM-1.4")
def test_in_turn_1_hands_of_only_turning_chips_are_put_aside_automatically() -> None:
    """Heavily damaged robots get hands of one chip. 42 of the 84 chips are turning chips."""
    several = 0
    for seed in range(60):
        table = amigo(players="A B C D E F G H", seed=seed)
        table.state.turn = 0
        for index in range(8):
            table.damage_robot(8, index)
            table.state.robots[index].registers = [None, *rules.DECK[4 * index + 50 : 4 * index + 54]]
        table.deal()
        assert all(len(hand) == 1 for hand in table.hands.values())
        assert all(chip.kind in MOVES for hand in table.hands.values() for chip in hand)
        for hands in table.aside.values():
            several += len(hands) > 1
            assert [len(hand) for hand in hands] == [1] * len(hands)
            assert not [chip for hand in hands for chip in hand if chip.kind in MOVES]
    assert several > 10


@pytest.mark.clause("AM-1.2", "AM-1.4")
def test_in_turn_1_only_hands_that_cannot_move_are_put_aside() -> None:
    assert amigo(players="A B C D E F G H", seed=1).aside == {}
    table = amigo(players="A B C D E F G H", seed=33)
    [(index, [aside])] = table.aside.items()
    assert len(aside) == len(table.hands[index]) == 9
    assert not [chip for chip in aside if chip.kind in MOVES]
    assert not {*aside} & {*table.hands[index]}, "other chips (AM-1.4)"
    assert [chip for chip in table.hands[index] if chip.kind in MOVES]


@pytest.mark.clause("AM-1.4")
def test_version_1_shows_no_hands_put_aside() -> None:
    names = list("ABCDEFGH")
    newest = amigo(players=" ".join(names), seed=33)
    setup = rules.make_setup(rules.ruleset("amigo-1999", 1), {}, newest.ship, len(names))
    dealt = rules.begin(setup, names, newest.seed)
    assert all(any(chip.kind in MOVES for chip in hand) for hand in dealt.hands.values())
    assert newest.aside, "the newest version puts a hand aside here"
    assert dealt.aside == {}


@pytest.mark.clause("AM-1.4")
def test_after_turn_1_a_player_may_keep_a_hand_of_turning_chips_only() -> None:
    kept = 0
    for seed in range(20):
        table = amigo(players="A B", seed=seed)
        table.state.turn = 1
        for index in range(2):
            table.damage_robot(8, index)
        table.deal()
        for index, hand in table.hands.items():
            turns_only = hand[0].kind not in MOVES
            kept += turns_only
            assert rules.can_redeal(table.setup, table.state, index, hand) is turns_only
            assert rules.can_redeal(table.setup, table.state, index, hand, times=7) is turns_only
    assert kept > 5


@pytest.mark.clause("AM-1.4")
@pytest.mark.parametrize("damage", [0, 4, 8])
def test_a_hand_is_redrawn_from_free_chips_in_the_same_number(
    damage: int,
) -> None:
    for seed in range(20):
        table = hands_of_turning_chips(seed, damage=damage)
        hand = redrawn(table)
        assert len(hand) == len(table.hands[0]) == 9 - damage
        held = {chip for other in table.hands.values() for chip in other}
        held |= {chip for robot in table.state.robots for chip in robot.registers if chip}
        assert not set(hand) & held


@pytest.mark.clause("AM-1.4", "G-2.4")
def test_redrawing_is_repeatable_and_differs_the_second_time() -> None:
    table = hands_of_turning_chips(damage=0)
    assert redrawn(table) == redrawn(table)
    assert redrawn(table) != redrawn(table, count=1)


@pytest.mark.clause("AM-1.4")
def test_repeated_redrawing_ends_with_a_hand_that_moves() -> None:
    several = 0
    for seed in range(60):
        table = hands_of_turning_chips(seed)
        drawn = rules.redeal_while_turning(table.setup, table.state, table.hands, 0, table.seed)
        several += len(drawn) > 1
        assert [hand[0].kind in MOVES for hand in drawn] == [False] * (len(drawn) - 1) + [True]
    assert several > 10


@pytest.mark.clause("AM-1.4")
def test_a_hand_is_kept_if_no_moving_chip_is_left() -> None:
    table = hands_of_turning_chips(damage=0)
    table.hands[1] = tuple(chip for chip in rules.DECK if chip.kind in MOVES)
    assert rules.redeal_while_turning(table.setup, table.state, table.hands, 0, table.seed) == []


@pytest.mark.clause("AM-1.4")
def test_a_hand_with_a_moving_chip_cannot_be_put_aside() -> None:
    table = hands_of_turning_chips()
    table.hands[0] = (*table.hands[0], MOVE)
    assert not rules.can_redeal(table.setup, table.state, 0, table.hands[0])
    assert not rules.can_redeal(table.setup, table.state, 1, ())
