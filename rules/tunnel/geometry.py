"""Facts about a board that need no flights, such as corners, shelter and areas without a way out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rules.computers.chart import NEVER, Chart
from rules.elements import Airlock, Cell, Grappler, Hull, Space, Start
from rules.grid import HEADINGS, OFF, PHASES, E, N, Pos, S, W, turned
from rules.starship import Starship

START_RADIUS: Final = 2
"""The maximum number of steps from a start to a cell that counts as around the start."""
SHELTER_DISTANCE: Final = 3
"""The maximum distance in cells from an obstacle to a cell that it shelters from shots."""
SHELTERED_SIDES: Final = 2
"""The minimum number of directions, out of four, with an obstacle near a sheltered cell."""
CHECKPOINT_SPACING: Final = 3
"""The minimum number of steps between two checkpoints."""
BARE_HULL: Final = Cell(Hull())


@dataclass(frozen=True, slots=True)
class Line:
    """A clear line of fire from a checkpoint to the next one.

    ``checkpoint`` is the number of the first checkpoint. ``cells`` includes both checkpoints.
    """

    checkpoint: int
    cells: tuple[Pos, ...]


def corners(ship: Starship) -> dict[int, Pos]:
    """Return the positions of checkpoints with rails on two adjoining edges, by checkpoint number."""
    return {
        number: ship.pos(cell)
        for number, cell in ship.checkpoints.items()
        for heading in HEADINGS
        if ship.railed_always(cell, heading) and ship.railed_always(cell, turned(heading, 1))
    }


def lines_of_fire(ship: Starship) -> list[Line]:
    """Return the clear lines of fire between successive checkpoints.

    A line with a rail across it is not clear. A slide rail blocks the line only if it is closed in phase 1.
    """
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
    """Return the heading from a cell to another, or None if they share no row or column."""
    (x1, y1), (x2, y2) = one, other
    if x1 == x2:
        return S if y2 > y1 else N
    return None if y1 != y2 else E if x2 > x1 else W


def shelter(ship: Starship, starts: Iterable[int]) -> tuple[float, list[Pos]]:
    """Return the share of sheltered cells around the starts, and the cells without shelter.

    The cells around a start are those that a robot can reach in two steps. A cell is sheltered if, in at
    least two of the four directions, a rail or the end of the board is within three cells. Slide rails count
    if they are closed in phase 1.
    """
    cells = around(ship, starts)
    bare = [cell for cell in sorted(cells) if _sheltered_sides(ship, cell) < SHELTERED_SIDES]
    share = 1 - len(bare) / len(cells) if cells else 1.0
    return share, [ship.pos(cell) for cell in bare]


def around(ship: Starship, starts: Iterable[int]) -> set[int]:
    """Return the start cells and all cells that a robot can reach from them in two steps."""
    reached = edge = set(starts)
    for _ in range(START_RADIUS):
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
    return sum(len(ship.look(PHASES[0], cell, heading)) < SHELTER_DISTANCE for heading in HEADINGS)


def can_stand(ship: Starship, cell: int) -> bool:
    """Return whether a cell is on the board and a robot in it survives in at least one phase."""
    return ship.inside(cell) and any(ship.falls[phase][cell] is None for phase in PHASES)


def floor(ship: Starship) -> list[Pos]:
    """Return all cells that a robot can stand in, row by row."""
    return [ship.pos(cell) for cell, _ in ship.numbered() if can_stand(ship, cell)]


def elements_share(ship: Starship) -> float:
    """Return the share of cells with an element, among all cells except space.

    Starts, grapplers and checkpoints do not count as elements, but rails do.
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
    """The largest rectangle of plain hull.

    ``share`` is the rectangle's share of all cells except space.
    """

    share: float
    cells: tuple[Pos, ...]


def close_checkpoints(ship: Starship) -> list[tuple[int, int]]:
    """Return the pairs of checkpoint numbers that are fewer than three steps apart."""
    numbers = {ship.pos(cell): number for cell, number in ship.checkpoint_at.items()}
    reach = range(1 - CHECKPOINT_SPACING, CHECKPOINT_SPACING)
    beside = [
        (right, down) for right in reach for down in reach if 0 < abs(right) + abs(down) < CHECKPOINT_SPACING
    ]
    return sorted(
        (number, numbers[x + right, y + down])
        for (x, y), number in numbers.items()
        for right, down in beside
        if number < numbers.get((x + right, y + down), 0)
    )


def feeders(ship: Starship, starts: Iterable[int]) -> dict[int, tuple[int, ...]]:
    """Return the cells of all beams that carry robots into a start, directly or in a chain, by start cell."""
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
    """Return the maximum damage by board lasers in one phase, by start cell.

    Start cells without damage are left out.
    """
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
    """Return the largest rectangle of plain hull. The time is linear in the number of cells.

    The search reads each row as a histogram: the height of a column is the number of plain cells in it, from
    this row upwards without a gap.
    """
    best, where = 0, (0, 0, 0, 0)
    heights = [0] * (ship.width + 1)
    for y in range(ship.height):
        stack: list[int] = []
        for x in range(ship.width + 1):
            if x < ship.width:
                heights[x] = heights[x] + 1 if ship.at(x, y) == BARE_HULL else 0
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


PhaseNode = tuple[int, int]
"""The next phase, and a robot's cell and heading as one integer: the cell times four plus the heading."""


@dataclass(frozen=True, slots=True)
class Room:
    """An area without a way to some checkpoint, although robots can enter it.

    In a ``sealed`` room, a robot can be stuck for the rest of the game: the room contains no checkpoint, no
    board laser fires into it, and in some of its cells the ship can never destroy the robot.
    """

    cells: tuple[Pos, ...]
    sealed: bool


def reached(chart: Chart, origins: Iterable[int]) -> set[PhaseNode]:
    """Return all states that a single robot from these cells can reach, with any chips.

    If all phases of the ship are equal, only the first phase appears. Ways through transporters are ignored.
    """
    found: set[PhaseNode] = set()
    waiting = [(PHASES[0], cell << 2 | heading) for cell in origins for heading in HEADINGS]
    while waiting:
        state = waiting.pop()
        if state not in found:
            found.add(state)
            waiting += _next(chart, *state)
    return found


def _next(chart: Chart, phase: int, node: int) -> Iterator[PhaseNode]:
    after = PHASES[0] if chart.alike else phase % len(PHASES) + 1
    for lead in {*(chart.leads[phase][node] or ())} - {OFF}:
        yield after, lead


def rooms_of(chart: Chart, origins: Sequence[int], goals: Sequence[int]) -> tuple[Room, ...]:
    """Return the rooms: areas where a robot from ``origins`` can no longer reach some goal.

    A ship with transporters has no rooms, because transporters may lead anywhere. A goal is ignored if robots
    cannot reach it from most places, because it then lies behind a one-way passage.
    """
    if chart.ship.networks:
        return ()
    states = reached(chart, origins)
    stuck: set[PhaseNode] = set()
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


def _dying(chart: Chart, states: set[PhaseNode]) -> set[PhaseNode]:
    """Return the deadly ``states``: the ship can destroy a robot there, in this phase or later."""
    before: dict[PhaseNode, list[PhaseNode]] = {}
    for state in states:
        for after in _next(chart, *state):
            before.setdefault(after, []).append(state)
    waiting = [(phase, node) for phase, node in states if OFF in (chart.leads[phase][node] or (OFF,))]
    found: set[PhaseNode] = set()
    while waiting:
        state = waiting.pop()
        if state not in found:
            found.add(state)
            waiting += before.get(state, ())
    return found


def _parts(ship: Starship, cells: set[int]) -> Iterator[set[int]]:
    """Yield the connected parts of a set of cells, in the order of each part's first cell."""
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
