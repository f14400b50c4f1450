"""Findings about a starship (fault, place, certainty, advice), and limits.

A figure past its limit is a fault. docs/tunnel.md explains the source of each number.
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
"""Limits of `Start.shift`: at half, and three quarters, of a fair share of wins."""

UNFINISHED: Final = 0.05
"""The maximum share of flights without an end."""
BEHIND: Final = 5.0
"""The maximum extra phases from a start to the first checkpoint: a whole turn."""
FIELD: Final = 0.22
"""The maximum share of an empty field in the cells, not counting space."""
FIELD_CELLS: Final = 20
"""The minimum cells of a field to count."""
START_FIRE: Final = 1
"""The maximum damage of the board's lasers to a robot on a start, in one phase."""
FEWEST_DEATHS: Final = 20
"""The minimum deaths before a cell counts as deadly."""
UNUSED_FLIGHTS: Final = 100
"""The minimum flights before a cell counts as unused."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a ruleset, set from starships of the fleet and of other authors.

    ``length`` has the fewest and most turns of the median Pilot flight, for each cell along the side of a
    square board of the same area: larger ships make longer games. ``last_turn`` is the maximum share of
    these flights lost by the leader before the last turn, and ``half_time`` the minimum share lost by the
    leader at half time. ``deadly`` is a share of all deaths in one cell, and ``airlock`` counts the deaths
    near the start for each Rookie. ``waiting`` is the share of turns with a virtual robot. ``leg`` is the
    slowness of the way to a checkpoint in multiples of the others, and ``unused`` the share of cells without
    any robot. ``fire`` is the damage by lasers of the board in 100 turns of robots. ``shelter`` is the
    minimum share of sheltered cells around starts, None if robots do not return there, and ``elements`` the
    minimum share of cells with an element.
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
        """Return the fewest and most turns of the median Pilot flight on this ship."""
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
"""The limits of each ruleset, from ``python -m bench.tunnel --limits``."""


RED: Final = "red"
AMBER: Final = "amber"
GREEN: Final = "green"

CELLS_PER_FINDING: Final = 12
"""The maximum cells in a finding."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding about a ship.

    ``kind`` is its figure, and ``value`` the figure's value. ``limit`` is the limit that it passes, None if
    any value is too much. ``interval`` includes the true value, None if the board itself shows it.
    ``excess`` is the distance past the limit, as a share of it: the worst comes first. ``message`` is the
    problem, ``certainty`` its certainty, and ``advice`` the change to make.
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
"""The way to write a figure: `rounded` or as `percentage`."""

CERTAIN: Final = N_("Certain: the board shows it.")
BETWEEN: Final = N_("{percent} % sure: between {low} and {high}, after {flights} flights.")
AROUND: Final = N_("Not sure yet: between {low} and {high}, after {flights} flights.")
FEW: Final = N_("Not sure: only {flights} flights.")


def certain() -> Sentence:
    """Return the certainty of a finding from the board itself."""
    return Sentence(CERTAIN)


def how_sure(measured: Measured, flights: int, risk: float, severity: str, form: Form) -> Sentence:
    """Return the certainty of a measured figure, with its numbers in this ``form``."""
    low, high = measured.low, measured.high
    if low == float("-inf"):
        return Sentence(FEW, flights=flights)
    values = {"low": form(low), "high": form(high), "flights": flights}
    if severity == AMBER:
        return Sentence(AROUND, **values)
    return Sentence(BETWEEN, percent=rounded(100 * (1 - risk)), **values)


def rounded(value: float, places: int = 1) -> float:
    """Round a number for a sentence, to an integer if its decimals are zero.

    >>> rounded(3.14), rounded(3.04), rounded(0.256, 2)
    (3.1, 3, 0.26)
    """
    result = round(float(value), places)
    return int(result) if result.is_integer() else result


def percentage(share: float) -> Sentence:
    """Return a share in per cent.

    >>> percentage(0.256)
    '26 %'
    """
    return Sentence("{number} %", number=round(100 * share))


def judge_ceiling(measured: Measured, limit: float) -> str:
    """Return the severity of a figure with a maximum. It is red only if surely above."""
    return RED if measured.low > limit else AMBER if measured.value > limit else GREEN


def judge_floor(measured: Measured, limit: float) -> str:
    """Return the severity of a figure with a minimum. It is red only if surely below."""
    return RED if measured.high < limit else AMBER if measured.value < limit else GREEN


def past_ceiling(value: float, limit: float) -> float:
    """Return the excess of a value above a limit, as a share of the limit, up to 9."""
    return min(9.0, value / limit - 1 if limit else 9.0)


def past_floor(value: float, limit: float) -> float:
    """Return the excess of a limit above a value, as a share of the value, up to 9."""
    return min(9.0, limit / value - 1 if value else 9.0)


def worst_first(findings: Sequence[Finding]) -> list[Finding]:
    """Return findings in their order for display.

    Red ones come first, then the others by their excess. The first finding of each kind comes before the
    second one of any kind.
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
