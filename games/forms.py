"""What people fill in to make a game."""

from collections.abc import Iterable
from typing import Any

from django import forms

import rules
from games.errors import ServiceError
from games.models import Game, Starship

HOURS = (
    ("0", "No limit"),
    ("1", "1 hour"),
    ("4", "4 hours"),
    ("12", "12 hours"),
    ("24", "1 day"),
    ("48", "2 days"),
    ("72", "3 days"),
    ("168", "1 week"),
)

LABELS = {
    "lives": "Lives",
    "hull_damage": "Hull damage",
    "scanners": "Scanners",
    "equipment": "Optional equipment",
}


class CreateGameForm(forms.Form):
    """All that a game is made of; its options are those of the ruleset.

    What does not fit together is for the service to say: `add_refusal` puts it beside the fields.
    """

    starship = forms.ModelChoiceField(
        queryset=Starship.objects.none(),
        widget=forms.RadioSelect,
        empty_label=None,
        error_messages={
            "required": "Choose a starship.",
            "invalid_choice": "There is no such starship to play on.",
        },
    )
    name = forms.CharField(
        label="Name of the game",
        max_length=Game._meta.get_field("name").max_length,
        help_text="By it your players know it from their other games.",
        error_messages={"required": "The game needs a name."},
    )
    hours = forms.TypedChoiceField(
        label="Time for each turn",
        choices=HOURS,
        coerce=lambda hours: int(hours) or None,
        initial="48",
        help_text="When it is up, chance fills the registers that are still empty.",
    )
    private = forms.BooleanField(
        label="Private",
        required=False,
        help_text="Not in the Game Room: only who has the game's link finds it.",
    )

    def __init__(
        self, *args: Any, ruleset: rules.Ruleset, starships: Iterable[Starship], **more: Any
    ) -> None:
        super().__init__(*args, **more)
        self.ruleset = ruleset
        field = self.fields["starship"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = Starship.objects.filter(pk__in=[ship.pk for ship in starships])
        least, most = ruleset.seats
        self.fields["seats"] = forms.IntegerField(
            label="Players",
            min_value=least,
            max_value=most,
            initial=2,
            help_text=f"You included, {least} to {most}. The game starts when all seats are taken.",
        )
        for option in ruleset.options:
            self.fields[option.key] = _field_of(option)

    @property
    def options(self) -> dict[str, Any]:
        """The options chosen, by key."""
        return {option.key: self.cleaned_data[option.key] for option in self.ruleset.options}

    @property
    def option_fields(self) -> list[forms.BoundField]:
        """The fields of the options, in the ruleset's order."""
        return [self[option.key] for option in self.ruleset.options]

    def add_refusal(self, refusal: ServiceError) -> None:
        """Put each fault that the service found beside its field."""
        if not refusal.problems:
            self.add_error("starship" if refusal.code == "no-starship" else None, refusal.detail)
        for problem in refusal.problems:
            # Options and players are within their bounds by now: what else does not fit is the starship.
            self.add_error("name" if problem["code"] == "name" else "starship", problem["detail"])


def _field_of(option: rules.Option) -> forms.Field:
    label = LABELS.get(option.key, option.key.replace("_", " ").capitalize())
    if option.yes_or_no:
        return forms.BooleanField(label=label, required=False, initial=option.default, help_text=option.text)
    return forms.IntegerField(
        label=label,
        min_value=option.least,
        max_value=option.most,
        initial=option.default,
        help_text=f"{option.text} {option.least} to {option.most}.",
    )
