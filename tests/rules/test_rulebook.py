"""The rulesets as pages: what the documentation says is what is played."""

from pathlib import Path

import pytest

import rules
from rules.rulebook import clauses_of, page, parts

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


def test_a_variant_is_made_of_the_same_parts() -> None:
    runner = rules.ruleset("robo-runner")
    lasers = next(step for step in runner.phase if step.name == "lasers")
    peaceful = runner.without("lasers")
    assert lasers not in peaceful.phase
    assert len(peaceful.phase) == len(runner.phase) - 1
    assert runner.instead("twisters", lasers).phase.count(lasers) == 2
    twice = runner.after("twisters", lasers)
    assert twice.phase[[step.name for step in twice.phase].index("twisters") + 1] is lasers


def test_a_step_that_is_not_there_cannot_be_taken_away() -> None:
    with pytest.raises(LookupError, match="Robo Runner has no step “oil”"):
        rules.ruleset("robo-runner").without("oil")
