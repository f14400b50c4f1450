"""Findings about a starship (the fault, its place, how sure it is, a change), and limits for figures.

A figure past its limit is a fault. docs/tunnel.md explains where each number comes from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

from rules.grid import Pos
from rules.language import N_, Sentence
from rules.starship import Starship
from rules.tunnel.figures import Measured

SHIFT_RED: Final = 0.18
SHIFT_AMBER: Final = 0.09
"""How far the mean place of a start may be from the middle one, as a share of the places between first and
last: 0.18 is half of a fair share of wins, 0.09 three quarters of it."""

UNFINISHED: Final = 0.05
"""Share of flights that are given up."""
BEHIND: Final = 5.0
"""Phases by which a start may be farther from the first checkpoint than the others: a whole turn."""
FIELD: Final = 0.22
"""Share of the cells, without space, that an empty field may take up."""
FIELD_CELLS: Final = 20
"""Cells of the smallest field that counts."""
START_FIRE: Final = 1
"""Damage that lasers of the board may do to a robot on a start in one phase."""
FEWEST_DEATHS: Final = 20
"""Deaths without which no cell is called deadly."""
UNUSED_FLIGHTS: Final = 100
"""Flights without which no cell is called unused."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a ruleset, set from starships of the fleet and from boards of other authors.

    ``length`` has the fewest and the most turns of Pilot flights in the median, for each cell along the side
    of a square board as large: larger ships make longer games. ``last_turn`` is the largest share of them in
    which the robot lost that led before the last turn, and ``half_time`` the least share in which the one did
    that led at half time. ``deadly`` is a share of all deaths in one cell, and
    ``airlock`` counts the deaths near the start for each Rookie. ``waiting`` is the share of turns in which
    robots are virtual. ``leg`` says how many times as slow as the others the way to a checkpoint may be, and
    ``unused`` is the share of cells that no robot enters. ``fire`` is the damage by lasers of the board in
    100 turns of robots. ``shelter`` is the least share of sheltered cells around starts, None where robots do
    not come back there, and ``elements`` the least share of cells that bear an element.
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
        """Return the fewest and the most turns of Pilot flights in the median, on a ship of that size."""
        least, most = self.length
        return least * side_of(ship), most * side_of(ship)


def side_of(ship: Starship) -> float:
    """Return how many cells a square board that is as large has along its side."""
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
"""The limits of each ruleset, as ``python -m bench.tunnel --limits`` prints them."""


RED: Final = "red"
AMBER: Final = "amber"
GREEN: Final = "green"

MOST_CELLS: Final = 12
"""Cells that a finding names at most."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding about a ship.

    ``kind`` is the figure that shows it, and ``value`` its value. ``limit`` is the limit that it passes, None
    if any value is too much. ``interval`` has the true value, None if the board itself shows it. ``excess``
    is the distance past the limit, as a share of it: the worst comes first. ``message`` is the problem,
    ``certainty`` its certainty, and ``advice`` the change to make.
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


SHOWN: Final = N_("The board alone shows it.")
BETWEEN: Final = N_("{percent} % sure: between {low} and {high}, by {flights} flights.")
AROUND: Final = N_("Not sure yet: between {low} and {high}, by {flights} flights.")
FEW: Final = N_("Not sure: there were only {flights} flights.")


def shown() -> Sentence:
    """Return how sure is what the board alone shows."""
    return Sentence(SHOWN)


def how_sure(measured: Measured, flights: int, risk: float, severity: str, form: str = "{:.0%}") -> Sentence:
    """Return how sure a measured figure is; ``form`` is that of its numbers."""
    low, high = measured.low, measured.high
    if low == float("-inf"):
        return Sentence(FEW, flights=flights)
    values = {"low": number(low, form), "high": number(high, form), "flights": flights}
    if severity == AMBER:
        return Sentence(AROUND, **values)
    return Sentence(BETWEEN, percent=f"{100 * (1 - risk):.1f}", **values)


def number(value: float, form: str) -> str:
    """Write a number; a share as per cent, with a space before the sign, and no decimal that is 0.

    >>> number(0.256, "{:.0%}"), number(3.14, "{:.1f}"), number(3.04, "{:.1f}")
    ('26 %', '3.1', '3')
    """
    return form.format(value).removesuffix(".0").replace("%", " %")


def judge_ceiling(measured: Measured, limit: float) -> str:
    """Return how bad a figure is that should stay below a limit: red only if it is surely above."""
    return RED if measured.low > limit else AMBER if measured.value > limit else GREEN


def judge_floor(measured: Measured, limit: float) -> str:
    """Return how bad a figure is that should stay above a limit: red only if it is surely below."""
    return RED if measured.high < limit else AMBER if measured.value < limit else GREEN


def past_ceiling(value: float, limit: float) -> float:
    """Return how far a value is above a limit, as a share of it, 9 at most."""
    return min(9.0, value / limit - 1 if limit else 9.0)


def past_floor(value: float, limit: float) -> float:
    """Return how far a value is below a limit: how much the limit is more, as a share of it."""
    return min(9.0, limit / value - 1 if value else 9.0)


def worst_first(findings: Sequence[Finding]) -> list[Finding]:
    """Return findings in the order in which people see them.

    Red ones come first, then those that are farthest past their limits. The first finding of each kind comes
    before the second one of any kind.
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
