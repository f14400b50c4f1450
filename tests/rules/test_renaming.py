"""Renaming a robot in the file of a game changes nothing else."""

import json
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

import rules
from rules.codec import _RENAMED, FIELDS, Vocabulary
from tests.rules.recorded import Document, recorded

SEEDS = st.integers(min_value=0, max_value=2**32)
WORDS = ("move", "lost", "laser", "N", "robot")
"""Words of the file format that are also valid Robo Names."""


def renamed(document: Document, before: str, after: str) -> Document:
    def name(value: Any) -> Any:
        return after if value == before else value

    return rules.with_digest(
        {
            **document,
            "seats": [{**seat, "name": name(seat["name"])} for seat in document["seats"]],
            "turns": [
                {
                    **turn,
                    "hands": [{**hand, "robot": name(hand["robot"])} for hand in turn["hands"]],
                    "orders": [{**order, "robot": name(order["robot"])} for order in turn["orders"]],
                    "events": [rules.rename_in_event(event, {before: after}) for event in turn["events"]],
                }
                for turn in document["turns"]
            ],
            "end": rules.rename_in_state(document["end"], before, after),
            "winner": name(document["winner"]),
        }
    )


@pytest.mark.parametrize("key", rules.RULESETS)
@settings(max_examples=4, deadline=None)
@given(seed=SEEDS, word=st.sampled_from(WORDS))
def test_a_renamed_robot_leaves_the_game_as_true_as_before(key: str, seed: int, word: str) -> None:
    document = json.loads(json.dumps(recorded(seed, key)))
    name = document["seats"][0]["name"]
    called = renamed(document, name, word)
    checked = [str(fault) for fault in rules.verify(rules.read_game_file(called))]
    untouched = [str(fault) for fault in rules.verify(rules.read_game_file(document))]
    assert checked == untouched  # no fault, or the cancellation of a random game
    assert name not in json.dumps([called["turns"], called["end"]])
    assert renamed(called, word, name) == document


def test_renaming_an_absent_robot_changes_nothing() -> None:
    document = recorded(3)
    assert renamed(document, "Nobody", "Somebody") == document


def test_every_form_with_names_of_robots_is_known() -> None:
    """The test writes a value in each form of field, and looks for robots' names in it."""
    ship = rules.read_starship({"format": "starship/1", "rows": [". ."]})
    terms = Vocabulary(ship, ["Ann", "Bo"])
    chip = next(iter(rules.CHIPS.values()))
    values: dict[str, Any] = {
        "robots": (1,),
        "chips": {1: chip},
        "registers": {1: {5: chip}},
        "numbers": {1: 5},
        "numbers_in_order": (1,),
        "cell": 0,
        "heading": 1,
        "mark": True,
    }
    forms = {field.form for fields in FIELDS.values() for field in fields}
    naming = {form for form in forms if "Bo" in json.dumps(getattr(terms, form)(values.get(form, 1)))}
    assert naming == set(_RENAMED)
