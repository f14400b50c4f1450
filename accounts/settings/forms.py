"""The forms of profile and settings."""

from itertools import groupby
from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import time_zones
from accounts.forms import GuardedForm, LooksSelect, PercentInput, SegmentsSelect
from accounts.settings.declarations import PAGE_SETTINGS, SETTINGS
from accounts.users.choices import AUDIENCES, LOOKS, Audience
from accounts.users.models import User


class ProfileForm(GuardedForm, forms.ModelForm):  # type: ignore[type-arg]
    """A person's robot and time zone, and who can see what of them."""

    look = forms.TypedChoiceField(
        label=_("Favourite robot"),
        coerce=int,
        empty_value=None,
        required=False,
        choices=[("", _("any")), *((number, str(number)) for number in range(1, LOOKS + 1))],
        widget=LooksSelect,
        help_text=User._meta.get_field("look").help_text,
        error_messages={"invalid_choice": _("There are eight robots, and %(value)s is not one of them.")},
    )
    time_zone = time_zones.ZoneField(
        label=_("Time zone"),
        help_text=User._meta.get_field("time_zone").help_text,
        error_messages={"invalid_choice": _("%(value)s is not a time zone: choose one from the list.")},
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
                error_messages={"required": gettext("Choose who can see it.")},
            )

    @property
    def audiences(self) -> list[forms.BoundField]:
        """The fields that say who sees what of the person's page."""
        return [self[name] for name in AUDIENCES]


class PageSettingsForm(forms.ModelForm):  # type: ignore[type-arg]
    """How a person has pages shown and turns played; `templates/site/settings_form.html` draws it."""

    class Meta:
        model = User
        fields = tuple(SETTINGS)
        widgets = {
            each.name: SegmentsSelect if each.choices else PercentInput
            for each in PAGE_SETTINGS
            if each.choices or each.volume
        }
        help_texts = {each.name: each.help for each in PAGE_SETTINGS if each.help or each.volume}
        error_messages = {
            each.name: dict.fromkeys(
                ("required", "invalid", "invalid_choice", "min_value", "max_value"),
                format_lazy("{allowed}.", allowed=each.allowed),
            )
            for each in PAGE_SETTINGS
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for each in PAGE_SETTINGS:
            field = self.fields[each.name]
            if each.choices and isinstance(field, forms.ChoiceField):
                field.choices = list(each.choices)

    @property
    def groups(self) -> list[tuple[object, list[tuple[str, list[forms.BoundField]]]]]:
        """The fields of each group, with what turns them on where they are volumes."""
        return [
            (
                group,
                [
                    (volume, [self[each.name] for each in fields])
                    for volume, fields in groupby(settings, key=lambda each: each.volume)
                ],
            )
            for group, settings in groupby(PAGE_SETTINGS, key=lambda each: each.group)
        ]
