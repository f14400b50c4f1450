"""Where a robot is put whose cell is taken (G-9.3, AM-6.3)."""

from functools import lru_cache
from math import atan2

from rules.grid import Pos
from rules.resolution import Resolution
from rules.starship import Starship


def nearest_free(turn: Resolution, sought: int) -> int | None:
    """Return the nearest free hull cell (G-9.3).

    Where all hull is taken it is the nearest other cell that destroys no one, and None on a full ship.
    """
    ship = turn.ship
    for cell in hull_by_nearness(ship, sought):
        if not (turn.occupied[cell] or cell in turn.damaged):
            return cell
    safe = [number for number, _ in ship.numbered() if turn.falls[number] is None]
    free = [cell for cell in safe if not (turn.occupied[cell] or cell in turn.damaged)]
    return min(free, key=lambda cell: nearness(ship, sought, cell), default=None)


@lru_cache(maxsize=1024)
def hull_by_nearness(ship: Starship, sought: int) -> list[int]:
    """Return the hull cells of a ship, those nearest to a cell first."""
    return sorted(ship.hull, key=lambda cell: nearness(ship, sought, cell))


def here_or_nearest(turn: Resolution, cell: int) -> int | None:
    """Return the cell itself, or the nearest free hull cell where a real robot stands there (G-9.3)."""
    return nearest_free(turn, cell) if turn.occupied[cell] else cell


def beside(turn: Resolution, cell: int, chosen: Pos | None) -> int | None:
    """Return the cell itself, or where it is taken a free one of the four around it (AM-6.3).

    Of those it is the one that was chosen, else the first clockwise from north; where none is free,
    the nearest free hull cell.
    """
    if turn.occupied[cell] is None:
        return cell
    free = [other for other in around(turn.ship, cell) if turn.occupied[other] is None]
    if chosen is not None:
        wanted = turn.ship.cell(*chosen)
        if wanted in free:
            return wanted
    return free[0] if free else nearest_free(turn, cell)


def around(ship: Starship, cell: int) -> list[int]:
    """Return those of the four cells around one that are no shaft and no space, clockwise from north."""
    return [cell + step for step in ship.steps if ship.falls[0][cell + step] is None]


def nearness(ship: Starship, sought: int, cell: int) -> tuple[int, float]:
    """Order cells by steps from the one sought, then by the angle of the direction, clockwise from north."""
    (x, y), (to_x, to_y) = ship.pos(sought), ship.pos(cell)
    east, south = to_x - x, to_y - y
    return abs(east) + abs(south), clockwise_angle(east, south)


def clockwise_angle(east: int, south: int) -> float:
    """Return the angle of a direction from north, clockwise, from 0 up to a full turn (in radians).

    >>> [clockwise_angle(*way) < 1 for way in [(0, -1), (1, -1), (1, 0), (-1, 0)]]
    [True, True, False, False]
    """
    angle = atan2(east, -south)
    return angle if angle >= 0 else angle + 6.283185307179586
