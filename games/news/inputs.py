"""Inputs about notifications, from forms and the API."""

from operator import itemgetter
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy as _, pgettext_lazy

from accounts.inputs import SegmentsSelect
from accounts.models import REMINDER_HOURS, Frequency, User
from games.news.kinds import KINDS
from games.web.forms import form_of
from games.web.inputs import Flag, Input, Items, Pick, Text, WholeNumber, explained

MEANINGS = {
    Frequency.AT_ONCE: _("an email when it’s your turn, and a reminder before the deadline"),
    Frequency.DAILY: _("one email about all games, at the hour you choose, if there is news"),
    Frequency.ONE: _("one email about a game, then none until you open it"),
    Frequency.NONE: _("no mail about games or starships"),
}
"""The meaning of each frequency of mail."""

FREQUENCY_REQUIRED = _("Choose one of these.")

HOURS = [(hour, f"{hour:02}:00") for hour in range(24)]


class NewsChanges(Input):
    """Your mail and chat settings."""

    refusal = "no-manner", _("Unknown frequency or hour. Choose one from the form.")
    optional = True

    manner = Pick(
        Frequency.choices,
        label=_("Mail about my games"),
        help_text=explained(MEANINGS),
        style={"widget": SegmentsSelect, "error_messages": {"invalid_choice": FREQUENCY_REQUIRED}},
    )
    daily_hour = WholeNumber(
        label=_("Time of the daily email"),
        min_value=0,
        max_value=23,
        help_text=_("In your time zone."),
        style={"choices": HOURS},
    )
    lobby_mail = Flag(
        label=_("Mail about games that have not started"),
        help_text=User._meta.get_field("lobby_mail").help_text,
    )
    starship_mail = Flag(
        label=_("Mail about starships"), help_text=User._meta.get_field("starship_mail").help_text
    )
    reminder_hours = Items(
        child=WholeNumber(min_value=1, max_value=24),
        max_length=len(REMINDER_HOURS),
        help_text="The hours before a deadline when you get a reminder: any of 24, 6 and 1. Empty for one"
        " reminder a turn, when a quarter of your time is left.",
    )
    silenced = Items(child=Text(), max_length=50, help_text="Kinds of notification to turn off.")
    chat_filter = Flag(help_text="Whether chat messages with rude words are hidden from you.")


STEPS = {
    24: pgettext_lazy("reminder", "24 hours before"),
    6: pgettext_lazy("reminder", "6 hours before"),
    1: pgettext_lazy("reminder", "1 hour before"),
}
"""The labels of reminder steps."""


class NewsForm(form_of(NewsChanges)):  # type: ignore[misc]
    """The form for notification settings, with reminder steps and all kinds of notification to turn off."""

    reminder_hours = forms.TypedMultipleChoiceField(
        label=_("Reminders"),
        required=False,
        coerce=int,
        choices=[(hours, STEPS[hours]) for hours in REMINDER_HOURS],
        widget=forms.CheckboxSelectMultiple,
        help_text=User._meta.get_field("reminder_hours").help_text,
    )
    silenced = forms.MultipleChoiceField(
        label=_("Never notify me about"),
        required=False,
        choices=lambda: sorted(
            ((each.name, str(each.label)) for each in KINDS.values() if not each.chosen_by_steps),
            key=itemgetter(1),
        ),
        widget=forms.CheckboxSelectMultiple,
        help_text=_("You won’t get these by mail, browser or webhook."),
    )

    def __init__(self, *args: Any, zone: str, **more: Any) -> None:
        super().__init__(*args, **more)
        self.fields["daily_hour"].help_text = gettext("In your time zone, {zone}.").format(zone=zone)


class GameNews(Input):
    """How often you get mail about one game. Empty means the setting for all games.

    With `none`, you get no notifications about the game on any channel.
    """

    refusal = "no-manner", FREQUENCY_REQUIRED

    manner = Pick(
        [("", _("Same as for all games")), *Frequency.choices],
        label=_("Mail about this game"),
        help_text=explained(MEANINGS),
        style={"widget": SegmentsSelect, "error_messages": {"invalid_choice": FREQUENCY_REQUIRED}},
    )
