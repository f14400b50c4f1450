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
MAX_BOARD_SIDE: Final = 100
"""The maximum number of columns, and of rows, of a board."""
TEXTS: Final = {"name": 80, "builder": 80, "description": 2000}
"""The keys of a document's texts, with the maximum number of characters of each."""
KNOWN_KEYS: Final = frozenset({"format", "rows", *TEXTS})


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a check: the starship (None if there are errors), and all errors and warnings."""

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

    If ``known`` is true, the document was accepted earlier, so its texts may have characters that are
    forbidden now.
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
    """Check a ``starship/1`` document.

    The report has the errors of the document or, if there are none, the warnings about its design.
    """
    try:
        starship = read_starship(document)
    except NotationError as error:
        return Report(None, error.problems)
    return Report(starship, tuple(survey(starship)))


def write_starship(starship: Starship) -> dict[str, Any]:
    """Write a starship as a ``starship/1`` document in canonical notation, with aligned columns."""
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
    """Return the fault of the text under a document's key, or None if there is no fault.

    Faults are a wrong type, too many characters, and forbidden characters. For ``known``, see
    `read_starship`.
    """
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
    """Return the rows of a document. If they are malformed, add a problem to the list and return None."""
    rows = document.get("rows")
    if "rows" not in document:
        problems.append(Problem(Sentence("the key “{key}” is missing", key="rows")))
    elif not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        problems.append(Problem(Sentence("“rows” must be a list of texts, one for each row")))
    elif not rows:
        problems.append(Problem(Sentence("“rows” is empty")))
    else:
        return rows
    return None


def _read_rows(rows: list[str]) -> tuple[list[list[Cell]], list[Problem]]:
    """Read every cell of the rows. An unreadable cell becomes hull, and its faults become problems."""
    problems: list[Problem] = []
    tokens = [row.split() for row in rows]
    width = len(tokens[0])
    if width > MAX_BOARD_SIDE or len(rows) > MAX_BOARD_SIDE:
        size = f"{max(map(len, tokens))} × {len(rows)}"
        message = Sentence(
            "the board has {size} cells, but the limit is {most} × {most}", size=size, most=MAX_BOARD_SIDE
        )
        return [], [Problem(message)]
    if not width:
        problems.append(Problem(Sentence("the row is empty"), 1))
    grid = []
    known: dict[str, Cell] = {}
    for row, texts in enumerate(tokens, 1):
        if len(texts) != width:
            message = Sentence.counted(
                "the row has {number} cell, but the first row has {width}",
                "the row has {number} cells, but the first row has {width}",
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
    """Return the faults of checkpoint numbers, which must count from 1 without repeats or gaps."""
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
    """Return problems for couplings, arms and emitters on an edge that has no rail.

    Either of the edge's two cells may declare the rail.
    """
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
