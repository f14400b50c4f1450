"""What people fill in about conduct."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.conduct.models import PlayerReport
from games.conduct.models.appeals import LONGEST_APPEAL
from games.conduct.models.cases import LONGEST_REPORT
from games.play.models import Game
from games.sanctions.models import Rule
from games.web.inputs import Refusable

OF_A_PLAYER = (PlayerReport.About.BEHAVIOUR, PlayerReport.About.NAME)


class PlayerReportForm(Refusable):
    """Which rule was broken; of a player as such also whether it is the name or how they behave."""

    about = forms.ChoiceField(
        label=_("What is it about?"),
        choices=[(each.value, each.label) for each in OF_A_PLAYER],
        initial=PlayerReport.About.BEHAVIOUR,
        widget=forms.RadioSelect,
    )
    game = forms.TypedChoiceField(label=_("In which game?"), required=False, coerce=int, empty_value=None)
    rule = forms.ChoiceField(
        label=_("Which rule was broken?"),
        choices=Rule.choices,
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose which rule was broken.")},
    )
    text = forms.CharField(
        label=_("What happened"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 4, "maxlength": LONGEST_REPORT}),
        help_text=_("Only staff read this. For behaviour, say what happened and when."),
    )

    def __init__(self, *args: Any, about: str = "", games: Iterable[Game] = (), **more: Any) -> None:
        """Ask what it is about, and in which of these ``games`` it happened, unless that is known."""
        super().__init__(*args, **more)
        choices = [(game.pk, game.name) for game in games]
        if about:
            del self.fields["about"], self.fields["game"]
        elif choices:
            self.fields["game"].choices = [("", _("No game")), *choices]  # type: ignore[attr-defined]
        else:
            del self.fields["game"]


class AppealForm(Refusable):
    """Why a decision is wrong."""

    text = forms.CharField(
        label=_("Why is this decision wrong?"),
        strip=False,
        widget=forms.Textarea(attrs={"rows": 5, "maxlength": LONGEST_APPEAL}),
        error_messages={"required": _("Write why the decision is wrong.")},
    )
