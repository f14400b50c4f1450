"""Where a robot is put whose cell is taken (G-9.3)."""

from math import atan2

from rules.resolution import Resolution
from rules.starship import Starship


def nearest_free(turn: Resolution, sought: int) -> int:
    """Return the nearest free hull cell (G-9.3); raises LookupError on a ship that is full."""
    free = [cell for cell in turn.ship.hull if is_free(turn, cell)]
    if not free:
        raise LookupError("no hull cell is free")
    return min(free, key=lambda cell: nearness(turn.ship, sought, cell))


def is_free(turn: Resolution, cell: int) -> bool:
    """Return whether a cell is hull without damage, a real robot or the crystal."""
    return (
        cell in turn.ship.hull
        and not turn.damaged(cell)
        and not turn.real_at(cell)
        and turn.state.crystal != cell
    )


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
