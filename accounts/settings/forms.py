"""The forms of profile and settings."""

from typing import Any, ClassVar

from django import forms

from accounts import time_zones
from accounts.forms import LooksSelect, PercentInput, SegmentsSelect
from accounts.settings.services import NO_SETTING, SETTINGS
from accounts.users.choices import AUDIENCES, LOOKS, SPEEDS, Audience, CellSize, Motion, Theme
from accounts.users.models import User


class ProfileForm(forms.ModelForm):  # type: ignore[type-arg]
    """A person's robot and time zone, and who can see what of them."""

    look = forms.TypedChoiceField(
        label="Favourite robot",
        coerce=int,
        empty_value=None,
        required=False,
        choices=[("", "any"), *((number, str(number)) for number in range(1, LOOKS + 1))],
        widget=LooksSelect,
        help_text=User._meta.get_field("look").help_text,
        error_messages={"invalid_choice": "There are eight robots: %(value)s is none of them."},
    )
    time_zone = forms.ChoiceField(
        help_text=User._meta.get_field("time_zone").help_text,
        error_messages={"invalid_choice": "%(value)s is no time zone: choose one from the list."},
    )

    class Meta:
        model = User
        fields = [
            "look",
            "time_zone",
            "shows_name",
            "shows_games",
            "shows_history",
            "shows_statistics",
            "shows_achievements",
        ]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        zone = self.fields["time_zone"]
        assert isinstance(zone, forms.ChoiceField)
        zone.choices = time_zones.choices(current=self.instance.time_zone)
        for name in AUDIENCES:
            self.fields[name] = forms.ChoiceField(
                label=self.fields[name].label,
                help_text=self.fields[name].help_text,
                choices=Audience.choices,
                widget=SegmentsSelect,
                error_messages={"required": "Say who may see it."},
            )

    @property
    def audiences(self) -> list[forms.BoundField]:
        """The fields that say who sees what of the person's page."""
        return [self[name] for name in AUDIENCES]


class PageSettingsForm(forms.ModelForm):  # type: ignore[type-arg]
    """How a person has pages shown and turns played; `templates/site/settings_form.html` draws it."""

    class Meta:
        model = User
        fields = SETTINGS
        widgets = {
            **dict.fromkeys(("speed", "motion", "theme", "cell_size"), SegmentsSelect),
            **dict.fromkeys(("volume", "effects_volume", "music_volume"), PercentInput),
        }
        help_texts = {
            "motion": "As set: as your system asks. Cuts: what moves is shown where it comes to stand.",
            "cell_size": "Small is 32 pixels, medium 48, large 64; the board then scrolls in its frame.",
            "volume": "",
            "effects_volume": "",
            "music_volume": "",
        }
        error_messages = {
            name: dict.fromkeys(
                ("required", "invalid", "invalid_choice", "min_value", "max_value"), f"{sentence}."
            )
            for name, sentence in NO_SETTING.items()
        }

    _WORDS: ClassVar[dict[str, list[tuple[str, str]]]] = {
        "speed": [(str(speed), f"{speed / 100:g}×") for speed in SPEEDS],
        "motion": [(Motion.AUTO, "As set"), (Motion.FULL, "All"), (Motion.REDUCED, "Cuts")],
        "theme": [(Theme.LIGHT, "Day"), (Theme.DARK, "Night"), (Theme.AUTO, "As set")],
        "cell_size": [(CellSize.FIT, "Fit"), *CellSize.choices[1:]],
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, words in self._WORDS.items():
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = words
