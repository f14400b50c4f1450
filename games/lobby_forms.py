"""What people fill in in a lobby: which robot they want, which computers play, whom they invite."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms

import rules
from accounts.forms import LooksSelect, SegmentsSelect
from accounts.models import LOOKS
from games.forms import model_field, squad_field
from games.models import Seat

STRENGTHS = {
    Seat.Strength.ROOKIE: "A rookie looks at one turn, at nobody else, and makes mistakes.",
    Seat.Strength.PILOT: "A pilot finds the best program for the board as it stands.",
    Seat.Strength.ACE: "An ace also weighs what the others may do, and uses its equipment.",
}
"""What each strength of a computer means."""


class FreeLooks(LooksSelect):
    """Robots to choose from; those that others have are shown with their names, and cannot be chosen."""

    taken: Mapping[int, str] = {}

    def create_option(self, name: str, value: Any, *more: Any, **extra: Any) -> dict[str, Any]:
        """Return one robot to choose, or to see that it is taken."""
        option = super().create_option(name, value, *more, **extra)
        if owner := self.taken.get(value):
            option["attrs"]["disabled"] = True
            option["taken_by"] = owner
        return option


class RobotForm(forms.Form):
    """Which robot one has: what it looks like, its squad and its model, where the ruleset has them.

    ``taken`` are the looks that others have, with their names; ``full`` the squads without a free seat.
    """

    look = forms.ChoiceField(label="Robot", required=False, widget=FreeLooks)

    def __init__(
        self,
        *args: Any,
        ruleset: rules.Ruleset,
        taken: Mapping[int, str],
        full: Sequence[str] = (),
        **more: Any,
    ) -> None:
        super().__init__(*args, **more)
        look = self.fields["look"]
        assert isinstance(look, forms.ChoiceField) and isinstance(look.widget, FreeLooks)
        look.choices = [(number, str(number)) for number in range(1, LOOKS + 1)]
        look.widget.taken = taken
        if ruleset.squads:
            self.fields["squad"] = squad_field([squad for squad in ruleset.squads if squad not in full])
        if ruleset.models:
            self.fields["model"] = model_field(ruleset.models)


class ComputerForm(RobotForm):
    """How well a computer plays, and which robot it has."""

    strength = forms.ChoiceField(
        label="Strength",
        choices=Seat.Strength.choices,
        initial=Seat.Strength.PILOT,
        widget=SegmentsSelect,
        help_text=" ".join(STRENGTHS.values()),
    )
    field_order = ["strength", "look"]


class QuickForm(forms.Form):
    """A game against computers: how well they play, and how many of them."""

    strength = forms.ChoiceField(
        label="How well they play",
        choices=Seat.Strength.choices,
        initial=Seat.Strength.ROOKIE,
        widget=SegmentsSelect,
        help_text=" ".join(STRENGTHS.values()),
    )
    computers = forms.TypedChoiceField(
        label="How many",
        choices=[("1", "One"), ("2", "Two"), ("3", "Three")],
        coerce=int,
        initial="1",
        widget=SegmentsSelect,
    )

    @classmethod
    def usual(cls) -> dict[str, str]:
        """Return what is played where nothing else is asked for."""
        return {name: str(field.initial) for name, field in cls.base_fields.items()}
