"""How someone says when their clocks are to stand still, and when they are away."""

from datetime import time
from typing import Any

from django import forms

from games.clocks.calendars import DAYS
from games.clocks.clock import HOUR, LONGEST_NIGHT, MOST_DAYS_OFF, NOTHING, length_of_night
from games.clocks.models import Rest
from games.clocks.selectors.vacations import BY_ITSELF

TOO_MANY = f"At most {MOST_DAYS_OFF} days of the week can be off."


class DaysSelect(forms.CheckboxSelectMultiple):
    """The days of the week beside each other."""

    template_name = "forms/segments.html"


def _time_field(label: str) -> forms.TimeField:
    return forms.TimeField(
        label=label,
        required=False,
        input_formats=["%H:%M"],
        widget=forms.TimeInput(format="%H:%M", attrs={"type": "time"}),
        error_messages={"invalid": "Say a time of day, such as 22:00, or leave it empty."},
    )


class RestForm(forms.Form):
    """Days of the week and hours of the night on which someone does not play."""

    days_off = forms.TypedMultipleChoiceField(
        label="Days off",
        choices=[(number, day[:3]) for number, day in enumerate(DAYS)],
        coerce=int,
        required=False,
        widget=DaysSelect,
        help_text=f"Up to {MOST_DAYS_OFF} days of the week, from midnight to midnight.",
        error_messages={"invalid_choice": "A week has seven days: %(value)s is none of them."},
    )
    night_from = _time_field("Asleep from")
    night_until = _time_field("Until")

    takes_vacation = forms.BooleanField(
        label="Take a day of vacation when my time would be up, though I have planned none",
        required=False,
        help_text=f"At most {BY_ITSELF} days in any seven.",
    )

    def __init__(self, *args: Any, rest: Rest, **more: Any) -> None:
        fields = ("days_off", "night_from", "night_until", "takes_vacation")
        more.setdefault("initial", {name: getattr(rest, name) for name in fields})
        super().__init__(*args, **more)

    def clean_days_off(self) -> list[int]:
        """Return the days; there have to be some on which to play."""
        days: list[int] = self.cleaned_data["days_off"]
        if len(set(days)) > MOST_DAYS_OFF:
            raise forms.ValidationError(TOO_MANY)
        return days

    def clean(self) -> dict[str, Any]:
        """Check that a night has two ends, and is no longer than one may sleep."""
        given: dict[str, Any] = super().clean() or {}
        if self.has_error("night_from") or self.has_error("night_until"):
            return given
        start, end = given.get("night_from"), given.get("night_until")
        if (start is None) != (end is None):
            missing = "night_until" if end is None else "night_from"
            self.add_error(missing, "A night has a beginning and an end: say both, or neither.")
        elif start and end and not NOTHING < length_of_night(start, end) <= LONGEST_NIGHT:
            self.add_error("night_until", f"A night lasts up to {LONGEST_NIGHT // HOUR} hours.")
        return given

    @property
    def night(self) -> tuple[time, time] | None:
        """The night that was filled in, None without one."""
        start, end = self.cleaned_data["night_from"], self.cleaned_data["night_until"]
        return None if start is None or end is None else (start, end)


def _date_field(label: str) -> forms.DateField:
    return forms.DateField(
        label=label,
        input_formats=["%Y-%m-%d"],
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        error_messages=dict.fromkeys(("required", "invalid"), "Say a day, such as 2027-07-01."),
    )


class VacationForm(forms.Form):
    """The first and the last day of a vacation."""

    first = _date_field("First day")
    last = _date_field("Last day")
