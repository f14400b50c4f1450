"""How someone is told of their games."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.inputs import GuardedForm, SegmentsSelect
from accounts.mail import asked_for_none
from accounts.models import Frequency, User
from games.news.kinds import KINDS

MEANINGS = {
    Frequency.AT_ONCE: _("a mail when a turn waits for you, and a reminder before your time is up"),
    Frequency.DAILY: _("one mail about all games, at the hour you choose, if there is news"),
    Frequency.ONE: _("one mail about a game, then nothing until you look at it"),
    Frequency.NONE: _("no mail about games and starships"),
}
"""What each manner means."""

NO_MANNER = _("Choose one of these.")

HOURS = [(str(hour), f"{hour:02}:00") for hour in range(24)]


def manners_told() -> str:
    """Say what each manner means."""
    return " ".join(
        gettext("{choice}: {meaning}.").format(choice=manner.label, meaning=meaning)
        for manner, meaning in MEANINGS.items()
    )


class NewsForm(GuardedForm, forms.Form):
    """How someone is told of all their games."""

    manner = forms.ChoiceField(
        label=_("Mail about my games"),
        choices=Frequency.choices,
        widget=SegmentsSelect,
        error_messages={"invalid_choice": NO_MANNER},
    )
    daily_hour = forms.TypedChoiceField(
        label=_("Hour of the daily mail"),
        choices=HOURS,
        coerce=int,
        error_messages={"invalid_choice": _("Choose an hour from 0 to 23.")},
    )

    lobby_mail = forms.BooleanField(
        label=_("Mail about games that have not started"),
        required=False,
        help_text=User._meta.get_field("lobby_mail").help_text,
    )

    starship_mail = forms.BooleanField(
        label=_("Mail about starships"),
        required=False,
        help_text=User._meta.get_field("starship_mail").help_text,
    )

    silenced = forms.MultipleChoiceField(
        label=_("Never notify me of this"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("By no channel: neither by mail nor in a browser or a webhook."),
    )

    def __init__(self, *args: Any, user: User, **more: Any) -> None:
        chosen = {name: getattr(user, name) for name in self.base_fields}
        chosen["lobby_mail"] = user.lobby_mail and not asked_for_none(user.email)
        more.setdefault("initial", chosen)
        super().__init__(*args, **more)
        kinds = sorted((str(kind.label), kind.name) for kind in KINDS.values())
        self.fields["silenced"].choices = [(name, label) for label, name in kinds]  # type: ignore[attr-defined]
        self.fields["manner"].help_text = manners_told()
        self.fields["daily_hour"].help_text = gettext("In your time zone, {zone}.").format(
            zone=user.time_zone
        )
