"""A mission as a form: its lesson part by part, with notes and hints, and its options."""

import re
from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import rules
from accounts.inputs import GuardedForm, mark_of
from games.fleet.lessons import FORMAT, LONGEST, MOST_CELLS, MOST_FILLED, MOST_NOTES, SITUATIONS
from games.fleet.models import Mission
from games.fleet.services.missions import RULESET, check_mission
from games.lobby.forms.terms import field_of_option

CELLS: Final = re.compile(r"\s*\d+\s*,\s*\d+(?:[\s;]+\d+\s*,\s*\d+)*[\s;]*", re.ASCII)
"""Cells as they are typed: column and row of each, counted from 1."""

MOST_HINTS: Final = 30
SPARE: Final = 2
"""Empty rows for notes, and for hints, that are not there yet."""

WHEN: Final = {
    "heading": _("The player chooses the first heading (turn 0)"),
    "program": _("The player programs turn 1"),
    "empty": _("The player programs turn 1, and all registers are empty"),
    "filled": _("The player programs turn 1, and some registers are filled"),
    "later": _("From turn 2 on"),
    "destroyed": _("The robot was destroyed and has come back"),
    "damaged": _("The robot is damaged, and no register is locked"),
    "locked": _("Registers are locked"),
    "down": _("The robot is rebooting"),
    "inspected": _("The robot has reached a checkpoint"),
}
"""The situations of hints, in words; `lessons.SITUATIONS` decides when each applies."""
assert WHEN.keys() == SITUATIONS.keys()


def _text(label: Any, rows: int = 2, **more: Any) -> forms.CharField:
    widget = forms.Textarea(attrs={"rows": rows, "cols": 80})
    return forms.CharField(label=label, max_length=LONGEST, widget=widget, **more)


class NoteForm(forms.Form):
    """Something to know of the board, with the cells that it is about."""

    cells = forms.CharField(
        label=_("Cells"),
        max_length=200,
        help_text=_("Column and row of each cell, such as 3,4 7,2. The rulers of the board count from 1."),
    )
    text = _text(_("Text"))

    def clean_cells(self) -> list[list[int]]:
        """Return the cells, counted from 0."""
        typed = self.cleaned_data["cells"]
        if not CELLS.fullmatch(typed):
            raise forms.ValidationError(
                gettext("Give each cell as column and row, such as 3,4. Put a space between cells.")
            )
        numbers = [int(number) - 1 for number in re.findall(r"\d+", typed)]
        cells = [list(cell) for cell in zip(numbers[::2], numbers[1::2], strict=True)]
        if len(cells) > MOST_CELLS:
            raise forms.ValidationError(
                gettext("A note can point at {most} cells at most.").format(most=MOST_CELLS)
            )
        return cells


class HintForm(forms.Form):
    """Something to know in a situation."""

    when = forms.ChoiceField(label=_("When"), choices=[("", "–"), *WHEN.items()])
    text = _text(_("Text"))


class OptionsForm(forms.Form):
    """The options of Robo Runner that a mission is played with."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        for option in rules.ruleset(RULESET).options:
            self.fields[option.key] = field_of_option(option)

    @property
    def chosen(self) -> dict[str, Any]:
        """Those that differ from the usual ones."""
        options = rules.ruleset(RULESET).options
        found = {option.key: self.cleaned_data.get(option.key, option.default) for option in options}
        return {option.key: found[option.key] for option in options if found[option.key] != option.default}


Rows = dict[str, Any]
NOTES: Final = forms.formset_factory(
    NoteForm, extra=SPARE, max_num=MOST_NOTES, validate_max=True, can_order=True, can_delete=True
)
HINTS: Final = forms.formset_factory(
    HintForm, extra=SPARE, max_num=MOST_HINTS, validate_max=True, can_order=True, can_delete=True
)


class MissionForm(GuardedForm, forms.ModelForm):  # type: ignore[type-arg]
    """A mission. It shows all faults at once: those of its fields, and those that the service finds."""

    introduction = _text(_("Introduction"), 3, help_text=_("What the mission is about."))
    goal = _text(_("Goal"), help_text=_("What the player has to reach."))
    closing = _text(_("Closing"), 3, help_text=_("What the player has learned, once the mission is done."))
    filled = forms.IntegerField(
        label=_("Filled registers"),
        min_value=0,
        max_value=MOST_FILLED,
        required=False,
        help_text=_("How many registers of the first program the instructor fills."),
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
        defaults = {option.key: option.default for option in rules.ruleset(RULESET).options}
        self.options = OptionsForm(data, prefix="options", initial={**defaults, **self.instance.options})
        self.note_seen()

    def _marks(self) -> dict[str, str]:
        """Return the marks of fields, and of the parts of a mission that are no fields."""
        lesson: Rows = self.instance.lesson if self.instance.pk else {}
        notes, hints = (mark_of(lesson.get(part, [])) for part in ("notes", "hints"))
        return {**super()._marks(), "notes": notes, "hints": hints, "options": mark_of(self.instance.options)}

    def _label_of(self, name: str) -> str:
        parts = {"notes": gettext("Notes"), "hints": gettext("Hints"), "options": gettext("Options")}
        return parts.get(name) or super()._label_of(name)

    @property
    def changed_data(self) -> list[str]:
        """The names of what was changed, for the log of staff."""
        parts = {"notes": self.notes, "hints": self.hints, "options": self.options}
        return [*super().changed_data, *(name for name, part in parts.items() if part.has_changed())]

    def clean(self) -> Any:
        """Put the lesson together, and add what only the service finds."""
        found = super().clean() or self.cleaned_data
        parts = [part.is_valid() for part in (self.notes, self.hints, self.options)]
        if not all(parts):
            detail = gettext("Some notes, hints or options are wrong. Correct what is marked below.")
            self.add_error(None, detail)
        found["options"] = self.options.chosen
        found["lesson"] = self._lesson(found)
        if all(parts) and {"title", "starship", "introduction", "goal", "closing"} <= found.keys():
            asked = {key: found[key] for key in ("title", "starship", "options", "lesson")}
            for problem in check_mission(**asked):
                self.add_error(problem["code"] if problem["code"] in self.fields else None, problem["detail"])
        return found

    def _lesson(self, found: Mapping[str, Any]) -> Rows:
        notes = [{"cells": row["cells"], "text": row["text"]} for row in _rows(self.notes)]
        hints = [{"when": row["when"], "text": row["text"]} for row in _rows(self.hints)]
        return {
            "format": FORMAT,
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
    """Return what was filled in, in its order."""
    if not formset.is_valid():
        return []
    return [row.cleaned_data for row in formset.ordered_forms if row.cleaned_data]
