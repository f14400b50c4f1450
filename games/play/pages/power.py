"""What going down is called in each ruleset, and what it does."""

from dataclasses import dataclass

import rules


@dataclass(frozen=True, slots=True)
class PowerWords:
    """The words for it: what is ordered and what that does, and what holds while a robot is down."""

    order: str
    effect: str
    while_down: str


WORDS = {
    "reboot": PowerWords(
        "Reboot afterwards",
        "All damage is repaired once this program has run; next turn your robot sleeps.",
        "Your robot reboots this turn: it takes no orders, does not move itself and does not fire.",
    ),
    "switching off": PowerWords(
        "Switch off afterwards",
        "Once this program has run your robot is switched off for a turn, and all its damage is repaired.",
        "Your robot is switched off this turn: it has no program, does not fire, and counts no checkpoint.",
    ),
    "power-down": PowerWords(
        "Power down afterwards",
        "Once this program has run your robot powers down for a turn, and all its damage is repaired.",
        "Your robot is powered down this turn: it takes no orders, does not move itself and does not fire.",
    ),
}
"""By the step of the turn's end in which robots go down."""

NEUTRAL = PowerWords(
    "Power down afterwards",
    "Your robot is repaired, and sleeps for a turn.",
    "Your robot is down this turn, and takes no orders.",
)


def power_of(ruleset: rules.Ruleset) -> PowerWords:
    """Return the words that fit a ruleset."""
    return next((WORDS[step.name] for step in ruleset.end if step.name in WORDS), NEUTRAL)
