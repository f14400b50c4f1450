"""Reviews of turns with a known outcome: their causes, and better programs of a robot."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

import rules
from rules.grid import E, N, S, W
from rules.orders import DECK
from rules.review import Figures, Played, TurnReview, chances, review_turn
from rules.review.chances import Chances
from tests.rules.table import Table

ROWS = (". . . . . . . .+i1", "a . . . . . . .", ". ~ . . . . . .", ". . . . . . . .")
RAIL = (". . .+i1+wE . . . . .+i2", *ROWS[1:])
"""Rows with a wall east of checkpoint 1, so no robot can be pushed east."""
TURNING = "LRLR"

Place = tuple[int, int, int]
"""A robot's column, row and heading."""


def seated(*places: Place, rows: Sequence[str] = ROWS, **terms: object) -> Table:
    """Return a game of real robots in these places, with dealt hands."""
    table = Table(*rows, players=" ".join(["Alice", "Bob", "Carol"][: len(places)]), **terms)  # type: ignore[arg-type]
    table.start()
    for robot, (column, row, heading) in zip(table.state.robots, places, strict=False):
        robot.cell = robot.archive = table.ship.cell(column, row)
        robot.heading, robot.virtual = heading, False
    return table


def reviewed(table: Table, orders: dict[int, rules.Orders], *seats: int) -> TurnReview:
    """Resolve the turn, and return its review for these seats."""
    state, hands = table.state.copy(), dict(table.hands)
    events = table.resolve(orders)
    return review_turn(table.setup, Played(state, hands, orders, events), seats)


def figures_of(table: Table, orders: dict[int, rules.Orders], seat: int = 0) -> Figures:
    (figures,) = reviewed(table, orders, seat).figures
    return figures


Case = tuple[str, Sequence[str], Place, Place, str, str, int | None, int]
CASES: Sequence[Case] = (
    ("push", ROWS, (2, 2, E), (4, 2, W), "LRLR1", "3LRLR", 1, -1),
    ("shot", ROWS, (0, 0, E), (3, 0, W), "LRLRU", "UULRL", 2, -1),
    ("in the way", RAIL, (0, 0, E), (2, 0, N), "2LRLR", "LRLRU", None, -1),
    ("ahead", ROWS, (2, 3, E), (2, 0, S), "LRLRU", "L31LR", None, -1),
    ("behind", ROWS, (0, 0, E), (0, 3, E), "LRLR1", "LLUUL", None, 1),
    ("destroyed", ROWS, (2, 0, E), (2, 2, W), "LRLRU", "1UULR", 1, 1),
    ("won", ROWS, (0, 3, N), (0, 0, E), "1LRLR", "331LR", None, -1),
)


@pytest.mark.parametrize(("kind", "rows", "mine", "theirs", "ours", "other", "phase", "sign"), CASES)
def test_another_robots_effect_is_a_cause(
    kind: str,
    rows: Sequence[str],
    mine: Place,
    theirs: Place,
    ours: str,
    other: str,
    phase: int | None,
    sign: int,
) -> None:
    table = seated(mine, theirs, rows=rows)
    if rows is RAIL:
        table.robot(1).next = 2
    figures = figures_of(table, {0: table.give(ours), 1: table.give(other, 1)})
    (cause,) = [cause for cause in figures.causes if cause.kind == kind]
    assert (cause.robot, cause.phase) == (1, phase)
    assert cause.effect * sign > 0


def test_a_turn_without_contact_has_no_contact_as_a_cause() -> None:
    table = seated((0, 0, E), (0, 3, E))
    figures = figures_of(table, {0: table.give("12LRL"), 1: table.give("1LRLR", 1)})
    assert not {cause.kind for cause in figures.causes} & {"push", "shot", "in the way", "destroyed", "won"}


def test_a_missed_program_is_the_decision() -> None:
    """Alice can win with Move 3. A program of turns is as much worse as it wins less often."""
    table = seated((4, 0, E), (0, 3, E))
    best = figures_of(table, {0: table.give("3LRLR"), 1: table.give("1LRLR", 1)})
    assert best.decision == 0
    table = seated((4, 0, E), (0, 3, E))
    table.give("3LRLR")
    turning = rules.Orders(registers=table.hands[0][1:6])
    worse = figures_of(table, {0: turning, 1: table.give("1LRLR", 1)})
    assert worse.decision < -0.1
    assert worse.best is not None
    assert worse.best.registers[0] == table.hands[0][0]
    assert worse.deal == best.deal


def test_locked_registers_are_no_choice() -> None:
    table = seated((0, 0, E), (0, 3, E))
    for index, damage in enumerate((7, 8)):
        table.damage_robot(damage, index)
        table.robot(index).registers = list(DECK[60:65])
        table.hands[index] = tuple(DECK[10 * index : 10 * index + 9 - damage])
    locked = [list(robot.locked) for robot in table.state.robots]
    for figures in reviewed(table, {index: table.orders(index) for index in range(2)}, 0, 1).figures:
        for found in (figures.best, figures.answer):
            assert found is not None
            empty = [number for number, chip in enumerate(found.registers) if chip is None]
            assert empty == locked[figures.robot]


def test_a_robot_that_is_off_decides_nothing() -> None:
    """A power-down is among the orders to try. In the turn after it, everything is the collision."""
    table = seated((0, 0, E), (0, 3, E))
    table.damage_robot(8)
    table.robot().registers = list(DECK[60:65])
    table.hands[0] = table.hands[0][:1]
    hurt = figures_of(table, {0: table.orders(0), 1: table.give("LRLRU", 1)})
    assert hurt.best is not None
    assert hurt.best.power_down
    table.robot().down = True
    table.deal()
    review = reviewed(table, {1: table.orders(1)}, 0)
    (figures,) = review.figures
    assert (figures.deal, figures.decision, figures.hindsight, figures.best) == (0, 0, 0, None)
    assert figures.collision == review.after[0] - review.before[0]


def test_equipment_is_among_the_orders_to_try() -> None:
    """Alice stands behind Bob. Bob has one life. Her twin lasers can destroy him."""
    table = seated((0, 0, E), (4, 0, E), equipment=True)
    table.robot().equipment, table.robot().ammo = "twin-lasers", 5
    table.damage_robot(5, 1)
    table.robot(1).registers, table.robot(1).lives = [None] * 4 + [DECK[0]], 1
    table.hands[1] = table.hands[1][:4]
    figures = figures_of(table, {0: table.give("LRLRU"), 1: table.orders(1)})
    assert figures.best is not None
    assert figures.best.equipment
    assert figures.decision < 0


def test_only_players_get_figures() -> None:
    table = seated((0, 0, E), (0, 3, E), scanners=2)
    orders = {index: table.orders(index) for index in range(2)}
    state, hands = table.state.copy(), dict(table.hands)
    events = table.resolve(orders)
    review = review_turn(table.setup, Played(state, hands, orders, events))
    assert len(state.robots) == 4
    assert [figures.robot for figures in review.figures] == [0, 1]
    assert len(review.before) == len(review.after) == 2


def test_a_robot_that_left_the_game_has_no_chance() -> None:
    table = seated((0, 0, E), (0, 3, E), (5, 3, E))
    carol = table.robot(2)
    carol.alive, carol.lives, carol.cell = False, 0, rules.OFF
    review = reviewed(table, {index: table.orders(index) for index in range(2)}, 0, 1, 2)
    assert (review.before[2], review.after[2]) == (0, 0)
    gone = review.figures[2]
    assert (gone.deal, gone.decision, gone.collision, gone.best, gone.causes) == (0, 0, 0, None, ())


SQUADS = ("a:red . . k . . a:blue", ". . . . . . .", ". . . . . . .")


def recon() -> Table:
    table = Table(*SQUADS, players="Alice Bob Carol Dave", ruleset="robo-recon", kinds="red blue red blue")
    table.start()
    return table


def test_a_squad_shares_its_chance() -> None:
    """The crystal gets no figures, and is no cause. A teammate's progress is no rival's progress."""
    table = recon()
    before = chances(table.setup, table.state)
    assert before[0] == before[2]
    assert before[1] == before[3]
    assert before[0] + before[1] == pytest.approx(1)
    assert any(robot.crystal for robot in table.state.robots)
    orders = {index: table.orders(index) for index in range(4)}
    review = reviewed(table, orders, 0)
    (figures,) = review.figures
    assert figures.deal + figures.decision + figures.collision == pytest.approx(
        review.after[0] - review.before[0]
    )
    assert not [cause for cause in figures.causes if cause.robot == 2 and cause.kind in ("ahead", "behind")]
    assert all(cause.robot < 4 for cause in figures.causes)


# The turn that the documentation calculates


PAGE = Path(__file__).parents[2] / "docs" / "analysis.md"


def program(table: Table, index: int, kinds: str) -> rules.Orders:
    """Return orders with chips of these kinds from the robot's dealt hand."""
    spare = list(table.hands[index])
    return rules.Orders(
        registers=tuple(spare.pop([chip.kind for chip in spare].index(kind)) for kind in kinds)
    )


def kinds_of(chips: Iterable[rules.Chip | None]) -> str:
    return " ".join(chip.kind for chip in chips if chip)


def race_row(setup: rules.Setup, state: rules.State, title: str) -> str:
    """Return the row of the page's table for a state between two turns."""
    race = Chances(setup, state)
    mine, theirs = race.phases(state)
    spread = race.race.spread + race.race.growth * min(mine, theirs)
    chance = share_of(race.of(state)[0])
    return f"| {title} | {mine:.2f} phases | {theirs:.2f} phases | {spread:.2f} | {chance} |"


def share_of(share: float) -> str:
    return f"{share:.1%}".replace("-", "−").replace("%", " %")


def test_the_documentation_calculates_a_real_turn() -> None:
    table = seated((2, 0, E), (4, 3, N), seed=2)
    orders = {0: program(table, 0, "2LR1R"), 1: program(table, 1, "3LRL1")}
    before, hand = table.state.copy(), table.hands[0]
    figures = figures_of(table, orders)
    assert figures.best is not None
    assert figures.answer is not None
    text = PAGE.read_text().partition("## One turn by hand")[2]
    board = [line.strip() for line in text.splitlines() if line.startswith("    ")]
    assert board == list(ROWS)
    shown = [
        *(kinds_of(chips) for chips in (hand, *(given.registers for given in orders.values()))),
        *(kinds_of(found.registers) for found in (figures.best, figures.answer)),
        race_row(table.setup, before, "before the turn"),
        race_row(table.setup, table.state, "after the turn"),
        *map(share_of, (figures.deal, figures.decision, figures.collision, figures.hindsight)),
        *(share_of(abs(cause.effect)) for cause in figures.causes),
    ]
    assert [part for part in shown if part not in text] == []
