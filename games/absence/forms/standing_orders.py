"""How someone settles their standing orders."""

from typing import Any

from django import forms

from accounts.forms import SegmentsSelect
from accounts.models import Standing, User
from games.play.models import Seat

MEANINGS = {
    Standing.LAID: "what lies in your draft is played, and chance fills the registers that are empty",
    Standing.AHEAD: "what lies in your draft is played; chips that go ahead fill the empty registers,"
    " slow ones first",
    Standing.DOWN: "as laid, and with power-down ordered; a robot that is down stays so until you are back",
}
"""What each of the standing orders means."""

NO_STANDING = "Standing orders are: as laid, straight ahead, or power down."

HELP = ". ".join(f"{standing.label}: {text}" for standing, text in MEANINGS.items()) + "."


class StandingForm(forms.Form):
    """What is played where someone misses a turn, in all their games."""

    standing = forms.ChoiceField(
        label="When I miss a turn",
        choices=Standing.choices,
        widget=SegmentsSelect,
        help_text=HELP,
        error_messages={"invalid_choice": NO_STANDING},
    )

    def __init__(self, *args: Any, user: User, **more: Any) -> None:
        more.setdefault("initial", {"standing": user.standing})
        super().__init__(*args, **more)


class GameStandingForm(forms.Form):
    """What is played where someone misses a turn of one game."""

    standing = forms.ChoiceField(
        label="When I miss a turn of this game",
        required=False,
        widget=SegmentsSelect,
        help_text=HELP,
        error_messages={"invalid_choice": NO_STANDING},
    )

    def __init__(self, *args: Any, seat: Seat, **more: Any) -> None:
        more.setdefault("initial", {"standing": seat.standing})
        super().__init__(*args, **more)
        field = self.fields["standing"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", "As in all games"), *Standing.choices]
