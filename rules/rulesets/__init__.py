"""All rulesets, by key and version. Each is a file that reads like its rulebook."""

from typing import Final

from rules.errors import UnknownRuleset, UnknownVersion
from rules.rulesets.amigo_1999 import AMIGO_1999
from rules.rulesets.earlier import EARLIER
from rules.rulesets.factory_1999 import FACTORY_1999
from rules.rulesets.group_11 import GROUP_11
from rules.rulesets.robo_arena import ROBO_ARENA
from rules.rulesets.robo_recon import ROBO_RECON
from rules.rulesets.robo_runner import ROBO_RUNNER
from rules.rulesets.websocket import WEBSOCKET
from rules.setup import Ruleset

RULESETS: Final[dict[str, Ruleset]] = {
    ruleset.key: ruleset
    for ruleset in (ROBO_RUNNER, ROBO_RECON, ROBO_ARENA, AMIGO_1999, FACTORY_1999, GROUP_11, WEBSOCKET)
}
"""The rulesets of new games: the newest version of each."""

EDITIONS: Final[dict[tuple[str, int], Ruleset]] = {
    (ruleset.key, ruleset.version): ruleset for ruleset in (*EARLIER, *RULESETS.values())
}
"""Every version that a game may have begun with."""


def ruleset(key: str, version: int | None = None) -> Ruleset:
    """Return a ruleset by its key, in its newest version or the one asked for.

    Raises UnknownRuleset, or UnknownVersion where the ruleset has no such version.
    """
    if key not in RULESETS:
        raise UnknownRuleset(f"there is no ruleset “{key}”; there are: {', '.join(RULESETS)}")
    newest = RULESETS[key]
    if version is None:
        return newest
    if (key, version) not in EDITIONS:
        there = ", ".join(str(number) for name, number in sorted(EDITIONS) if name == key)
        raise UnknownVersion(f"{newest.name} has no version {version}; there are: {there}")
    return EDITIONS[key, version]
