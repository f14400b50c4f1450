"""What a starship that is being drawn is like before any flight: ways, fire, shelter, cells out of reach."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from rules.computers.chart import NEVER, Chart
from rules.computers.tracks import KINDS
from rules.grid import HEADINGS, PHASES, Pos
from rules.setup import Ruleset, Setup, read_options
from rules.starship import Starship
from rules.survey import reachable
from rules.tunnel.counting import mean_way
from rules.tunnel.flying import start_cells
from rules.tunnel.geometry import Line, around, floor, lines_of_fire, shelter
from rules.tunnel.limits import LIMITS
from rules.tunnel.standings import races
from rules.vacancies import starts_of

LARGEST: Final = 1024
"""Cells of the largest board on which ways are looked for: one of 32 × 32 takes half a second."""

MOST_GOALS: Final = 99
"""Checkpoints of a board on which ways are looked for: each takes a search of the whole board."""

STRAYS: Final = 1.8
"""How many times as many phases as its best way a game takes: Pilots on fifteen ships, 1.4 to 2.9 times."""


@dataclass(frozen=True, slots=True)
class Way:
    """The way from a cell to a checkpoint.

    ``phases`` are those that it takes at best, with any chip to hand, in the mean of all headings. They are
    None where no way leads there without transporters. ``cells`` are those that a robot comes through on one
    of the best ways, the first and the last included; ``stops`` are the places among them where its phases
    end.
    """

    origin: Pos
    checkpoint: int
    phases: float | None
    cells: tuple[Pos, ...] = ()
    stops: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Shelter:
    """Which share of the cells around the starts is sheltered, the least that should be, and those cells."""

    share: float
    limit: float
    cells: tuple[Pos, ...]
    bare: tuple[Pos, ...]


@dataclass(frozen=True, slots=True)
class Outlook:
    """What can be told of a ship.

    ``starts`` are the ways to the first checkpoint, ``legs`` those from each checkpoint to the next. Both are
    None where robots do not race, or where the ship is too large to look for ways. ``shelter`` is None in
    rulesets in which robots do not come back where they started, and without starts. ``unreachable`` are
    cells in which a robot could stand, but to which none comes; None without starts.
    """

    starts: tuple[Way, ...] | None
    legs: tuple[Way, ...] | None
    lines: tuple[Line, ...]
    shelter: Shelter | None
    unreachable: tuple[Pos, ...] | None


def outlook_of(ship: Starship, ruleset: Ruleset, players: int) -> Outlook:
    """Return what can be told of a ship as it is, finished or not, for a ruleset and so many players."""
    starts = start_cells(ruleset, ship, players) or starts_of(ship)
    limit = LIMITS[ruleset.key].shelter
    reached = reachable(ship, list(starts))
    ways = _ways(ship, ruleset, starts) if races(ruleset) and _has_ways(ship) else None
    return Outlook(
        starts=ways[0] if ways else None,
        legs=ways[1] if ways else None,
        lines=tuple(line for line in lines_of_fire(ship) if line.checkpoint + 1 in ship.checkpoints),
        shelter=_shelter(ship, starts, limit) if starts and limit is not None else None,
        unreachable=tuple(at for at in floor(ship) if ship.cell(*at) not in reached) if starts else None,
    )


def _has_ways(ship: Starship) -> bool:
    """Return whether a board is small enough to look for ways."""
    return ship.width * ship.height <= LARGEST and len(ship.checkpoints) <= MOST_GOALS


def expected_turns(ship: Starship, ruleset: Ruleset, players: int) -> int | None:
    """Return about how many turns a game on a ship takes, from the way that robots have to go at best.

    None where robots do not race, where no way leads on without transporters, and beyond `LARGEST` cells
    or `MOST_GOALS` checkpoints.
    """
    starts, first = start_cells(ruleset, ship, players), ruleset.start.next
    goals = [ship.checkpoints.get(number) for number in range(first, len(ship.checkpoints) + 1)]
    if not (races(ruleset) and starts and goals and _has_ways(ship)):
        return None
    chart = Chart(Setup(ruleset, read_options(ruleset, {}), ship), {})
    begins = [_phases(chart, cell, goals[0]) for cell in starts]
    legs = [_phases(chart, *leg) for leg in pairwise(goals)]
    known = [each for each in begins if each is not None]
    ways = [each for each in legs if each is not None]
    if not known or len(ways) < len(legs):
        return None
    return max(1, round((sum(known) / len(known) + sum(ways)) / len(PHASES) * STRAYS))


def _phases(chart: Chart, origin: int | None, goal: int | None) -> float | None:
    """Return how many phases a way takes at best; None without one, and without one of its ends."""
    return None if origin is None or goal is None or origin == goal else mean_way(chart, origin, goal)


def _shelter(ship: Starship, starts: Sequence[int], limit: float) -> Shelter:
    share, bare = shelter(ship, starts)
    cells = tuple(ship.pos(cell) for cell in sorted(around(ship, starts)))
    return Shelter(share, limit, cells, tuple(bare))


def _ways(ship: Starship, ruleset: Ruleset, starts: Sequence[int]) -> tuple[tuple[Way, ...], tuple[Way, ...]]:
    """Return the ways from the starts to the first checkpoint, and the legs after it."""
    setup = Setup(ruleset, read_options(ruleset, {}), ship)
    # Not `chart_of`: what is being drawn is another ship with each stroke, and none is asked for again.
    chart = Chart(setup, {})
    first = ruleset.start.next
    asked = [(cell, first) for cell in starts if first in ship.checkpoints]
    legs = [
        (ship.checkpoints[number - 1], number)
        for number in ship.checkpoints
        if number > first and number - 1 in ship.checkpoints
    ]
    return (
        tuple(_way(ship, chart, *each) for each in asked),
        tuple(_way(ship, chart, *each) for each in legs),
    )


def _way(ship: Starship, chart: Chart, origin: int, number: int) -> Way:
    goal = ship.checkpoints[number]
    at = ship.pos(origin)
    if origin == goal:  # a checkpoint on a start cell, while one draws
        return Way(at, number, None)
    phases = mean_way(chart, origin, goal)
    distance = chart.to_cell(goal)
    node = min((origin << 2 | heading for heading in HEADINGS), key=lambda each: distance[1][each])
    if distance[1][node] >= NEVER:
        return Way(at, number, None)
    cells, stops, phase = [origin], list[int](), 1
    while left := distance[phase][node] - 1:
        after = phase % len(PHASES) + 1
        kind = next(
            kind
            for kind, lead in zip(KINDS, chart.leads[phase][node] or (), strict=False)
            if lead >= 0 and distance[after][lead] == left
        )
        cells += chart.entered(phase, node, kind)
        stops.append(len(cells) - 1)
        node, phase = (chart.leads[phase][node] or ())[KINDS.index(kind)], after
    cells += _last_steps(chart, phase, node, goal)
    stops.append(len(cells) - 1)
    return Way(at, number, phases, tuple(map(ship.pos, cells)), tuple(stops))


def _last_steps(chart: Chart, phase: int, node: int, goal: int) -> list[int]:
    """Return the cells of the phase that ends on a checkpoint, or passes it where that counts."""
    for kind, lead in zip(KINDS, chart.leads[phase][node] or (), strict=False):
        way = list(chart.entered(phase, node, kind))
        if lead >> 2 == goal:
            return way
        if chart.passing and goal in way:
            return way[: way.index(goal) + 1]
    return [goal]
