"""What someone fills in who wants a game found."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.lobby.filters import PACES, RULESETS, SIZES
from games.matching.selectors import PACES as OFFERED
from games.matching.wishes import MOST_SEATS
from games.refusals import Refusable

SPREADS = (("", _("Anyone near")), ("100", _("Within 100 points")), ("200", _("Within 200 points")))
RELIABILITIES = (
    ("0", _("Any")),
    ("50", _("At least 50 %")),
    ("75", _("At least 75 %")),
    ("90", _("At least 90 %")),
)
COMPUTERS = (
    ("", _("Never")),
    ("0", _("At once")),
    ("1", _("After an hour")),
    ("24", _("After a day")),
    ("72", _("After three days")),
)
NUMBERS = [(str(number), str(number)) for number in range(2, MOST_SEATS + 1)]
ANY = ("", _("Any"))


class FindForm(Refusable):
    """What the game is to be like; what is left at “any” fits more games."""

    ruleset = forms.ChoiceField(label=_("Ruleset"), choices=[ANY, *RULESETS], required=False)
    pace = forms.ChoiceField(
        label=_("Time for a turn"),
        choices=[("", _("Any but live")), *((key, name) for key, name in PACES if key in OFFERED)],
        required=False,
        initial="day",
    )
    size = forms.ChoiceField(label=_("Board"), choices=[ANY, *SIZES], required=False)
    least = forms.ChoiceField(label=_("Players, at least"), choices=NUMBERS, initial="2")
    most = forms.ChoiceField(label=_("Players, at most"), choices=NUMBERS, initial="4")
    spread = forms.ChoiceField(
        label=_("Rating of the others"),
        choices=SPREADS,
        required=False,
        help_text=_("“Near” is 200 points at first, and 50 more after each six hours."),
    )
    least_reliability = forms.ChoiceField(
        label=_("Reliability of the others"),
        choices=RELIABILITIES,
        required=False,
        help_text=_("Players who miss turns have less than 100 %. Newcomers have 100."),
    )
    computers_after = forms.ChoiceField(
        label=_("Fill up with computers"),
        choices=COMPUTERS,
        required=False,
        help_text=_("Such a game is not rated."),
    )

    @property
    def wish(self) -> dict[str, Any]:
        """What is asked for, as `seek_game` takes it."""
        data = self.cleaned_data
        numbers = {name: int(data[name]) if data[name] else None for name in ("spread", "computers_after")}
        texts = {name: data[name] for name in ("ruleset", "pace", "size")}
        numbers |= {name: int(data[name]) for name in ("least", "most")}
        return {**texts, **numbers, "least_reliability": int(data["least_reliability"] or 0)}
