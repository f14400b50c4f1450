"""Boards composed for one game: their pieces, and the checkpoints on them.

This is a part of the form for new games, in rulesets that let the host join boards and set checkpoints
(AM-1.1, FA-1). `games.fleet.boards.lay_out` checks that boards, checkpoints and start fit together.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_lazy as _

import rules
from games.errors import ServiceError, number_in
from games.fleet import boards
from games.fleet.boards import Layout
from games.fleet.models import Starship
from games.fleet.pictures import empty_board
from rules.rulebook import UNBOUNDED

Values = QueryDict | Mapping[str, str]
Place = tuple[int, int]

ROWS = 4
"""The number of boards with fields on the page at first. A button adds fields for the same number.

The page never shows fields for more boards than the ruleset joins.
"""

ACROSS = 20
"""The maximum number of boards side by side, in a row or in a column."""

SPARE = 2
"""The number of empty checkpoint fields, in addition to filled and required ones."""

CELL_PREFIX = re.compile(r"^row \d+, column \d+[^:]*: ")
"""The pattern of a cell's position at the start of a problem's message.

The page shows the message beside the cell's fields, so the position is removed.
"""

TURNED = (("0", _("as drawn")), ("1", _("turned right")), ("2", _("turned around")), ("3", _("turned left")))


@dataclass(slots=True)
class BoardFields:
    """The submitted values for one board. Columns and rows are numbered from 1."""

    number: int
    starship: str = ""
    column: str = "1"
    row: str = "1"
    turned: str = "0"

    @property
    def document(self) -> dict[str, Any]:
        """The board in the format of `lay_out`. Values that are not numbers stay text."""
        at = [number - 1 if isinstance(number, int) else number for number in map(_number, self._position)]
        return {"starship": _number(self.starship), "at": at, "turned": _number(self.turned)}

    @property
    def _position(self) -> tuple[str, str]:
        return self.column, self.row


@dataclass(slots=True)
class CheckpointFields:
    """The submitted values for one checkpoint. Columns and rows are numbered from 1."""

    number: int
    column: str = ""
    row: str = ""
    problems: list[str] = field(default_factory=list)

    @property
    def filled(self) -> bool:
        return bool(self.column or self.row)

    @property
    def cell(self) -> list[Any]:
        """The checkpoint's cell in the format of `lay_out`. Values that are not numbers stay text."""
        return [n - 1 if isinstance(n, int) else n for n in (_number(self.column), _number(self.row))]


@dataclass(slots=True)
class StartFields(CheckpointFields):
    """The submitted values for the start, in rulesets that let the host choose it (FA-1)."""


@dataclass(slots=True)
class Assembly:
    """A composed board in a form: its fields, its layout, and its problems.

    ``slots`` are the fields of boards, ``marks`` those of checkpoints, and ``begin`` those of the start.
    ``layout`` is None if the boards do not fit together. ``arrangement_errors`` are about how boards are
    joined. ``checkpoint_errors`` are about checkpoints in general.
    """

    edition: rules.Ruleset
    starships: Sequence[Starship]
    slots: list[BoardFields]
    marks: list[CheckpointFields]
    begin: StartFields | None = None
    layout: Layout | None = None
    arrangement_errors: list[str] = field(default_factory=list)
    checkpoint_errors: list[str] = field(default_factory=list)
    other_errors: list[str] = field(default_factory=list)

    @property
    def boards(self) -> list[dict[str, Any]]:
        return [slot.document for slot in self.slots if slot.starship]

    @property
    def checkpoints(self) -> list[list[Any]]:
        return [mark.cell for mark in self.marks if mark.filled]

    @property
    def start(self) -> list[Any] | None:
        return self.begin.cell if self.begin and self.begin.filled else None

    @property
    def faulty(self) -> bool:
        """Whether a chosen checkpoint or start has a problem, such as a position outside the board."""
        return any(mark.problems for mark in self._places)

    @property
    def wrong(self) -> bool:
        return bool(self.faulty or self.arrangement_errors or self.checkpoint_errors or self.other_errors)

    @property
    def errors_by_control(self) -> dict[str, list[str]]:
        """All problems, by the HTML ID of the control that each list of problems is about."""
        start = {"start-column": self.begin.problems} if self.begin else {}
        marks = {f"checkpoint-column-{mark.number}": list(mark.problems) for mark in self.marks}
        marks.setdefault("checkpoint-column-1", [])[:0] = self.checkpoint_errors
        return {"board-1": [*self.arrangement_errors, *self.other_errors]} | marks | start

    @property
    def _places(self) -> list[CheckpointFields]:
        return [*self.marks, *([self.begin] if self.begin else [])]

    @property
    def limit(self) -> int:
        """The maximum number of joined boards in this ruleset."""
        return boards.most_boards(self.edition)

    @property
    def to_join(self) -> list[Starship]:
        """The starships offered for the next board. They have the same size as the first chosen board."""
        if all(slot.starship for slot in self.slots):
            return []
        chosen = next((slot.starship for slot in self.slots if slot.starship), "")
        first = next((starship for starship in self.starships if str(starship.pk) == chosen), None)
        return [starship for starship in self.starships if first is None or _edges(starship) == _edges(first)]

    @property
    def can_grow(self) -> bool:
        """Whether the page can show fields for more boards."""
        return len(self.slots) < self.limit

    @property
    def ship(self) -> rules.Starship | None:
        """The composed board, or None if the boards do not fit together."""
        return self.layout.ship if self.layout else None

    @property
    def drawing(self) -> SafeString:
        return empty_board(self.ship, rulers=True) if self.ship else SafeString("")

    @property
    def faces(self) -> list[tuple[str, str | Promise]]:
        """The choices for turning a board."""
        return list(TURNED)

    @property
    def places(self) -> range:
        """The choices for a board's column and for its row."""
        return range(1, min(self.limit, ACROSS) + 1)

    @property
    def bounds(self) -> str:
        """The number of checkpoints required by the ruleset, in words."""
        least, most = self.edition.checkpoints
        return (
            gettext("{least} to {most}").format(least=least, most=most)
            if most < UNBOUNDED
            else gettext("{least} or more").format(least=least)
        )

    def add(self, starship: str) -> None:
        """Place another board, in the free position nearest to the first column and row."""
        slot = next((slot for slot in self.slots if not slot.starship), None)
        if slot is None:
            return
        taken = {(other.column, other.row) for other in self.slots if other.starship}
        beside = product(self.places, self.places)
        nearest = sorted(beside, key=lambda place: (max(place), sum(place), place[1]))
        column, row = next((str(x), str(y)) for x, y in nearest if (str(x), str(y)) not in taken)
        slot.starship, slot.column, slot.row, slot.turned = starship, column, row, "0"

    def grow(self) -> None:
        more = min(self.limit, len(self.slots) + ROWS)
        self.slots += [BoardFields(number) for number in range(len(self.slots) + 1, more + 1)]

    def lay_out(self) -> None:
        """Compose the board from the fields of the form. Does nothing if no board is chosen."""
        if not self.boards:
            return
        try:
            self.layout = self._laid_out([])
            self._check_checkpoints(self.layout.ship)
            if (self.checkpoints or self.start) and not self.faulty:
                self.layout = self._laid_out(self.checkpoints, self.start)
        except ServiceError as refusal:
            self.add_refusal(refusal)

    def _check_checkpoints(self, ship: rules.Starship) -> None:
        for mark in self._places:
            starts = mark is self.begin
            if mark.filled and not _is_within(mark.column, ship.width):
                message = (
                    gettext("The start needs a column from 1 to {most}.")
                    if starts
                    else gettext("Checkpoint {number} needs a column from 1 to {most}.")
                )
                mark.problems.append(message.format(number=mark.number, most=ship.width))
            if mark.filled and not _is_within(mark.row, ship.height):
                message = (
                    gettext("The start needs a row from 1 to {most}.")
                    if starts
                    else gettext("Checkpoint {number} needs a row from 1 to {most}.")
                )
                mark.problems.append(message.format(number=mark.number, most=ship.height))

    def add_refusal(self, refusal: ServiceError) -> None:
        """Show the problems of a service error that concern the board. Ignore its other problems."""
        if not refusal.problems and refusal.code in ("no-starship", "starship", "boards", "checkpoints"):
            errors = self.checkpoint_errors if refusal.code == "checkpoints" else self.arrangement_errors
            errors.append(refusal.detail)
        for problem in refusal.problems:
            found = {
                "boards": self.arrangement_errors,
                "checkpoints": self._errors_of_mark(problem),
                "start": self.begin.problems if self.begin else self.other_errors,
                "starship": self.other_errors,
            }.get(problem["code"])
            detail = problem["detail"]
            if found is not None and found is not self.other_errors:
                detail = CELL_PREFIX.sub("", detail)
                detail = capfirst(detail)
            if found is not None and detail not in found:
                found.append(detail)

    def _errors_of_mark(self, problem: Mapping[str, Any]) -> list[str]:
        """Return the list of error messages for a new problem.

        If the problem's cell has a checkpoint, this is the list of that checkpoint. Otherwise, it is
        `checkpoint_errors`.
        """
        cell = [problem.get("column", 0) - 1, problem.get("row", 0) - 1]
        marks = (mark.problems for mark in reversed(self.marks) if mark.cell == cell)
        return next(marks, self.checkpoint_errors)

    def _laid_out(self, checkpoints: Sequence[object], start: object = None) -> Layout:
        return boards.lay_out(
            ruleset=self.edition.key, boards=self.boards, checkpoints=checkpoints, start=start
        )


def assembly_of(values: Values, edition: rules.Ruleset, starships: Sequence[Starship]) -> Assembly:
    """Return the composed board from the values of a form, with its problems."""
    slots = [_slot(values, number) for number in _numbers(values, "board", boards.most_boards(edition), ROWS)]
    most = edition.checkpoints[1]
    marks = [_mark(values, number) for number in _numbers(values, "checkpoint-column", most, 0)]
    begin = StartFields(0, *_cell(values, "start")) if edition.sets_start else None
    assembly = Assembly(edition, starships, slots, [mark for mark in marks if mark.filled], begin)
    if "more" in values:
        assembly.grow()
    if chosen := values.get("add"):
        assembly.add(chosen)
    wanted = min(most, max(len(assembly.marks), edition.checkpoints[0]) + SPARE)
    for number, mark in enumerate(assembly.marks, 1):
        mark.number = number
    assembly.marks += [CheckpointFields(number) for number in range(len(assembly.marks) + 1, wanted + 1)]
    assembly.lay_out()
    return assembly


def _edges(starship: Starship) -> set[int]:
    """Return a board's width and height as a set, since a quarter turn swaps them."""
    assert starship.current
    return {starship.current.width, starship.current.height}


def _numbers(values: Values, name: str, most: int, least: int) -> range:
    """Return the numbers of a form's fields with names such as ``board-1``.

    They run from 1 to the last submitted field, but at least to ``least`` and at most to ``most``.
    """
    there = 0
    while there < most and f"{name}-{there + 1}" in values:
        there += 1
    return range(1, max(there, min(least, most)) + 1)


def _slot(values: Values, number: int) -> BoardFields:
    given = {
        name: text.strip()
        for name, key in (("starship", "board"), ("column", "column"), ("row", "row"), ("turned", "turned"))
        if (text := values.get(f"{key}-{number}")) is not None
    }
    return BoardFields(number, **given)


def _mark(values: Values, number: int) -> CheckpointFields:
    return CheckpointFields(number, *_cell(values, "checkpoint", f"-{number}"))


def _cell(values: Values, what: str, which: str = "") -> tuple[str, str]:
    """Return the submitted column and row of a checkpoint or of the start, as text."""
    return (values.get(f"{what}-column{which}", "").strip(), values.get(f"{what}-row{which}", "").strip())


def _is_within(text: str, most: int) -> bool:
    number = _number(text)
    return isinstance(number, int) and 1 <= number <= most


def _number(text: str) -> int | str:
    number = number_in(text)
    return text if number is None else number
