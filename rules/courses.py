"""Combine boards: join and turn them, and set checkpoints and starts (AM-1.1)."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from rules.chance import Chance, Seed
from rules.document import Problem, SetupError
from rules.elements import Airlock, Arm, Beam, Cell, Checkpoint, Emitter, Floor, Hull, SlideRail, Space, Start
from rules.grid import Pos, turned
from rules.language import N_, Sentence, place
from rules.notation import MAX_BOARD_SIDE, TEXTS
from rules.starship import Starship
from rules.survey import reachable

BARRED: Final[Mapping[str, str]] = {
    "shaft": N_("checkpoint {number} cannot be on a cooling shaft"),
    "space": N_("checkpoint {number} cannot be on open space"),
    "crusher": N_("checkpoint {number} cannot be on a crusher"),
}
"""Elements on which no checkpoint may be set (AM-1.1), with their error messages."""

Fitting = TypeVar("Fitting", SlideRail, Arm, Emitter)


@dataclass(frozen=True, slots=True)
class Tile:
    """A board to be joined with other boards.

    ``at`` is the tile's column and row among the joined boards, from 0. ``turned`` is the number of clockwise
    quarter turns.
    """

    starship: Starship
    at: Pos = (0, 0)
    turned: int = 0

    @property
    def size(self) -> tuple[int, int]:
        """The tile's width and height in cells, after turning."""
        size = self.starship.width, self.starship.height
        return size if self.turned % 2 == 0 else (size[1], size[0])


def join(pieces: Sequence[Tile]) -> Starship:
    """Join boards side to side into one starship. Gaps between the boards become space.

    After turning, all boards must have the same size. They must not overlap, and must form one connected
    area. A single board keeps its checkpoints. Several boards lose them, because each board numbers its own.
    Robots start on the first board that has airlocks or start cells. On later boards these become plain hull.
    Raises SetupError with every reason why the boards cannot be joined.
    """
    if problems := list(_misfits(pieces)):
        raise SetupError(*problems)
    boards = list(_as_they_lie(pieces))
    if len(boards) == 1:
        return boards[0]
    width, height, cells = _laid_out(list(_only_first_starts(boards)), [piece.at for piece in pieces])
    return Starship(
        width,
        height,
        cells,
        name=_listed((board.name for board in boards), " + ", TEXTS["name"]),
        builder=_listed((board.builder for board in boards), ", ", TEXTS["builder"]),
    )


def with_checkpoints(
    ship: Starship, cells: Sequence[Pos], barred: Collection[str] = tuple(BARRED)
) -> Starship:
    """Return the board with checkpoints only on these cells, numbered in this order (AM-1.1).

    Raises SetupError with every checkpoint that is off the board, on the cell of another checkpoint, or on a
    ``barred`` element.
    """
    numbers: dict[Pos, int] = {}
    problems: list[Problem] = []
    for number, pos in enumerate(cells, 1):
        x, y = pos
        if not (0 <= x < ship.width and 0 <= y < ship.height):
            form = N_("checkpoint {number} at {at} is off the board, which has {size} cells")
            size = f"{ship.width} × {ship.height}"
            problems.append(Problem(Sentence(form, number=number, at=place(pos), size=size)))
            continue
        elements = [element for element in ship.at(x, y).elements if element in barred]
        faults = [Sentence(BARRED[element], number=number) for element in elements]
        if pos in numbers:
            form = N_("checkpoint {number} cannot be on the same cell as checkpoint {other}")
            faults.append(Sentence(form, number=number, other=numbers[pos]))
        problems += [Problem(fault, y + 1, x + 1) for fault in faults]
        numbers.setdefault(pos, number)
    if problems:
        raise SetupError(*problems)
    marked = [
        replace(cell, checkpoint=Checkpoint(set_here) if (set_here := numbers.get(ship.pos(index))) else None)
        for index, cell in ship.numbered()
    ]
    return _like(ship, ship.width, ship.height, marked)


def with_first_checkpoints(ship: Starship, count: int) -> Starship:
    """Return the board without the checkpoints whose number is above ``count``."""
    cells = [
        replace(cell, checkpoint=None) if cell.checkpoint and cell.checkpoint.number > count else cell
        for cell in ship.cells
    ]
    return _like(ship, ship.width, ship.height, cells)


def with_start(ship: Starship, pos: Pos) -> Starship:
    """Return the board with this cell as its only start. Its other starts become hull (FA-1).

    Raises SetupError if the cell is off the board, or is neither hull nor a start.
    """
    x, y = pos
    if not (0 <= x < ship.width and 0 <= y < ship.height):
        form = N_("the start cell at {at} is off the board, which has {size} cells")
        raise SetupError(Sentence(form, at=place(pos), size=f"{ship.width} × {ship.height}"))
    chosen = ship.cell(x, y)
    if not isinstance(ship.at(x, y).floor, Hull | Airlock | Start):
        message = Sentence("the start cell must be on plain hull")
        raise SetupError(Problem(message, y + 1, x + 1))

    def cells() -> Iterator[Cell]:
        for number, cell in ship.numbered():
            starts = isinstance(cell.floor, Airlock | Start)
            if number == chosen:
                yield cell if starts else replace(cell, floor=Airlock())
            else:
                yield replace(cell, floor=Hull()) if starts else cell

    return _like(ship, ship.width, ship.height, list(cells()))


def with_random_checkpoints(ship: Starship, count: int, start: int | None, seed: Seed) -> Starship:
    """Replace a board's checkpoints with ``count`` random ones (FA-1). Return the new board.

    The game's seed decides their cells. These are cells other than ``start`` that robots can reach from
    ``start`` (`survey.reachable`) and stand on. Raises SetupError if there are too few such cells.
    """
    reached = reachable(ship, [] if start is None else [start])
    cells = [number for number, _ in ship.numbered() if number in reached and ship.falls[0][number] is None]
    cells = [number for number in cells if number != start]
    if count > len(cells):
        raise SetupError(
            Sentence.counted(
                "{number} random checkpoint does not fit: there is room for {room}",
                "{number} random checkpoints do not fit: there is room for {room}",
                count,
                room=len(cells),
            )
        )
    drawn = Chance(seed, 0).stream("checkpoints").shuffled(cells)[:count]
    return with_checkpoints(ship, [ship.pos(number) for number in drawn], ())


def quarter_turned(ship: Starship, quarters: int) -> Starship:
    """Return a board after a number of clockwise quarter turns."""
    quarters %= 4
    if not quarters:
        return ship
    width, height = (ship.height, ship.width) if quarters % 2 else (ship.width, ship.height)

    def before(x: int, y: int) -> Pos:
        west, north = width - 1 - x, height - 1 - y
        return {1: (y, west), 2: (west, north), 3: (north, x)}[quarters]

    cells = [_turned_cell(ship.at(*before(x, y)), quarters) for y in range(height) for x in range(width)]
    return _like(ship, width, height, cells)


def _turned_cell(cell: Cell, quarters: int) -> Cell:
    def edges(edges_before: Iterable[int]) -> tuple[int, ...]:
        return tuple(sorted(turned(edge, quarters) for edge in edges_before))

    def fittings(fittings_before: Iterable[Fitting]) -> tuple[Fitting, ...]:
        moved = [replace(fitting, edge=turned(fitting.edge, quarters)) for fitting in fittings_before]
        return tuple(sorted(moved, key=lambda fitting: fitting.edge))

    floor: Floor = cell.floor
    if isinstance(floor, Beam):
        floor = Beam(floor.speed, edges(floor.entries), turned(floor.exit, quarters))
    return replace(
        cell,
        floor=floor,
        rails=edges(cell.rails),
        couplings=edges(cell.couplings),
        slides=fittings(cell.slides),
        arms=fittings(cell.arms),
        emitters=fittings(cell.emitters),
    )


def _as_they_lie(pieces: Iterable[Tile]) -> Iterator[Starship]:
    """Yield the board of each tile after turning. Equal tiles share one turned board."""
    lying: dict[tuple[int, int], Starship] = {}
    for piece in pieces:
        key = id(piece.starship), piece.turned
        if key not in lying:
            lying[key] = quarter_turned(piece.starship, piece.turned)
        yield lying[key]


def _misfits(pieces: Sequence[Tile]) -> Iterator[Sentence]:
    """Yield every reason why these tiles cannot be joined, such as different sizes or overlaps."""
    if not pieces:
        yield Sentence("there are no boards to join")
        return
    calls = [
        Sentence("board {number} (“{name}”)", number=number, name=piece.starship.name)
        if piece.starship.name
        else Sentence("board {number}", number=number)
        for number, piece in enumerate(pieces, 1)
    ]
    places = [piece.at for piece in pieces]
    wide, high = pieces[0].size
    taken: dict[Pos, Sentence] = {}
    for piece, at, call in zip(pieces, places, calls, strict=True):
        if piece.size != (wide, high):
            form = N_("the boards differ in size: {one} has {size} cells, and {other} has {other_size}")
            size, other_size = (f"{across} × {down}" for across, down in ((wide, high), piece.size))
            yield Sentence(form, one=calls[0], other=call, size=size, other_size=other_size)
        if at in taken:
            form = N_("{board} overlaps {other}: both are at {at}")
            yield Sentence(form, board=call, other=taken[at], at=place(at))
        taken.setdefault(at, call)
    linked = _hanging_together(places)
    form = N_("{board} touches no other board: boards must be joined side by side")
    yield from (Sentence(form, board=call) for at, call in taken.items() if at not in linked)
    (west, east), (north, south) = ((min(numbers), max(numbers)) for numbers in zip(*places, strict=True))
    width, height = (east - west + 1) * wide, (south - north + 1) * high
    if len(linked) == len(taken) and max(width, height) > MAX_BOARD_SIDE:
        form = N_("the joined board has {size} cells, and the limit is {largest}")
        yield Sentence(form, size=f"{width} × {height}", largest=f"{MAX_BOARD_SIDE} × {MAX_BOARD_SIDE}")


def _hanging_together(places: Sequence[Pos]) -> set[Pos]:
    """Return the first place and all places connected with it, directly or through other boards."""
    linked: set[Pos] = set()
    taken, waiting = set(places), [places[0]]
    while waiting:
        x, y = waiting.pop()
        linked.add((x, y))
        beside = {(x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)}
        waiting += (beside & taken) - linked
    return linked


def _only_first_starts(boards: Iterable[Starship]) -> Iterator[Starship]:
    """Yield the boards without their checkpoints, and with starts only on the first board that has any."""
    found = False
    for board in boards:
        cells = [replace(cell, checkpoint=None) for cell in board.cells]
        if found:
            cells = [
                replace(cell, floor=Hull()) if isinstance(cell.floor, Airlock | Start) else cell
                for cell in cells
            ]
        found = found or bool(board.airlocks or board.starts)
        yield _like(board, board.width, board.height, cells)


def _laid_out(boards: Sequence[Starship], places: Sequence[Pos]) -> tuple[int, int, list[Cell]]:
    """Join boards of one size at these places. Return the width, height and cells of the joined board."""
    wide, high = boards[0].width, boards[0].height
    columns, rows = zip(*places, strict=True)
    west, north = min(columns), min(rows)
    width, height = (max(columns) - west + 1) * wide, (max(rows) - north + 1) * high
    laid = {(x - west, y - north): board for board, (x, y) in zip(boards, places, strict=True)}
    space = Cell(Space())
    return (
        width,
        height,
        [
            board.at(x % wide, y % high) if (board := laid.get((x // wide, y // high))) else space
            for y in range(height)
            for x in range(width)
        ],
    )


def _like(ship: Starship, width: int, height: int, cells: Sequence[Cell]) -> Starship:
    return Starship(width, height, cells, ship.name, ship.builder, ship.description)


def _listed(texts: Iterable[str], between: str, limit: int) -> str:
    """Join the distinct texts that are not empty, and cut the result to ``limit`` characters."""
    text = between.join(dict.fromkeys(text for text in texts if text))
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
