"""Facts about a board without a flight: corners, lines of fire, shelter, emptiness, rooms without exit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rules.computers.chart import NEVER, Chart
from rules.elements import Airlock, Cell, Grappler, Hull, Space, Start
from rules.grid import HEADINGS, OFF, PHASES, E, N, Pos, S, W, turned
from rules.starship import Starship

AROUND: Final = 2
"""Steps from a start cell that are around it."""
SHOT: Final = 3
"""Cells in which something must block a direction for it to be sheltered."""
SIDES: Final = 2
"""Directions that must be blocked for a cell to be sheltered."""
APART: Final = 3
"""Steps between two checkpoints at least."""
BARE: Final = Cell(Hull())
"""Plain hull, without a rail."""


@dataclass(frozen=True, slots=True)
class Line:
    """A clear line of fire from one checkpoint to the next, of that many cells."""

    checkpoint: int
    cells: tuple[Pos, ...]


def corners(ship: Starship) -> dict[int, Pos]:
    """Return the checkpoints in a corner of rails, by number: rails stand on two edges that meet."""
    return {
        number: ship.pos(cell)
        for number, cell in ship.checkpoints.items()
        for heading in HEADINGS
        if ship.railed_always(cell, heading) and ship.railed_always(cell, turned(heading, 1))
    }


def lines_of_fire(ship: Starship) -> list[Line]:
    """Return the clear lines between checkpoints and those that follow them: no rail ever bars them."""
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
    """Return the heading in which another cell is; None if it is in another row and column."""
    (x1, y1), (x2, y2) = one, other
    if x1 == x2:
        return S if y2 > y1 else N
    return None if y1 != y2 else E if x2 > x1 else W


def shelter(ship: Starship, starts: Iterable[int]) -> tuple[float, list[Pos]]:
    """Return which share of the cells around the starts is sheltered, and the cells that are not.

    A cell is around a start if a robot can walk there in two steps. It is sheltered if shots cannot come
    from two of the four directions or more: a rail or the end of the board is within three cells.
    """
    cells = around(ship, starts)
    bare = [cell for cell in sorted(cells) if _sheltered_sides(ship, cell) < SIDES]
    share = 1 - len(bare) / len(cells) if cells else 1.0
    return share, [ship.pos(cell) for cell in bare]


def around(ship: Starship, starts: Iterable[int]) -> set[int]:
    """Return the cells around the starts: those to which a robot can walk in two steps, and the starts."""
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
    """Return whether a robot can stand in a cell at some time: it is on board, and no space or shaft."""
    return ship.inside(cell) and any(ship.falls[phase][cell] is None for phase in PHASES)


def floor(ship: Starship) -> list[Pos]:
    """Return all cells in which a robot can stand, row by row."""
    return [ship.pos(cell) for cell, _ in ship.numbered() if can_stand(ship, cell)]


def elements_share(ship: Starship) -> float:
    """Return which share of the cells that are not space bears any element.

    Starts, grapplers and checkpoints are none; shafts, and rails with what is fixed to them, are.
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
    """The largest rectangle of plain hull, as a share of the cells that are not space."""

    share: float
    cells: tuple[Pos, ...]


def close_checkpoints(ship: Starship) -> list[tuple[int, int]]:
    """Return the pairs of checkpoints that are fewer than three steps apart, by number."""
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
    """Return by start cell the beams that carry robots into it, one after the other."""
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
    """Return by start cell the damage that lasers of the board do there in one phase at most, if any."""
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
    """Return the largest rectangle of cells of plain hull, without rails or anything else.

    It takes time in proportion to the number of cells: each row is a histogram of the bare cells above it.
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
"""A phase that is about to be played, and a node: a cell times four plus a heading."""


@dataclass(frozen=True, slots=True)
class Room:
    """Cells from which some checkpoint can't be reached any more, though robots get there.

    ``sealed`` says that the ship never destroys a robot in one of them either, and that the room has no
    checkpoint: a robot there is stuck for the rest of the game.
    """

    cells: tuple[Pos, ...]
    sealed: bool


def reached(chart: Chart, origins: Iterable[int]) -> set[State]:
    """Return all states to which a robot comes from these cells, alone and with any chip to hand.

    Phases that are alike count as the first. Transporters lead nowhere.
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
    """Return the rooms that robots from these cells can't leave, to reach every goal that they could reach.

    Transporters may lead anywhere, so a ship that has some has no such rooms. A goal that most of the ship
    has no way to makes no rooms either: it lies behind a way of no return.
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
    """Return the states among these from which a robot can get destroyed by the ship."""
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
    """Yield the connected parts of some cells, the first cell's first."""
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
