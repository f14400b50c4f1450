"""Where robots come to on a ship, and rooms that they get into and never out of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rules.computers.chart import NEVER, Chart
from rules.grid import HEADINGS, OFF, PHASES, Pos
from rules.starship import Starship

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
