"""How a host settles what becomes of players who miss turns."""

from collections.abc import Mapping
from typing import Any

from django import forms

from games.play.policy import CLEAN_TURNS, COMPUTER, GIVE_UP, MOST_EXCUSED, RANDOM, STANDING, Absence

POLICIES = (
    (STANDING, "Standing orders are played"),
    (RANDOM, "Chance fills the registers"),
    (COMPUTER, "A computer plays the turn"),
    (GIVE_UP, "The seat is given up"),
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
        label="Who misses a turn",
        choices=POLICIES,
        initial=STANDING,
        help_text="A turn is missed where its player’s time runs out. Players settle their standing orders"
        " themselves.",
    )
    excused = forms.ChoiceField(
        label="That is excused",
        initial="3",
        help_text=f"Who misses more is replaced by a computer until they come back, or somebody else takes"
        f" the seat over. {CLEAN_TURNS} turns in time, one after another, make up for a missed one.",
    )

    def offer_excuses(self) -> None:
        """Fill in what there is to choose from; who leaves out a field altogether says nothing of it."""
        for name in ("absence", "excused"):
            self.fields[name].required = not self.is_bound or name in self.data
        field = self.fields["excused"]
        assert isinstance(field, forms.ChoiceField)
        present = str(self.initial.get("excused") or "")
        numbers = set(EXCUSED)
        if present.isascii() and present.isdecimal() and 0 < int(present) <= MOST_EXCUSED:
            numbers.add(int(present))
        words = {1: "once", 2: "twice"}
        field.choices = [
            *((str(number), words.get(number, f"{number} times")) for number in sorted(numbers)),
            (ANY, "any number of times"),
        ]
