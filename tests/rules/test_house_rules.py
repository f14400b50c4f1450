"""House rules change games as their descriptions say."""

import pytest

import rules
from rules import events as ev
from rules.orders import HAND
from tests.rules.table import Table

KEYS = list(rules.RULESETS)
CASES = [(key, rule.key) for key in KEYS for rule in rules.ruleset(key).house_rules]
HALL = ".+wW+l1W . . . . . . ."
"""A row with a laser at its west end, and hull in front of the laser."""


def those_with(house_rule: str) -> list[str]:
    return [key for key, rule in CASES if rule == house_rule]


def starts_of(ruleset: rules.Ruleset) -> str:
    if ruleset.squads:
        return "a:red a:blue k . . ."
    return "a1 a2 a3 a4 a5 a6" if ruleset.start.own else "a . . . . ."


def house(key: str, seats: int = 2, **house_rules: int | bool) -> Table:
    """Return a table in turn 1, on a small board with the row `HALL`."""
    ruleset = rules.ruleset(key)
    kinds = ["red", "blue"] * 3 if ruleset.squads else ["tanky"] * 6 if ruleset.models else []
    table = Table(
        HALL,
        f"{starts_of(ruleset)} .+i1 .+i2",
        players=" ".join("ABCDEF"[:seats]),
        ruleset=key,
        kinds=" ".join(kinds[:seats]),
        house_rules=house_rules,
    )
    if table.state.turn == 0:
        table.start()
    return table


def turn_in_the_hall(table: Table) -> tuple[rules.Event, ...]:
    """Play a turn with all robots real and in line before the laser. They only turn."""
    for robot in table.state.players:
        robot.virtual, robot.cell, robot.heading = False, table.ship.cell(1 + robot.index, 0), 1
    return table.resolve({robot.index: table.give("UURLU", robot.index) for robot in table.state.players})


@pytest.mark.parametrize("key", KEYS)
def test_by_default_a_ruleset_is_played_by_its_book(key: str) -> None:
    ruleset = rules.ruleset(key)
    defaults = {rule.key: rule.default for rule in ruleset.house_rules}
    assert defaults["shared_deck"] is ruleset.shared_deck
    assert defaults["damage_limit"] == ruleset.damage_limit
    by_the_book, chosen = house(key).setup, house(key, **defaults).setup
    assert by_the_book.house_rules == chosen.house_rules == defaults
    assert [step.name for step in by_the_book.ruleset.phase] == [step.name for step in chosen.ruleset.phase]


@pytest.mark.parametrize("key", KEYS)
def test_house_rules_and_options_have_a_sentence(key: str) -> None:
    for rule in (*rules.ruleset(key).house_rules, *rules.ruleset(key).options):
        assert rule.text.endswith(".")
        assert rule.yes_or_no or rule.least < rule.most


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ({"no_such_rule": True}, "no house rule “no_such_rule”"),
        ({"damage_limit": 2}, "from 3 to"),
        ({"damage_limit": 1000}, "from 3 to"),
        ({"damage_limit": True}, "from 3 to"),
        ({"shared_deck": 1}, "must be true or false"),
    ],
)
def test_an_unknown_or_out_of_range_house_rule_is_refused(
    key: str, given: dict[str, int | bool], fault: str
) -> None:
    with pytest.raises(rules.SetupError, match=fault):
        house(key, **given)


@pytest.mark.parametrize("key", those_with("robot_lasers"))
@pytest.mark.parametrize("wanted", [True, False])
def test_robots_fire_their_lasers_or_have_none(key: str, wanted: bool) -> None:
    shots = [
        event for event in turn_in_the_hall(house(key, robot_lasers=wanted)) if isinstance(event, ev.Shot)
    ]
    assert any(shot.robot is not None for shot in shots) is wanted
    assert any(shot.emitter is not None for shot in shots)


@pytest.mark.parametrize("key", those_with("piercing_lasers"))
@pytest.mark.parametrize("wanted", [True, False])
def test_lasers_of_the_board_pierce_robots_or_stop_at_them(key: str, wanted: bool) -> None:
    log = turn_in_the_hall(house(key, seats=3, piercing_lasers=wanted))
    hurt = {event.robot for event in log if isinstance(event, ev.Damage) and event.by == "board-laser"}
    assert hurt == ({0, 1, 2} if wanted else {0})


@pytest.mark.parametrize("key", those_with("crushers"))
@pytest.mark.parametrize("wanted", [True, False])
def test_crushers_crush_or_are_switched_off(key: str, wanted: bool) -> None:
    table = Table(
        ".+wNESW+x12345 . .",
        "a .+i1 .+i2",
        ruleset=key,
        players="A B",
        house_rules={"crushers": wanted},
    )
    robot = table.robot()
    robot.virtual, robot.cell = False, table.ship.cell(0, 0)
    log = table.resolve({0: table.give("1LRLR")})
    crushed = [event.robot for event in log if isinstance(event, ev.Destroyed) and event.by == "crusher"]
    assert crushed == ([0] if wanted else [])


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("limit", [3, 4])
def test_the_damage_that_destroys_can_be_chosen(key: str, limit: int) -> None:
    log = turn_in_the_hall(house(key, damage_limit=limit))
    taken = 0
    for event in log:
        if isinstance(event, ev.Damage) and event.robot == 0:
            assert taken < limit
            taken += event.amount
        elif isinstance(event, ev.Destroyed) and event.robot == 0:
            assert event.by == "damage"
            break
    assert taken >= limit


@pytest.mark.clause("G-3.3")
@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("shared", [True, False])
def test_hands_come_from_one_deck_or_from_a_deck_for_each(key: str, shared: bool) -> None:
    table = house(key, seats=6, shared_deck=shared)
    chips = [chip for hand in table.hands.values() for chip in hand]
    assert len(chips) == 6 * HAND
    assert (len(set(chips)) == len(chips)) is shared, "54 of 84 chips without a double are of one deck"


@pytest.mark.clause("G-3.3")
@pytest.mark.parametrize(("players", "scanners"), [(8, 2), (6, 4)])
def test_a_shared_deck_too_small_for_all_hands_is_refused(players: int, scanners: int) -> None:
    names = " ".join("ABCDEFGH"[:players])
    Table("a . h1 .+i1", players=names, scanners=scanners)
    with pytest.raises(rules.SetupError, match="one deck of 84 chips is not enough for 10 robots"):
        Table("a . h1 .+i1", players=names, scanners=scanners, house_rules={"shared_deck": True})


@pytest.mark.clause("G-3.3")
@pytest.mark.parametrize(("players", "scanners"), [(8, 1), (5, 4), (8, 0)])
def test_a_shared_deck_covers_nine_hands(players: int, scanners: int) -> None:
    names = " ".join("ABCDEFGH"[:players])
    table = Table("a . h1 .+i1", players=names, scanners=scanners, house_rules={"shared_deck": True})
    table.start()
    assert sum(map(len, table.hands.values())) == HAND * (players + scanners)
