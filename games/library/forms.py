"""What the library is narrowed down to."""

from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlencode

from django import forms
from django.db.models import QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import rules
from games.fleet.classes import CLASSES
from games.fleet.elements import ELEMENTS
from games.fleet.models import Starship
from games.library.lengths import LENGTHS
from games.library.selectors.search import RECOMMENDED, search

Choices = Sequence[tuple[str, str | Promise]]

LONGEST: Final = 80
"""Characters of what is searched for, at most."""

MOST_PLAYERS: Final = 8

RULESETS: Final[Choices] = [(key, ruleset.name) for key, ruleset in rules.RULESETS.items()]
PLAYERS: Final[Choices] = [(str(number), str(number)) for number in range(1, MOST_PLAYERS + 1)]
STARS: Final[Choices] = [("4", _("4 or more")), ("3", _("3 or more"))]
CLASS_CHOICES: Final[Choices] = [(each.key, each.name) for each in CLASSES]
LENGTH_CHOICES: Final[Choices] = [(each.key, each.name) for each in LENGTHS]
ELEMENT_CHOICES: Final[Choices] = [(key, name) for key, (name, _names) in ELEMENTS.items()]
FIRST: Final = ("q", "section", "sort")
"""What is always seen; the other filters are folded."""

SORTS: Final[Choices] = (
    (RECOMMENDED, _("Recommended")),
    ("newest", _("Newest first")),
    ("rated", _("Best rated")),
    ("flown", _("Most played")),
    ("shortest", _("Shortest games first")),
    ("longest", _("Longest games first")),
    ("name", _("Name")),
    ("smallest", _("Smallest first")),
    ("largest", _("Largest first")),
)


def _choice(label: Any, choices: Choices) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, choices=[("", _("Any")), *choices], required=False)


class LibraryFilter(forms.Form):
    """Narrows the library down by what an address asks for; what is no choice leaves its filter off."""

    q = forms.CharField(
        label=_("Name or builder"),
        max_length=LONGEST,
        required=False,
        widget=forms.TextInput(attrs={"type": "search"}),
    )
    section = _choice(_("Section"), Starship.Section.choices)
    ruleset = _choice(_("Ruleset"), RULESETS)
    players = _choice(_("Players"), PLAYERS)
    starship_class = _choice(_("Class"), CLASS_CHOICES)
    length = _choice(_("Length"), LENGTH_CHOICES)
    stars = _choice(_("Stars"), STARS)
    sort = forms.ChoiceField(label=_("Order"), choices=SORTS, required=False)
    elements = forms.MultipleChoiceField(
        label=_("On board"),
        choices=ELEMENT_CHOICES,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, asked: Any) -> None:
        super().__init__(asked)
        self.is_valid()

    def add_prefix(self, field_name: str) -> str:
        """Return what a field is called in an address."""
        return super().add_prefix("class" if field_name == "starship_class" else field_name)

    @property
    def chosen(self) -> Mapping[str, Any]:
        """The filters that are on, by their names in an address."""
        plain = {self.add_prefix(name): value for name, value in self.cleaned_data.items() if value}
        return {name: value for name, value in plain.items() if value != RECOMMENDED}

    @property
    def query(self) -> str:
        """The filters that are on, as the query of an address."""
        return urlencode(self.chosen, doseq=True)

    @property
    def faults(self) -> list[str]:
        """Say which filters are off since there is no such choice."""
        return [self._fault(name) for name in self.errors]

    @property
    def first(self) -> list[forms.BoundField]:
        """The fields that are always seen."""
        return [self[name] for name in FIRST]

    @property
    def folded(self) -> list[forms.BoundField]:
        """The fields that are folded, but for the elements."""
        return [self[name] for name in self.fields if name not in (*FIRST, "elements")]

    @property
    def folded_on(self) -> bool:
        """Whether a filter is on that is folded."""
        return bool(self.chosen.keys() - set(FIRST))

    def found(self) -> QuerySet[Starship]:
        """Return the starships that fit."""
        given = self.cleaned_data
        return search(
            text=given.get("q", ""),
            section=given.get("section") or None,
            ruleset=given.get("ruleset") or None,
            players=int(given.get("players") or 0) or None,
            starship_class=given.get("starship_class") or None,
            length=given.get("length") or None,
            stars=int(given.get("stars") or 0) or None,
            elements=given.get("elements") or (),
            sort=given.get("sort") or RECOMMENDED,
        )

    def _fault(self, name: str) -> str:
        if name == "q":
            return gettext("Search for at most {most} letters: that filter is off.").format(most=LONGEST)
        allowed = {key for key, _name in self.fields[name].choices}  # type: ignore[attr-defined]
        field = self[name]
        values = field.data if isinstance(field.data, list) else [field.data]
        wrong = next((value for value in values if value not in allowed), "")
        return gettext("“{value}” is not a choice of “{filter}”: that filter is off.").format(
            value=_short(str(wrong)), filter=field.label
        )


def _short(value: str) -> str:
    """Return the beginning of a value that may be anything."""
    return value if len(value) <= 24 else f"{value[:24]}…"
