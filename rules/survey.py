"""Find a starship's design faults, which do not prevent play, and free cells for missing parts."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from rules.document import Problem
from rules.elements import Cell, Hull
from rules.grid import HEADINGS, LETTERS, Pos, opposite
from rules.language import Sentence
from rules.starship import Starship


def survey(ship: Starship) -> Iterator[Problem]:
    """Yield a warning for every design fault of a starship, with its row and column."""
    yield from _out_of_reach(ship)
    yield from (_warning(ship, cell, message) for cell, message in lonely_transporters(ship))
    yield from (_warning(ship, cells[0], message) for cells, message in unfed_beams(ship))


def _warning(ship: Starship, cell: int, message: Sentence) -> Problem:
    x, y = ship.pos(cell)
    return Problem(message, y + 1, x + 1, "warning")


def _out_of_reach(ship: Starship) -> Iterator[Problem]:
    """Yield checkpoints that no robot can reach from a start, if the ship has any starts."""
    starts = [*ship.airlocks, *ship.starts.values()]
    if not starts:
        return
    reached = reachable(ship, starts)
    for number, cell in ship.checkpoints.items():
        if cell not in reached:
            yield _warning(ship, cell, Sentence("no robot can reach checkpoint {number}", number=number))


def reachable(ship: Starship, starts: Iterable[int]) -> set[int]:
    """Return the cells that a robot can reach from these start cells.

    The robot may make any moves, and slide rails and bay doors are open or closed as it needs them.
    """
    return next(parts(ship, (starts,)))


def parts(ship: Starship, groups: Iterable[Iterable[int]]) -> Iterator[set[int]]:
    """Yield, for each group of start cells, the cells that robots can reach from them.

    Cells that an earlier group reaches are left out.
    """
    reached: set[int] = set()
    transporters = {cell: network for network, cells in ship.networks.items() for cell in cells}
    unused = dict(ship.networks)
    ends = _ends_of_rows(ship)
    for starts in groups:
        part: set[int] = set()
        waiting = list(starts)
        while waiting:
            cell = waiting.pop()
            if cell in reached or not _can_stand(ship, cell):
                continue
            reached.add(cell)
            part.add(cell)
            waiting += _ways_on(ship, cell, ends)
            waiting += unused.pop(transporters.get(cell, ""), ())
        yield part


def _can_stand(ship: Starship, cell: int) -> bool:
    return ship.inside(cell) and (ship.falls[0][cell] is None or cell in ship.bays)


def _ways_on(ship: Starship, cell: int, ends: Sequence[Mapping[int, int]]) -> Iterator[int]:
    for heading in HEADINGS:
        if not ship.railed_always(cell, heading):
            step = ship.steps[heading]
            yield cell + step
            yield from _flights(ship, cell + step, step, ends[heading])


def _ends_of_rows(ship: Starship) -> list[dict[int, int]]:
    """Return the last thruster of each thruster's row, by heading and by thruster.

    A row consists of adjacent thrusters in the direction of the heading.
    """
    found: list[dict[int, int]] = []
    for step in ship.steps:
        ends: dict[int, int] = {}
        for cell in sorted(ship.thrusters, reverse=step > 0):
            ends[cell] = ends.get(cell + step, cell)
        found.append(ends)
    return found


def _flights(ship: Starship, cell: int, step: int, ends: Mapping[int, int]) -> Iterator[int]:
    """Yield the cells where a robot can land if it enters a thruster with one or two steps left (RR-6.1)."""
    if cell not in ends:
        return
    for left in (1, 2):
        landing, steps = cell, left + 1
        while steps and ship.inside(landing):
            landing = ends.get(landing, landing) + step
            steps -= 1
            if steps and landing in ends:
                steps += 1
        yield landing


def lonely_transporters(ship: Starship) -> Iterator[tuple[int, Sentence]]:
    """Yield each transporter that is the only one of its network: its cell, and a message."""
    for network, cells in ship.networks.items():
        if len(cells) == 1:
            message = Sentence(
                "the transporter does nothing: it is the only one in its network, {network}",
                network=Sentence(network),
            )
            yield cells[0], message


def unfed_beams(ship: Starship) -> Iterator[tuple[tuple[int, ...], Sentence]]:
    """Yield beams with side entries not fed by any beam: their cells, and a message.

    Each entry is yielded alone, but all entries from outside the board are yielded together.
    """
    outer: dict[int, Sentence] = {}
    for cell, side, message in unfed_sides(ship):
        if ship.inside(cell + ship.steps[side]):
            yield (cell,), message
        else:
            outer[cell] = message
    if len(outer) == 1:
        yield from (((cell,), message) for cell, message in outer.items())
    elif outer:
        yield tuple(outer), Sentence("{number} beams have an entry from outside the board", number=len(outer))


def unfed_sides(ship: Starship) -> Iterator[tuple[int, int, Sentence]]:
    """Yield the side entries not fed by any beam: the cell, the side, and a message.

    No beam pulls robots in from such a side, so they never turn there (G-5.4).
    """
    messages: dict[tuple[int, int], Sentence] = {}
    for cell, beam in ship.beams.items():
        for side in beam.entries:
            if side == opposite(beam.exit):
                continue
            feeder = ship.beams.get(cell + ship.steps[side])
            if feeder is None or feeder.exit != opposite(side) or ship.railed_always(cell, side):
                key = id(beam), side  # equal beams share an object
                if key not in messages:
                    messages[key] = Sentence(
                        "no beam leads into {beam} from side {side}", beam=beam.token, side=LETTERS[side]
                    )
                yield cell, side, messages[key]


def starts_of(ship: Starship) -> list[int]:
    """Return the cells where robots can start: airlocks and start cells."""
    return [*ship.airlocks, *ship.starts.values()]


def checkpoints_of(ship: Starship) -> list[tuple[Pos, Cell]]:
    """Return all cells with checkpoints and their positions, by checkpoint number, then in reading order.

    On a draft ship, several checkpoints may have the same number.
    """
    found = [(ship.pos(number), cell) for number, cell in ship.numbered() if cell.checkpoint]
    return sorted(found, key=lambda each: each[1].checkpoint.number if each[1].checkpoint else 0)


def free_cells(ship: Starship) -> list[Pos]:
    """Return the positions of all cells of plain hull without anything on them, not even a rail."""
    alike = {id(cell): cell for cell in ship.cells}  # equal cells are the same object, and comparing is slow
    plain = {key for key, cell in alike.items() if cell == Cell(Hull())}
    return [ship.pos(number) for number, cell in ship.numbered() if id(cell) in plain]


class Vacancies:
    """Chooses free cells of a ship for parts that the ship lacks."""

    def __init__(self, ship: Starship) -> None:
        self._ship = ship

    def choose(self, number: int) -> list[Pos]:
        """Return ``number`` free cells that are far from starts, checkpoints and each other.

        The list is empty if there are too few free cells. Cells in the playable part of the ship are
        preferred, and of these, cells out of the lines of board lasers. The playable part is the part that
        robots can reach from starts and checkpoints. If the ship has none of these, it is the largest part.
        """
        ship, free = self._ship, self._free
        if number > len(free):
            return []
        quiet = [spot for spot in self._inside if ship.cell(*spot) not in ship.lit]
        chosen: list[Pos] = []
        for _ in range(number):
            spots = [spot for spot in quiet or self._inside or free if spot not in chosen]
            spots = spots or [spot for spot in free if spot not in chosen]
            centre = ((ship.width - 1) // 2, (ship.height - 1) // 2)
            far = nearest_of(ship, [*self._marks, *chosen] or [centre])
            chosen.append(max((far[spot][0], spot[1], -spot[0], spot) for spot in spots)[3])
        return chosen

    @cached_property
    def _marks(self) -> list[Pos]:
        """The positions of starts and checkpoints."""
        ship = self._ship
        return [*map(ship.pos, starts_of(ship)), *(at for at, _ in checkpoints_of(ship))]

    @cached_property
    def _free(self) -> list[Pos]:
        return free_cells(self._ship)

    @cached_property
    def _inside(self) -> list[Pos]:
        """The free cells in the part of the ship with starts and checkpoints, or else in the largest part."""
        ship = self._ship
        if self._marks:
            part = reachable(ship, [ship.cell(*mark) for mark in self._marks])
        else:
            part = max(parts(ship, ([number] for number, _ in ship.numbered())), key=len)
        return [spot for spot in self._free if ship.cell(*spot) in part]


def nearest_of(ship: Starship, marks: Sequence[Pos]) -> dict[Pos, tuple[int, Pos]]:
    """Return, for each position, the distance to the nearest of ``marks``, and the position of that mark.

    The distance is the number of steps if there are no obstacles.
    """
    found = {mark: (0, mark) for mark in marks}
    waiting = deque(marks)
    while waiting:
        x, y = at = waiting.popleft()
        for spot in ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)):
            if spot not in found and 0 <= spot[0] < ship.width and 0 <= spot[1] < ship.height:
                found[spot] = (found[at][0] + 1, found[at][1])
                waiting.append(spot)
    return found
