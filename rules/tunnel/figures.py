"""The figures of a run: what its flights come to, each with how sure it is."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from rules.grid import Pos
from rules.tunnel.certainty import Measured, bootstrap, friedman, median, quantile, wilson
from rules.tunnel.flight import Counts, Flight

FAIREST: Final = "pilot"
"""The level by whose flights fairness, drama and length are judged."""
FEWEST: Final = 10
"""Flights of a level without which nothing is sure that is measured by them."""


@dataclass(frozen=True, slots=True)
class Start:
    """How the robots fared that started in one cell: their wins, and their place in the mean.

    ``shift`` is how far that is from the middle place, as a share of the places between first and last: -0.5
    where they always came first, 0.5 where they always came last. ``between`` is where it surely lies.
    """

    at: Pos
    robots: int
    wins: int
    win_share: Measured
    place: float
    shift: float
    between: tuple[float, float] = (float("-inf"), float("inf"))


@dataclass(frozen=True, slots=True)
class Starts:
    """Whether starts are equal: all of them, in how many flights, and how likely such places are if they are.

    There are none where all robots share one start.
    """

    starts: tuple[Start, ...] = ()
    flights: int = 0
    chance: float = 1.0


@dataclass(slots=True)
class Figures:
    """All that is measured. ``flights`` are those that did not fail, ``risk`` that of each interval.

    ``measured`` has each figure by its key; one that cannot be told is missing. ``length`` has two lengths in
    turns: a tenth of the flights of Pilots is shorter, a tenth longer. ``causes`` are those of all deaths,
    and ``unused`` are cells that no robot entered. ``legs`` says by checkpoint how many times as long as at
    best the way there takes, and ``turns`` how long flights are in the median, by level.
    """

    flights: int
    risk: float
    measured: dict[str, Measured] = field(default_factory=dict)
    length: tuple[float, float] = (0.0, 0.0)
    starts: Starts = field(default_factory=Starts)
    drama: float | None = None
    lead_changes: float = 0.0
    causes: dict[str, int] = field(default_factory=dict)
    deaths: Counts = field(default_factory=dict)
    entered: Counts = field(default_factory=dict)
    burnt: Counts = field(default_factory=dict)
    unused: tuple[Pos, ...] = ()
    legs: dict[int, float] = field(default_factory=dict)
    turns: dict[str, float] = field(default_factory=dict)


def figures_of(flights: Iterable[Flight], floor: Sequence[Pos], risk: float) -> Figures:
    """Return the figures of flights, in whichever order these come.

    ``floor`` are the cells in which a robot can stand. Each interval misses the true figure with that risk.
    """
    flown = sorted((each for each in flights if not each.failure), key=lambda each: each.number)
    found = Figures(len(flown), risk)
    if not flown:
        return found
    best = [flight for flight in flown if flight.level == FAIREST]
    rookies = [flight for flight in flown if flight.level == "rookie"]
    put = found.measured
    put["unfinished"] = wilson(sum(not flight.over for flight in flown), len(flown), risk)
    for key, values in (("half_time", _told(best, "half_time")), ("last_turn", _told(best, "last_turn"))):
        if values:
            put[key] = wilson(values.count(False), len(values), risk)
    for key, of, figure in (
        ("length", best, lambda some: median([flight.turns for flight in some])),
        ("airlock", rookies, lambda some: _ratio(some, _near, _robots)),
        ("waiting", flown, lambda some: _ratio(some, _virtual, _robot_turns)),
        ("fire", flown, lambda some: 100 * _ratio(some, _burnt, _robot_turns)),
    ):
        if of:
            put[key] = _sure(bootstrap(of, figure, risk, key), len(of))
    _count_cells(found, flown, floor)
    _measure_deaths(found, flown)
    _measure_legs(found, flown)
    found.starts = starts_of(best, risk)
    turns = [flight.turns for flight in best]
    found.length = quantile(turns, 0.1), quantile(turns, 0.9)
    dramas = [flight.drama for flight in best if flight.drama is not None]
    found.drama = sum(dramas) / len(dramas) if dramas else None
    found.lead_changes = sum(flight.lead_changes for flight in best) / len(best) if best else 0.0
    for level in ("rookie", "pilot", "ace"):
        if turns := [flight.turns for flight in flown if flight.level == level]:
            found.turns[level] = median(turns)
    return found


def starts_of(flights: Sequence[Flight], risk: float) -> Starts:
    """Return how each start cell fared; robots that share one count together."""
    cells = sorted({at for flight in flights for at in flight.starts}, key=lambda pos: pos[::-1])
    if len(cells) < 2:
        return Starts()
    blocks = [[_mean(_places(flight, at)) for at in cells] for flight in flights]
    robots = len(flights[0].starts)
    starts = []
    for at, places in zip(cells, zip(*blocks, strict=True), strict=True):
        sharing = flights[0].starts.count(at)
        wins = sum(min(_places(flight, at)) == min(flight.places) for flight in flights if flight.over)
        over = sum(flight.over for flight in flights)
        shift = (_mean(places) - (robots + 1) / 2) / (robots - 1)
        sure = _sure(_spread(places, risk, f"shift {at}"), len(places))
        between = (
            shift + (sure.low - sure.value) / (robots - 1),
            shift + (sure.high - sure.value) / (robots - 1),
        )
        starts.append(Start(at, sharing, wins, wilson(wins, over, risk), _mean(places), shift, between))
    return Starts(tuple(starts), len(flights), friedman(blocks))


def _spread(places: Sequence[float], risk: float, name: str) -> Measured:
    """Return the mean of places with its interval, which may reach below the first place."""
    raised = len(places)  # intervals of figures end at 0, and that of a mean place does not
    value, low, high = bootstrap([place + raised for place in places], _mean, risk, name)
    return Measured(value - raised, low - raised, high - raised)


def _places(flight: Flight, at: Pos) -> list[float]:
    return [place for start, place in zip(flight.starts, flight.places, strict=True) if start == at]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _told(flights: Sequence[Flight], name: str) -> list[bool]:
    return [value for flight in flights if (value := getattr(flight, name)) is not None]


def _ratio(
    flights: Sequence[Flight], above: Callable[[Flight], int], below: Callable[[Flight], int]
) -> float:
    return sum(map(above, flights)) / max(1, sum(map(below, flights)))


def _near(flight: Flight) -> int:
    return flight.near


def _robots(flight: Flight) -> int:
    return len(flight.starts)


def _virtual(flight: Flight) -> int:
    return flight.virtual_turns


def _robot_turns(flight: Flight) -> int:
    return flight.robot_turns


def _burnt(flight: Flight) -> int:
    return sum(flight.burnt.values())


def _sure(measured: Measured, flights: int) -> Measured:
    """Widen the interval of a figure without end that too few flights tell."""
    return measured if flights >= FEWEST else Measured(measured.value, float("-inf"), float("inf"))


def _count_cells(found: Figures, flown: Sequence[Flight], floor: Sequence[Pos]) -> None:
    for flight in flown:
        for whole, part in ((found.entered, flight.entered), (found.burnt, flight.burnt)):
            for pos, times in part.items():
                whole[pos] = whole.get(pos, 0) + times
        for (pos, cause), times in flight.deaths.items():
            found.deaths[pos] = found.deaths.get(pos, 0) + times
            found.causes[cause] = found.causes.get(cause, 0) + times
    starts = {at for flight in flown for at in flight.starts}
    found.unused = tuple(pos for pos in floor if pos not in found.entered and pos not in starts)
    if floor:
        share = len(found.unused) / len(floor)
        found.measured["unused"] = Measured(share, share, share)


def _measure_deaths(found: Figures, flown: Sequence[Flight]) -> None:
    """Measure the share of all deaths in the cell that has most."""
    if found.deaths:
        worst = max(found.deaths, key=lambda pos: found.deaths[pos])
        found.measured["deadly"] = wilson(found.deaths[worst], sum(found.deaths.values()), found.risk)


def _measure_legs(found: Figures, flown: Sequence[Flight]) -> None:
    """Measure how many times as long as at best each leg takes, and the worst against the others' median."""
    numbers = sorted({number for flight in flown for number in flight.legs})
    found.legs = {number: _slow(flown, number) for number in numbers}
    if len(numbers) > 1:
        worst = max(numbers, key=lambda number: found.legs[number])

        def figure(some: Sequence[Flight]) -> float:
            usual = median([_slow(some, number) for number in numbers if number != worst])
            return _slow(some, worst) / usual if usual else 0.0

        found.measured["leg"] = _sure(bootstrap(flown, figure, found.risk, "leg"), len(flown))


def _slow(flights: Sequence[Flight], number: int) -> float:
    legs = [flight.legs[number] for flight in flights if number in flight.legs]
    best = sum(leg.best for leg in legs)
    return sum(leg.phases for leg in legs) / best if best else 0.0
