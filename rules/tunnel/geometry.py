"""Facts about a board without a flight, such as corners, shelter and rooms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rules.computers.chart import NEVER, Chart
from rules.elements import Airlock, Cell, Grappler, Hull, Space, Start
from rules.grid import HEADINGS, OFF, PHASES, E, N, Pos, S, W, turned
from rules.starship import Starship

AROUND: Final = 2
"""The distance in steps up to which a cell is around a start."""
SHOT: Final = 3
"""The maximum distance in cells to an obstacle for shelter."""
SIDES: Final = 2
"""The minimum directions with an obstacle for shelter."""
APART: Final = 3
"""The minimum steps between two checkpoints."""
BARE: Final = Cell(Hull())


@dataclass(frozen=True, slots=True)
class Line:
    """A clear line of fire from one checkpoint to the next, with its cells."""

    checkpoint: int
    cells: tuple[Pos, ...]


def corners(ship: Starship) -> dict[int, Pos]:
    """Return the checkpoints with rails on two adjoining edges, by number."""
    return {
        number: ship.pos(cell)
        for number, cell in ship.checkpoints.items()
        for heading in HEADINGS
        if ship.railed_always(cell, heading) and ship.railed_always(cell, turned(heading, 1))
    }


def lines_of_fire(ship: Starship) -> list[Line]:
    """Return lines between successive checkpoints without rails, even temporary ones."""
    lines = []
    for (number, cell), goal in zip(ship.checkpoints.items(), [*ship.checkpoints.values()][1:], strict=False):
        heading = _straight(ship.pos(cell), ship.pos(goal))
        if heading is None:
            continue
        seen = ship.look(PHASES[0], cell, heading)
        if goal in seen:
            lines.append(Line(number, tuple(map(ship.pos, (cell, *seen[: seen.index(goal) + 1])))))
    return lines


def _straight(one: Pos, other: Pos) -> int | None:
    """Return the heading to another cell in the same row or column, or None."""
    (x1, y1), (x2, y2) = one, other
    if x1 == x2:
        return S if y2 > y1 else N
    return None if y1 != y2 else E if x2 > x1 else W


def shelter(ship: Starship, starts: Iterable[int]) -> tuple[float, list[Pos]]:
    """Return the sheltered share of the cells around the starts, and the bare cells.

    A robot can drive from a start to a cell around it in two steps. A sheltered cell has a rail or the end
    of the board within three cells in at least two of the four directions.
    """
    cells = around(ship, starts)
    bare = [cell for cell in sorted(cells) if _sheltered_sides(ship, cell) < SIDES]
    share = 1 - len(bare) / len(cells) if cells else 1.0
    return share, [ship.pos(cell) for cell in bare]


def around(ship: Starship, starts: Iterable[int]) -> set[int]:
    """Return the starts and all cells a robot can reach from them in two steps."""
    reached = edge = set(starts)
    for _ in range(AROUND):
        edge = {
            cell + ship.steps[heading]
            for cell in edge
            for heading in HEADINGS
            if not ship.railed_always(cell, heading)
        }
        edge = {cell for cell in edge if can_stand(ship, cell)} - reached
        reached = reached | edge
    return reached


def _sheltered_sides(ship: Starship, cell: int) -> int:
    return sum(len(ship.look(PHASES[0], cell, heading)) < SHOT for heading in HEADINGS)


def can_stand(ship: Starship, cell: int) -> bool:
    """Return whether a robot can stand in a cell in some phase: on board, not falling."""
    return ship.inside(cell) and any(ship.falls[phase][cell] is None for phase in PHASES)


def floor(ship: Starship) -> list[Pos]:
    """Return all cells in which a robot can stand, row by row."""
    return [ship.pos(cell) for cell, _ in ship.numbered() if can_stand(ship, cell)]


def elements_share(ship: Starship) -> float:
    """Return the share of cells with any element, not counting space.

    Starts, grapplers and checkpoints do not count. Shafts do, and rails with their fittings.
    """
    cells = [cell for cell in ship.cells if not isinstance(cell.floor, Space)]
    bearing = [
        cell
        for cell in cells
        if not isinstance(cell.floor, Hull | Airlock | Start | Grappler)
        or any((cell.crusher, cell.rails, cell.slides, cell.couplings, cell.arms, cell.emitters))
    ]
    return len(bearing) / len(cells) if cells else 0.0


@dataclass(frozen=True, slots=True)
class Field:
    """The largest rectangle of plain hull, and its share of the cells except space."""

    share: float
    cells: tuple[Pos, ...]


def close_checkpoints(ship: Starship) -> list[tuple[int, int]]:
    """Return the pairs of checkpoints fewer than three steps apart, by number."""
    numbers = {ship.pos(cell): number for cell, number in ship.checkpoint_at.items()}
    reach = range(1 - APART, APART)
    beside = [(right, down) for right in reach for down in reach if 0 < abs(right) + abs(down) < APART]
    return sorted(
        (number, numbers[x + right, y + down])
        for (x, y), number in numbers.items()
        for right, down in beside
        if number < numbers.get((x + right, y + down), 0)
    )


def feeders(ship: Starship, starts: Iterable[int]) -> dict[int, tuple[int, ...]]:
    """Return the beams that carry robots into each start, directly or in a chain."""
    into: dict[int, list[int]] = {}
    for cell, beam in ship.beams.items():
        if not ship.railed_always(cell, beam.exit):
            into.setdefault(cell + ship.steps[beam.exit], []).append(cell)
    found = {}
    for start in starts:
        seen, waiting = {start}, [start]
        while waiting:
            new = [cell for cell in into.get(waiting.pop(), ()) if cell not in seen]
            seen.update(new)
            waiting += new
        if len(seen) > 1:
            found[start] = tuple(sorted(seen - {start}))
    return found


def fire_on(ship: Starship, starts: Iterable[int]) -> dict[int, int]:
    """Return the maximum damage by board lasers in one phase, by start cell, if any."""
    starts, most = set(starts), dict[int, int]()
    for phase in PHASES:
        hit: dict[int, int] = {}
        for beam in ship.laser_beams[phase]:
            for cell in starts.intersection(beam.cells):
                hit[cell] = hit.get(cell, 0) + beam.strength
        for cell, damage in hit.items():
            most[cell] = max(most.get(cell, 0), damage)
    return most


def largest_field(ship: Starship) -> Field:
    """Return the largest rectangle of plain hull, in time linear in the cells.

    Each row is a histogram of the bare cells above it.
    """
    best, where = 0, (0, 0, 0, 0)
    heights = [0] * (ship.width + 1)
    for y in range(ship.height):
        stack: list[int] = []
        for x in range(ship.width + 1):
            if x < ship.width:
                heights[x] = heights[x] + 1 if ship.at(x, y) == BARE else 0
            while stack and heights[stack[-1]] >= heights[x]:
                height = heights[stack.pop()]
                left = stack[-1] + 1 if stack else 0
                if height * (x - left) > best:
                    best, where = height * (x - left), (left, y - height + 1, x, y + 1)
            stack.append(x)
    left, top, right, bottom = where
    cells = tuple((x, y) for y in range(top, bottom) for x in range(left, right))
    hull = sum(not isinstance(cell.floor, Space) for cell in ship.cells)
    return Field(best / hull if hull else 0.0, cells)


State = tuple[int, int]
"""The next phase, and a node: a cell times four plus a heading."""


@dataclass(frozen=True, slots=True)
class Room:
    """Cells that robots can reach, but from which some checkpoint is out of reach.

    A ``sealed`` room has no checkpoint and some cell safe from the ship. A robot there is stuck for the rest
    of the game.
    """

    cells: tuple[Pos, ...]
    sealed: bool


def reached(chart: Chart, origins: Iterable[int]) -> set[State]:
    """Return all states that a lone robot from these cells can reach, with any chips.

    If the phases are alike, only the first appears. Transporters lead nowhere.
    """
    found: set[State] = set()
    waiting = [(PHASES[0], cell << 2 | heading) for cell in origins for heading in HEADINGS]
    while waiting:
        state = waiting.pop()
        if state not in found:
            found.add(state)
            waiting += _next(chart, *state)
    return found


def _next(chart: Chart, phase: int, node: int) -> Iterator[State]:
    after = PHASES[0] if chart.alike else phase % len(PHASES) + 1
    for lead in {*(chart.leads[phase][node] or ())} - {OFF}:
        yield after, lead


def rooms_of(chart: Chart, origins: Sequence[int], goals: Sequence[int]) -> tuple[Room, ...]:
    """Return the rooms in which a robot from these cells loses its way to a goal.

    Transporters may lead anywhere, so a ship with some has no such rooms. A goal without a way from most of
    the ship makes no rooms either: it lies behind a one-way passage.
    """
    if chart.ship.networks:
        return ()
    states = reached(chart, origins)
    stuck: set[State] = set()
    for goal in goals:
        ways = chart.to_cell(goal)
        lost = {(phase, node) for phase, node in states if node >> 2 != goal and ways[phase][node] >= NEVER}
        if 2 * len(lost) < len(states):
            stuck |= lost
    free = {node >> 2 for _, node in states - stuck}
    cells = {node >> 2 for _, node in stuck} - free
    if not cells:
        return ()
    dying = _dying(chart, stuck)
    safe = {node >> 2 for _, node in stuck - dying}
    return tuple(
        Room(tuple(map(chart.ship.pos, sorted(part))), _is_sealed(chart.ship, part, safe))
        for part in _parts(chart.ship, cells)
    )


def _is_sealed(ship: Starship, cells: set[int], safe: set[int]) -> bool:
    return bool(cells & safe) and cells.isdisjoint(ship.lit) and cells.isdisjoint(ship.checkpoint_at)


def _dying(chart: Chart, states: set[State]) -> set[State]:
    """Return the states from which the ship may still destroy a robot."""
    before: dict[State, list[State]] = {}
    for state in states:
        for after in _next(chart, *state):
            before.setdefault(after, []).append(state)
    waiting = [(phase, node) for phase, node in states if OFF in (chart.leads[phase][node] or (OFF,))]
    found: set[State] = set()
    while waiting:
        state = waiting.pop()
        if state not in found:
            found.add(state)
            waiting += before.get(state, ())
    return found


def _parts(ship: Starship, cells: set[int]) -> Iterator[set[int]]:
    """Yield the connected parts of some cells, in the order of their first cells."""
    left = set(cells)
    for cell in sorted(cells):
        if cell in left:
            part, waiting = set[int](), [cell]
            while waiting:
                at = waiting.pop()
                if at in left:
                    left.discard(at)
                    part.add(at)
                    waiting += [at + step for step in ship.steps]
            yield part
