"""How a host settles what becomes of players who miss turns."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.errors import number_in
from games.play.policy import CLEAN_TURNS, COMPUTER, GIVE_UP, MOST_EXCUSED, RANDOM, STANDING, Absence

POLICIES = (
    (STANDING, _("Standing orders")),
    (RANDOM, _("Random chips")),
    (COMPUTER, _("A computer plays")),
    (GIVE_UP, _("The seat is lost")),
)

ANY = "any"
"""What stands for missed turns without limit."""

EXCUSED = (1, 2, 3, 5, 10)
"""Numbers of excused turns that there are to choose from."""


def absence_values(chosen: Absence) -> dict[str, Any]:
    """Return what becomes of missed turns as the form is filled in with it."""
    excused = str(chosen.excused) if chosen.excused else ANY
    return {"absence": chosen.policy, "excused": "3" if chosen.policy == GIVE_UP else excused}


def absence_document(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was filled in as a document; where seats are given up at once, nothing is excused."""
    policy, excused = given["absence"], given["excused"] or ANY
    if policy == GIVE_UP:
        return {"policy": policy, "excused": 0}
    return {"policy": policy, "excused": None if excused == ANY else int(excused)}


class AbsenceFields(forms.Form):
    """The fields that say what becomes of players who miss turns; a number that it has already is offered."""

    absence = forms.ChoiceField(
        label=_("When a player misses a turn"),
        choices=POLICIES,
        initial=STANDING,
        help_text=_(
            "A player misses a turn when their time runs out. Each player chooses their own standing orders."
        ),
    )
    excused = forms.ChoiceField(
        label=_("Missed turns allowed"),
        initial="3",
        help_text=format_lazy(
            _(
                "After that, a computer replaces the player until they come back, or another player takes the"
                " seat over. {number} turns in time, one after another, make up for a missed one."
            ),
            number=CLEAN_TURNS,
        ),
    )

    def offer_excuses(self) -> None:
        """Fill in what there is to choose from; who leaves out a field altogether says nothing of it."""
        for name in ("absence", "excused"):
            self.fields[name].required = not self.is_bound or name in self.data
        field = self.fields["excused"]
        assert isinstance(field, forms.ChoiceField)
        present = number_in(str(self.initial.get("excused") or ""))
        numbers = set(EXCUSED)
        if present and present <= MOST_EXCUSED:
            numbers.add(present)
        field.choices = [
            *(
                (str(number), ngettext("{number} turn", "{number} turns", number).format(number=number))
                for number in sorted(numbers)
            ),
            (ANY, gettext("any number")),
        ]
