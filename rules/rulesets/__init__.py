"""All rulesets by key. Each is a file that reads like its rulebook."""

from typing import Final

from rules.errors import UnknownRuleset
from rules.ruleset import Ruleset
from rules.rulesets.robo_runner import ROBO_RUNNER

RULESETS: Final[dict[str, Ruleset]] = {ruleset.key: ruleset for ruleset in (ROBO_RUNNER,)}


def ruleset(key: str) -> Ruleset:
    """Return a ruleset by its key; raises UnknownRuleset."""
    if key not in RULESETS:
        raise UnknownRuleset(f"there is no ruleset “{key}”; there are: {', '.join(RULESETS)}")
    return RULESETS[key]
