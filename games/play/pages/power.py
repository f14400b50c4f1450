"""What going down is called in each ruleset, and what it does."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

import rules

Words = str | Promise


@dataclass(frozen=True, slots=True)
class PowerWords:
    """The words for it: what is ordered and what that does, and what holds while a robot is down."""

    order: Words
    effect: Words
    while_down: Words


WORDS = {
    "reboot": PowerWords(
        _("Reboot afterwards"),
        _("Once this program has run, all damage is repaired. Your robot sleeps next turn."),
        _("Your robot reboots this turn: it takes no orders, does not move itself and does not fire."),
    ),
    "switching off": PowerWords(
        _("Switch off afterwards"),
        _("Once this program has run your robot is switched off for a turn, and all its damage is repaired."),
        _(
            "Your robot is switched off this turn: it has no program, does not fire, and counts no"
            " checkpoint."
        ),
    ),
    "power-down": PowerWords(
        _("Power down afterwards"),
        _("Once this program has run your robot powers down for a turn, and all its damage is repaired."),
        _(
            "Your robot is powered down this turn: it takes no orders, does not move itself and"
            " does not fire."
        ),
    ),
}
"""By the step of the turn's end in which robots go down."""

NEUTRAL = PowerWords(
    _("Power down afterwards"),
    _("Your robot is repaired, and sleeps for a turn."),
    _("Your robot is down this turn, and takes no orders."),
)


def power_of(ruleset: rules.Ruleset) -> PowerWords:
    """Return the words that fit a ruleset."""
    return next((WORDS[step.name] for step in ruleset.end if step.name in WORDS), NEUTRAL)
