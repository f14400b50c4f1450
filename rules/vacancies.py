"""Where there is room on a starship for what is missing, and how far that is from what is there."""

from collections import deque
from collections.abc import Sequence
from functools import cached_property

from rules.elements import Cell, Hull
from rules.grid import Pos
from rules.starship import Starship
from rules.survey import parts, reachable


def starts_of(ship: Starship) -> list[int]:
    """Return the cells in which robots may start."""
    return [*ship.airlocks, *ship.starts.values()]


def checkpoints_of(ship: Starship) -> list[tuple[Pos, Cell]]:
    """Return the cells with checkpoints, by number and then in reading order; a number may be there twice."""
    found = [(ship.pos(number), cell) for number, cell in ship.numbered() if cell.checkpoint]
    return sorted(found, key=lambda each: each[1].checkpoint.number if each[1].checkpoint else 0)


def free_cells(ship: Starship) -> list[Pos]:
    """Return the cells of plain hull, without any rail that they declare."""
    alike = {id(cell): cell for cell in ship.cells}  # equal cells share an object, and to compare takes long
    plain = {key for key, cell in alike.items() if cell == Cell(Hull())}
    return [ship.pos(number) for number, cell in ship.numbered() if id(cell) in plain]


class Vacancies:
    """The room on a ship for what is missing."""

    def __init__(self, ship: Starship) -> None:
        self._ship = ship

    def choose(self, number: int) -> list[Pos]:
        """Return cells of plain hull, each far from what is there; none if there are not enough.

        A cell counts only if it belongs to the part of the ship where the game is: from where a start or
        a checkpoint can be reached, or else the largest.
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
        """The cells with starts and checkpoints."""
        ship = self._ship
        return [*map(ship.pos, starts_of(ship)), *(at for at, _ in checkpoints_of(ship))]

    @cached_property
    def _free(self) -> list[Pos]:
        return free_cells(self._ship)

    @cached_property
    def _inside(self) -> list[Pos]:
        """The free cells in the part of the ship with marks, or in its largest part."""
        ship = self._ship
        if self._marks:
            part = reachable(ship, [ship.cell(*mark) for mark in self._marks])
        else:
            part = max(parts(ship, ([number] for number, _ in ship.numbered())), key=len)
        return [spot for spot in self._free if ship.cell(*spot) in part]


def nearest_of(ship: Starship, marks: Sequence[Pos]) -> dict[Pos, tuple[int, Pos]]:
    """Return for each cell how far the nearest of these is, straight over everything, and which it is."""
    found = {mark: (0, mark) for mark in marks}
    waiting = deque(marks)
    while waiting:
        x, y = at = waiting.popleft()
        for spot in ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)):
            if spot not in found and 0 <= spot[0] < ship.width and 0 <= spot[1] < ship.height:
                found[spot] = (found[at][0] + 1, found[at][1])
                waiting.append(spot)
    return found
