"""Earlier versions of the rulesets: games that began with one of them go on by it.

Each is today's ruleset with what was different then, so that this page reads as a list of changes.
`docs/rules/versions.md` tells players the same.
"""

from dataclasses import replace
from typing import Final

from rules.options import LIVES, SPARE_LIVES
from rules.rulesets.amigo_1999 import AMIGO_1999
from rules.rulesets.factory_1999 import FACTORY_1999
from rules.rulesets.group_11 import GROUP_11
from rules.rulesets.robo_arena import ROBO_ARENA
from rules.rulesets.robo_recon import ROBO_RECON
from rules.rulesets.robo_runner import ROBO_RUNNER
from rules.rulesets.websocket import WEBSOCKET
from rules.setup import LARGEST_BOARD, Ruleset
from rules.steps.checkpoints import count_checkpoint_and_archive_in_order
from rules.steps.crystal import force_projectors
from rules.steps.power import switch_off_or_stay_off
from rules.steps.verdicts import last_standing_or_most_checkpoints_wins, last_standing_wins_by_seat


def _2(newest: Ruleset) -> Ruleset:
    """Return a ruleset with what was different in version 2 of every ruleset that has the same parts.

    The third destruction took the last of three lives. Robots went out in one instant if nothing happened
    between them, also in two steps of a phase. Hands and the chips of locked registers were drawn before
    players decided whether their robots stay off.
    """
    options = tuple(LIVES if option == SPARE_LIVES else option for option in newest.options)
    played = replace(newest, spare_lives=False, joins_steps=True, deals_before_deciding=True)
    return replace(played, version=2, options=options)


def _1(later: Ruleset) -> Ruleset:
    """Return a ruleset with what was different in version 1 of every ruleset that has the same parts.

    Shields kept off robots' lasers alone, new scanners were as damaged as robots that come back, and the end
    of a game did not tell the chips of locked registers.
    """
    shielded = frozenset({"laser"})
    return replace(later, version=1, shielded=shielded, scanner_damage=None, tells_locked=False)


def _deciding_while_off(ruleset: Ruleset) -> Ruleset:
    """Return a ruleset in which a robot is ordered to stay off in the turn in which it is off."""
    edition = ruleset.without("staying off").instead("switching off", switch_off_or_stay_off)
    return replace(edition, decides_while_off=True)


_AMIGO_2: Final = _2(AMIGO_1999)
_FACTORY_2: Final = _2(FACTORY_1999)
_GROUP_2: Final = _2(GROUP_11)

EARLIER: Final[tuple[Ruleset, ...]] = (
    _AMIGO_2,
    _FACTORY_2,
    _GROUP_2,
    _1(ROBO_RUNNER),
    _1(ROBO_ARENA),
    # Nothing was shocked that the crystal pressed against a coupling.
    _1(ROBO_RECON).instead("lasers", force_projectors(presses=False)),
    # The last robot standing won, and hands of turning chips only were redrawn without asking.
    replace(
        _deciding_while_off(_1(_AMIGO_2)).instead("all out", last_standing_or_most_checkpoints_wins),
        last_wins=True,
        sets_aside=False,
        redeals=True,
    ),
    replace(_1(WEBSOCKET).instead("all out", last_standing_wins_by_seat), last_wins=True),
    # Up to 16 boards were joined, of any size, and no checkpoints were placed by chance.
    replace(_deciding_while_off(_1(_FACTORY_2)), options=(LIVES,), boards=16, cells=LARGEST_BOARD),
    # A checkpoint out of order was no archive.
    _1(_GROUP_2).instead("checkpoints counted", count_checkpoint_and_archive_in_order),
)
