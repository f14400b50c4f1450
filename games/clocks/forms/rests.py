"""How someone says when their clocks are to stand still, and when they are away."""

from datetime import time
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.dates import WEEKDAYS_ABBR
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.inputs import GuardedForm
from games.clocks.clock import HOUR, LONGEST_NIGHT, MOST_DAYS_OFF, NOTHING, length_of_night
from games.clocks.models import Rest
from games.clocks.selectors.vacations import BY_ITSELF

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


class DaysSelect(forms.CheckboxSelectMultiple):
    """The days of the week beside each other."""

    template_name = "forms/segments.html"


def _time_field(label: "_StrPromise") -> forms.TimeField:
    return forms.TimeField(
        label=label,
        required=False,
        input_formats=["%H:%M"],
        widget=forms.TimeInput(format="%H:%M", attrs={"type": "time"}),
        error_messages={"invalid": _("Enter a time of day, such as 22:00, or leave this empty.")},
    )


class RestForm(GuardedForm, forms.Form):
    """Days of the week and hours of the night on which someone does not play."""

    days_off = forms.TypedMultipleChoiceField(
        label=_("Days off"),
        choices=list(WEEKDAYS_ABBR.items()),
        coerce=int,
        required=False,
        widget=DaysSelect,
        help_text=format_lazy(
            _("Up to {number} days of the week, from midnight to midnight."), number=MOST_DAYS_OFF
        ),
        error_messages={
            "invalid_choice": _("“%(value)s” is not a day of the week. Choose from the days shown.")
        },
    )
    night_from = _time_field(_("Asleep from"))
    night_until = _time_field(_("Until"))

    takes_vacation = forms.BooleanField(
        label=_("Take a vacation day when my time would run out, even if I planned none"),
        required=False,
        help_text=format_lazy(_("At most {number} days in any seven."), number=BY_ITSELF),
    )

    def __init__(self, *args: Any, rest: Rest, **more: Any) -> None:
        fields = ("days_off", "night_from", "night_until", "takes_vacation")
        more.setdefault("initial", {name: getattr(rest, name) for name in fields})
        super().__init__(*args, **more)

    def clean_days_off(self) -> list[int]:
        """Return the days; there have to be some on which to play."""
        days: list[int] = self.cleaned_data["days_off"]
        if len(set(days)) > MOST_DAYS_OFF:
            raise forms.ValidationError(
                gettext("At most {number} days of the week can be off.").format(number=MOST_DAYS_OFF)
            )
        return days

    def clean(self) -> dict[str, Any]:
        """Check that a night has two ends, and is no longer than one may sleep."""
        given: dict[str, Any] = super().clean() or {}
        if self.has_error("night_from") or self.has_error("night_until"):
            return given
        start, end = given.get("night_from"), given.get("night_until")
        if (start is None) != (end is None):
            missing = "night_until" if end is None else "night_from"
            self.add_error(missing, gettext("A night has a start and an end: enter both, or neither."))
        elif start and end and not NOTHING < length_of_night(start, end) <= LONGEST_NIGHT:
            self.add_error(
                "night_until",
                gettext("A night lasts up to {number} hours.").format(number=LONGEST_NIGHT // HOUR),
            )
        return given

    @property
    def night(self) -> tuple[time, time] | None:
        start, end = self.cleaned_data["night_from"], self.cleaned_data["night_until"]
        return None if start is None or end is None else (start, end)


def _date_field(label: "_StrPromise") -> forms.DateField:
    return forms.DateField(
        label=label,
        input_formats=["%Y-%m-%d"],
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        error_messages=dict.fromkeys(("required", "invalid"), _("Enter a date, such as 2027-07-01.")),
    )


class VacationForm(forms.Form):
    """The first and the last day of a vacation."""

    first = _date_field(_("First day"))
    last = _date_field(_("Last day"))
