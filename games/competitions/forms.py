"""The form for a tournament's rules: its fields, its presets, its starships, and a preview of its rounds."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from django import forms
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _, ngettext

import rules
from accounts.inputs import GuardedForm
from games.clocks.paces import duration
from games.clubs.models import Club
from games.competitions.formats import MOST_IN_A_LEAGUE
from games.competitions.inputs import NewTournament
from games.competitions.models import Tournament
from games.competitions.selectors.plans import Plan, plan_rounds
from games.competitions.services.tournaments import MOST_ENTRANTS, MOST_ROUNDS, MOST_SHIPS, can_start
from games.errors import number_in
from games.fleet.models import Starship
from games.fleet.selectors import Suitability, verdicts_on_ships
from games.lobby.forms import FieldGroup, filter_by_search, group_by_favourite, numbers_in, search_words
from games.web.forms import form_of

Kind = Tournament.Kind

RULESET: Final = "robo-runner"
TABLE_SIZE: Final = 4
"""The number of players at a table, for the first starship of a new form."""

LARGEST_TABLE: Final = 8

EVERYONE: Final = "*"
"""The choice of no club in the form for the draft of a closed club. No slug has this character."""

# --- Presets ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Preset:
    """Preset rules for a new tournament, with a number of ``starships``.

    If it is ``for_club``, and the host leads a club, only members of this club can enter.
    """

    key: str
    name: str | Promise
    text: str | Promise
    kind: str
    least: int
    most: int
    size: int
    hours: int
    starships: int = 1
    rounds: int = 5
    for_club: bool = False

    @property
    def values(self) -> dict[str, Any]:
        """The values of the form's fields, without its starships and its club."""
        names = ("kind", "least", "most", "size", "hours", "rounds")
        fixed = {"ruleset": RULESET, "ship_choice": Tournament.ShipChoice.FIXED.value}
        return {name: getattr(self, name) for name in names} | fixed

    @property
    def facts(self) -> str:
        return gettext("{least} to {most} players, tables of {size}, {time} a turn.").format(
            least=self.least, most=self.most, size=self.size, time=duration(self.hours)
        )


PRESETS: Final[Mapping[str, Preset]] = {
    preset.key: preset
    for preset in (
        Preset(
            "quick-cup",
            _("Quick cup"),
            _("The best of each table advance, on a new starship in each round."),
            kind=Kind.KNOCKOUT.value,
            least=4,
            most=16,
            size=4,
            hours=12,
            starships=3,
        ),
        Preset(
            "swiss-cup",
            _("Swiss cup"),
            _("Everyone plays 3 rounds, and meets players with similar points."),
            kind=Kind.SWISS.value,
            least=8,
            most=64,
            size=4,
            hours=24,
            rounds=3,
            starships=3,
        ),
        Preset(
            "club-season",
            _("Club season"),
            _("Everyone meets everyone, for members of your club if you lead one."),
            kind=Kind.LEAGUE.value,
            least=4,
            most=16,
            size=4,
            hours=48,
            starships=5,
            for_club=True,
        ),
        Preset(
            "duels",
            _("League of duels"),
            _("Everyone meets everyone, one against one."),
            kind=Kind.LEAGUE.value,
            least=3,
            most=8,
            size=2,
            hours=24,
        ),
    )
}
"""The presets by key, in display order."""


# --- The form -----------------------------------------------------------------------------------------------


class NewTournamentForm(form_of(NewTournament)):  # type: ignore[misc] # made from the input
    """The form for a tournament's rules, with the host's clubs and the starships to choose from.

    Starships in ``favourites`` come first. Besides its fields, the form reads the ``order`` of the chosen
    starships, the text of a starship search (``find``), and the number of players for the preview
    (``expected``). If the draft ``lost_club``, nothing is selected for the club, so that the host decides
    again who can enter.
    """

    starships = forms.TypedMultipleChoiceField(
        label=_("Starships"),
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"invalid_choice": _("One of these starships is not available. Choose another.")},
    )
    club = forms.ChoiceField(label=_("Who can enter"), required=False)
    field_order = [*NewTournament._declared_fields]

    def __init__(
        self,
        *args: Any,
        clubs: Iterable[Club],
        favourites: Collection[int] = (),
        lost_club: bool = False,
        **more: Any,
    ) -> None:
        super().__init__(*args, **more)
        self.favourites = favourites
        led, field = [(club.slug, club.name) for club in clubs], self.fields["club"]
        if lost_club:
            field.choices = [("", _("Choose again")), (EVERYONE, _("Everyone")), *led]
            field.required = True
            field.help_text = _("The club of this draft was closed. Decide who can enter instead.")
        elif led or self.data.get("club", "") not in ("", EVERYONE):  # a club that is gone is refused
            field.choices = [("", _("Everyone")), *led]
        else:
            del self.fields["club"]
        self.fields["starships"].choices = self._choices

    def clean_club(self) -> str:
        chosen: str = self.cleaned_data["club"]
        return "" if chosen == EVERYONE else chosen

    def clean_starships(self) -> list[int]:
        """Return the chosen starships in the order of the rounds."""
        given = set(self.cleaned_data["starships"])
        return [number for number in self.chosen if number in given]

    # --- Starships to choose from ---

    @property
    def edition(self) -> rules.Ruleset:
        return rules.RULESETS.get(str(self["ruleset"].value())) or rules.ruleset(RULESET)

    @property
    def robots(self) -> int:
        """The number of players at a table, within the limits of the ruleset."""
        least, most = self.edition.seats
        number = number_in(str(self["size"].value()), digits=3) or self.fields["size"].initial
        return min(most, LARGEST_TABLE, max(2, least, number))

    @property
    def find(self) -> str:
        return search_words(self._asked)

    @cached_property
    def chosen(self) -> list[int]:
        """The IDs of the chosen starships, in the order of the rounds. New ones come last."""
        numbers = dict.fromkeys(numbers_in(self["starships"].value() or ()))
        order = [each for each in numbers_in(str(self._asked.get("order", "")).split()) if each in numbers]
        return list(dict.fromkeys([*order, *numbers]))

    @property
    def order(self) -> str:
        return " ".join(map(str, self.chosen))

    @property
    def verdicts(self) -> list[Suitability]:
        """The starships of the fleet and the chosen ones, the best first."""
        return self._search[0]

    @property
    def missed(self) -> bool:
        return self._search[1]

    @property
    def ships(self) -> list[tuple[str, list[Suitability]]]:
        """The starships that suit the ruleset, and all chosen ones, in named groups."""
        offered = [each for each in self.verdicts if each.suits or each.starship.pk in self.chosen]
        return group_by_favourite(offered, self.favourites, lambda each: each.starship)

    @property
    def unsuitable(self) -> list[Suitability]:
        return [each for each in self.verdicts if not each.suits and each.starship.pk not in self.chosen]

    @cached_property
    def picked(self) -> list[Suitability]:
        """The chosen starships in the order of the rounds."""
        known = {each.starship.pk: each for each in self.verdicts}
        return [known[number] for number in self.chosen if number in known]

    @property
    def is_fixed(self) -> bool:
        """Whether each round has its own starship."""
        return bool(self["ship_choice"].value() == Tournament.ShipChoice.FIXED)

    @property
    def is_marathon(self) -> bool:
        return bool(self["kind"].value() == Kind.MARATHON)

    @cached_property
    def _search(self) -> tuple[list[Suitability], bool]:
        def offer(text: str) -> list[Suitability]:
            asked = {"favourites": self.favourites, "also": self.chosen[:MOST_SHIPS]}
            found = verdicts_on_ships(self.edition, self.robots, text=text, **asked)
            return [each for each in found if each.starship.pk in self.chosen or _is_in_fleet(each)]

        return filter_by_search(
            self.find, offer, lambda each: each.starship if each.suits else None, self.chosen
        )

    def _choices(self) -> list[tuple[int, str]]:
        return [(each.starship.pk, each.starship.name) for each in self.verdicts]

    @property
    def _asked(self) -> Mapping[str, Any]:
        asked: Mapping[str, Any] = self.data if self.is_bound else self.initial
        return asked

    # --- The preview ---

    @property
    def expected(self) -> int | None:
        """The number of players in the preview: the maximum, unless the host asked for another number."""
        least, most = self.limits
        if not least or not most or least > most:
            return None
        asked = number_in(str(self._asked.get("expected", "")), digits=3)
        return min(most, max(least, most if asked is None else asked))

    @cached_property
    def plan(self) -> Plan | None:
        """The rounds with the expected number of players, or None if the rules have a problem."""
        return self._plan(self.expected)

    @cached_property
    def plans_of_limits(self) -> list[Plan]:
        """The plans with the minimum and the maximum number of players, if they differ from the preview."""
        others = sorted({number for number in self.limits if number} - {self.expected})
        return [plan for plan in map(self._plan, others) if plan]

    @property
    def limits(self) -> tuple[int | None, int | None]:
        """The minimum and the maximum number of players, None if the field has no valid number."""
        limit = MOST_IN_A_LEAGUE if self["kind"].value() == Kind.LEAGUE else MOST_ENTRANTS
        return self._number("least", 2, limit), self._number("most", 2, limit)

    def _plan(self, players: int | None) -> Plan | None:
        size, rounds = self._number("size", 2, LARGEST_TABLE), self._number("rounds", 1, MOST_ROUNDS)
        names = ("kind", "ruleset", "hours", "ship_choice", "starts_at")
        values = {name: self._value(name) for name in names}
        swiss = values["kind"] == Kind.SWISS
        if not players or not size or (swiss and not rounds) or not all(values.values()):
            return None
        if not can_start(values["starts_at"], now=timezone.now()):
            return None
        if not all(not each.reasons and not each.crowded for each in self.picked):
            return None
        ships = [each.starship for each in self.picked]
        return plan_rounds(players=players, size=size, rounds=rounds or 0, ships=ships, **values)

    def _number(self, name: str, least: int, most: int) -> int | None:
        """Return the value of a field, or None if it is no number from ``least`` to ``most``."""
        value = self[name].value()
        number = number_in(str(self.fields[name].initial if value in (None, "") else value), digits=3)
        return number if number is not None and least <= number <= most else None

    def _value(self, name: str) -> Any:
        """Return the valid value of a field, or None."""
        try:
            return self.fields[name].clean(self[name].value())
        except forms.ValidationError:
            return None

    # --- Groups of fields ---

    @property
    def folds(self) -> list[FieldGroup]:
        """The groups of fields that fold out, each with a summary of its values."""
        return [
            FieldGroup("format", gettext("Format"), self._format(), self._fields("kind", "size", "rounds")),
            FieldGroup("players", gettext("Players"), self._players(), self._fields("least", "most", "club")),
            FieldGroup("rules", gettext("Rules"), self._rules(), self._fields("ruleset", "hours", "sitters")),
            FieldGroup(
                "about", gettext("Description"), str(self["text"].value() or "")[:80], self._fields("text")
            ),
        ]

    def _fields(self, *names: str) -> Sequence[forms.BoundField]:
        return [self[name] for name in names if name in self.fields]

    def _format(self) -> str:
        said = [self._chosen_label("kind")]
        if self["kind"].value() == Kind.SWISS and (rounds := self._number("rounds", 1, MOST_ROUNDS)):
            said.append(ngettext("{number} round", "{number} rounds", rounds).format(number=rounds))
        if not self.is_marathon and (size := self._number("size", 2, LARGEST_TABLE)):
            said.append(gettext("tables of {size}").format(size=size))
        return ", ".join(filter(None, said))

    def _players(self) -> str:
        least, most = self.limits
        number = gettext("{least} to {most}").format(least=least, most=most) if least and most else ""
        number = str(least) if least == most and least else number
        club = self._chosen_label("club") if "club" in self.fields else ""
        return ", ".join(filter(None, [number, club]))

    def _rules(self) -> str:
        pace = "" if self.is_marathon else self._chosen_label("hours")
        pace = pace and gettext("{time} a turn").format(time=pace)
        sitters = "" if self.is_marathon or self["sitters"].value() else gettext("no sitters")
        return ", ".join(filter(None, [self._chosen_label("ruleset"), pace, sitters]))

    def _description(self) -> str:
        return " ".join(str(self["text"].value() or "").split())[:80]

    def _chosen_label(self, name: str) -> str:
        value = str(self[name].value() or "")
        return next((str(label) for key, label in self.fields[name].choices if str(key) == value), "")


def _is_in_fleet(verdict: Suitability) -> bool:
    return verdict.starship.section == Starship.Section.FLEET


class TournamentChangesForm(GuardedForm, NewTournamentForm):  # type: ignore[misc] # both declare `field_order`
    """The form to edit a tournament's draft."""
