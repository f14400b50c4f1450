"""The outlook of a starship: facts about its board and findings from them, without any flight.

The editor shows the outlook while a player draws. A fault that no flight has confirmed is amber, but red if
the board proves that robots can't play on it: no way leads to a checkpoint, no robot can stay on a
checkpoint, or robots get stuck forever.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any, Final

from rules.computers.chart import NEVER, Chart
from rules.computers.effects import KINDS
from rules.grid import HEADINGS, PHASES, Pos
from rules.language import N_, Sentence, place
from rules.setup import Ruleset, Setup, read_options
from rules.starship import Starship
from rules.survey import reachable, starts_of
from rules.tunnel.findings import (
    AMBER,
    CELLS_PER_FINDING,
    FIELD,
    FIELD_CELLS,
    LIMITS,
    RED,
    START_FIRE,
    Finding,
    Limits,
    certain,
    past_ceiling,
    past_floor,
    percentage,
)
from rules.tunnel.flying import mean_way, races, start_cells
from rules.tunnel.geometry import (
    Field,
    Line,
    Room,
    around,
    close_checkpoints,
    corners,
    elements_share,
    feeders,
    fire_on,
    floor,
    largest_field,
    lines_of_fire,
    rooms_of,
    shelter,
)

MAX_CELLS: Final = 1024
"""The maximum number of cells for finding ways while a player draws. A 32 × 32 board takes half a second."""

MAX_GOALS: Final = 99
"""The maximum number of checkpoints for finding ways. Each needs a search of the whole board."""

DETOUR_FACTOR: Final = 1.8
"""The expected number of phases of a game between Pilots, divided by the fewest possible.

On 15 ships, the ratio was between 1.4 and 2.9.
"""


@dataclass(frozen=True, slots=True)
class Way:
    """The way from a cell to a checkpoint.

    ``phases`` is the fewest possible phases with any chips, averaged over all headings. It is None if every
    way needs transporters. ``cells`` has the cells of one of the best ways, including both ends. ``stops``
    has the indexes in ``cells`` of the cells where a phase ends.

    ``barred`` means that the board proves that no way exists, even with transporters. ``returns`` means that
    a destroyed robot returns to a start and can reach the checkpoint from there.
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
    """The shelter of the cells around starts.

    ``share`` is the share of sheltered cells, and ``limit`` its minimum. ``cells`` has all cells around
    starts, and ``bare`` those without shelter.
    """

    share: float
    limit: float
    cells: tuple[Pos, ...]
    bare: tuple[Pos, ...]


@dataclass(frozen=True, slots=True)
class Outlook:
    """The facts of a ship's board.

    ``starts`` has the ways from the starts to the first checkpoint, and ``legs`` the ways from each
    checkpoint to the next. Both are None if robots do not race, or if the ship is too large to find ways.
    ``slippery`` has the numbers of checkpoints where no robot can stay, because the ship moves or destroys
    it first. ``rooms`` are areas without a way to some checkpoint.

    ``close`` has pairs of close checkpoints, ``corners`` the checkpoints in a corner of rails, and ``lines``
    the lines of fire between checkpoints. Each has at most `MAX_GOALS` entries.

    ``shelter`` is None if there are no starts, or if robots do not return to starts. ``unreachable`` has the
    cells where robots could stand but which they cannot reach, or is None if there are no starts.
    ``feeders`` has the beams that lead into each start, and ``fire`` the damage by the board's lasers in one
    phase there. ``field`` is the largest empty rectangle, and ``elements`` the share of cells with an
    element.
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
    """Return the outlook of a ship for a ruleset and a number of players. The ship may be unfinished.

    If ``chart`` is None, ways and rooms are found only on ships of up to `MAX_CELLS` cells and `MAX_GOALS`
    checkpoints.
    """
    starts = start_cells(ruleset, ship, players) or starts_of(ship)
    limit = LIMITS[ruleset.key].shelter
    walked = reachable(ship, list(starts))
    if chart is None and _has_ways(ship):
        # `chart_of` would cache the chart, but each stroke in the editor makes another ship.
        chart = Chart(Setup(ruleset, read_options(ruleset, {}), ship), {})
    goals = [cell for number, cell in ship.checkpoints.items() if number >= ruleset.start.next]
    ways = _ways(ship, ruleset, starts, chart, walked) if chart and races(ruleset) else None
    ends = goals if races(ruleset) else starts[:players]
    return Outlook(
        starts=ways[0] if ways else None,
        legs=ways[1] if ways else None,
        slippery=_slippery(chart, [cell for cell in goals if cell in walked]) if chart and ways else (),
        rooms=rooms_of(chart, starts, ends) if chart and starts else (),
        close=tuple(close_checkpoints(ship)[:MAX_GOALS]) if races(ruleset) else (),
        corners=dict(islice(corners(ship).items(), MAX_GOALS)),
        lines=tuple(
            [line for line in lines_of_fire(ship) if line.checkpoint + 1 in ship.checkpoints][:MAX_GOALS]
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
    """Return whether a board is small enough for finding ways (`MAX_CELLS`, `MAX_GOALS`)."""
    return ship.width * ship.height <= MAX_CELLS and len(ship.checkpoints) <= MAX_GOALS


def expected_turns(ship: Starship, ruleset: Ruleset, players: int) -> int | None:
    """Return the expected number of turns of a game on a ship, from the best ways to its checkpoints.

    Returns None if robots do not race, if a leg needs transporters, or if the ship exceeds `MAX_CELLS` or
    `MAX_GOALS`.
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
    return max(1, round((sum(known) / len(known) + sum(ways)) / len(PHASES) * DETOUR_FACTOR))


def _phases(chart: Chart, origin: int | None, goal: int | None) -> float | None:
    """Return the fewest possible phases between two cells.

    Returns None if there is no way, if one of the cells is None, or if both are the same.
    """
    return None if origin is None or goal is None or origin == goal else mean_way(chart, origin, goal)


def _shelter(ship: Starship, starts: Sequence[int], limit: float) -> Shelter:
    share, bare = shelter(ship, starts)
    cells = tuple(ship.pos(cell) for cell in sorted(around(ship, starts)))
    return Shelter(share, limit, cells, tuple(bare))


def _slippery(chart: Chart, goals: Sequence[int]) -> tuple[int, ...]:
    """Return the numbers of checkpoints where a robot can never end a phase."""
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
    """Return the ways from the starts to the first checkpoint, and the ways of the later legs."""
    first = ruleset.start.next
    asked = [(cell, first) for cell in starts if first in ship.checkpoints]
    legs = [
        (ship.checkpoints[number - 1], number)
        for number in ship.checkpoints
        if number > first and number - 1 in ship.checkpoints
    ]
    # Robots return to their start if checkpoints are inspected, else to their last checkpoint.
    homes = starts if ruleset.has("inspection") else ()
    return (
        tuple(_way(ship, chart, *each, (), walked) for each in asked),
        tuple(_way(ship, chart, *each, homes, walked) for each in legs),
    )


def _barred(chart: Chart, at: Pos, number: int, homes: Sequence[int], walked: set[int]) -> Way:
    """Return a `Way` without cells, because robots can travel the leg only by transporters, or not at all."""
    goal = chart.ship.checkpoints[number]
    returns = any(mean_way(chart, home, goal) is not None for home in homes if home != goal)
    barred = not chart.ship.networks or goal not in walked
    return Way(at, number, None, barred=barred, returns=returns)


def _way(
    ship: Starship, chart: Chart, origin: int, number: int, homes: Sequence[int], walked: set[int]
) -> Way:
    goal = ship.checkpoints[number]
    at = ship.pos(origin)
    if origin == goal:  # a checkpoint on a start cell, in an unfinished drawing
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
    """Return the cells that a robot enters in the last phase of its way to a checkpoint."""
    for kind, lead in zip(KINDS, chart.leads[phase][node] or (), strict=False):
        way = list(chart.entered(phase, node, kind))
        if lead >> 2 == goal:
            return way
        if chart.passing and goal in way:
            return way[: way.index(goal) + 1]
    return [goal]


FROM_START = N_("There is no route from the start cell at {at} to checkpoint {checkpoint}.")
LEG = N_("There is no route from checkpoint {before} to checkpoint {checkpoint}.")
RETURNING = N_(
    "There is no route from checkpoint {before} to checkpoint {checkpoint}. Robots can get there only if they"
    " are destroyed and come back at their start."
)
WAY_ADVICE = N_("Open a way to checkpoint {checkpoint}: remove a rail, or turn a beam.")
SLIPPERY = N_(
    "No robot can stay on checkpoint {checkpoint}. The ship always carries robots away or destroys them."
)
SLIPPERY_ADVICE = N_("Move checkpoint {checkpoint} to plain hull, or put a rail at the end of its beam.")
SEALED = N_("Robots that enter this area can’t leave it.")
ROOM = N_("Robots that enter this area can reach all checkpoints only if they are destroyed and come back.")
ROOM_ADVICE = N_("Open a way out of this area, or close the way in.")
UNREACHABLE = N_("No robot can reach {share} of the cells.")
UNREACHABLE_ADVICE = N_("Open a way to these cells, or turn them into space.")
CLOSE = N_("Checkpoints {one} and {other} are fewer than three steps apart.")
CLOSE_ADVICE = N_("Move one of these checkpoints farther away.")
BACK = N_("Beams carry robots back to the start cell at {at}.")
BACK_ADVICE = N_("Turn these beams away from the start.")
LASERS = N_("The ship’s lasers do {damage} damage in each phase to a robot on the start cell at {at}.")
LASERS_ADVICE = N_("Put a rail between the start and these lasers, or remove a laser.")
EMPTY = N_("An empty area covers {share} of the ship. The maximum is {limit}.")
EMPTY_ADVICE = N_("Put beams, shafts or rails in this area, or crop the ship.")
CORNER = N_("Checkpoint {checkpoint} is in a corner between rails, so few ways lead to it.")
CORNER_ADVICE = N_("Remove one of the rails beside checkpoint {checkpoint}, or move the checkpoint.")
LINE = N_("There is a clear line of fire from checkpoint {one} to checkpoint {next}.")
LINE_ADVICE = N_("Put a rail between checkpoints {one} and {next}, or move one of them.")
SHELTER = N_(
    "Only {share} of the cells around the start are sheltered from shots. At least {limit} should be."
)
SHELTER_ADVICE = N_("Put rails beside the cells around the start to shelter them from shots.")
DESERT = N_("Only {share} of the cells have an element. At least {limit} should.")
DESERT_ADVICE = N_("Add one theme, such as beams, shafts or rails, along the ways between checkpoints.")

PROVEN_EXCESS = 9.0
"""The excess of a fault that the board proves. It puts such faults first."""


def board_findings(ship: Starship, outlook: Outlook, limits: Limits) -> Iterator[Finding]:
    """Yield all findings about a ship's board, from its outlook."""
    yield from _proved(ship, outlook)
    yield from _checkpoints(ship, outlook)
    yield from _starts(outlook)
    yield from _space(ship, outlook, limits)


def _proved(ship: Starship, outlook: Outlook) -> Iterator[Finding]:
    """Yield findings about checkpoints that robots cannot reach or stay on, and about each `Room`."""
    for checkpoint in outlook.slippery:
        at = ship.pos(ship.checkpoints[checkpoint])
        yield _finding("slippery", SLIPPERY, SLIPPERY_ADVICE, [at], RED, PROVEN_EXCESS, checkpoint=checkpoint)
    for way in outlook.starts or ():
        if way.barred and way.checkpoint not in outlook.slippery:
            cells = [way.origin, ship.pos(ship.checkpoints[way.checkpoint])]
            values = {"at": place(way.origin), "checkpoint": way.checkpoint}
            yield _finding("way", FROM_START, WAY_ADVICE, cells, RED, PROVEN_EXCESS, **values)
    for way in outlook.legs or ():
        if way.barred and way.checkpoint not in outlook.slippery:
            cells = [way.origin, ship.pos(ship.checkpoints[way.checkpoint])]
            message, severity = (RETURNING, AMBER) if way.returns else (LEG, RED)
            values = {"before": way.checkpoint - 1, "checkpoint": way.checkpoint}
            yield _finding("way", message, WAY_ADVICE, cells, severity, PROVEN_EXCESS, **values)
    for room in outlook.rooms:
        message, severity = (SEALED, RED) if room.sealed else (ROOM, AMBER)
        yield _finding("room", message, ROOM_ADVICE, room.cells, severity, PROVEN_EXCESS - 1)


def _checkpoints(ship: Starship, outlook: Outlook) -> Iterator[Finding]:
    for one, other in outlook.close:
        cells = [ship.pos(ship.checkpoints[each]) for each in (one, other)]
        yield _finding("close", CLOSE, CLOSE_ADVICE, cells, one=one, other=other)
    for checkpoint, at in outlook.corners.items():
        yield _finding("corner", CORNER, CORNER_ADVICE, [at], checkpoint=checkpoint)
    for line in outlook.lines:
        one = line.checkpoint
        yield _finding("line", LINE, LINE_ADVICE, line.cells, one=one, next=one + 1)


def _starts(outlook: Outlook) -> Iterator[Finding]:
    for at, beams in outlook.feeders.items():
        yield _finding("back", BACK, BACK_ADVICE, [at, *beams], at=place(at))
    for at, damage in outlook.fire.items():
        if damage > START_FIRE:
            yield _finding("start_fire", LASERS, LASERS_ADVICE, [at], at=place(at), damage=damage)
    if (found := outlook.shelter) and found.share < found.limit:
        yield _share("shelter", SHELTER, SHELTER_ADVICE, found.share, found.limit, found.bare)


def _space(ship: Starship, outlook: Outlook, limits: Limits) -> Iterator[Finding]:
    if outlook.unreachable:
        share = len(outlook.unreachable) / len(ship.cells)
        yield _finding(
            "unreachable",
            UNREACHABLE,
            UNREACHABLE_ADVICE,
            outlook.unreachable,
            excess=past_ceiling(share, limits.unused),
            share=percentage(share),
        )
    field = outlook.field
    if field.share > FIELD and len(field.cells) >= FIELD_CELLS:
        yield _share("field", EMPTY, EMPTY_ADVICE, field.share, FIELD, field.cells)
    if outlook.elements < limits.elements:
        yield _share("elements", DESERT, DESERT_ADVICE, outlook.elements, limits.elements, [])


def _finding(
    kind: str,
    message: str,
    advice: str,
    cells: Sequence[Pos],
    severity: str = AMBER,
    excess: float = 1.0,
    **values: Any,
) -> Finding:
    said, advised = Sentence(message, **values), Sentence(advice, **values)
    cells = tuple(cells[:CELLS_PER_FINDING])
    return Finding(kind, severity, said, advised, certain(), 1.0, cells=cells, excess=excess)


def _share(kind: str, message: str, advice: str, value: float, limit: float, cells: Sequence[Pos]) -> Finding:
    said = Sentence(message, share=percentage(value), limit=percentage(limit))
    excess = past_floor(value, limit) if value < limit else past_ceiling(value, limit)
    cells = tuple(cells[:CELLS_PER_FINDING])
    return Finding(kind, AMBER, said, Sentence(advice), certain(), value, limit, None, cells, excess)


def describe(ship: Starship, starts: Iterable[int]) -> dict[str, float]:
    """Return figures of a board by key: the number of corners and lines of fire, and shares of cells."""
    return {
        "corners": float(len(corners(ship))),
        "lines": float(len(lines_of_fire(ship))),
        "shelter": shelter(ship, starts)[0],
        "field": largest_field(ship).share,
        "elements": elements_share(ship),
    }
