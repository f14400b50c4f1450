"""Lessons of training missions: lesson/1 documents, which are told on the board (``docs/formats.md``)."""

from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from typing import Any, Final

from django.utils.translation import gettext

import rules
from games.errors import Invalid, ProblemDocument
from games.language import WORDS, told
from rules.document import unknown_keys
from rules.language import place_of

FORMAT: Final = "lesson/1"
LONGEST: Final = 400
"""Characters of a text."""

LETTERS: Final = "abcdefghi"
"""On the pins of the notes, in their order."""

MOST_NOTES: Final = len(LETTERS)
MOST_CELLS: Final = 12
"""To which one note may point."""

MOST_FILLED: Final = rules.REGISTERS - 1
"""Registers that may be filled for the player: at least one is theirs."""

Cell = tuple[int, int]
"""Column and row, from 0."""

Robot = Mapping[str, Any]
"""What all may see of a robot, as `rules.view_to_json` has it."""

SITUATIONS: Final[Mapping[str, Callable[[int, Robot, bool], bool]]] = {
    "heading": lambda turn, robot, draft: turn == 0,
    "program": lambda turn, robot, draft: turn == 1,
    "empty": lambda turn, robot, draft: turn == 1 and not draft,
    "filled": lambda turn, robot, draft: turn == 1 and draft,
    "later": lambda turn, robot, draft: turn > 1,
    "destroyed": lambda turn, robot, draft: turn > 1 and robot["returned"],
    "damaged": lambda turn, robot, draft: (
        robot["damage"] > 0 and not robot["locked"] and not robot["returned"]
    ),
    "locked": lambda turn, robot, draft: bool(robot["locked"]),
    "down": lambda turn, robot, draft: robot["down"],
    "inspected": lambda turn, robot, draft: robot["next"] > 1,
}
"""When a hint is given: by the number of a turn, what the board shows, and whether there is a draft."""


@dataclass(frozen=True, slots=True)
class Note:
    """Something to know of the board, with the cells that it is about."""

    cells: tuple[Cell, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Hint:
    """Something to know in one of the `SITUATIONS`."""

    when: str
    text: str


@dataclass(frozen=True, slots=True)
class Lesson:
    """What a mission teaches; ``closing`` is said once it is done.

    ``filled`` is how many registers of the first program the instructor fills, as a draft.
    """

    introduction: str
    goal: str
    closing: str
    notes: tuple[Note, ...]
    hints: tuple[Hint, ...]
    filled: int = 0

    def hints_for(self, turn: int, robot: Robot, *, draft: bool) -> tuple[str, ...]:
        """Return what there is to be told now, in the lesson's order."""
        return tuple(hint.text for hint in self.hints if SITUATIONS[hint.when](turn, robot, draft))


def read_lesson(document: object, ship: rules.Starship) -> Lesson:
    """Return the lesson of a document, for a board; raises Invalid with every fault."""
    reading = _Reading(ship)
    lesson = reading.lesson(document)
    if reading.faults or lesson is None:
        raise Invalid(
            "lesson", gettext("The lesson cannot be read. Correct what is wrong with it."), reading.problems
        )
    return lesson


@dataclass(slots=True)
class _Reading:
    """Goes through a document, and keeps what is wrong with it."""

    ship: rules.Starship
    faults: list[str] = field(default_factory=list)

    @property
    def problems(self) -> Iterator[ProblemDocument]:
        return ({"code": "lesson", "detail": fault} for fault in self.faults)

    def lesson(self, document: object) -> Lesson | None:
        lesson = gettext("The lesson")
        keys = {"format", "introduction", "goal", "notes", "hints", "closing", "filled"}
        if (found := self._object(document, lesson, keys, optional={"hints", "filled"})) is None:
            return None
        if found.get("format", FORMAT) != FORMAT:
            self.faults.append(gettext("“format” must be “{format}”.").format(format=FORMAT))
        notes = self._list(found.get("notes", []), lesson, "notes")
        if "notes" in found and not 1 <= len(notes) <= MOST_NOTES:
            self.faults.append(gettext("There must be 1 to {most} notes.").format(most=MOST_NOTES))
        hints = self._list(found.get("hints", []), lesson, "hints")
        return Lesson(
            introduction=self._text(found, "introduction", lesson),
            goal=self._text(found, "goal", lesson),
            closing=self._text(found, "closing", lesson),
            notes=tuple(self._note(note, number) for number, note in enumerate(notes, 1)),
            hints=tuple(self._hint(hint, number) for number, hint in enumerate(hints, 1)),
            filled=self._filled(found.get("filled", 0)),
        )

    def _note(self, document: object, number: int) -> Note:
        part = gettext("Note {number}").format(number=number)
        found = self._object(document, part, {"cells", "text"}) or {}
        cells = self._list(found.get("cells", []), part, "cells")
        if "cells" in found and not 1 <= len(cells) <= MOST_CELLS:
            self.faults.append(
                gettext("{part} must point at 1 to {most} cells.").format(part=part, most=MOST_CELLS)
            )
        return Note(tuple(self._cell(cell, part) for cell in cells), self._text(found, "text", part))

    def _hint(self, document: object, number: int) -> Hint:
        part = gettext("Hint {number}").format(number=number)
        found = self._object(document, part, {"when", "text"}) or {}
        when = found.get("when", "")
        if "when" in found and (not isinstance(when, str) or when not in SITUATIONS):
            known = ", ".join(SITUATIONS)
            fault = gettext("{part}: there is no situation “{situation}”. Choose one of these: {known}.")
            self.faults.append(fault.format(part=part, situation=when, known=known))
        return Hint(str(when), self._text(found, "text", part))

    def _filled(self, value: object) -> int:
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_FILLED:
            return value
        fault = gettext("“filled” must be a number of registers, from 0 to {most}.")
        self.faults.append(fault.format(most=MOST_FILLED))
        return 0

    def _cell(self, document: object, part: str) -> Cell:
        match document:
            case [int(x), int(y)] if not isinstance(x, bool) and not isinstance(y, bool):
                if 0 <= x < self.ship.width and 0 <= y < self.ship.height:
                    return x, y
                fault = gettext("{part} points at {at}, but the board has {width} × {height} cells.")
                size = {"width": self.ship.width, "height": self.ship.height}
                self.faults.append(fault.format(part=part, at=place_of((x, y), WORDS), **size))
            case _:
                self.faults.append(gettext("{part} points at no cell. A cell is [x, y].").format(part=part))
        return 0, 0

    def _object(
        self, document: object, part: str, keys: Set[str], *, optional: Set[str] = frozenset()
    ) -> dict[str, Any] | None:
        if not isinstance(document, dict):
            self.faults.append(gettext("{part} must be an object.").format(part=part))
            return None
        unknown = unknown_keys(document, keys, part)
        missing = sorted(keys - optional - document.keys())
        self.faults += [f"{told(problem.message)}." for problem in unknown]
        self.faults += [gettext("{part} lacks “{key}”.").format(part=part, key=key) for key in missing]
        return document

    def _list(self, value: object, part: str, key: str) -> list[object]:
        if isinstance(value, list):
            return value
        self.faults.append(gettext("{part}: “{key}” must be a list.").format(part=part, key=key))
        return []

    def _text(self, found: Mapping[str, Any], key: str, part: str) -> str:
        text = found.get(key)
        if text is None:
            return ""
        if not isinstance(text, str) or not text.strip():
            self.faults.append(gettext("{part}: “{key}” must be a text.").format(part=part, key=key))
            return ""
        if len(text) > LONGEST:
            fault = gettext("{part}: “{key}” is longer than {most} characters.")
            self.faults.append(fault.format(part=part, key=key, most=LONGEST))
        return text.strip()
