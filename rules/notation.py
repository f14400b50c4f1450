"""Read, check and write boards as ``starship/1`` documents."""

from dataclasses import dataclass, replace
from typing import Any, Final

from rules.document import Document, NotationError, Problem, check_format, unknown_keys
from rules.elements import Cell, Hull, read_cell
from rules.grid import LETTERS
from rules.language import N_, Sentence
from rules.names import fault_of_name, fault_of_text
from rules.starship import Starship
from rules.survey import survey

STARSHIP_FORMAT: Final = "starship/1"
LARGEST: Final = 100
"""The maximum number of cells along an edge of a board."""
TEXTS: Final = {"name": 80, "builder": 80, "description": 2000}
"""The text keys, with their maximum number of characters."""
KNOWN_KEYS: Final = frozenset({"format", "rows", *TEXTS})


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a check: the starship, unless there are errors, and all problems."""

    starship: Starship | None
    problems: tuple[Problem, ...]

    @property
    def errors(self) -> tuple[Problem, ...]:
        return tuple(problem for problem in self.problems if problem.severity == "error")

    @property
    def warnings(self) -> tuple[Problem, ...]:
        return tuple(problem for problem in self.problems if problem.severity == "warning")


def read_starship(document: object, *, known: bool = False) -> Starship:
    """Read a ``starship/1`` document. Raises NotationError with every error in it.

    A ``known`` document was accepted before, so its texts may have characters that are refused now.
    """
    document = check_format(document, STARSHIP_FORMAT)
    problems = unknown_keys(document, KNOWN_KEYS, Sentence("a starship"))
    problems += (fault for key in TEXTS if (fault := fault_of_key(document, key, known=known)))
    ship: Starship | None = None
    if (rows := _rows_of(document, problems)) is not None:
        texts = {} if problems else {key: document.get(key, "") for key in TEXTS}
        grid, faults = _read_rows(rows)
        if not faults:
            ship = Starship(len(grid[0]), len(grid), [cell for row in grid for cell in row], **texts)
            faults = [*_check_checkpoints(grid), *_check_fittings(ship)]
        problems += faults
    if problems or ship is None:
        raise NotationError(*problems)
    return ship


def check_starship(document: object) -> Report:
    """Check a document. Report its errors, or else its warnings (design faults)."""
    try:
        starship = read_starship(document)
    except NotationError as error:
        return Report(None, error.problems)
    return Report(starship, tuple(survey(starship)))


def write_starship(starship: Starship) -> dict[str, Any]:
    """Write a starship as a canonical ``starship/1`` document, with aligned columns."""
    width = starship.width
    tokens = starship.tokens
    rows = [tokens[i : i + width] for i in range(0, len(tokens), width)]
    widths = [max(len(row[x]) for row in rows) for x in range(width)]
    return {
        "format": STARSHIP_FORMAT,
        **{key: getattr(starship, key) for key in TEXTS},
        "rows": [
            " ".join(token.ljust(length) for token, length in zip(row, widths, strict=True)).rstrip()
            for row in rows
        ],
    }


def fault_of_key(document: Document, key: str, *, known: bool = False) -> Problem | None:
    """Return the fault of a text in a document: its type, length or characters."""
    value = document.get(key, "")
    if not isinstance(value, str):
        return Problem(Sentence("“{key}” must be text", key=key), key=key)
    if len(value) > TEXTS[key]:
        form = Sentence("“{key}” is longer than {limit} characters", key=key, limit=TEXTS[key])
        return Problem(form, key=key)
    if known or not value.strip(" "):
        return None
    fault = fault_of_text(value) if key == "description" else fault_of_name(value)
    if fault is None:
        return None
    return Problem(Sentence("“{key}”: {problem}", key=key, problem=fault), key=key)


def _rows_of(document: Document, problems: list[Problem]) -> list[str] | None:
    """Return the rows, or add a problem and return None."""
    rows = document.get("rows")
    if "rows" not in document:
        problems.append(Problem(Sentence("the key “{key}” is missing", key="rows")))
    elif not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        problems.append(Problem(Sentence("“rows” must be a list with one text for each row")))
    elif not rows:
        problems.append(Problem(Sentence("“rows” is empty")))
    else:
        return rows
    return None


def _read_rows(rows: list[str]) -> tuple[list[list[Cell]], list[Problem]]:
    """Read every cell. An unreadable cell is a problem, and becomes hull."""
    problems: list[Problem] = []
    tokens = [row.split() for row in rows]
    width = len(tokens[0])
    if width > LARGEST or len(rows) > LARGEST:
        size = f"{max(map(len, tokens))} × {len(rows)}"
        message = Sentence(
            "the board has {size} cells, and the limit is {most} × {most}", size=size, most=LARGEST
        )
        return [], [Problem(message)]
    if not width:
        problems.append(Problem(Sentence("the row is empty"), 1))
    grid = []
    known: dict[str, Cell] = {}
    for row, texts in enumerate(tokens, 1):
        if len(texts) != width:
            message = Sentence.counted(
                "the row has {number} cell, and the first row has {width}",
                "the row has {number} cells, and the first row has {width}",
                len(texts),
                width=width,
            )
            problems.append(Problem(message, row))
        cells = []
        for column, text in enumerate(texts, 1):
            try:
                if text not in known:
                    known[text] = read_cell(text)
                cells.append(known[text])
            except NotationError as error:
                problems += [replace(problem, row=row, column=column) for problem in error.problems]
                cells.append(Cell(Hull()))
        grid.append(cells)
    return grid, problems


def _check_checkpoints(grid: list[list[Cell]]) -> list[Problem]:
    """Return problems if checkpoint numbers do not run from 1 without repeats or gaps."""
    problems = []
    found: dict[int, tuple[int, int]] = {}
    for y, row in enumerate(grid):
        for x, cell in enumerate(row):
            if cell.checkpoint is None:
                continue
            number = cell.checkpoint.number
            if number in found:
                other = found[number]
                message = Sentence(
                    "there is another checkpoint {number} in row {row}, column {column}",
                    number=number,
                    row=other[1] + 1,
                    column=other[0] + 1,
                )
                problems.append(Problem(message, y + 1, x + 1))
            else:
                found[number] = x, y
    for number, (x, y) in sorted(found.items()):
        if number > 1 and number - 1 not in found:
            message = Sentence(
                "checkpoint {number} is here, but checkpoint {before} is missing",
                number=number,
                before=number - 1,
            )
            problems.append(Problem(message, y + 1, x + 1))
    return problems


COUPLING: Final = N_("the coupling on edge {edge} has no rail behind it")
ARM: Final = N_("the docking arm on edge {edge} has no rail behind it")
EMITTER: Final = N_("the laser emitter on edge {edge} has no rail behind it")


def _check_fittings(ship: Starship) -> list[Problem]:
    """Couplings, arms and emitters need a rail on their edge, in either cell."""
    problems = []
    for number, cell in ship.numbered():
        fittings = [(COUPLING, edge) for edge in cell.couplings]
        fittings += [(ARM, arm.edge) for arm in cell.arms]
        fittings += [(EMITTER, emitter.edge) for emitter in cell.emitters]
        for fault, edge in fittings:
            if not ship.railed_ever(number, edge):
                x, y = ship.pos(number)
                problems.append(Problem(Sentence(fault, edge=LETTERS[edge]), y + 1, x + 1))
    return problems
