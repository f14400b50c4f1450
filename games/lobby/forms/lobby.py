"""What people fill in in a lobby: which robot they want, which computers play, whom they invite."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

import rules
from accounts.inputs import LooksSelect, SegmentsSelect
from accounts.models import LOOKS
from games.fleet.models import Starship
from games.lobby.forms.ships import grouped, searched, words_in
from games.lobby.forms.terms import model_field, numbers_in, squad_field
from games.lobby.selectors.opponents import RULESET, computers_in, starships_against, wrong_number
from games.play.models import Seat
from games.web.inputs import Refusable

LEVELS = _(
    "A Rookie plans one turn, ignores the other robots, and makes mistakes."
    " A Pilot finds the best program for the board as it is."
    " An Ace also considers what the others may do, and uses its equipment."
)
"""What each level of a computer means."""


class FreeLooks(LooksSelect):
    """Robots to choose from; those that others have are shown with their names, and cannot be chosen."""

    taken: Mapping[int, str] = {}

    def create_option(self, name: str, value: Any, *more: Any, **extra: Any) -> dict[str, Any]:
        """Return one robot to choose, or to see that it is taken."""
        option = super().create_option(name, value, *more, **extra)
        if owner := self.taken.get(value):
            option["attrs"]["disabled"] = True
            option["taken_by"] = owner
        return option


class RobotForm(forms.Form):
    """Which robot one has: what it looks like, its squad and its model, where the ruleset has them.

    ``taken`` are the looks that others have, with their names; ``full`` the squads without a free seat.
    """

    look = forms.ChoiceField(label=_("Robot"), required=False, widget=FreeLooks)

    def __init__(
        self,
        *args: Any,
        ruleset: rules.Ruleset,
        taken: Mapping[int, str],
        full: Sequence[str] = (),
        **more: Any,
    ) -> None:
        super().__init__(*args, **more)
        look = self.fields["look"]
        assert isinstance(look, forms.ChoiceField) and isinstance(look.widget, FreeLooks)
        look.choices = [(number, str(number)) for number in range(1, LOOKS + 1)]
        look.widget.taken = taken
        if ruleset.squads:
            self.fields["squad"] = squad_field([squad for squad in ruleset.squads if squad not in full])
        if ruleset.models:
            self.fields["model"] = model_field(ruleset.models)


class ComputerForm(RobotForm):
    """How well a computer plays, and which robot it has."""

    strength = forms.ChoiceField(
        label=_("Level"),
        choices=Seat.Strength.choices,
        initial=Seat.Strength.PILOT,
        widget=SegmentsSelect,
        help_text=LEVELS,
    )
    field_order = ["strength", "look"]


class QuickForm(Refusable):
    """A game against computers: their level, how many, the ruleset and the starship.

    It offers what fits the ruleset and the number of computers in ``asked``. Nothing needs to be chosen. What
    does not fit together is refused by the service: `add_refusal` puts it beside the fields. ``favourites``
    are offered first, prototypes among them as well. ``find`` are the words by which ships are searched;
    ``missed`` says that they find none.
    """

    strength = forms.ChoiceField(
        label=_("Level"),
        choices=Seat.Strength.choices,
        initial=Seat.Strength.ROOKIE,
        widget=SegmentsSelect,
        help_text=LEVELS,
        error_messages={"invalid_choice": _("There is no level “%(value)s”. Choose one of these.")},
    )
    computers = forms.TypedChoiceField(label=_("Computers"), coerce=int, initial="1", widget=SegmentsSelect)
    ruleset = forms.ChoiceField(
        label=_("Ruleset"),
        choices=[(key, edition.name) for key, edition in rules.RULESETS.items()],
        initial=RULESET,
        error_messages={"invalid_choice": _("There is no ruleset “%(value)s”. Choose one from the list.")},
    )
    starship = forms.IntegerField(required=False, error_messages={"invalid": _("Choose one of these.")})

    def __init__(self, asked: Mapping[str, str], *, sent: bool, favourites: Collection[int] = ()) -> None:
        usual = {name: str(field.initial) for name, field in self.base_fields.items() if field.initial}
        given = usual | {name: asked[name] for name in self.base_fields if name in asked}
        self.edition = rules.RULESETS.get(given["ruleset"]) or rules.ruleset(RULESET)
        numbers = [str(number) for number in computers_in(self.edition)]
        number = given["computers"] if given["computers"] in numbers else numbers[0]
        self.find, self.robots = words_in(asked), 1 + int(number)
        chosen = numbers_in([given.get("starship", "")])

        def offer(text: str) -> list[Starship]:
            return starships_against(
                ruleset=self.edition, computers=int(number), text=text, favourites=favourites, also=chosen
            )

        self.ships, self.missed = searched(self.find, offer, lambda ship: ship, chosen)
        if sent:
            super().__init__(given)
        else:
            levels = Seat.Strength.values
            strength = given["strength"] if given["strength"] in levels else usual["strength"]
            known = {"strength": strength, "computers": number, "ruleset": self.edition.key}
            super().__init__(initial=known)
        field = self.fields["computers"]
        assert isinstance(field, forms.TypedChoiceField)
        field.choices = [(each, each) for each in numbers]
        field.error_messages["invalid_choice"] = wrong_number(self.edition, "%(value)s")
        self.groups = grouped(self.ships, favourites, lambda ship: ship)
        wanted = given.get("starship", "")
        usually = (str(ship.pk) for ship in self.ships if not ship.is_prototype)
        self.chosen = wanted if wanted in {str(ship.pk) for ship in self.ships} else next(usually, "")
