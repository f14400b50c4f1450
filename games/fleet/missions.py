"""Training missions and their lessons: read, save and load them.

A lesson is a lesson/1 document, with notes on the board (``docs/formats.md``).
"""

import tomllib
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext, gettext as _

import rules
from accounts.models import User
from games.errors import Invalid, NotFound, ProblemDocument, ServiceError, document_problems
from games.fleet import boards
from games.fleet.models import LESSON_FORMAT, LONGEST_TITLE, Mission, Starship, offered_through
from games.fleet.services import Loaded
from games.wording import WORDS, translate
from rules.document import unknown_keys
from rules.language import place_of
from rules.names import fault_of_name, fault_of_text

# --- Lessons ------------------------------------------------------------------------------------------------


LONGEST_TEXT: Final = 400
"""The maximum number of characters in a text of a lesson."""

NOTE_LETTERS: Final = "abcdefghi"
"""The letters on the pins that mark the cells of notes: one letter for each note, in order."""

MOST_NOTES: Final = len(NOTE_LETTERS)
MOST_CELLS: Final = 12
"""The maximum number of cells that one note can point at."""

MOST_FILLED: Final = rules.REGISTERS - 1
"""The maximum number of registers filled by the instructor. At least one is left for the player."""

Cell = tuple[int, int]
"""A cell's column and row, both counted from 0."""

Robot = Mapping[str, Any]
"""The public view of a robot, from `rules.view_to_json`."""

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
"""The conditions for showing hints, by situation.

Each takes the turn number, the robot, and whether the player has a draft of orders.
"""


@dataclass(frozen=True, slots=True)
class Note:
    cells: tuple[Cell, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint for a situation. ``when`` is a key of `SITUATIONS`."""

    when: str
    text: str


@dataclass(frozen=True, slots=True)
class Lesson:
    """The lesson of a mission. ``closing`` is the text at its end.

    ``filled`` is the number of registers that the instructor fills in the player's first program, as a draft.
    """

    introduction: str
    goal: str
    closing: str
    notes: tuple[Note, ...]
    hints: tuple[Hint, ...]
    filled: int = 0

    def hints_for(self, turn: int, robot: Robot, *, draft: bool) -> tuple[str, ...]:
        """Return the hints for the present situation, in the lesson's order."""
        return tuple(hint.text for hint in self.hints if SITUATIONS[hint.when](turn, robot, draft))


def read_lesson(document: object, ship: rules.Starship) -> Lesson:
    """Read a lesson for a board. Raises Invalid with every problem."""
    reading = _Reading(ship)
    lesson = reading.lesson(document)
    if reading.faults or lesson is None:
        raise Invalid("lesson", gettext("The lesson has errors. Fix the problems below."), reading.problems)
    return lesson


@dataclass(slots=True)
class _Reading:
    """A reader for one lesson document. It collects all problems."""

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
        if found.get("format", LESSON_FORMAT) != LESSON_FORMAT:
            self.faults.append(gettext("“format” must be “{format}”.").format(format=LESSON_FORMAT))
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
                self.faults.append(
                    gettext("{part} has an invalid cell. Write a cell as [x, y].").format(part=part)
                )
        return 0, 0

    def _object(
        self, document: object, part: str, keys: Set[str], *, optional: Set[str] = frozenset()
    ) -> dict[str, Any] | None:
        if not isinstance(document, dict):
            self.faults.append(gettext("{part} must be an object.").format(part=part))
            return None
        unknown = unknown_keys(document, keys, part)
        missing = sorted(keys - optional - document.keys())
        self.faults += [f"{translate(problem.message)}." for problem in unknown]
        self.faults += [gettext("{part} needs “{key}”.").format(part=part, key=key) for key in missing]
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
            self.faults.append(gettext("{part}: “{key}” must be text.").format(part=part, key=key))
            return ""
        if len(text) > LONGEST_TEXT:
            fault = gettext("{part}: “{key}” is longer than {most} characters.")
            self.faults.append(fault.format(part=part, key=key, most=LONGEST_TEXT))
        return text.strip()


# --- Missions -----------------------------------------------------------------------------------------------


def offered_missions() -> QuerySet[Mission]:
    """Return the offered missions, in order."""
    missions = Mission.objects.filter(offered_through("starship"))
    return missions.select_related("starship__current").order_by("number")


def mission_after(*, mission: Mission) -> Mission | None:
    """Return the next offered mission after a mission, or None if it is the last."""
    return offered_missions().filter(number__gt=mission.number).first()


def lesson_of(mission: Mission, *, ship: rules.Starship) -> Lesson | None:
    """Return the lesson of a mission for its game's board.

    Returns None if the lesson does not fit the board. This can happen if staff changed the mission's ship
    or its board after the game had started.
    """
    try:
        return read_lesson(mission.lesson, ship)
    except Invalid:  # staff changed the mission's board after the game's start
        return None


RULESET = "robo-runner"
"""The key of the ruleset for all missions."""

LIST_OF_MISSIONS = "missions.toml"


def save_mission(
    *,
    slug: str,
    number: int,
    title: str,
    starship: Starship,
    options: Mapping[str, Any],
    lesson: object,
    by: User | None = None,
) -> Mission:
    """Create the mission with this slug, or change it.

    ``by`` is the member of staff, or None for missions that come with the game. The caller must have checked
    the title. Running games continue with the new lesson. Raises Invalid with every problem in the options
    and the lesson, and if the starship is not for one player.
    """
    problems = check_mission(starship=starship, options=options, lesson=lesson)
    if problems:
        raise Invalid("mission", _("Couldn’t save the mission. Fix the marked fields."), problems)
    fields = {
        "number": number,
        "title": title,
        "starship": starship,
        "options": dict(options),
        "lesson": lesson,
        "saved_by": by,
    }
    return Mission.objects.update_or_create(slug=slug, defaults=fields)[0]


def check_mission(*, starship: Starship, options: object, lesson: object) -> list[ProblemDocument]:
    """Return every problem with a mission.

    Each problem's ``code`` is the name of the mission's field that it is about.
    """
    faults = (fault for text in _texts_in(lesson) if (fault := fault_of_text(text)))
    problems: list[ProblemDocument] = [{"code": "lesson", "detail": translate(fault)} for fault in faults]
    if starship.current is None:
        return [
            *problems,
            {
                "code": "starship",
                "detail": _("{name} has no board yet.").format(name=starship.name),
            },
        ]
    ship = boards.starship_of(starship.current)
    if isinstance(options, Mapping):
        try:
            rules.make_setup(rules.ruleset(RULESET), options, ship, 1)
        except rules.SetupError as error:
            problems += document_problems("options", error.problems)
    else:
        problems.append({"code": "options", "detail": _("The options must be an object.")})
    try:
        read_lesson(lesson, ship)
    except Invalid as refusal:
        problems += refusal.problems
    return problems


def _texts_in(document: object) -> Iterator[str]:
    """Yield all strings in a JSON document, at any depth."""
    if isinstance(document, str):
        yield document
    elif isinstance(document, Mapping | list):
        for part in document.values() if isinstance(document, Mapping) else document:
            yield from _texts_in(part)


def load_missions(*, directory: Path) -> Loaded:
    """Load all missions of ``missions.toml`` in a directory, or none if there are problems.

    The missions' ships must have been loaded before. Missions saved by staff do not change, and existing
    missions keep their numbers. Raises Invalid with every problem, mission by mission.
    """
    problems: list[ProblemDocument] = []
    new = changed = 0
    entries = tomllib.loads((directory / LIST_OF_MISSIONS).read_text(encoding="utf-8"))["mission"]
    with transaction.atomic():
        for entry in entries:
            before = Mission.objects.filter(slug=entry["slug"]).first()
            if before and before.saved_by_id is not None:
                continue
            try:
                saved = _load(directory, entry, before)
            except (ServiceError, rules.NotationError, OSError) as error:
                problems += _faults(entry["slug"], error)
                continue
            new += before is None
            changed += before is not None and _contents(before) != _contents(saved)
        if problems:
            raise Invalid("missions", _("Couldn’t load the missions."), problems)
    return Loaded(new, changed, len(entries))


def _load(directory: Path, entry: Mapping[str, Any], before: Mission | None) -> Mission:
    slug = entry["slug"]
    starship = Starship.objects.select_related("current").filter(slug=entry["starship"]).first()
    if starship is None:
        raise NotFound(
            "no-starship",
            _("There is no starship “{name}”. Load the starships first.").format(name=entry["starship"]),
        )
    return save_mission(
        slug=slug,
        number=before.number if before else _next_number(),
        title=_title_in(entry),
        starship=starship,
        options=entry.get("options", {}),
        lesson=rules.parse((directory / "lessons" / f"{slug}.json").read_bytes()),
    )


def _title_in(entry: Mapping[str, Any]) -> str:
    """Return the title of a mission in ``missions.toml``. Raises Invalid if the title is not allowed."""
    title: str = entry["title"]
    if fault := fault_of_name(title):
        raise Invalid("mission", translate(fault))
    if len(title) > LONGEST_TITLE:
        detail = _("{part}: “{key}” is longer than {most} characters.")
        raise Invalid("mission", detail.format(part=_("The mission"), key="title", most=LONGEST_TITLE))
    return title


def _next_number() -> int:
    last = Mission.objects.order_by("number").last()
    return last.number + 1 if last else 1


def _contents(mission: Mission) -> tuple[object, ...]:
    return mission.title, mission.starship_id, mission.options, mission.lesson


def _faults(slug: str, error: Exception) -> list[ProblemDocument]:
    found = error.problems if isinstance(error, ServiceError) and error.problems else [{"detail": str(error)}]
    return [{"code": "mission", **fault, "detail": f"{slug}: {fault['detail']}"} for fault in found]
