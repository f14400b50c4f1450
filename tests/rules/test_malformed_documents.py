"""Malformed documents are refused with sentences. Faulty cells are named by row and column."""

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings, strategies as st

import rules
from rules.document import MAX_NAMED_FAULTS
from rules.scenario import read_scenario, result_of
from rules.sketch import read_sketch
from tests.rules.random_boards import starship_document
from tests.rules.strategies import RandomGame
from tests.support.internals import hint_in

SCENARIOS = sorted((Path(__file__).parent / "cases").glob("*/*.json"))
SEEDS = st.integers(min_value=0, max_value=2**32)
KEYS = list(rules.RULESETS)
JUNK: list[Any] = [
    *(None, True, False, 0, -1, 1, 2.5, 10**30, float("inf"), float("nan")),
    *("", "x", "N", "²", "\ud800", "\x00", "a" * 3000, "player0", "3@790", "P", "starship/1"),
    *([], [[]], {}, [None], [1, 2], [0, 0], [-1, 0], ["N"], {"a": 1}, [[0, 0], [1, 1]]),
]
BAD_CELLS = (
    "q",
    "..",
    "b1:",
    "b4:E",
    "b1:EE",
    "b1:NEN",
    "b1:NNE",
    "d",
    "d6",
    "d22",
    "g",
    "t:green",
    "h0",
    "h4",
    "a0",
    "a9",
    "a:green",
    ".+",
    ".+i0",
    ".+i1*0",
    ".+i1+i2",
    ".+x",
    ".+x16",
    ".+x11",
    ".+wNN",
    ".+wN+wN",
    ".+r24",
    ".+rN",
    ".+r6N",
    ".+cN",
    ".+pN",
    ".+l1N",
    ".+wN+l4N",
    ".+wN+cNE",
    ".+wN+pN+p1N",
    "+wN",
    ".++wN",
    ".+q",
    "h٣",
)
"""Invalid cells. Some have a fitting but lack the rail for it."""


def changed(chance: Random, document: Any) -> Any:
    """Return a copy of a document. One random value is replaced, dropped, doubled or added."""
    result = copy.deepcopy(document)
    parent, key = chance.choice(list(places(result)))
    match chance.randrange(4):
        case 0:
            del parent[key]
        case 1 if isinstance(parent, list):
            parent.insert(chance.randint(0, len(parent)), copy.deepcopy(parent[key]))
        case 1:
            parent[str(chance.choice(["x", "at", "format", "robots", "²"]))] = chance.choice(JUNK)
        case _:
            parent[key] = chance.choice(JUNK)
    return result


def places(document: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the place of each value in a document: its container, and its key or index."""
    if isinstance(document, dict | list):
        for key in list(document) if isinstance(document, dict) else range(len(document)):
            yield document, key
            yield from places(document[key])


def read_or_refuse(read: Callable[[Any], Any], document: Any) -> Any:
    """Return the parsed document, or None if it was refused.

    Fail if the refusal has no problems in words.
    """
    try:
        return read(document)
    except rules.RulesError as error:
        assert error.problems
        assert all(str(problem) for problem in error.problems)
        assert not [problem for problem in map(str, error.problems) if hint_in(problem)]
        return None


@pytest.mark.parametrize("cell", BAD_CELLS)
@given(seed=SEEDS)
@settings(max_examples=4, deadline=None)
def test_a_cell_at_fault_is_named_by_row_and_column(cell: str, seed: int) -> None:
    chance = Random(seed)
    rows = [row.split() for row in starship_document(chance)["rows"]]
    y = chance.randrange(len(rows))
    x = chance.randrange(len(rows[y]))
    bare = [["." for _ in row] for row in rows]
    bare[y][x] = cell
    with pytest.raises(rules.NotationError) as refused:
        rules.read_starship({"format": "starship/1", "rows": [" ".join(row) for row in bare]})
    assert {(problem.row, problem.column) for problem in refused.value.problems} == {(y + 1, x + 1)}


@given(seed=SEEDS)
@settings(max_examples=25, deadline=None)
def test_every_cell_at_fault_is_named_and_no_other(seed: int) -> None:
    chance = Random(seed)
    rows = [["." for _ in range(8)] for _ in range(6)]
    wrong = {(chance.randrange(6), chance.randrange(8)) for _ in range(4)}
    for y, x in wrong:
        rows[y][x] = chance.choice(BAD_CELLS[:5])
    report = rules.check_starship({"format": "starship/1", "rows": [" ".join(row) for row in rows]})
    assert report.starship is None
    assert {(problem.row, problem.column) for problem in report.errors} == {(y + 1, x + 1) for y, x in wrong}


@given(seed=SEEDS)
@settings(max_examples=150, deadline=None)
def test_a_changed_starship_is_read_or_refused(seed: int) -> None:
    chance = Random(seed)
    document = starship_document(chance, rules.RULESETS[KEYS[seed % len(KEYS)]])
    ship = read_or_refuse(rules.read_starship, changed(chance, document))
    if ship:
        assert rules.read_starship(rules.write_starship(ship)).cells == ship.cells


@given(seed=SEEDS, text=st.text(alphabet="abdfghkoistprwlxcNESW.~+-:*0123456789 ", max_size=12))
@settings(max_examples=150, deadline=None)
def test_a_row_of_any_characters_is_read_or_refused(seed: int, text: str) -> None:
    assume(not hint_in(text))  # a problem quotes it
    rows = [*starship_document(Random(seed))["rows"], text]
    read_or_refuse(rules.read_starship, {"format": "starship/1", "rows": rows})
    read_or_refuse(rules.read_starship, {"format": "starship/1", "rows": [text]})


@given(seed=SEEDS)
@settings(max_examples=150, deadline=None)
def test_a_changed_scenario_is_refused_or_can_be_played(seed: int) -> None:
    chance = Random(seed)
    document = json.loads(chance.choice(SCENARIOS).read_text())
    scenario = read_or_refuse(read_scenario, changed(chance, document))
    if scenario:
        json.dumps(result_of(scenario))


@pytest.mark.parametrize("key", KEYS)
@given(seed=SEEDS)
@settings(max_examples=25, deadline=None)
def test_changed_orders_are_read_or_refused_and_then_judged(key: str, seed: int) -> None:
    game = RandomGame(seed, key)
    for _ in game.turns(2):
        for index, orders in game.orders.items():
            read = read_or_refuse(
                rules.read_orders, changed(game.chance, rules.write_orders(orders) or {"x": 1})
            )
            if read:
                game.problems(index, read)


@pytest.mark.parametrize("key", KEYS)
@given(seed=SEEDS)
@settings(max_examples=25, deadline=None)
def test_a_changed_state_is_read_or_refused(key: str, seed: int) -> None:
    game = RandomGame(seed, key)
    document = rules.state_to_json(game.ship, next(game.turns(1)).state)
    for _ in range(3):
        read_or_refuse(lambda given: rules.state_from_json(game.ship, given), changed(game.chance, document))


@pytest.mark.parametrize("key", KEYS)
@given(seed=SEEDS)
@settings(max_examples=15, deadline=None)
def test_a_changed_log_is_read_or_refused(key: str, seed: int) -> None:
    game = RandomGame(seed, key)
    log = rules.events_to_json(game.terms, next(game.turns(1)).events)
    for event in log[:20]:
        read_or_refuse(lambda given: rules.events_from_json(game.terms, [given]), changed(game.chance, event))


@pytest.mark.parametrize("key", KEYS)
@given(seed=SEEDS)
@settings(max_examples=25, deadline=None)
def test_any_options_and_house_rules_are_accepted_or_refused(key: str, seed: int) -> None:
    chance, ruleset = Random(seed), rules.ruleset(key)
    for read, options in (
        (rules.read_options, ruleset.options),
        (rules.read_house_rules, ruleset.house_rules),
    ):
        known = chance.sample(options, chance.randint(0, len(options)))
        given = {option.key: chance.choice([*JUNK, option.default]) for option in known}
        if chance.random() < 0.2:
            given["no_such_key"] = True
        taken = read_or_refuse(lambda wanted, read=read: read(ruleset, wanted), given)  # type: ignore[misc]
        if taken is not None:
            assert taken.keys() == {option.key for option in options}
            assert all(option.problem(taken[option.key]) is None for option in options)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("seats", [-1, 0, 1, 2, 3, 9, 100])
def test_any_number_of_seats_is_accepted_or_refused(key: str, seats: int) -> None:
    ruleset = rules.ruleset(key)
    ship = rules.read_starship(starship_document(Random(seats), ruleset, seats=2))
    setup = read_or_refuse(lambda ship: rules.make_setup(ruleset, {}, ship, seats), ship)
    least, most = ruleset.seats
    assert setup is None or least <= seats <= most


@given(
    junk=st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=6), st.lists, max_leaves=5)
)
@pytest.mark.parametrize("read", [rules.read_orders, rules.read_starship, rules.parse, read_scenario])
@settings(max_examples=30)
def test_a_value_that_is_no_document_is_refused_in_words(
    read: Callable[[object], object], junk: object
) -> None:
    with pytest.raises(rules.RulesError):
        read(json.dumps(junk) if read is rules.parse else junk)


@given(text=st.text(max_size=20) | st.binary(max_size=20))
@settings(max_examples=100)
def test_invalid_json_is_refused_in_words(text: str | bytes) -> None:
    read_or_refuse(rules.parse, text)


@pytest.mark.parametrize("read", [rules.read_starship, read_sketch, rules.read_orders, read_scenario])
def test_a_document_names_some_of_its_unknown_keys_and_counts_the_others(
    read: Callable[[object], object],
) -> None:
    documents: dict[Any, dict[str, Any]] = {
        rules.read_orders: {},
        read_scenario: {"format": "scenario/1"},
    }
    document = documents.get(read, {"format": "starship/1", "rows": ["."]})
    with pytest.raises(rules.NotationError) as caught:
        read(document | {f"k{number:04}": 0 for number in range(1000)})

    unknown = [problem for problem in caught.value.problems if problem.code == "unknown-key"]
    assert [problem.key for problem in unknown] == [
        *(f"k{number:04}" for number in range(MAX_NAMED_FAULTS)),
        None,
    ]
    assert str(unknown[-1]).endswith(f"has {1000 - MAX_NAMED_FAULTS} more unknown keys")


def test_orders_name_some_of_their_wrong_registers() -> None:
    with pytest.raises(rules.NotationError) as caught:
        rules.read_orders({"registers": ["x"] * 1000})
    assert len(caught.value.problems) == MAX_NAMED_FAULTS
