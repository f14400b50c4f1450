"""Inputs: filters of the library, lists of starships, and missions in the admin."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlencode

from django import forms
from django.contrib.admin.widgets import AdminTextInputWidget
from django.db.models import QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _, pgettext_lazy

import rules
from accounts.inputs import GuardedForm, value_checksum
from games.fleet import missions
from games.fleet.lists import LIST_ORDERS, NEWEST
from games.fleet.models import (
    LESSON_FORMAT,
    LONGEST_LIST_NAME,
    LONGEST_LIST_TEXT,
    LONGEST_TITLE,
    SHIPS_IN_LIST,
    Mission,
    Starship,
    StarshipList,
)
from games.fleet.search import CLASSES, ELEMENTS, LENGTHS, RECOMMENDED, search
from games.lobby.forms import field_of_option
from games.web.forms import form_field
from games.web.inputs import Choice, Id, Input, Items, Name, Prose

# --- Filters of the library ---------------------------------------------------------------------------------


Choices = Sequence[tuple[str, str | Promise]]

LONGEST_SEARCH: Final = 80

MOST_PLAYERS: Final = 8

RULESETS: Final[Choices] = [(key, ruleset.name) for key, ruleset in rules.RULESETS.items()]
PLAYERS: Final[Choices] = [(str(number), str(number)) for number in range(1, MOST_PLAYERS + 1)]
STARS: Final[Choices] = [("4", _("4 or more")), ("3", _("3 or more"))]
CLASS_CHOICES: Final[Choices] = [(each.key, each.name) for each in CLASSES]
LENGTH_CHOICES: Final[Choices] = [(each.key, each.name) for each in LENGTHS]
ELEMENT_CHOICES: Final[Choices] = [(key, name) for key, (name, _names) in ELEMENTS.items()]
VISIBLE_FILTERS: Final = ("q", "section", "sort")
"""The names of the always visible filters. The other filters are in a folded part of the page."""

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
    """Filters of the library, from a URL query. Filters with invalid values have no effect."""

    q = forms.CharField(
        label=_("Name or builder"),
        max_length=LONGEST_SEARCH,
        required=False,
        widget=forms.TextInput(attrs={"type": "search"}),
    )
    section = _choice(_("Section"), Starship.Section.choices)
    ruleset = _choice(_("Ruleset"), RULESETS)
    players = _choice(pgettext_lazy("number", "Players"), PLAYERS)
    starship_class = _choice(_("Class"), CLASS_CHOICES)
    length = _choice(_("Length"), LENGTH_CHOICES)
    stars = _choice(_("Stars"), STARS)
    sort = forms.ChoiceField(label=_("Sort by"), choices=SORTS, required=False)
    elements = forms.MultipleChoiceField(
        label=_("On board"), choices=ELEMENT_CHOICES, required=False, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, asked: Any) -> None:
        super().__init__(asked)
        self.is_valid()

    def add_prefix(self, field_name: str) -> str:
        """Return the name of a field in a URL query."""
        return super().add_prefix("class" if field_name == "starship_class" else field_name)

    @property
    def chosen(self) -> Mapping[str, Any]:
        """The active filters, by their names in a URL query. The default sort order is left out."""
        plain = {self.add_prefix(name): value for name, value in self.cleaned_data.items() if value}
        return {name: value for name, value in plain.items() if value != RECOMMENDED}

    @property
    def query(self) -> str:
        """The active filters, as a URL query string."""
        return urlencode(self.chosen, doseq=True)

    @property
    def faults(self) -> list[str]:
        """A message for each filter with an unknown choice, and for a search that is too long.

        These filters have no effect.
        """
        return [self._fault(name) for name in self.errors]

    @property
    def first(self) -> list[forms.BoundField]:
        """The fields of the always visible filters."""
        return [self[name] for name in VISIBLE_FILTERS]

    @property
    def folded(self) -> list[forms.BoundField]:
        """The fields of the folded filters, except the choice of elements."""
        return [self[name] for name in self.fields if name not in (*VISIBLE_FILTERS, "elements")]

    @property
    def folded_on(self) -> bool:
        """Whether any folded filter is active."""
        return bool(self.chosen.keys() - set(VISIBLE_FILTERS))

    def found(self) -> QuerySet[Starship]:
        """Return the starships matching the filters."""
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
            return gettext(
                "Your search is longer than {most} characters, so it was ignored. Shorten it."
            ).format(most=LONGEST_SEARCH)
        allowed = {key for key, _name in self.fields[name].choices}  # type: ignore[attr-defined]
        field = self[name]
        values = field.data if isinstance(field.data, list) else [field.data]
        wrong = next((value for value in values if value not in allowed), "")
        return gettext("“{value}” is not a choice for “{filter}”, so that filter was ignored.").format(
            value=_shortened(str(wrong)), filter=field.label
        )


def _shortened(value: str) -> str:
    return value if len(value) <= 24 else f"{value[:24]}…"


# --- Lists --------------------------------------------------------------------------------------------------


LIST_SORTS: Final[Sequence[tuple[str, str | Promise]]] = list(
    zip(LIST_ORDERS, (_("Most recently changed first"), _("Most ships first")), strict=True)
)


class NewStarshipList(Input):
    refusal = "list", _("Couldn’t save the list. Fix the marked fields.")

    name = Name(label=_("Name"), longest=LONGEST_LIST_NAME, needed=_("Give the list a name."))
    text = Prose(
        label=_("Description"),
        longest=LONGEST_LIST_TEXT,
        rows=3,
        default="",
        allow_blank=True,
        help_text=_("Plain text, for example why these ships belong together."),
    )
    seen_by = Choice(
        StarshipList.SeenBy.choices, label=_("Visible to"), default=StarshipList.SeenBy.OWNER.value
    )
    starships = Items(
        child=Id(),
        default=list,
        max_length=SHIPS_IN_LIST,
        help_text=_("The `id`s of all ships in the list, in order."),
    )


class StarshipListChanges(NewStarshipList):
    """Changes to a list. Omitted values stay as they are."""

    optional = True


class ListsFilter(forms.Form):
    """Filters of public lists. Filters with invalid values have no effect."""

    q = forms.CharField(
        label=_("Name or player"),
        max_length=LONGEST_SEARCH,
        required=False,
        widget=forms.TextInput(attrs={"type": "search"}),
    )
    sort = forms.ChoiceField(label=_("Sort by"), choices=LIST_SORTS, required=False)

    def __init__(self, asked: Any) -> None:
        super().__init__(asked)
        self.is_valid()

    @property
    def text(self) -> str:
        return str(self.cleaned_data.get("q", ""))

    @property
    def sorted_by(self) -> str:
        return self.cleaned_data.get("sort") or NEWEST


# --- Missions -----------------------------------------------------------------------------------------------


CELLS: Final = re.compile(r"\s*\d+\s*,\s*\d+(?:[\s;]+\d+\s*,\s*\d+)*[\s;]*", re.ASCII)
"""The pattern of a list of cells as typed by staff: the column and row of each cell, counted from 1."""

MOST_HINTS: Final = 30
EMPTY_ROWS: Final = 2
"""The number of empty rows for new notes in the form of a mission, and the number for new hints."""

SITUATION_LABELS: Final = {
    "heading": _("The player chooses the first heading (turn 0)"),
    "program": _("The player is programming turn 1"),
    "empty": _("The player is programming turn 1, and all registers are empty"),
    "filled": _("The player is programming turn 1, and some registers are filled"),
    "later": _("From turn 2 on"),
    "destroyed": _("The robot was destroyed and has come back"),
    "damaged": _("The robot is damaged, and no register is locked"),
    "locked": _("Registers are locked"),
    "down": _("The robot is rebooting"),
    "inspected": _("The robot has reached a checkpoint"),
}
"""The descriptions of the situations for hints, by key of `SITUATIONS`."""
assert SITUATION_LABELS.keys() == missions.SITUATIONS.keys()


def _text(label: Any, rows: int = 2, **more: Any) -> forms.CharField:
    widget = forms.Textarea(attrs={"rows": rows, "cols": 80})
    return forms.CharField(label=label, max_length=missions.LONGEST_TEXT, widget=widget, **more)


class NoteForm(forms.Form):
    """The form for a note about some cells of the board."""

    cells = forms.CharField(
        label=_("Cells"),
        max_length=200,
        help_text=_(
            "Column and row of each cell, such as 3,4 7,2. Columns and rows are numbered from 1, as on the"
            " edges of the board."
        ),
    )
    text = _text(_("Text"))

    def clean_cells(self) -> list[list[int]]:
        """Return the columns and rows of the cells, counted from 0."""
        typed = self.cleaned_data["cells"]
        if not CELLS.fullmatch(typed):
            raise forms.ValidationError(
                gettext("Write each cell as column and row, such as 3,4. Put a space between cells.")
            )
        numbers = [int(number) - 1 for number in re.findall(r"\d+", typed)]
        cells = [list(cell) for cell in zip(numbers[::2], numbers[1::2], strict=True)]
        if len(cells) > missions.MOST_CELLS:
            raise forms.ValidationError(
                gettext("A note can point at {most} cells at most.").format(most=missions.MOST_CELLS)
            )
        return cells


class HintForm(forms.Form):
    """The form for a hint: its text, and the situation in which the hint is shown."""

    when = forms.ChoiceField(label=_("When"), choices=[("", "–"), *SITUATION_LABELS.items()])
    text = _text(_("Text"))


class OptionsForm(forms.Form):
    """The form for the Robo Runner options of a mission."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        for option in rules.ruleset(missions.RULESET).options:
            self.fields[option.key] = field_of_option(option)

    @property
    def chosen(self) -> dict[str, Any]:
        """The options that differ from their defaults."""
        options = rules.ruleset(missions.RULESET).options
        found = {option.key: self.cleaned_data.get(option.key, option.default) for option in options}
        return {option.key: found[option.key] for option in options if found[option.key] != option.default}


Rows = dict[str, Any]
NOTES: Final = forms.formset_factory(
    NoteForm,
    extra=EMPTY_ROWS,
    max_num=missions.MOST_NOTES,
    validate_max=True,
    can_order=True,
    can_delete=True,
)
HINTS: Final = forms.formset_factory(
    HintForm, extra=EMPTY_ROWS, max_num=MOST_HINTS, validate_max=True, can_order=True, can_delete=True
)


class MissionForm(GuardedForm, forms.ModelForm):  # type: ignore[type-arg]
    """The form for a mission. It shows its own problems and the service's problems together."""

    title = form_field(
        Name(label=_("Title"), longest=LONGEST_TITLE, needed=_("Give the mission a title.")),
        widget=AdminTextInputWidget(),
    )
    introduction = _text(_("Introduction"), 3, help_text=_("The topic of the mission."))
    goal = _text(_("Goal"), help_text=_("The player’s task."))
    closing = _text(_("Closing"), 3, help_text=_("A summary of the lesson, shown after the mission is done."))
    filled = forms.IntegerField(
        label=_("Filled registers"),
        min_value=0,
        max_value=missions.MOST_FILLED,
        required=False,
        help_text=_("How many registers the instructor fills in the first program."),
    )

    class Meta:
        model = Mission
        fields = ["slug", "number", "title", "starship"]

    def __init__(self, data: Any = None, files: Any = None, **more: Any) -> None:
        super().__init__(data, files, **more)
        lesson: Rows = self.instance.lesson if self.instance.pk else {}
        for name in ("introduction", "goal", "closing", "filled"):
            self.initial.setdefault(name, lesson.get(name))
        notes = [_note(note) for note in lesson.get("notes", [])]
        self.notes: Any = NOTES(data, prefix="notes", initial=notes)
        self.hints: Any = HINTS(data, prefix="hints", initial=lesson.get("hints", []))
        defaults = {option.key: option.default for option in rules.ruleset(missions.RULESET).options}
        self.options = OptionsForm(data, prefix="options", initial={**defaults, **self.instance.options})
        self.record_shown_values()

    def _marks(self) -> dict[str, str]:
        """Return the checksums of all fields, and of the notes, hints and options."""
        lesson: Rows = self.instance.lesson if self.instance.pk else {}
        notes, hints = (value_checksum(lesson.get(part, [])) for part in ("notes", "hints"))
        return {
            **super()._marks(),
            "notes": notes,
            "hints": hints,
            "options": value_checksum(self.instance.options),
        }

    def _label_of(self, name: str) -> str:
        parts = {"notes": gettext("Notes"), "hints": gettext("Hints"), "options": gettext("Options")}
        return parts.get(name) or super()._label_of(name)

    @property
    def changed_data(self) -> list[str]:
        """The names of changed fields and parts, for the staff log."""
        parts = {"notes": self.notes, "hints": self.hints, "options": self.options}
        return [*super().changed_data, *(name for name, part in parts.items() if part.has_changed())]

    def clean(self) -> Any:
        """Build the lesson document from the form, and add the problems found by the service."""
        found = super().clean() or self.cleaned_data
        parts = [part.is_valid() for part in (self.notes, self.hints, self.options)]
        if not all(parts):
            detail = gettext("Some notes, hints or options are wrong. Fix the marked fields.")
            self.add_error(None, detail)
        found["options"] = self.options.chosen
        found["lesson"] = self._lesson(found)
        if all(parts) and {"starship", "introduction", "goal", "closing"} <= found.keys():
            asked = {key: found[key] for key in ("starship", "options", "lesson")}
            for problem in missions.check_mission(**asked):
                self.add_error(problem["code"] if problem["code"] in self.fields else None, problem["detail"])
        return found

    def _lesson(self, found: Mapping[str, Any]) -> Rows:
        notes = [{"cells": row["cells"], "text": row["text"]} for row in _rows(self.notes)]
        hints = [{"when": row["when"], "text": row["text"]} for row in _rows(self.hints)]
        return {
            "format": LESSON_FORMAT,
            **{name: found.get(name, "") for name in ("introduction", "goal")},
            "notes": notes,
            **({"hints": hints} if hints else {}),
            **({"filled": found["filled"]} if found.get("filled") else {}),
            "closing": found.get("closing", ""),
        }


def _note(note: Mapping[str, Any]) -> Rows:
    cells = " ".join(f"{x + 1},{y + 1}" for x, y in note["cells"])
    return {"cells": cells, "text": note["text"]}


def _rows(formset: Any) -> list[Rows]:
    """Return the data of the filled rows of a formset, in order."""
    if not formset.is_valid():
        return []
    return [row.cleaned_data for row in formset.ordered_forms if row.cleaned_data]
