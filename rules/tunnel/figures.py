"""The figures of a wind tunnel run: counts for each flight, totals, and confidence intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import erfc, exp, lgamma, log, sqrt
from random import Random
from statistics import NormalDist, stdev
from typing import Any, Final, NamedTuple, TypeVar

from rules.grid import Pos

T = TypeVar("T")

RESAMPLES: Final = 400
"""The number of bootstrap resamples to estimate the standard deviation of a figure."""


class Measured(NamedTuple):
    """A measured figure with the lower and upper end of its confidence interval."""

    value: float
    low: float
    high: float


def wilson(hits: int, trials: int, risk: float) -> Measured:
    """Return the share of ``hits`` in ``trials``, with its Wilson score interval.

    The interval misses the true share with probability ``risk``.

    >>> share = wilson(25, 200, 0.05)
    >>> [round(number, 3) for number in share]
    [0.125, 0.086, 0.178]
    """
    if not trials:
        return Measured(0.0, 0.0, 1.0)
    z, share = _deviations(risk), hits / trials
    middle = share + z * z / (2 * trials)
    reach = z * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    return Measured(share, max(0.0, (middle - reach) / scale), min(1.0, (middle + reach) / scale))


def bootstrap(
    flights: Sequence[T], figure: Callable[[Sequence[T]], float], risk: float, name: str
) -> Measured:
    """Return a figure of flights, with a confidence interval estimated by resampling the flights.

    The figure is never negative. The interval assumes a normal distribution with the variance of the
    resamples. The interval is infinite for fewer than two flights. ``name`` seeds the random draws, so that
    the same flights give the same interval.
    """
    value = figure(flights)
    if len(flights) < 2:
        return Measured(value, float("-inf"), float("inf"))
    chance = Random(name)
    drawn = [figure(chance.choices(flights, k=len(flights))) for _ in range(RESAMPLES)]
    reach = _deviations(risk) * stdev(drawn)
    return Measured(value, max(0.0, value - reach), value + reach)


def _deviations(risk: float) -> float:
    """Return the half-width of a confidence interval of a normal distribution, in standard deviations.

    ``risk`` is the probability that the interval misses the true value.
    """
    return NormalDist().inv_cdf(1 - risk / 2)


def friedman(blocks: Sequence[Sequence[float]]) -> float:
    """Return the p-value of Friedman's test for equal starts.

    This is the probability of places at least as unequal as the given ones if all starts are equal.

    Each block has one figure for each start, all from one flight. The lowest figure is best. Only the order
    of the figures counts, and equal figures share their rank. Returns 1.0 if there are no blocks or only one
    start.

    >>> round(friedman([(1, 2, 3)] * 4), 4), friedman([(1, 2, 3), (3, 2, 1)])
    (0.0183, 1.0)
    """
    if not blocks or len(blocks[0]) < 2:
        return 1.0
    starts, flights = len(blocks[0]), len(blocks)
    ranked = [ranks(block) for block in blocks]
    sums = [sum(column) for column in zip(*ranked, strict=True)]
    expected = flights * (starts + 1) / 2
    spread = sum(rank * rank for block in ranked for rank in block) - flights * starts * (starts + 1) ** 2 / 4
    if spread <= 0:
        return 1.0
    statistic = (starts - 1) * sum((each - expected) ** 2 for each in sums) / spread
    return chi_square(statistic, starts - 1)


def ranks(values: Sequence[float]) -> list[float]:
    """Return the rank of each value, from 1 for the lowest. Equal values share their mean rank.

    >>> ranks([7.0, 2.0, 7.0])
    [2.5, 1.0, 2.5]
    """
    return [
        1 + sum(other < value for other in values) + (sum(other == value for other in values) - 1) / 2
        for value in values
    ]


def chi_square(statistic: float, freedom: int) -> float:
    """Return the probability of a chi-square value of at least ``statistic``.

    ``freedom`` is the number of degrees of freedom.

    >>> round(chi_square(3.841, 1), 3), round(chi_square(11.07, 5), 3), round(chi_square(18.475, 7), 3)
    (0.05, 0.05, 0.01)
    """
    half = statistic / 2
    if half <= 0:
        return 1.0
    shape, tail = (0.5, erfc(sqrt(half))) if freedom % 2 else (1.0, exp(-half))
    while shape < freedom / 2:
        tail += exp(shape * log(half) - half - lgamma(shape + 1))
        shape += 1
    return min(1.0, tail)


def median(values: Sequence[float]) -> float:
    """Return the median, or 0 if there are no values."""
    return quantile(values, 0.5)


def quantile(values: Sequence[float], share: float) -> float:
    """Return the quantile of values at this ``share`` (from 0 to 1), interpolated between two values.

    Returns 0 if there are no values.

    >>> quantile([1, 2, 3, 4], 0.5), quantile([7], 0.9), quantile([], 0.1)
    (2.5, 7.0, 0.0)
    """
    if not values:
        return 0.0
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


Counts = dict[Pos, int]
"""A count for each cell, such as how often robots entered it. Cells with a count of 0 are missing."""

Deaths = dict[tuple[Pos, str], int]
"""The number of destroyed robots, by cell and cause."""


@dataclass(slots=True)
class Leg:
    """The way to one checkpoint, as travelled by all robots that reached it.

    ``robots`` is the number of robots, and ``phases`` the total number of phases that they needed. ``best``
    is the total that they would need with the best possible chips.
    """

    robots: int = 0
    phases: int = 0
    best: float = 0.0


@dataclass(slots=True)
class Flight:
    """One game on a starship between computers of one level.

    ``over`` is false if the flight reached the maximum number of turns. ``starts`` has the start cell of each
    robot, in seat order. ``places`` has each robot's place, 1 for the best. Equal robots share their mean
    place.

    ``drama`` is the winner's mean distance from the lead: 0 if it always led, 1 if it was always last.
    ``lead_changes`` is the number of times that another robot took the lead by a phase or more. ``half_time``
    says whether the leader at half time won, and ``last_turn`` whether the leader before the last turn won.
    ``drama``, ``half_time`` and ``last_turn`` are None if there is no winner or too few turns.

    ``robot_turns`` is the total number of turns of all robots in play, and ``virtual_turns`` the number of
    these turns after which the robot was virtual. ``near`` is the number of deaths in shafts, space, bays and
    crushers within two steps of the robot's start. ``entered`` has the number of times that robots entered
    each cell, and ``burnt`` the damage that the board's lasers did to robots in each cell.

    ``failure`` describes an error of a computer or the engine in turn ``turns``. A flight with a failure has
    no other figures.
    """

    number: int
    level: str
    seed: str
    turns: int = 0
    over: bool = False
    starts: tuple[Pos, ...] = ()
    places: tuple[float, ...] = ()
    drama: float | None = None
    lead_changes: int = 0
    half_time: bool | None = None
    last_turn: bool | None = None
    robot_turns: int = 0
    virtual_turns: int = 0
    near: int = 0
    deaths: Deaths = field(default_factory=dict)
    entered: Counts = field(default_factory=dict)
    burnt: Counts = field(default_factory=dict)
    legs: dict[int, Leg] = field(default_factory=dict)
    failure: str | None = None


def flight_to_json(flight: Flight) -> dict[str, Any]:
    """Convert a flight to a JSON object, for storage or another process. Each cell is [x, y]."""
    return {
        "number": flight.number,
        "level": flight.level,
        "seed": flight.seed,
        "turns": flight.turns,
        "over": flight.over,
        "starts": [list(pos) for pos in flight.starts],
        "places": list(flight.places),
        "drama": flight.drama,
        "lead_changes": flight.lead_changes,
        "half_time": flight.half_time,
        "last_turn": flight.last_turn,
        "robot_turns": flight.robot_turns,
        "virtual_turns": flight.virtual_turns,
        "near": flight.near,
        "deaths": [[x, y, cause, times] for ((x, y), cause), times in sorted(flight.deaths.items())],
        "entered": counts_to_json(flight.entered),
        "burnt": counts_to_json(flight.burnt),
        "legs": [[number, leg.robots, leg.phases, leg.best] for number, leg in sorted(flight.legs.items())],
        "failure": flight.failure,
    }


def flight_from_json(document: Mapping[str, Any]) -> Flight:
    """Read a flight written by `flight_to_json`. Does not check the document."""
    return Flight(
        **{
            **document,
            "starts": tuple((x, y) for x, y in document["starts"]),
            "places": tuple(document["places"]),
            "deaths": {((x, y), cause): times for x, y, cause, times in document["deaths"]},
            "entered": {(x, y): times for x, y, times in document["entered"]},
            "burnt": {(x, y): times for x, y, times in document["burnt"]},
            "legs": {number: Leg(*rest) for number, *rest in document["legs"]},
        }
    )


def counts_to_json(counts: Counts) -> list[list[int]]:
    """Return counts of cells as a list of [x, y, count], row by row.

    >>> counts_to_json({(1, 1): 3, (2, 0): 4})
    [[2, 0, 4], [1, 1, 3]]
    """
    return [[x, y, counts[x, y]] for x, y in sorted(counts, key=lambda pos: pos[::-1])]


FAIRNESS_LEVEL: Final = "pilot"
"""The level of computers whose flights measure fairness, drama and length."""
MIN_FLIGHTS: Final = 10
"""The minimum number of flights for the confidence interval of a figure."""


@dataclass(frozen=True, slots=True)
class Start:
    """The results of robots from one start cell: the number of wins, and their mean place.

    ``robots`` is the number of robots that start there in each flight. ``shift`` is the distance of their
    mean place from the middle place, as a share of the distance between first and last place: -0.5 if they
    always came first, 0.5 if they always came last. ``between`` is the confidence interval of ``shift``.
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
    """The results of all start cells in ``flights`` flights.

    ``chance`` is the probability of places at least this unequal if all starts are equal. ``starts`` is empty
    if all robots share one start cell.
    """

    starts: tuple[Start, ...] = ()
    flights: int = 0
    chance: float = 1.0


@dataclass(slots=True)
class Figures:
    """All figures of a ship's flights.

    ``flights`` is the number of flights without a failure. ``risk`` is the probability that a confidence
    interval misses the true figure. ``measured`` has each known figure by its key. ``length`` has two numbers
    of turns: a tenth of the Pilots' flights are shorter than the first, and a tenth are longer than the
    second. ``causes`` counts deaths by cause. ``unused`` has the cells that no robot entered. ``legs`` has,
    by checkpoint, the phases that robots needed to get there, as a multiple of the fewest possible. ``turns``
    has the median number of turns of the flights, by level.
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
    """Return the wind tunnel's figures for some flights, with a confidence interval for each figure.

    The flights can be in any order. ``floor`` has all cells where a robot can stand. The probability that
    an interval misses the true figure is ``risk``.
    """
    flown = sorted((each for each in flights if not each.failure), key=lambda each: each.number)
    found = Figures(len(flown), risk)
    if not flown:
        return found
    best = [flight for flight in flown if flight.level == FAIRNESS_LEVEL]
    rookies = [flight for flight in flown if flight.level == "rookie"]
    put = found.measured
    put["unfinished"] = wilson(sum(not flight.over for flight in flown), len(flown), risk)
    for key, values in (
        ("half_time", _known_answers(best, "half_time")),
        ("last_turn", _known_answers(best, "last_turn")),
    ):
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
    """Return the results of each start cell. Robots that share a start cell count together."""
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
    """Return the mean of places with its confidence interval.

    Unlike an interval from `bootstrap`, this one can include negative values.
    """
    raised = len(places)  # bootstrap cuts intervals at 0, but places may go below
    value, low, high = bootstrap([place + raised for place in places], _mean, risk, name)
    return Measured(value - raised, low - raised, high - raised)


def _places(flight: Flight, at: Pos) -> list[float]:
    return [place for start, place in zip(flight.starts, flight.places, strict=True) if start == at]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _known_answers(flights: Sequence[Flight], name: str) -> list[bool]:
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
    """Return a figure, with an infinite interval if it comes from fewer than `MIN_FLIGHTS` flights."""
    return measured if flights >= MIN_FLIGHTS else Measured(measured.value, float("-inf"), float("inf"))


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
    """Measure the deadliest cell's share of all deaths."""
    if found.deaths:
        worst = max(found.deaths, key=lambda pos: found.deaths[pos])
        found.measured["deadly"] = wilson(found.deaths[worst], sum(found.deaths.values()), found.risk)


def _measure_legs(found: Figures, flown: Sequence[Flight]) -> None:
    """Compare each leg with its best possible time, and the slowest leg with the median of the other legs."""
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


PRIOR_WINS: Final = 40.0
"""The weight of the prior assumption that all starts are equal, as a number of wins."""
UNEQUAL: Final = 100.0
"""The odds at which starts count as unequal. Equal starts reach them in about 1 of 100 runs."""
MAX_ODDS: Final = 1e6


def wins_of(flights: Iterable[Flight]) -> dict[Pos, float]:
    """Return the number of wins of Pilots by start cell. Joint winners share one win."""
    wins: dict[Pos, float] = {}
    for flight in flights:
        if flight.level != FAIRNESS_LEVEL or flight.failure or not flight.starts or not flight.over:
            continue
        first = min(flight.places)
        winners = [at for at, place in zip(flight.starts, flight.places, strict=True) if place == first]
        for at in winners:
            wins[at] = wins.get(at, 0.0) + 1 / len(winners)
    return wins


def odds_of(wins: Sequence[float], shares: Sequence[float]) -> float:
    """Return the odds that starts are unequal, from their actual wins and their fair shares of wins.

    The odds are a Bayes factor: a Dirichlet distribution around the fair ``shares`` against exactly these
    shares. They are valid after any number of flights.

    >>> round(odds_of([5, 5, 5, 5], [0.25] * 4), 2), odds_of([40, 3, 3, 4], [0.25] * 4) > UNEQUAL
    (0.54, True)
    """
    total = sum(wins)
    found = lgamma(PRIOR_WINS) - lgamma(PRIOR_WINS + total)
    for won, share in zip(wins, shares, strict=True):
        prior = PRIOR_WINS * share
        found += lgamma(prior + won) - lgamma(prior) - won * log(share)
    return exp(min(found, log(MAX_ODDS)))
