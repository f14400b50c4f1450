"""Presets: terms that go well together, for hosts who want to start at once.

A preset says nothing of the starship: the best that fits the ruleset and the players is chosen.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.clocks.clock import Bank, Live, Pace, PerTurn
from games.play.policy import STANDING, Absence


@dataclass(frozen=True, slots=True)
class Preset:
    """Terms of a game; a ruleset that lacks one of the ``options`` does without it."""

    key: str
    name: str | Promise
    text: str | Promise
    seats: int
    pace: Pace
    absence: Absence
    ruleset: str = "robo-runner"
    options: Mapping[str, Any] = field(default_factory=dict)


PRESETS: Mapping[str, Preset] = {
    preset.key: preset
    for preset in (
        Preset(
            "quick-duel",
            _("Quick duel"),
            _("Live, on a small starship."),
            seats=2,
            pace=Live(3),
            absence=Absence(STANDING, 2),
        ),
        Preset(
            "weekend-race",
            _("Weekend race"),
            _("Time you save is yours later."),
            seats=4,
            pace=Bank(12, 1),
            absence=Absence(STANDING, 2),
        ),
        Preset(
            "long-campaign",
            _("Long campaign"),
            _("A large starship, 5 lives each."),
            seats=6,
            pace=PerTurn(48),
            absence=Absence(STANDING, 5),
            options={"lives": 5},
        ),
    )
}
"""The presets, by key, in the order in which they are offered."""
