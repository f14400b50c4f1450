"""The outlook of a starship: what its board shows before any flight.

The editor shows it while a player draws. The wind tunnel makes findings of it (`board.board_findings`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Final

from rules.computers.chart import NEVER, Chart
from rules.computers.tracks import KINDS
from rules.grid import HEADINGS, PHASES, Pos
from rules.setup import Ruleset, Setup, read_options
from rules.starship import Starship
from rules.survey import reachable
from rules.tunnel.counting import mean_way
from rules.tunnel.flying import start_cells
from rules.tunnel.geometry import (
    Field,
    Line,
    around,
    close_checkpoints,
    corners,
    elements_share,
    feeders,
    fire_on,
    floor,
    largest_field,
    lines_of_fire,
    shelter,
)
from rules.tunnel.limits import LIMITS
from rules.tunnel.rooms import Room, rooms_of
from rules.tunnel.standings import races
from rules.vacancies import starts_of

LARGEST: Final = 1024
"""Cells of the largest board on which the editor looks for ways: one of 32 × 32 takes half a second."""

MOST_GOALS: Final = 99
"""Checkpoints of a board on which ways are looked for: each takes a search of the whole board."""

STRAYS: Final = 1.8
"""How many times as many phases as its best way a game takes: Pilots on fifteen ships, 1.4 to 2.9 times."""


@dataclass(frozen=True, slots=True)
class Way:
    """The way from a cell to a checkpoint.

    ``phases`` is how many it takes at best, with any chip to hand, in the mean of all headings. It is None if
    no way leads there without transporters. ``cells`` are those that a robot comes through on one of the best
    ways, the first and the last included. ``stops`` are the places among them where its phases end.

    ``barred`` says that no way leads there with transporters either, as far as the board proves it.
    ``returns`` says that a robot that was destroyed, and so is back at its start, finds a way from there.
    """

    origin: Pos
    checkpoint: int
    phases: float | None
    cells: tuple[Pos, ...] = ()
    stops: tuple[int, ...] = ()
    barred: bool = False
    returns: bool = False


@dataclass(frozen=True, slots=True)
class Shelter:
    """Which share of the cells around the starts is sheltered, the least that should be, and those cells."""

    share: float
    limit: float
    cells: tuple[Pos, ...]
    bare: tuple[Pos, ...]


@dataclass(frozen=True, slots=True)
class Outlook:
    """What the board of a ship shows.

    ``starts`` are the ways to the first checkpoint, ``legs`` those from each checkpoint to the next. Both are
    None if robots do not race, or if the ship is too large to look for ways. ``slippery`` are checkpoints on
    which no robot can stay, because the ship carries it on or destroys it first. ``rooms`` are cells that
    robots get into and never out of.

    ``close`` are pairs of checkpoints, and ``corners`` checkpoints in a corner of rails, by number. Of
    these and of ``lines`` it has the first `MOST_GOALS`.
    ``shelter`` is None without starts, and in rulesets in which robots do not come back to them.
    ``unreachable`` are cells in which a robot could stand, but to which none comes; None without starts.
    ``feeders`` are beams that carry robots into a start, by its cell, and ``fire`` is the damage that lasers
    of the board do there in one phase. ``field`` is the largest empty rectangle, and ``elements`` the share
    of cells that bear any element.
    """

    starts: tuple[Way, ...] | None
    legs: tuple[Way, ...] | None
    slippery: tuple[int, ...]
    rooms: tuple[Room, ...]
    close: tuple[tuple[int, int], ...]
    corners: Mapping[int, Pos]
    lines: tuple[Line, ...]
    shelter: Shelter | None
    unreachable: tuple[Pos, ...] | None
    feeders: Mapping[Pos, tuple[Pos, ...]]
    fire: Mapping[Pos, int]
    field: Field
    elements: float


def outlook_of(ship: Starship, ruleset: Ruleset, players: int, chart: Chart | None = None) -> Outlook:
    """Return the outlook of a ship, finished or not, for a ruleset and a number of players.

    Without a ``chart``, it looks for ways and rooms only on ships of up to `LARGEST` cells.
    """
    starts = start_cells(ruleset, ship, players) or starts_of(ship)
    limit = LIMITS[ruleset.key].shelter
    walked = reachable(ship, list(starts))
    if chart is None and _has_ways(ship):
        # Not `chart_of`: each stroke makes another ship, and no one asks for the last one again.
        chart = Chart(Setup(ruleset, read_options(ruleset, {}), ship), {})
    goals = [cell for number, cell in ship.checkpoints.items() if number >= ruleset.start.next]
    ways = _ways(ship, ruleset, starts, chart, walked) if chart and races(ruleset) else None
    ends = goals if races(ruleset) else starts[:players]
    return Outlook(
        starts=ways[0] if ways else None,
        legs=ways[1] if ways else None,
        slippery=_slippery(chart, [cell for cell in goals if cell in walked]) if chart and ways else (),
        rooms=rooms_of(chart, starts, ends) if chart and starts else (),
        close=tuple(close_checkpoints(ship)[:MOST_GOALS]) if races(ruleset) else (),
        corners=dict(islice(corners(ship).items(), MOST_GOALS)),
        lines=tuple(
            [line for line in lines_of_fire(ship) if line.checkpoint + 1 in ship.checkpoints][:MOST_GOALS]
        ),
        shelter=_shelter(ship, starts, limit) if starts and limit is not None else None,
        unreachable=tuple(at for at in floor(ship) if ship.cell(*at) not in walked) if starts else None,
        feeders={
            ship.pos(start): tuple(map(ship.pos, cells)) for start, cells in feeders(ship, starts).items()
        },
        fire={ship.pos(start): damage for start, damage in fire_on(ship, starts).items()},
        field=largest_field(ship),
        elements=elements_share(ship),
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


def _slippery(chart: Chart, goals: Sequence[int]) -> tuple[int, ...]:
    """Return the numbers of checkpoints on which no phase of a robot ends, wherever it comes from."""
    if chart.passing:
        return ()
    stations = {cell for cells in chart.ship.networks.values() for cell in cells}
    return tuple(
        chart.ship.checkpoint_at[goal]
        for goal in goals
        if goal not in stations and all(min(distances) >= NEVER for distances in chart.to_cell(goal)[1:])
    )


def _ways(
    ship: Starship, ruleset: Ruleset, starts: Sequence[int], chart: Chart, walked: set[int]
) -> tuple[tuple[Way, ...], tuple[Way, ...]]:
    """Return the ways from the starts to the first checkpoint, and the legs after it."""
    first = ruleset.start.next
    asked = [(cell, first) for cell in starts if first in ship.checkpoints]
    legs = [
        (ship.checkpoints[number - 1], number)
        for number in ship.checkpoints
        if number > first and number - 1 in ship.checkpoints
    ]
    # Where checkpoints are inspected, robots come back to their start; elsewhere to their last checkpoint.
    homes = starts if ruleset.has("inspection") else ()
    return (
        tuple(_way(ship, chart, *each, (), walked) for each in asked),
        tuple(_way(ship, chart, *each, homes, walked) for each in legs),
    )


def _barred(chart: Chart, at: Pos, number: int, homes: Sequence[int], walked: set[int]) -> Way:
    """Return a way that needs transporters, a destroyed robot, or that does not exist."""
    goal = chart.ship.checkpoints[number]
    returns = any(mean_way(chart, home, goal) is not None for home in homes if home != goal)
    barred = not chart.ship.networks or goal not in walked
    return Way(at, number, None, barred=barred, returns=returns)


def _way(
    ship: Starship, chart: Chart, origin: int, number: int, homes: Sequence[int], walked: set[int]
) -> Way:
    goal = ship.checkpoints[number]
    at = ship.pos(origin)
    if origin == goal:  # a checkpoint on a start cell, while one draws
        return Way(at, number, None)
    phases = mean_way(chart, origin, goal)
    distance = chart.to_cell(goal)
    node = min((origin << 2 | heading for heading in HEADINGS), key=lambda each: distance[1][each])
    if distance[1][node] >= NEVER:
        return _barred(chart, at, number, homes, walked)
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
