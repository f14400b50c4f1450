"""Findings about a starship, and the limits of its figures.

A finding describes a fault, its place, its certainty, and advice. A figure that passes its limit is a fault.
docs/tunnel.md explains where each limit comes from.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

from rules.grid import Pos
from rules.language import N_, Sentence
from rules.starship import Starship
from rules.tunnel.figures import Measured

SHIFT_RED: Final = 0.18
SHIFT_AMBER: Final = 0.09
"""Limits for the absolute value of `Start.shift`.

Robots from a start at the red limit win about half of their fair share of games, and at the amber limit about
three quarters.
"""

UNFINISHED: Final = 0.05
"""The maximum share of flights that reach the maximum number of turns."""
MAX_EXTRA_PHASES: Final = 5.0
"""The maximum extra phases from one start to the first checkpoint: one whole turn.

The start is compared with the mean of the other starts.
"""
FIELD: Final = 0.22
"""The maximum size of an empty rectangle, as a share of all cells except space."""
FIELD_CELLS: Final = 20
"""The minimum size, in cells, of an empty rectangle that counts as a fault."""
START_FIRE: Final = 1
"""The maximum damage from the board's lasers to a robot on a start, in one phase."""
FEWEST_DEATHS: Final = 20
"""The minimum number of deaths on a ship before a cell can be judged deadly."""
UNUSED_FLIGHTS: Final = 100
"""The minimum number of flights before unused cells are judged."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of figures in one ruleset, set from starships of the fleet and of other authors.

    ``length`` has the minimum and maximum number of turns in the median Pilot flight, divided by the side of
    a square board of the same area, because larger ships make longer games. Both ``last_turn`` and
    ``half_time`` limit the share of Pilot flights where a leader lost: a maximum for the leader before the
    last turn, and a minimum for the leader at half time.

    ``deadly`` is the maximum share of deaths in one cell. ``airlock`` is the maximum number of times that a
    Rookie is destroyed near its start, on average in one flight. ``waiting`` is the maximum share of turns
    after which a robot is virtual. ``leg`` is the maximum slowness of the slowest leg, divided by the median
    slowness of the others. The slowness of a leg is the number of phases that robots needed for it, divided
    by the fewest possible. ``unused`` is the maximum share of cells that no robot entered. ``fire`` is the
    maximum damage by the board's lasers in 100 turns of a robot.

    ``shelter`` is the minimum share of sheltered cells around starts, or None if robots do not return to
    starts. ``elements`` is the minimum share of cells with an element.
    """

    length: tuple[float, float]
    last_turn: float
    deadly: float
    airlock: float
    waiting: float
    leg: float
    unused: float
    fire: float
    half_time: float
    shelter: float | None
    elements: float

    def length_of(self, ship: Starship) -> tuple[float, float]:
        """Return the minimum and maximum number of turns of the median Pilot flight on this ship."""
        least, most = self.length
        return least * side_of(ship), most * side_of(ship)


def side_of(ship: Starship) -> float:
    """Return the side, in cells, of a square board with the ship's area."""
    return sqrt(ship.width * ship.height)


LIMITS: Final[Mapping[str, Limits]] = {
    "robo-runner": Limits(
        length=(0.18, 1.67),
        last_turn=0.50,
        deadly=0.53,
        airlock=0.24,
        waiting=0.45,
        leg=3.00,
        unused=0.30,
        fire=195,
        half_time=0.09,
        shelter=0.11,
        elements=0.08,
    ),
    "robo-recon": Limits(
        length=(0.43, 3.33),
        last_turn=0.73,
        deadly=0.42,
        airlock=0.20,
        waiting=0.45,
        leg=3.00,
        unused=0.30,
        fire=156,
        half_time=0.18,
        shelter=0.08,
        elements=0.08,
    ),
    "robo-arena": Limits(
        length=(1.46, 8.49),
        last_turn=0.50,
        deadly=0.70,
        airlock=0.20,
        waiting=0.66,
        leg=3.00,
        unused=0.30,
        fire=156,
        half_time=0.13,
        shelter=0.11,
        elements=0.08,
    ),
    "amigo-1999": Limits(
        length=(0.21, 1.67),
        last_turn=0.50,
        deadly=0.90,
        airlock=0.20,
        waiting=0.45,
        leg=3.00,
        unused=0.30,
        fire=156,
        half_time=0.04,
        shelter=None,
        elements=0.07,
    ),
    "factory-1999": Limits(
        length=(0.33, 2.45),
        last_turn=0.50,
        deadly=0.41,
        airlock=0.20,
        waiting=0.45,
        leg=3.00,
        unused=0.30,
        fire=200,
        half_time=0.04,
        shelter=0.11,
        elements=0.08,
    ),
    "group-11": Limits(
        length=(0.21, 1.41),
        last_turn=0.50,
        deadly=0.54,
        airlock=0.20,
        waiting=0.45,
        leg=3.00,
        unused=0.30,
        fire=220,
        half_time=0.09,
        shelter=None,
        elements=0.08,
    ),
    "websocket": Limits(
        length=(0.23, 1.35),
        last_turn=0.50,
        deadly=0.66,
        airlock=0.20,
        waiting=0.45,
        leg=3.00,
        unused=0.30,
        fire=166,
        half_time=0.09,
        shelter=None,
        elements=0.08,
    ),
}
"""The limits of each ruleset, as calculated by ``python -m bench.tunnel --limits``."""


RED: Final = "red"
AMBER: Final = "amber"
GREEN: Final = "green"

CELLS_PER_FINDING: Final = 12
"""The maximum number of cells that a finding lists."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding about a ship.

    ``kind`` is the key of its figure, and ``value`` the figure's value. ``limit`` is the limit that the value
    passes, or None if any value is a fault. ``interval`` is the figure's confidence interval, or None if the
    board itself proves the finding. ``excess`` is the relative distance past the limit, to sort findings.
    ``message`` describes the problem, ``certainty`` says how sure the finding is, and ``advice`` proposes a
    change to the ship.
    """

    kind: str
    severity: str
    message: Sentence
    advice: Sentence
    certainty: Sentence
    value: float
    limit: float | None = None
    interval: tuple[float, float] | None = None
    cells: tuple[Pos, ...] = ()
    excess: float = 1.0


Form = Callable[[float], float | Sentence]
"""A function that formats a figure's value, such as `rounded` or `percentage`."""

CERTAIN: Final = N_("Certain: the board shows it.")
BETWEEN: Final = N_("{percent} % sure: between {low} and {high}, after {flights} flights.")
AROUND: Final = N_("Not sure yet: between {low} and {high}, after {flights} flights.")
FEW: Final = N_("Not sure: only {flights} flights.")


def certain() -> Sentence:
    """Return the sentence for a finding that the board itself proves."""
    return Sentence(CERTAIN)


def how_sure(measured: Measured, flights: int, risk: float, severity: str, form: Form) -> Sentence:
    """Return a sentence about the certainty of a measured figure. ``form`` formats its numbers."""
    low, high = measured.low, measured.high
    if low == float("-inf"):
        return Sentence(FEW, flights=flights)
    values = {"low": form(low), "high": form(high), "flights": flights}
    if severity == AMBER:
        return Sentence(AROUND, **values)
    return Sentence(BETWEEN, percent=rounded(100 * (1 - risk)), **values)


def rounded(value: float, places: int = 1) -> float:
    """Round a number to some decimal places. Return an integer if its decimals are zero.

    >>> rounded(3.14), rounded(3.04), rounded(0.256, 2)
    (3.1, 3, 0.26)
    """
    result = round(float(value), places)
    return int(result) if result.is_integer() else result


def percentage(share: float) -> Sentence:
    """Return a sentence that shows a share in per cent.

    >>> percentage(0.256)
    '26 %'
    """
    return Sentence("{number} %", number=round(100 * share))


def judge_ceiling(measured: Measured, limit: float) -> str:
    """Return the severity of a figure with a maximum.

    The severity is red only if the whole confidence interval is above the limit.
    """
    return RED if measured.low > limit else AMBER if measured.value > limit else GREEN


def judge_floor(measured: Measured, limit: float) -> str:
    """Return the severity of a figure with a minimum.

    The severity is red only if the whole confidence interval is below the limit.
    """
    return RED if measured.high < limit else AMBER if measured.value < limit else GREEN


def past_ceiling(value: float, limit: float) -> float:
    """Return how far a value exceeds a maximum, as a share of the maximum, but at most 9."""
    return min(9.0, value / limit - 1 if limit else 9.0)


def past_floor(value: float, limit: float) -> float:
    """Return how far a value falls short of a minimum, as a share of the value, but at most 9."""
    return min(9.0, limit / value - 1 if value else 9.0)


def worst_first(findings: Sequence[Finding]) -> list[Finding]:
    """Return findings in the order of display.

    Red findings come first, then the others. Within each severity, the worst finding of each kind comes
    before the second worst of any kind, and otherwise findings are sorted by their excess.
    """
    ordered = sorted(findings, key=lambda each: (each.severity != RED, -each.excess, each.kind))
    times: dict[tuple[str, str], int] = {}
    places = []
    for finding in ordered:
        key = finding.severity, finding.kind
        places.append(times.get(key, 0))
        times[key] = places[-1] + 1
    ranked = zip(places, ordered, strict=True)
    return [each for _, each in sorted(ranked, key=lambda pair: (pair[1].severity != RED, pair[0]))]
