"""All rulesets by key. Each is a file that reads like its rulebook."""

from typing import Final

from rules.errors import UnknownRuleset
from rules.ruleset import Ruleset
from rules.rulesets.amigo_1999 import AMIGO_1999
from rules.rulesets.factory_1999 import FACTORY_1999
from rules.rulesets.group_11 import GROUP_11
from rules.rulesets.robo_arena import ROBO_ARENA
from rules.rulesets.robo_recon import ROBO_RECON
from rules.rulesets.robo_runner import ROBO_RUNNER
from rules.rulesets.websocket import WEBSOCKET

RULESETS: Final[dict[str, Ruleset]] = {
    ruleset.key: ruleset
    for ruleset in (ROBO_RUNNER, ROBO_RECON, ROBO_ARENA, AMIGO_1999, FACTORY_1999, GROUP_11, WEBSOCKET)
}


def ruleset(key: str) -> Ruleset:
    """Return a ruleset by its key; raises UnknownRuleset."""
    if key not in RULESETS:
        raise UnknownRuleset(f"there is no ruleset “{key}”; there are: {', '.join(RULESETS)}")
    return RULESETS[key]
