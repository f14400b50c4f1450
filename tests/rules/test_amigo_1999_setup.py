"""How a game of Robo Rally 1999 is set up, how its first turn begins, and what its variants change."""

from dataclasses import replace
from typing import Any

import pytest

import rules
from rules import events as ev
from rules.chips import MOVES
from rules.grid import E, S
from tests.rules.table import Table

ROWS = [". . . . . .", ". .+i1 . . .+i2 .", ". . . . . ."]
AMIGO = "amigo-1999"
MOVE, TURN = rules.CHIPS[490], rules.CHIPS[70]


def amigo(*rows: str, players: str = "Alice Bob", seed: int = 1, **options: Any) -> Table:
    return Table(*(rows or ROWS), ruleset=AMIGO, players=players, seed=seed, **options)


def dealt_to_alice(table: Table, first: rules.Chip) -> rules.Orders:
    """Give Alice a hand whose first register holds that chip."""
    others = [chip for chip in rules.DECK if chip not in (first, *table.hands[1])]
    table.hands[0] = (first, *others[:4], MOVE, *others[4:7])
    return rules.Orders(registers=table.hands[0][:5])


# AM-1.1


@pytest.mark.clause("AM-1.1")
@pytest.mark.parametrize("seats", range(2, 9))
def test_two_to_eight_may_play_with_three_lives(seats: int) -> None:
    table = amigo(players=" ".join("ABCDEFGH"[:seats]))
    assert [robot.lives for robot in table.state.robots] == [3] * seats


@pytest.mark.clause("AM-1.1")
@pytest.mark.parametrize("seats", [1, 9])
def test_one_or_nine_may_not_play(seats: int) -> None:
    with pytest.raises(rules.SetupError, match="2 to 8 players"):
        amigo(players=" ".join("ABCDEFGHI"[:seats]))


@pytest.mark.clause("AM-1.1")
@pytest.mark.parametrize("count", range(2, 7))
def test_two_to_six_checkpoints_may_be_played(count: int) -> None:
    row = " ".join(f".+i{number}" for number in range(1, count + 1))
    assert len(amigo(row).ship.checkpoints) == count


@pytest.mark.clause("AM-1.1")
@pytest.mark.parametrize(("count", "wanted"), [(1, "at least 2"), (7, "at most 6")])
def test_fewer_or_more_checkpoints_are_refused(count: int, wanted: str) -> None:
    with pytest.raises(rules.SetupError, match=wanted):
        amigo(" ".join(f".+i{number}" for number in range(1, count + 1)))


@pytest.mark.clause("AM-1.1")
@pytest.mark.parametrize(("cell", "element"), [("o", "shaft"), ("~", "space"), (".+x24", "crusher")])
def test_no_checkpoint_can_be_set_on_a_shaft_on_space_or_on_a_crusher(cell: str, element: str) -> None:
    ship = rules.read_starship({"format": "starship/1", "rows": [f". . {cell} ."]})
    with pytest.raises(rules.SetupError, match=element) as set_there:
        rules.with_checkpoints(ship, [(0, 0), (2, 0)])
    with pytest.raises(rules.SetupError, match=element) as standing_there:
        amigo(f".+i1 . {cell}+i2 .")
    for refusal in (set_there, standing_there):
        (problem,) = refusal.value.problems
        assert (problem.row, problem.column) == (1, 3)


@pytest.mark.clause("AM-1.1")
def test_up_to_four_boards_may_be_joined_and_their_checkpoints_set() -> None:
    ruleset = rules.ruleset(AMIGO)
    assert ruleset.boards == 4
    assert ruleset.sets_checkpoints
    half = rules.read_starship({"format": "starship/1", "rows": [". b2:E .", ". . o", ". .+wE+p13E ."]})
    places = [(0, 0), (1, 0), (0, 1), (1, 1)]
    joined = rules.join([rules.Piece(half, at, turned) for turned, at in enumerate(places)])
    course = rules.with_checkpoints(joined, [(0, 0), (5, 5)])
    setup = rules.make_setup(ruleset, {}, course, seats=4)
    assert (setup.starship.width, setup.starship.height) == (6, 6)


# AM-1.2


@pytest.mark.clause("AM-1.2")
def test_robots_start_off_the_board_with_checkpoint_1_passed_and_as_their_archive() -> None:
    table = amigo()
    assert table.state.turn == 1
    for robot in table.state.robots:
        assert not robot.on_board
        assert robot.alive
        assert robot.next == 2
        assert robot.archive == table.ship.checkpoints[1]
        assert len(table.hands[robot.index]) == 9


@pytest.mark.clause("AM-1.2")
@pytest.mark.parametrize("kind", "123BLRU")
def test_the_first_chip_of_the_first_turn_must_move(kind: str) -> None:
    table = amigo()
    chip = next(chip for chip in rules.DECK if chip.kind == kind and chip not in table.hands[1])
    orders = dealt_to_alice(table, chip)
    assert table.problems(orders) == ([] if kind in MOVES else ["must-move"])


@pytest.mark.clause("AM-1.2")
def test_in_later_turns_the_first_chip_may_turn() -> None:
    table = amigo()
    table.resolve()
    table.deal()
    assert table.problems(dealt_to_alice(table, TURN)) == []


@pytest.mark.clause("AM-1.2")
def test_what_is_filled_at_random_begins_with_a_chip_that_moves() -> None:
    for seed in range(20):
        table = amigo(seed=seed)
        for index in range(2):
            first = table.orders(index).registers[0]
            assert first is not None
            assert first.kind in MOVES


@pytest.mark.clause("AM-1.2", "G-9.4")
def test_each_chooses_the_heading_in_which_it_is_placed() -> None:
    table = amigo()
    orders = {index: replace(table.orders(index), heading=(E, S)[index]) for index in range(2)}
    assert [table.problems(orders[index], index) for index in range(2)] == [[], []]
    log = table.resolve(orders)
    placed = {event.robot: event.heading for event in log if isinstance(event, ev.Enter) and event.phase == 1}
    assert placed == {0: E, 1: S}


@pytest.mark.clause("AM-1.2")
def test_robots_are_placed_in_the_order_of_their_chips_numbers() -> None:
    for seed in range(5):
        table = amigo(players="A B C D", seed=seed)
        log = table.resolve()
        first = next(event for event in log if isinstance(event, ev.Phase))
        entered = [event.robot for event in log if isinstance(event, ev.Enter) and event.phase == 1]
        assert entered == sorted(first.chips, key=lambda index: -first.chips[index].number)


# AM-1.4


def hands_of_turning_chips(seed: int = 1, players: str = "A B C", damage: int = 8) -> Table:
    """Return a table in turn 2 at which everybody has a chip that turns, and none that moves."""
    table = amigo(players=players, seed=seed)
    table.state.turn = 1
    for index in range(len(table.names)):
        table.wound(damage, index)
    table.deal()
    turning = [chip for chip in rules.DECK if chip.kind not in MOVES]
    for index in range(len(table.names)):
        table.hands[index] = tuple(turning.pop(0) for _ in range(rules.HAND - damage))
    return table


def redrawn(table: Table, index: int = 0, count: int = 0) -> rules.Hand:
    return rules.redeal(table.setup, table.state, table.hands, index, table.seed, count)


@pytest.mark.clause("AM-1.2", "AM-1.4")
def test_in_turn_1_a_hand_of_turning_chips_only_is_put_aside_by_itself_as_often_as_it_takes() -> None:
    """Hands of one chip would often turn: of 84 chips 42 do. All that were put aside are told."""
    several = 0
    for seed in range(60):
        table = amigo(players="A B C D E F G H", seed=seed)
        table.state.turn = 0
        for index in range(8):
            table.wound(8, index)
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
def test_in_turn_1_only_a_hand_that_cannot_move_is_put_aside() -> None:
    assert amigo(players="A B C D E F G H", seed=1).aside == {}
    table = amigo(players="A B C D E F G H", seed=33)
    [(index, [aside])] = table.aside.items()
    assert len(aside) == len(table.hands[index]) == 9
    assert not [chip for chip in aside if chip.kind in MOVES]
    assert not {*aside} & {*table.hands[index]}, "other chips (AM-1.4)"
    assert [chip for chip in table.hands[index] if chip.kind in MOVES]


@pytest.mark.clause("AM-1.4")
def test_in_version_1_no_hand_was_shown_that_was_put_aside() -> None:
    names = list("ABCDEFGH")
    newest = amigo(players=" ".join(names), seed=33)
    setup = rules.make_setup(rules.ruleset(AMIGO, 1), {}, newest.ship, len(names))
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
            table.wound(8, index)
        table.deal()
        for index, hand in table.hands.items():
            turns_only = hand[0].kind not in MOVES
            kept += turns_only
            assert rules.can_redeal(table.setup, table.state, index, hand) is turns_only
            assert rules.can_redeal(table.setup, table.state, index, hand, times=7) is turns_only
    assert kept > 5


@pytest.mark.clause("AM-1.4")
@pytest.mark.parametrize("damage", [0, 4, 8])
def test_a_hand_that_was_put_aside_is_redrawn_with_as_many_other_chips_that_nobody_else_holds(
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
def test_a_hand_is_redrawn_alike_each_time_and_otherwise_the_second_time() -> None:
    table = hands_of_turning_chips(damage=0)
    assert redrawn(table) == redrawn(table)
    assert redrawn(table) != redrawn(table, count=1)


@pytest.mark.clause("AM-1.4")
def test_hands_that_are_redrawn_as_long_as_they_only_turn_end_with_one_that_moves() -> None:
    several = 0
    for seed in range(60):
        table = hands_of_turning_chips(seed)
        drawn = rules.redeal_while_turning(table.setup, table.state, table.hands, 0, table.seed)
        several += len(drawn) > 1
        assert [hand[0].kind in MOVES for hand in drawn] == [False] * (len(drawn) - 1) + [True]
    assert several > 10


@pytest.mark.clause("AM-1.4")
def test_where_no_chip_that_moves_is_left_a_hand_is_kept() -> None:
    table = hands_of_turning_chips(damage=0)
    table.hands[1] = tuple(chip for chip in rules.DECK if chip.kind in MOVES)
    assert rules.redeal_while_turning(table.setup, table.state, table.hands, 0, table.seed) == []


@pytest.mark.clause("AM-1.4")
def test_a_hand_with_a_chip_that_moves_cannot_be_put_aside() -> None:
    table = hands_of_turning_chips()
    table.hands[0] = (*table.hands[0], MOVE)
    assert not rules.can_redeal(table.setup, table.state, 0, table.hands[0])
    assert not rules.can_redeal(table.setup, table.state, 1, ())


# AM-5


@pytest.mark.clause("AM-5")
def test_the_variants_are_off_unless_chosen() -> None:
    table = amigo()
    assert table.setup.options == {
        "lives": 3,
        "robot_lasers": False,
        "power_down": False,
        "damaged_copies": False,
    }
    assert not table.setup.ruleset.has("robot lasers")
    assert table.problems(replace(table.orders(), power_down=True)) == ["power-down"]
    assert table.setup.ruleset.return_damage == 0


@pytest.mark.clause("AM-5")
def test_each_variant_is_an_option() -> None:
    table = amigo(robot_lasers=True, power_down=True, damaged_copies=True)
    assert table.setup.ruleset.has("robot lasers")
    assert table.problems(replace(table.orders(), power_down=True)) == []
    assert table.setup.ruleset.return_damage == 2


def switched_off(players: str = "Alice Bob") -> Table:
    """Return a table in the turn in which the first robot is off."""
    table = amigo(". . .", ".+wNESW+i1 . .+i2", players=players, power_down=True, lives=9)
    table.resolve({0: table.orders(power_down=True)})
    table.deal()
    return table


def was_off() -> Table:
    """Return a table in the turn after that."""
    table = switched_off()
    table.resolve()
    table.deal()
    return table


@pytest.mark.clause("AM-5.2")
def test_a_robot_that_is_off_has_no_hand_and_takes_no_orders_so_that_nobody_waits_for_it() -> None:
    table = switched_off()
    assert table.robot().down
    assert 0 not in table.hands
    assert not rules.needs_orders(table.setup, table.state, 0)
    for orders in (rules.Orders(), rules.Orders(stay_down=True)):
        assert table.problems(orders) == ["nothing-to-order"]
    assert not table.robot(1).down
    table.resolve({1: table.orders(1)})


@pytest.mark.clause("AM-5.2")
def test_where_all_robots_are_off_the_turn_needs_no_orders() -> None:
    table = switched_off()
    table.robot(1).down = True
    assert not any(rules.needs_orders(table.setup, table.state, index) for index in (0, 1))
    rules.resolve_turn(table.setup, table.state, table.hands, {}, table.seed)


@pytest.mark.clause("AM-5.2", "G-3.3")
def test_a_robot_that_was_off_is_dealt_a_hand_as_ever_whether_it_stays_off_or_not() -> None:
    table = was_off()
    assert table.robot().was_down
    assert not table.robot().down
    assert len(table.hands[0]) == 9
    assert table.problems(rules.Orders(stay_down=True)) == []
    assert table.problems(table.orders()) == []


@pytest.mark.clause("AM-5.2", "G-8.2")
@pytest.mark.parametrize(
    "more", [{"registers": (None,) * 5}, {"power_down": True}, {"heading": 1}, {"unlock": (5,)}]
)
def test_to_stay_off_is_the_whole_order(more: dict[str, Any]) -> None:
    orders = replace(rules.Orders(stay_down=True), **more)
    assert was_off().problems(orders) == ["stay-down-alone"]


@pytest.mark.clause("AM-5.2", "G-8.2")
def test_a_robot_that_was_not_off_cannot_stay_off() -> None:
    table = was_off()
    assert table.problems(table.orders(1, stay_down=True), 1) == ["stay-down"]


@pytest.mark.clause("AM-5.2")
def test_when_time_runs_out_a_robot_that_was_off_is_switched_on() -> None:
    table = was_off()
    orders = rules.complete(table.setup, table.state, 0, table.hands[0], None, table.seed)
    assert not orders.stay_down
    assert all(orders.registers)


@pytest.mark.clause("AM-5.2")
@pytest.mark.parametrize("times", [1, 3])
def test_a_robot_stays_off_as_long_as_it_is_ordered_to(times: int) -> None:
    table = was_off()
    for _ in range(times):
        events = table.resolve({0: rules.Orders(stay_down=True)})
        assert not any(isinstance(event, ev.Phase) and 0 in event.chips for event in events)
        table.deal()
        assert table.robot().was_down
    table.resolve()
    assert not table.robot().was_down


@pytest.mark.clause("AM-6.3", "G-8.2")
@pytest.mark.parametrize(
    ("place", "faults"),
    [
        ((1, 0), []),
        ((2, 1), []),
        ((1, 1), ["place"]),
        ((0, 0), ["place"]),
        ((9, 1), ["place"]),
        ((-1, 1), ["place"]),
    ],
)
def test_a_place_to_come_back_is_beside_an_archive(place: tuple[int, int], faults: list[str]) -> None:
    table = amigo(". . . .", ". .+i1 . .+i2", ". . . .")
    assert table.problems(replace(table.orders(), place=place)) == faults


@pytest.mark.clause("AM-5.3", "G-8.2")
@pytest.mark.parametrize(
    ("unlock", "faults"),
    [((5,), []), ((5, 4, 1), []), ((0,), ["unlock"]), ((6,), ["unlock"]), ((3, 3), ["unlock"])],
)
def test_registers_to_be_freed_are_of_the_five_and_each_named_once(
    unlock: tuple[int, ...], faults: list[str]
) -> None:
    table = amigo()
    assert table.problems(replace(table.orders(), unlock=unlock)) == faults
