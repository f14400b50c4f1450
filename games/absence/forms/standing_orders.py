"""How someone settles their standing orders."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.inputs import SegmentsSelect
from accounts.models import Standing, User
from games.play.models import Seat

MEANINGS = {
    Standing.LAID: _("what lies in your draft is played, and chance fills the empty registers"),
    Standing.AHEAD: _(
        "what lies in your draft is played, and chips that move ahead fill the empty registers, slow"
        " ones first"
    ),
    Standing.DOWN: _("as laid, with power-down ordered; a robot that is down stays down until you are back"),
}
"""What each of the standing orders means."""

NO_STANDING = _("Choose one of the standing orders: as laid, straight ahead or power down.")


def _help() -> str:
    return " ".join(
        gettext("{choice}: {meaning}.").format(choice=standing.label, meaning=meaning)
        for standing, meaning in MEANINGS.items()
    )


class StandingForm(forms.Form):
    """What is played where someone misses a turn, in all their games."""

    standing = forms.ChoiceField(
        label=_("When I miss a turn"),
        choices=Standing.choices,
        widget=SegmentsSelect,
        error_messages={"invalid_choice": NO_STANDING},
    )

    def __init__(self, *args: Any, user: User, **more: Any) -> None:
        more.setdefault("initial", {"standing": user.standing})
        super().__init__(*args, **more)
        self.fields["standing"].help_text = _help()


class GameStandingForm(forms.Form):
    """What is played where someone misses a turn of one game."""

    standing = forms.ChoiceField(
        label=_("When I miss a turn of this game"),
        required=False,
        widget=SegmentsSelect,
        error_messages={"invalid_choice": NO_STANDING},
    )

    def __init__(self, *args: Any, seat: Seat, **more: Any) -> None:
        more.setdefault("initial", {"standing": seat.standing})
        super().__init__(*args, **more)
        field = self.fields["standing"]
        assert isinstance(field, forms.ChoiceField)
        field.help_text = _help()
        field.choices = [("", gettext("Same as for all games")), *Standing.choices]
