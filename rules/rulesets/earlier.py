"""Earlier versions of the rulesets: games that began with one of them go on by it.

Each is today's ruleset with what was different then, so that this page reads as a list of changes.
`docs/rules/versions.md` tells players the same.
"""

from dataclasses import replace
from typing import Final

from rules.ruleset import Ruleset
from rules.rulesets.amigo_1999 import AMIGO_1999
from rules.rulesets.factory_1999 import FACTORY_1999
from rules.rulesets.group_11 import GROUP_11
from rules.rulesets.robo_arena import ROBO_ARENA
from rules.rulesets.robo_recon import ROBO_RECON
from rules.rulesets.robo_runner import ROBO_RUNNER
from rules.rulesets.websocket import WEBSOCKET

EARLIER: Final[tuple[Ruleset, ...]] = (
    replace(ROBO_RUNNER, version=1),
    replace(ROBO_RECON, version=1),
    replace(ROBO_ARENA, version=1),
    replace(AMIGO_1999, version=1),
    replace(FACTORY_1999, version=1),
    replace(GROUP_11, version=1),
    replace(WEBSOCKET, version=1),
)
