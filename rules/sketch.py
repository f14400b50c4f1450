"""Draft ships, and changes to a few cells of a ship.

A sketch is like a ``starship/1`` document, but its cells may contain any text. It stores the text of each
cell unchanged, even if the text is not readable. `rules.mending` lists the faults of a sketch. `Sketch.ship`
is the ship with the readable parts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, Final

from rules.document import Document, NotationError, Problem, check_format, unknown_keys
from rules.elements import Arm, Cell, Emitter, Hull, SlideRail, read_cell, salvage_cell
from rules.grid import Pos, opposite
from rules.language import Sentence
from rules.notation import KNOWN_KEYS, MAX_BOARD_SIDE, STARSHIP_FORMAT, TEXTS, fault_of_key, write_starship
from rules.starship import Starship

LONGEST_TOKEN: Final = 200
"""The maximum number of characters in a cell of a sketch. All valid tokens are shorter."""

Row = tuple[str, ...]


@dataclass(frozen=True)
class Sketch:
    """A draft ship: its texts, and its rows of tokens. Rows may have different lengths."""

    rows: tuple[Row, ...]
    name: str = ""
    builder: str = ""
    description: str = ""

    @property
    def width(self) -> int:
        """The number of cells in the longest row."""
        return max(map(len, self.rows))

    @property
    def height(self) -> int:
        return len(self.rows)

    @cached_property
    def ship(self) -> Starship:
        """The starship made from the readable parts of the sketch. It is used for drawings and games.

        Unreadable floors become hull, and short rows are filled up with hull.
        """
        blank = Cell(Hull())
        width, read = self.width, self._read
        cells = [read[row[x]][0] if x < len(row) else blank for row in self.rows for x in range(width)]
        return Starship(width, self.height, cells, self.name, self.builder, self.description)

    @cached_property
    def _read(self) -> dict[str, tuple[Cell, tuple[Problem, ...]]]:
        """The cell for each token of the sketch, and the faults of the token, by token."""
        return {token: _cell(token) for token in {token for row in self.rows for token in row}}

    def faults_at(self, x: int, y: int) -> tuple[Problem, ...]:
        """Return the faults that make a cell unreadable. A readable cell has none."""
        return self._read[self.rows[y][x]][1]

    def token_at(self, x: int, y: int) -> str | None:
        """Return the token in a column and row, or None if the sketch has no such cell."""
        return self.rows[y][x] if y < len(self.rows) and x < len(self.rows[y]) else None

    def put(self, cells: Mapping[tuple[int, int], str]) -> Sketch:
        """Return the sketch with new tokens in some cells, by column and row.

        If a new token lies beyond the end of a short row, hull fills the gap.
        """
        rows = [list(row) for row in self.rows]
        for (x, y), token in cells.items():
            row = rows[y]
            row += ["."] * (x + 1 - len(row))
            row[x] = token
        return replace(self, rows=tuple(map(tuple, rows)))


@lru_cache(maxsize=4096)
def _cell(text: str) -> tuple[Cell, tuple[Problem, ...]]:
    try:
        return read_cell(text), ()
    except NotationError as error:
        return salvage_cell(text), error.problems


def blank_sketch(width: int, height: int, name: str = "") -> Sketch:
    """Return a sketch of plain hull. Raises NotationError if the size is not allowed."""
    if not (1 <= width <= MAX_BOARD_SIDE and 1 <= height <= MAX_BOARD_SIDE):
        form = Sentence("a starship has 1 to {most} columns and 1 to {most} rows", most=MAX_BOARD_SIDE)
        raise NotationError(Problem(form, code="size"))
    return Sketch(((".",) * width,) * height, name)


def read_sketch(document: object, *, known: bool = False) -> Sketch:
    """Read a ``starship/1`` document whose cells may be faulty. For ``known``, see `read_starship`.

    Raises NotationError with every other fault. White space between cells is lost.
    """
    document = check_format(document, STARSHIP_FORMAT)
    problems = [
        *unknown_keys(document, KNOWN_KEYS, Sentence("a starship")),
        *(fault for key in TEXTS if (fault := fault_of_key(document, key, known=known))),
    ]
    rows, faults = _read_rows(document)
    problems += faults
    if problems:
        raise NotationError(*problems)
    return Sketch(rows, **{key: document.get(key, "") for key in TEXTS})


def write_sketch(sketch: Sketch) -> dict[str, Any]:
    """Write a sketch as a ``starship/1`` document, with one space between cells."""
    return {
        "format": STARSHIP_FORMAT,
        **{key: getattr(sketch, key) for key in TEXTS},
        "rows": [" ".join(row) for row in sketch.rows],
    }


WIDEST_COLUMN: Final = 24
"""The maximum width of a column with padded tokens, in characters. Longer tokens get no padding."""


def aligned(sketch: Sketch) -> list[str]:
    """Return the rows of a sketch as texts with aligned columns, for people to read.

    >>> aligned(Sketch((("a", "b1:E"), (".+wN", "."))))
    ['a    b1:E', '.+wN .']
    """
    columns = [[row[x] for row in sketch.rows if x < len(row)] for x in range(sketch.width)]
    widths = [min(WIDEST_COLUMN, max(map(len, column))) for column in columns]
    return [
        " ".join(token.ljust(width) for token, width in zip(row, widths, strict=False)).rstrip()
        for row in sketch.rows
    ]


def _read_rows(document: Document) -> tuple[tuple[Row, ...], list[Problem]]:
    rows = document.get("rows")
    if "rows" not in document:
        return (), [Problem(Sentence("the key “{key}” is missing", key="rows"), key="rows")]
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        return (), [Problem(Sentence("“rows” must be a list of texts, one for each row"), key="rows")]
    tokens = tuple(tuple(row.split()) for row in rows)
    width, height = max(map(len, tokens), default=0), len(tokens)
    if not width:
        return (), [Problem(Sentence("“rows” is empty"), key="rows")]
    if width > MAX_BOARD_SIDE or height > MAX_BOARD_SIDE:
        form = Sentence(
            "the board has {size} cells, but the limit is {most} × {most}",
            size=f"{width} × {height}",
            most=MAX_BOARD_SIDE,
        )
        return (), [Problem(form, key="rows", code="size")]
    return tokens, [
        Problem(fault, y, x, key="rows")
        for y, row in enumerate(tokens, 1)
        for x, token in enumerate(row, 1)
        if (fault := _fault_of_token(token))
    ]


def _fault_of_token(token: str) -> Sentence | None:
    if len(token) > LONGEST_TOKEN:
        return Sentence("the cell is longer than {most} characters", most=LONGEST_TOKEN)
    return None if token.isprintable() else Sentence("the cell contains a control character")


Tokens = Mapping[Pos, str]
"""New tokens for some cells, by column and row from 0."""


def changed(ship: Starship, cells: Tokens) -> Starship:
    """Return a ship with new tokens in some cells."""
    return read_sketch(write_starship(ship), known=True).put(cells).ship


class Change:
    """A ship, and the changes to some of its cells."""

    def __init__(self, ship: Starship) -> None:
        self.ship = ship
        self.cells: dict[Pos, Cell] = {}

    def at(self, pos: Pos) -> Cell:
        return self.cells.get(pos) or self.ship.at(*pos)

    def put(self, pos: Pos, cell: Cell) -> None:
        self.cells[pos] = cell

    def rail(self, pos: Pos, edge: int) -> None:
        cell = self.at(pos)
        self.put(pos, replace(cell, rails=tuple(sorted({*cell.rails, edge}))))

    def unrail(self, pos: Pos, edge: int) -> None:
        """Remove the rail from an edge, whichever of the edge's two cells declares it."""
        for at, side in ((pos, edge), (beside(self.ship, pos, edge), opposite(edge))):
            if at and side in self.at(at).rails:
                cell = self.at(at)
                self.put(at, replace(cell, rails=tuple(each for each in cell.rails if each != side)))

    @property
    def tokens(self) -> Tokens:
        return {at: cell.token for at, cell in sorted(self.cells.items()) if cell != self.ship.at(*at)}

    @property
    def board(self) -> Starship:
        return changed(self.ship, self.tokens)


def beside(ship: Starship, pos: Pos, edge: int) -> Pos | None:
    """Return the cell on the other side of an edge, or None at the end of the board."""
    beyond = ship.cell(*pos) + ship.steps[edge]
    return ship.pos(beyond) if ship.inside(beyond) else None


def is_bare(ship: Starship, pos: Pos, edge: int) -> bool:
    """Return whether an edge has at most a plain rail, so that a rail can be added or removed."""
    sides = [(ship.at(*pos), edge)]
    if beyond := beside(ship, pos, edge):
        sides.append((ship.at(*beyond), opposite(edge)))
    return not any(side in _fitted(cell) for cell, side in sides)


def _fitted(cell: Cell) -> set[int]:
    """Return a cell's edges with anything besides plain rails: slide rails, arms, lasers or couplings."""
    fittings: list[Sequence[SlideRail | Arm | Emitter]] = [cell.slides, cell.arms, cell.emitters]
    return {*cell.couplings, *(each.edge for fitted in fittings for each in fitted)}


def is_open(ship: Starship, pos: Pos, edge: int) -> bool:
    return is_bare(ship, pos, edge) and not ship.railed_ever(ship.cell(*pos), edge)
