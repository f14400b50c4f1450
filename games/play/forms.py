"""How a player hears about one game."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.inputs import SegmentsSelect
from accounts.models import Frequency
from games.news.inputs import NO_MANNER, manners_told
from games.play.models import Seat


class GameNewsForm(forms.Form):
    """How someone is told of one of their games."""

    manner = forms.ChoiceField(
        label=_("Mail about this game"),
        required=False,
        widget=SegmentsSelect,
        error_messages={"invalid_choice": NO_MANNER},
    )

    def __init__(self, *args: Any, seat: Seat, **more: Any) -> None:
        more.setdefault("initial", {"manner": seat.manner})
        super().__init__(*args, **more)
        field = self.fields["manner"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", gettext("Same as for all games")), *Frequency.choices]
        field.help_text = manners_told()
