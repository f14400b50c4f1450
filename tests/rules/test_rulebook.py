"""The documentation of the rulesets matches the game."""

import re
from pathlib import Path

import pytest

import rules
from rules.rulebook import clauses_of, option_of, page, parts, quick_reference
from rules.rulesets import EARLIER
from rules.steps.lasers import EQUIPMENT_NAMES
from rules.steps.turn_end import WEIGHTS

PAGES = Path(__file__).parents[2] / "docs" / "rules"


@pytest.mark.parametrize("key", rules.RULESETS)
def test_the_page_of_a_ruleset_is_up_to_date(key: str) -> None:
    written = (PAGES / f"{key}.md").read_text()
    assert written == page(rules.ruleset(key)), "run: python -m docs.rules.generate"


def test_every_step_states_its_rule_and_its_clauses() -> None:
    for ruleset in rules.RULESETS.values():
        for _, steps in parts(ruleset):
            for step in steps:
                assert step.text.endswith(".")
                assert clauses_of(ruleset, step), f"{ruleset.name} has no clause of its own for “{step.name}”"


def test_a_ruleset_without_ranks_does_not_mention_them() -> None:
    without = [ruleset for ruleset in (*rules.RULESETS.values(), *EARLIER) if not ruleset.ranks]
    assert {"amigo-1999", "factory-1999", "group-11", "websocket"} == {ruleset.key for ruleset in without}
    for ruleset in without:
        spoken = [line for line in page(ruleset).splitlines() if re.search(r"\branks?\b", line)]
        assert not spoken, f"{ruleset.name}, version {ruleset.version}"


def test_a_variant_consists_of_the_same_parts() -> None:
    runner = rules.ruleset("robo-runner")
    lasers = next(step for step in runner.phase if step.name == "lasers")
    peaceful = runner.without("lasers")
    assert lasers not in peaceful.phase
    assert len(peaceful.phase) == len(runner.phase) - 1
    assert runner.replacing("twisters", lasers).phase.count(lasers) == 2
    twice = runner.after("twisters", lasers)
    assert twice.phase[[step.name for step in twice.phase].index("twisters") + 1] is lasers


def test_a_missing_step_cannot_be_removed() -> None:
    with pytest.raises(LookupError, match="Robo Runner has no step “oil”"):
        rules.ruleset("robo-runner").without("oil")


def test_special_elements_are_explained_in_each_of_their_rulesets() -> None:
    for ruleset in rules.RULESETS.values():
        reference = dict(quick_reference(ruleset))
        told = {name for name, _ in reference.get("Elements beyond the common ones", ())}
        assert told == ruleset.elements
        assert ("Optional equipment" in reference) == (
            "equipment" in [option.key for option in ruleset.options]
        )
        assert ("Weights" in reference) == ruleset.ranks
        assert ("Models" in reference) == bool(ruleset.models)
        assert ("Virtual robots" in reference) == ruleset.virtual_start


def test_the_reference_explains_all_equipment_and_only_weights_that_can_be_earned() -> None:
    runner, recon, arena = (
        dict(quick_reference(rules.ruleset(f"robo-{key}"))) for key in ("runner", "recon", "arena")
    )
    assert [name for name, _ in runner["Optional equipment"]] == list(EQUIPMENT_NAMES.values())
    deeds = [{deed for deed, _ in reference["Weights"]} for reference in (runner, recon, arena)]
    assert deeds[0] == set(WEIGHTS)
    assert deeds[1] == set(WEIGHTS) - {"inspect"}
    assert deeds[2] == set(WEIGHTS) - {"inspect", "weld"}


def test_steps_name_the_option_that_they_need() -> None:
    amigo = rules.ruleset("amigo-1999")
    marked = {
        step.name: option.key
        for _, steps in parts(amigo)
        for step in steps
        if (option := option_of(amigo, step))
    }
    assert marked == {
        "robot lasers": "robot_lasers",
        "switching off": "power_down",
        "staying off": "power_down",
    }
    assert page(amigo).count("*Only with the option") == 3


@pytest.mark.parametrize("key", rules.RULESETS)
def test_a_ruleset_only_mentions_ranks_welding_and_inspecting_if_it_has_them(key: str) -> None:
    ruleset = rules.ruleset(key)
    texts = [option.text for option in ruleset.options]
    if not ruleset.has("inspection"):
        assert not [text for text in texts if "inspect" in text]
    steps = " ".join(step.text for _, steps in parts(ruleset) for step in steps)
    if not ruleset.ranks:
        assert "by rank" not in steps
        assert "better rank" not in steps
