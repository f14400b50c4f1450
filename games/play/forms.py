"""How a player hears about one game."""

from typing import Any

from django import forms

from accounts.forms import SegmentsSelect
from accounts.models import Manner
from games.news.forms import MEANINGS, NO_MANNER
from games.play.models import Seat


class GameNewsForm(forms.Form):
    """How someone is told of one of their games."""

    manner = forms.ChoiceField(
        label="Mail about this game",
        required=False,
        widget=SegmentsSelect,
        help_text=". ".join(f"{manner.label}: {text}" for manner, text in MEANINGS.items()) + ".",
        error_messages={"invalid_choice": NO_MANNER},
    )

    def __init__(self, *args: Any, seat: Seat, **more: Any) -> None:
        more.setdefault("initial", {"manner": seat.manner})
        super().__init__(*args, **more)
        field = self.fields["manner"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", "As for all games"), *Manner.choices]
