"""How someone is told of their games."""

from typing import Any

from django import forms

from accounts.addresses.closures import asked_for_none
from accounts.forms import SegmentsSelect
from accounts.models import Manner, User

MEANINGS = {
    Manner.AT_ONCE: "a mail when a turn waits for you, and a reminder before your time is up",
    Manner.DAILY: "one mail for all games at the hour that you choose, where there is something to tell",
    Manner.ONE: "one mail, and nothing more about that game until you look at it",
    Manner.NONE: "no mail about games",
}
"""What each manner means."""

NO_MANNER = "You are told at once, once a day, once until you visit, or not at all."

HOURS = [(str(hour), f"{hour:02}:00") for hour in range(24)]


class NewsForm(forms.Form):
    """How someone is told of all their games."""

    manner = forms.ChoiceField(
        label="Mail about my games",
        choices=Manner.choices,
        widget=SegmentsSelect,
        help_text=". ".join(f"{manner.label}: {text}" for manner, text in MEANINGS.items()) + ".",
        error_messages={"invalid_choice": NO_MANNER},
    )
    daily_hour = forms.TypedChoiceField(
        label="Hour of the daily mail",
        choices=HOURS,
        coerce=int,
        error_messages={"invalid_choice": "A day has the hours from 0 to 23."},
    )

    lobby_mail = forms.BooleanField(
        label="Mail about games that have not started",
        required=False,
        help_text=User._meta.get_field("lobby_mail").help_text,
    )

    def __init__(self, *args: Any, user: User, **more: Any) -> None:
        chosen = {name: getattr(user, name) for name in ("manner", "daily_hour", "lobby_mail")}
        chosen["lobby_mail"] = user.lobby_mail and not asked_for_none(user.email)
        more.setdefault("initial", chosen)
        super().__init__(*args, **more)
        self.fields["daily_hour"].help_text = f"In your own time zone, {user.time_zone}."
