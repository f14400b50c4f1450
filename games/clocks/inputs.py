"""Inputs and forms for the pace of a game, for days off and quiet hours, and for vacations."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.dates import WEEKDAYS_ABBR
from django.utils.text import format_lazy
from django.utils.translation import gettext, gettext_lazy as _, ngettext

from accounts import time_zones
from accounts.inputs import GuardedForm
from games.clocks import paces
from games.clocks.clock import HOUR, MAX_DAYS_OFF, MAX_NIGHT, Bank, Calendar, Live, Pace, PerTurn
from games.clocks.selectors import UNPLANNED_DAYS_PER_WEEK
from games.errors import ProblemDocument
from games.web.forms import InputForm
from games.web.inputs import Day, Flag, Input, Items, TimeOfDay, WholeNumber

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


TURN_HOURS = (1, 4, 12, 24, 48, 72, 168, 336)
"""The hours for a turn that the pace form offers."""

LIVE_MINUTES = (1, 2, 3, 5, 10, 15, 30)
"""The minutes for a turn of a live game that the pace form offers."""

BANKS = (Bank(12, 1), Bank(24, 4), Bank(72, 12), Bank(168, 24))
"""The time banks that the pace form offers, each with the hours that a turn adds to it."""

MINUTES_SUFFIX = "m"
"""The suffix of a number of minutes in the pace form's value for a live pace."""

UNLIMITED = "0"
"""The pace form's value for a pace without a time limit."""

Choice = tuple[str, str]


def value_of(pace: Pace) -> str:
    """Return the form's value for a pace. It does not include the time of day when turns end.

    >>> value_of(PerTurn(24)), value_of(Live(5)), value_of(Bank(72, 12)), value_of(None)
    ('24', '5m', '72+12', '0')
    """
    match pace:
        case PerTurn(hours=hours):
            return str(hours)
        case Live(minutes=minutes):
            return f"{minutes}{MINUTES_SUFFIX}"
        case Bank(hours=hours, increment=increment):
            return f"{hours}+{increment}"
    return UNLIMITED


def pace_values(pace: Pace) -> dict[str, Any]:
    """Return the initial values of the form's fields for a pace."""
    document = paces.write_pace(pace)
    daily = {key: document[key] for key in ("at", "zone") if document[key]}
    return {"pace": value_of(pace), **daily}


def pace_document(given: Mapping[str, Any]) -> dict[str, Any]:
    """Convert the form's values to a pace document. The result must be checked with `paces.read_pace`."""
    chosen = given.get("pace", UNLIMITED)
    hours, _, increment = chosen.partition("+")
    document: dict[str, Any] = {}
    if chosen.endswith(MINUTES_SUFFIX):
        document = {"minutes": int(chosen.removesuffix(MINUTES_SUFFIX))}
    elif increment:
        document = {"bank": int(hours), "increment": int(increment)}
    elif hours != UNLIMITED:
        document = {"hours": int(hours)}
    if given.get("at"):
        document |= {"at": f"{given['at']:%H:%M}", "zone": given.get("zone")}
    return document


class PaceFields(forms.Form):
    """The form fields for the pace of a game.

    The pace and time zone that the game already has are always among the choices.
    """

    pace = forms.ChoiceField(
        label=_("Pace"),
        initial="48",
        help_text=_(
            "The time that each player has for a turn. In a live game, all players play at the same time. A"
            " time bank saves the time that you do not use, up to its size at the start."
        ),
    )
    at = forms.TimeField(
        label=_("Turns end at"),
        required=False,
        input_formats=["%H:%M"],
        widget=forms.TimeInput(format="%H:%M", attrs={"type": "time"}),
        help_text=_(
            "For turns of 1 day or more. Each turn ends at this time of day, once at least half of the"
            " turn’s time has passed."
        ),
        error_messages={"invalid": _("Enter a time of day, such as 20:00, or leave this empty.")},
    )
    zone = time_zones.ZoneField(
        label=_("Time zone"), required=False, error_messages={"invalid_choice": _("Choose a time zone.")}
    )

    def offer_paces(self, zones: Iterable[str]) -> None:
        """Fill in the paces and time zones that the form's fields offer.

        The game's present time zone comes first, and then ``zones`` in their order.
        """
        pace, zone = self.fields["pace"], self.fields["zone"]
        assert isinstance(pace, forms.ChoiceField)
        assert isinstance(zone, forms.ChoiceField)
        turns = [(str(hours), paces.duration(hours)) for hours in TURN_HOURS]
        live = [(value_of(Live(minutes)), _minutes(minutes)) for minutes in LIVE_MINUTES]
        banks = [(value_of(bank), _bank(bank)) for bank in BANKS]
        pace.choices = [
            *self._present([*live, *turns, *banks]),
            (UNLIMITED, gettext("No limit")),
            (gettext("Live: time for each turn"), live),
            (gettext("Time for each turn"), turns),
            (gettext("Time bank for each player"), banks),
        ]
        offered = dict.fromkeys(map(time_zones.canonical, filter(None, (self.initial.get("zone"), *zones))))
        zone.choices = [(name, name.replace("_", " ")) for name in offered]
        zone.initial = next(iter(offered), None)

    def clean(self) -> dict[str, Any]:
        """Refuse a time of day without a time zone, or with a pace that does not allow it."""
        given: dict[str, Any] = super().clean() or {}
        if not self.has_error("pace") and not self.has_error("at") and not self.has_error("zone"):
            try:
                paces.read_pace(pace_document(given))
            except ValueError:
                if given.get("at") and not given.get("zone"):
                    self.add_error("zone", gettext("Choose a time zone."))
                    return given
                self.add_error(
                    "at", gettext("Turns can end at a set time of day only if they last 1 day or more.")
                )
        return given

    def _present(self, offered: list[Choice]) -> list[Choice]:
        """Return a list with the game's present pace as a choice.

        The list is empty if the form offers this pace anyway, in ``offered`` or as “no limit”.
        """
        value = str(self.initial.get("pace") or UNLIMITED)
        if value == UNLIMITED or value in dict(offered):
            return []
        minutes = value.removesuffix(MINUTES_SUFFIX)
        if minutes != value and minutes.isdecimal():
            return [(value, paces.pace_in_words(Live(int(minutes))))]
        hours, _, increment = value.partition("+")
        if not (hours.isdecimal() and (not increment or increment.isdecimal())):
            return []
        present = Bank(int(hours), int(increment)) if increment else PerTurn(int(hours))
        return [(value, paces.pace_in_words(present))]


def _minutes(minutes: int) -> str:
    return ngettext("{number} minute", "{number} minutes", minutes).format(number=minutes)


def _bank(bank: Bank) -> str:
    hours, increment = paces.duration(bank.hours), paces.duration(bank.increment)
    return gettext("{time}, plus {increment} each turn").format(time=hours, increment=increment)


class DaysSelect(forms.CheckboxSelectMultiple):
    """Checkboxes for the days of the week, in a row."""

    template_name = "forms/segments.html"


def _time_field(label: "_StrPromise") -> forms.TimeField:
    return forms.TimeField(
        label=label,
        required=False,
        input_formats=["%H:%M"],
        widget=forms.TimeInput(format="%H:%M", attrs={"type": "time"}),
        error_messages={"invalid": _("Enter a time of day, such as 22:00, or leave this empty.")},
    )


class NewVacation(Input):
    """The first and last day of a vacation, both inclusive, in your time zone."""

    refusal = "no-vacation", _("The last day cannot be before the first day.")

    first = Day(label=_("First day"))
    last = Day(label=_("Last day"))

    def faults_together(self, values: Mapping[str, Any]) -> list[ProblemDocument]:
        ends_first = values["last"] < values["first"]
        return [{"code": "vacation", "detail": str(self.refusal[1])}] if ends_first else []


class RestChanges(Input):
    """Changes to your days off and quiet hours. Fields that you leave out keep their values."""

    refusal = (
        "no-rest",
        _("Your days off and quiet hours leave too little time to play. Choose fewer days or shorter hours."),
    )

    days_off = Items(
        child=WholeNumber(min_value=0, max_value=6),
        required=False,
        help_text=f"Up to {MAX_DAYS_OFF} days of the week, from 0 for Monday to 6.",
    )
    night = Items(
        child=TimeOfDay(),
        required=False,
        allow_null=True,
        min_length=2,
        max_length=2,
        error_messages=dict.fromkeys(("min_length", "max_length"), _("Quiet hours need a start and an end.")),
        help_text=f"The start and end of your quiet hours, up to {MAX_NIGHT // HOUR} hours apart, such as"
        ' `["22:00", "07:00"]`; null for none.',
    )
    takes_vacation = Flag(
        required=False,
        help_text="Whether to take an unplanned day of vacation when your time would run out.",
    )

    def faults_together(self, values: Mapping[str, Any]) -> list[ProblemDocument]:
        """Refuse too many days off, and quiet hours that are too long or empty."""
        try:
            Calendar(days_off=frozenset(values.get("days_off", ())), night=values.get("night"))
        except ValueError as fault:
            return [{"code": "rest", "detail": str(fault)}]
        return []


class RestForm(GuardedForm, InputForm):
    """The form for a person's days off and quiet hours."""

    input = RestChanges

    days_off = forms.TypedMultipleChoiceField(
        label=_("Days off"),
        choices=list(WEEKDAYS_ABBR.items()),
        coerce=int,
        required=False,
        widget=DaysSelect,
        help_text=format_lazy(
            _("Up to {number} days a week. On these days, your clocks stop from midnight to midnight."),
            number=MAX_DAYS_OFF,
        ),
        error_messages={
            "invalid_choice": _("“%(value)s” is not a day of the week. Choose one of the days shown.")
        },
    )
    night_from = _time_field(_("Quiet hours from"))
    night_until = _time_field(_("Until"))

    takes_vacation = forms.BooleanField(
        label=_("Take an unplanned day of vacation if my time would otherwise run out"),
        required=False,
        help_text=format_lazy(_("At most {number} days in any 7 days."), number=UNPLANNED_DAYS_PER_WEEK),
    )

    def clean(self) -> dict[str, Any]:
        """Combine the start and the end of the quiet hours into one value."""
        given = self.cleaned_data
        start, end = given.pop("night_from", None), given.pop("night_until", None)
        wrong = self.has_error("night_from") or self.has_error("night_until")
        if (start is None) != (end is None) and not wrong:
            missing = "night_until" if end is None else "night_from"
            self.add_error(
                missing, gettext("Enter both the start and the end of your quiet hours, or neither.")
            )
        given["night"] = None if start is None or end is None else (start, end)
        return super().clean()
