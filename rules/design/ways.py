"""Ways over a ship, counted in steps, on which nothing destroys a robot."""

from collections import deque
from collections.abc import Iterator

from rules.grid import HEADINGS
from rules.starship import Starship
from rules.tunnel.geometry import can_stand


def safe(ship: Starship, cell: int) -> bool:
    """Return whether nothing destroys a robot in a cell, in any phase."""
    return can_stand(ship, cell) and cell not in ship.bays and cell not in ship.crushers


def neighbours(ship: Starship, cell: int) -> Iterator[int]:
    """Yield the safe cells that a robot can step to."""
    for heading in HEADINGS:
        ahead = cell + ship.steps[heading]
        if not ship.railed_always(cell, heading) and safe(ship, ahead):
            yield ahead


def distances(ship: Starship, start: int) -> dict[int, int]:
    """Return how many steps it is from a cell to each that can be reached."""
    found, waiting = {start: 0}, deque([start])
    while waiting:
        cell = waiting.popleft()
        for ahead in neighbours(ship, cell):
            if ahead not in found:
                found[ahead] = found[cell] + 1
                waiting.append(ahead)
    return found


def two_ways(ship: Starship, start: int, goal: int) -> bool:
    """Return whether two ways lead from one cell to another that share no step."""
    used: set[tuple[int, int]] = set()
    for _ in range(2):
        way = _another_way(ship, start, goal, used)
        if not way:
            return False
        for step in way:
            if step[::-1] in used:
                used.discard(step[::-1])
            else:
                used.add(step)
    return True


def _another_way(
    ship: Starship, start: int, goal: int, used: set[tuple[int, int]]
) -> list[tuple[int, int]] | None:
    """Return the steps of one more way, which may take back steps of those that are there."""
    came: dict[int, int] = {start: start}
    waiting = deque([start])
    while waiting:
        cell = waiting.popleft()
        if cell == goal:
            steps = []
            while cell != start:
                steps.append((came[cell], cell))
                cell = came[cell]
            return steps
        for ahead in neighbours(ship, cell):
            if ahead not in came and (cell, ahead) not in used:
                came[ahead] = cell
                waiting.append(ahead)
    return None
