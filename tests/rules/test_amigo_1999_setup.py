"""The set-up, first turn and variants of Robo Rally 1999."""

from dataclasses import replace
from typing import Any

import pytest

import rules
from rules import events as ev
from rules.grid import E, S
from rules.orders import MOVES
from tests.rules.table import Table

ROWS = [". . . . . .", ". .+i1 . . .+i2 .", ". . . . . ."]
AMIGO = "amigo-1999"
MOVE, TURN = rules.CHIPS[490], rules.CHIPS[70]


def amigo(*rows: str, players: str = "Alice Bob", seed: int = 1, **options: Any) -> Table:
    return Table(*(rows or ROWS), ruleset=AMIGO, players=players, seed=seed, **options)


def dealt_to_alice(table: Table, first: rules.Chip) -> rules.Orders:
    """Put the given chip first in Alice's hand. Return orders with the first five chips of the hand."""
    others = [chip for chip in rules.DECK if chip not in (first, *table.hands[1])]
    table.hands[0] = (first, *others[:4], MOVE, *others[4:7])
    return rules.Orders(registers=table.hands[0][:5])


# AM-1.1


@pytest.mark.clause("AM-1.1")
@pytest.mark.parametrize("seats", range(2, 9))
def test_two_to_eight_players_have_three_spare_lives(seats: int) -> None:
    table = amigo(players=" ".join("ABCDEFGH"[:seats]))
    assert [robot.shown_lives for robot in table.state.robots] == [3] * seats


@pytest.mark.clause("AM-1.1")
@pytest.mark.parametrize("seats", [1, 9])
def test_one_or_nine_players_are_refused(seats: int) -> None:
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
def test_checkpoints_on_shafts_space_or_crushers_are_refused(cell: str, element: str) -> None:
    ship = rules.read_starship({"format": "starship/1", "rows": [f". . {cell} ."]})
    with pytest.raises(rules.SetupError, match=element) as set_there:
        rules.with_checkpoints(ship, [(0, 0), (2, 0)])
    with pytest.raises(rules.SetupError, match=element) as standing_there:
        amigo(f".+i1 . {cell}+i2 .")
    for refusal in (set_there, standing_there):
        (problem,) = refusal.value.problems
        assert (problem.row, problem.column) == (1, 3)


@pytest.mark.clause("AM-1.1")
def test_up_to_four_boards_can_be_joined_with_new_checkpoints() -> None:
    ruleset = rules.ruleset(AMIGO)
    assert ruleset.boards == 4
    assert ruleset.sets_checkpoints
    half = rules.read_starship({"format": "starship/1", "rows": [". b2:E .", ". . o", ". .+wE+p13E ."]})
    places = [(0, 0), (1, 0), (0, 1), (1, 1)]
    joined = rules.join([rules.Tile(half, at, turned) for turned, at in enumerate(places)])
    course = rules.with_checkpoints(joined, [(0, 0), (5, 5)])
    setup = rules.make_setup(ruleset, {}, course, seats=4)
    assert (setup.starship.width, setup.starship.height) == (6, 6)


# AM-1.2


@pytest.mark.clause("AM-1.2")
def test_robots_start_off_the_board_with_checkpoint_1_as_archive() -> None:
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
def test_random_programs_begin_with_a_moving_chip() -> None:
    for seed in range(20):
        table = amigo(seed=seed)
        for index in range(2):
            first = table.orders(index).registers[0]
            assert first is not None
            assert first.kind in MOVES


@pytest.mark.clause("AM-1.2", "G-9.4")
def test_each_player_chooses_the_heading_of_the_placement() -> None:
    table = amigo()
    orders = {index: replace(table.orders(index), heading=(E, S)[index]) for index in range(2)}
    assert [table.problems(orders[index], index) for index in range(2)] == [[], []]
    log = table.resolve(orders)
    placed = {event.robot: event.heading for event in log if isinstance(event, ev.Enter) and event.phase == 1}
    assert placed == {0: E, 1: S}


@pytest.mark.clause("AM-1.2")
def test_robots_are_placed_in_order_of_chip_numbers() -> None:
    for seed in range(5):
        table = amigo(players="A B C D", seed=seed)
        log = table.resolve()
        first = next(event for event in log if isinstance(event, ev.Phase))
        entered = [event.robot for event in log if isinstance(event, ev.Enter) and event.phase == 1]
        assert entered == sorted(first.chips, key=lambda index: -first.chips[index].number)


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
    """Return a table in turn 1, with the first robot switched off for this turn."""
    table = amigo(". . .", ".+wNESW+i1 . .+i2", players=players, power_down=True, lives=9)
    table.resolve({0: table.orders(power_down=True)})
    table.deal()
    return table


def was_off(damage: int = 0) -> Table:
    """Return a table in the turn after the first robot was off, with this much damage."""
    table = switched_off()
    table.damage_robot(damage)
    table.resolve()
    table.deal()
    return table


@pytest.mark.clause("AM-5.2")
def test_a_robot_that_is_off_has_no_hand_and_no_orders() -> None:
    table = switched_off()
    assert table.robot().down
    assert 0 not in table.hands
    assert not rules.needs_orders(table.setup, table.state, 0)
    for orders in (rules.Orders(), rules.Orders(stay_down=True)):
        assert table.problems(orders) == ["nothing-to-order"]
    assert not table.robot(1).down
    table.resolve({1: table.orders(1)})


@pytest.mark.clause("AM-5.2")
def test_a_turn_with_all_robots_off_needs_no_orders() -> None:
    table = switched_off()
    table.robot(1).down = True
    assert not any(rules.needs_orders(table.setup, table.state, index) for index in (0, 1))
    rules.resolve_turn(table.setup, table.state, table.hands, {}, table.seed)


@pytest.mark.clause("AM-5.2", "G-3.3")
def test_a_robot_that_was_off_gets_a_hand_when_switched_on() -> None:
    table = was_off()
    assert table.robot().was_down
    assert not table.robot().down
    assert 0 not in table.hands
    assert table.problems(rules.Orders(stay_down=True)) == []
    table.switch_on()
    assert len(table.hands[0]) == 9
    assert not set(table.hands[0]) & set(table.hands[1])
    assert table.problems(table.orders()) == []


@pytest.mark.clause("G-7.3", "AM-5.2")
def test_a_robot_draws_no_chips_before_it_is_switched_on() -> None:
    table = was_off(damage=8)
    assert table.robot().locked == (2, 3, 4)
    assert table.robot().registers == [None] * 5
    table.switch_on()
    locked = [table.robot().registers[register] for register in (2, 3, 4)]
    assert all(locked)
    assert len(table.hands[0]) == 2
    assert len({*locked, *table.hands[0], *table.hands[1]}) == 3 + 2 + 9


@pytest.mark.clause("G-7.3", "AM-5.2")
def test_a_register_freed_by_staying_off_is_empty() -> None:
    table = was_off(damage=8)
    table.resolve({0: rules.Orders(stay_down=True)})
    assert (table.robot().damage, table.robot().locked) == (0, ())
    table.damage_robot(5)
    table.deal()
    assert (table.robot().locked, table.robot().registers) == ((4,), [None] * 5)


@pytest.mark.clause("G-7.3", "AM-5.2")
def test_a_robot_switched_on_draws_by_the_seed_and_the_earlier_draws() -> None:
    states = [was_off(damage=8), was_off(damage=8)]
    for table in states:
        table.switch_on()
    assert states[0].hands == states[1].hands
    assert states[0].state == states[1].state
    other = was_off(damage=8)
    other.switch_on(count=1)
    assert other.hands[0] != states[0].hands[0]


@pytest.mark.clause("AM-5.2", "G-8.2")
@pytest.mark.parametrize(
    "more", [{"registers": (None,) * 5}, {"power_down": True}, {"heading": 1}, {"unlock": (5,)}]
)
def test_staying_off_excludes_other_orders(more: dict[str, Any]) -> None:
    orders = replace(rules.Orders(stay_down=True), **more)
    assert was_off().problems(orders) == ["stay-down-alone"]


@pytest.mark.clause("AM-5.2", "G-8.2")
def test_a_robot_that_was_not_off_cannot_stay_off() -> None:
    table = was_off()
    assert table.problems(table.orders(1, stay_down=True), 1) == ["stay-down"]


@pytest.mark.clause("AM-5.2")
def test_when_time_runs_out_a_robot_that_was_off_is_switched_on() -> None:
    table = was_off()
    table.switch_on()
    orders = rules.complete(table.setup, table.state, 0, table.hands[0], None, table.seed)
    assert not orders.stay_down
    assert all(orders.registers)


@pytest.mark.clause("AM-5.2")
@pytest.mark.parametrize("times", [1, 3])
def test_a_robot_stays_off_as_long_as_ordered(times: int) -> None:
    table = was_off()
    for _ in range(times):
        events = table.resolve({0: rules.Orders(stay_down=True)})
        assert not any(isinstance(event, ev.Phase) and 0 in event.chips for event in events)
        table.deal()
        assert table.robot().was_down
    table.switch_on()
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
def test_a_robot_returns_beside_an_archive(place: tuple[int, int], faults: list[str]) -> None:
    table = amigo(". . . .", ". .+i1 . .+i2", ". . . .")
    assert table.problems(replace(table.orders(), place=place)) == faults


@pytest.mark.clause("AM-5.3", "G-8.2")
@pytest.mark.parametrize(
    ("unlock", "faults"),
    [((5,), []), ((5, 4, 1), []), ((0,), ["unlock"]), ((6,), ["unlock"]), ((3, 3), ["unlock"])],
)
def test_registers_to_unlock_exist_and_are_named_once(unlock: tuple[int, ...], faults: list[str]) -> None:
    table = amigo()
    assert table.problems(replace(table.orders(), unlock=unlock)) == faults
