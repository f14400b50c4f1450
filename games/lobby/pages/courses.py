"""Boards composed for one game: their pieces, and the checkpoints on them.

This is a part of the form for new games, in rulesets that let the host join boards and set checkpoints
(AM-1.1, FA-1). `games.fleet.boards.lay_out` decides if everything fits.
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
"""Number of board fields shown at first, unless the ruleset joins fewer."""

ACROSS = 20
"""Maximum boards in a row, and in a column."""

SPARE = 2
"""Empty fields for checkpoints, beyond those set and the ruleset's minimum."""

CELL_PREFIX = re.compile(r"^row \d+, column \d+[^:]*: ")
"""The prefix with a cell's position, redundant beside the fields of that cell."""

TURNED = (("0", _("as drawn")), ("1", _("turned right")), ("2", _("turned around")), ("3", _("turned left")))


@dataclass(slots=True)
class BoardFields:
    """The fields of one board, as filled in. Its position counts from 1."""

    number: int
    starship: str = ""
    column: str = "1"
    row: str = "1"
    turned: str = "0"

    @property
    def document(self) -> dict[str, Any]:
        """The board for `lay_out`. Values that are not numbers stay as they are."""
        at = [number - 1 if isinstance(number, int) else number for number in map(_number, self._place)]
        return {"starship": _number(self.starship), "at": at, "turned": _number(self.turned)}

    @property
    def _place(self) -> tuple[str, str]:
        return self.column, self.row


@dataclass(slots=True)
class CheckpointFields:
    """The fields of one checkpoint, as filled in. Column and row count from 1."""

    number: int
    column: str = ""
    row: str = ""
    problems: list[str] = field(default_factory=list)

    @property
    def filled(self) -> bool:
        return bool(self.column or self.row)

    @property
    def cell(self) -> list[Any]:
        """The cell for `lay_out`."""
        return [n - 1 if isinstance(n, int) else n for n in (_number(self.column), _number(self.row))]


@dataclass(slots=True)
class StartFields(CheckpointFields):
    """The fields of the start, in rulesets that let the host choose it (FA-1)."""


@dataclass(slots=True)
class Assembly:
    """A board in the making: its fields, its drawing, and its problems.

    ``of_boards`` are problems of the arrangement, ``of_checkpoints`` problems of no particular checkpoint,
    and ``of_board`` all others. ``layout`` is None if the boards do not fit together.
    """

    edition: rules.Ruleset
    starships: Sequence[Starship]
    slots: list[BoardFields]
    marks: list[CheckpointFields]
    begin: StartFields | None = None
    layout: Layout | None = None
    of_boards: list[str] = field(default_factory=list)
    of_checkpoints: list[str] = field(default_factory=list)
    of_board: list[str] = field(default_factory=list)

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
        """True if a filled field does not name a cell of the board."""
        return any(mark.problems for mark in self._places)

    @property
    def wrong(self) -> bool:
        return bool(self.faulty or self.of_boards or self.of_checkpoints or self.of_board)

    @property
    def _places(self) -> list[CheckpointFields]:
        return [*self.marks, *([self.begin] if self.begin else [])]

    @property
    def limit(self) -> int:
        """Maximum number of joined boards."""
        return boards.most_boards(self.edition)

    @property
    def to_join(self) -> list[Starship]:
        """The boards to choose from. They have the size of the first one."""
        if all(slot.starship for slot in self.slots):
            return []
        chosen = next((slot.starship for slot in self.slots if slot.starship), "")
        first = next((starship for starship in self.starships if str(starship.pk) == chosen), None)
        return [starship for starship in self.starships if first is None or _edges(starship) == _edges(first)]

    @property
    def can_grow(self) -> bool:
        """True if the page can show fields for more boards."""
        return len(self.slots) < self.limit

    @property
    def ship(self) -> rules.Starship | None:
        """The composed board, or None."""
        return self.layout.ship if self.layout else None

    @property
    def drawing(self) -> SafeString:
        """The drawing of the composed board, with numbers of columns and rows."""
        return empty_board(self.ship, rulers=True) if self.ship else SafeString("")

    @property
    def faces(self) -> list[tuple[str, str | Promise]]:
        """The ways to turn a board."""
        return list(TURNED)

    @property
    def places(self) -> range:
        """The possible columns, and rows, of a board."""
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
        """Place one more board beside the others, in the nearest free position."""
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
        """Compose the board from the fields. Without any board, do nothing."""
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
            if mark.filled and not _within(mark.column, ship.width):
                told = (
                    gettext("The start needs a column from 1 to {most}.")
                    if starts
                    else gettext("Checkpoint {number} needs a column from 1 to {most}.")
                )
                mark.problems.append(told.format(number=mark.number, most=ship.width))
            if mark.filled and not _within(mark.row, ship.height):
                told = (
                    gettext("The start needs a row from 1 to {most}.")
                    if starts
                    else gettext("Checkpoint {number} needs a row from 1 to {most}.")
                )
                mark.problems.append(told.format(number=mark.number, most=ship.height))

    def add_refusal(self, refusal: ServiceError) -> None:
        """Add the problems of the board, and ignore others."""
        if not refusal.problems and refusal.code in ("no-starship", "starship", "boards", "checkpoints"):
            (self.of_checkpoints if refusal.code == "checkpoints" else self.of_boards).append(refusal.detail)
        for problem in refusal.problems:
            found = {
                "boards": self.of_boards,
                "checkpoints": self._of_mark(problem),
                "start": self.begin.problems if self.begin else self.of_board,
                "starship": self.of_board,
            }.get(problem["code"])
            detail = problem["detail"]
            if found is not None and found is not self.of_board:
                detail = CELL_PREFIX.sub("", detail)
                detail = capfirst(detail)
            if found is not None and detail not in found:
                found.append(detail)

    def _of_mark(self, problem: Mapping[str, Any]) -> list[str]:
        """Return the problems of the checkpoint in a problem's cell, or the general ones."""
        cell = [problem.get("column", 0) - 1, problem.get("row", 0) - 1]
        marks = (mark.problems for mark in reversed(self.marks) if mark.cell == cell)
        return next(marks, self.of_checkpoints)

    def _laid_out(self, checkpoints: Sequence[object], start: object = None) -> Layout:
        return boards.lay_out(
            ruleset=self.edition.key, boards=self.boards, checkpoints=checkpoints, start=start
        )


def assembly_of(values: Values, edition: rules.Ruleset, starships: Sequence[Starship]) -> Assembly:
    """Return the board from the fields of a form."""
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
    """Return the lengths of a board's edges. A quarter turn changes nothing."""
    assert starship.current
    return {starship.current.width, starship.current.height}


def _numbers(values: Values, name: str, most: int, least: int) -> range:
    """Return the numbers of submitted fields such as ``board-1``, within limits."""
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
    """Return the column and the row of a cell, as filled in."""
    return (values.get(f"{what}-column{which}", "").strip(), values.get(f"{what}-row{which}", "").strip())


def _within(text: str, most: int) -> bool:
    number = _number(text)
    return isinstance(number, int) and 1 <= number <= most


def _number(text: str) -> int | str:
    number = number_in(text)
    return text if number is None else number
