"""Findings: what is wrong with a starship, in words, with where, how sure, and what to change."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rules.grid import Pos
from rules.language import N_, Sentence
from rules.tunnel.certainty import Measured

RED: Final = "red"
AMBER: Final = "amber"
GREEN: Final = "green"

MOST_CELLS: Final = 12
"""Cells that a finding names at most."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to mend.

    ``kind`` is the figure that shows it, and ``value`` what that came to; ``limit`` is the limit that it
    passes, None where any is too much. ``interval`` is where the true value lies, None where the board alone
    shows it. ``excess`` says how far it is past its limit, as a share of it: the worst is told first.
    ``message`` says what is wrong, ``certainty`` how sure that is, and ``advice`` what to change.
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
