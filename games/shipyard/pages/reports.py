"""A report of the wind tunnel in words: what was measured, row by row."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.language import WORDS
from games.shipyard.runs import TunnelWinsView
from rules.language import place_of
from rules.tunnel.figures import UNEQUAL
from rules.tunnel.findings import number
from rules.tunnel.report import COLOURS

Report = dict[str, Any]

SHARE: Final = "{:.0%}"

LINE: Final = 3
"""Cells in a line that are named by its ends."""

FIGURES: Final[Mapping[str, tuple[str | Promise, str]]] = {
    "length": (_("Turns of a flight of Pilots, in the median"), "{:.1f}"),
    "unfinished": (_("Flights that were given up"), SHARE),
    "half_time": (_("Flights that the leader at half time loses"), SHARE),
    "last_turn": (_("Flights that the leader before the last turn loses"), SHARE),
    "deadly": (_("Deaths in the worst cell, of all deaths"), SHARE),
    "airlock": (_("Deaths near the start, for each Rookie"), "{:.2f}"),
    "waiting": (_("Turns that robots end as virtual ones"), SHARE),
    "leg": (_("The slowest way to a checkpoint, in times of the others"), "{:.1f}"),
    "fire": (_("Damage by lasers of the ship, in 100 turns of a robot"), "{:.1f}"),
    "unused": (_("Cells that no robot entered"), SHARE),
}
"""What each figure is called, and how its numbers are written; in the order in which they are shown."""

VERDICTS: Final[Mapping[str, str | Promise]] = {
    "green": _("Green"),
    "amber": _("Amber"),
    "red": _("Red"),
}


class FigureRow(NamedTuple):
    """A figure: what it is called, what it came to, and between which values it surely lies."""

    name: str
    value: str
    between: str


class StartRow(NamedTuple):
    """How the robots fared that start in one cell."""

    at: str
    place: str
    wins: str
    between: str


class WinsRow(NamedTuple):
    """How often the robots of a start have won: its place, wins, their share and the fair one in per cent."""

    at: str
    wins: str
    share: str
    fair: str
    percent: float
    fair_percent: float


class FindingRow(NamedTuple):
    """A finding, with its number on the drawing, and the cells that it names."""

    number: int
    severity: str
    message: str
    where: str
    certainty: str
    advice: str


def verdict_sentence(report: Report) -> str:
    """Return what the colour of a verdict says."""
    return WORDS(COLOURS[report["verdict"]])


def findings_in(report: Report) -> list[FindingRow]:
    """Return the findings of a report, the worst first."""
    return [
        FindingRow(
            index,
            finding["severity"],
            finding["message"],
            places_of(finding["cells"]),
            finding["certainty"],
            finding["advice"],
        )
        for index, finding in enumerate(report["findings"], 1)
    ]


def places_of(cells: Sequence[Sequence[int]]) -> str:
    """Say where cells are; a line of three or more by its ends.

    >>> places_of([[11, 0], [11, 1], [11, 2]])
    'column 12, rows 1 to 3'
    >>> places_of([[4, 0], [6, 0], [7, 0]])
    'column 5, row 1; column 7, row 1; column 8, row 1'
    """
    columns, rows = sorted({x for x, _y in cells}), sorted({y for _x, y in cells})
    if len(rows) >= LINE and len(columns) == 1 and rows[-1] - rows[0] < len(rows):
        return gettext("column {column}, rows {first} to {last}").format(
            column=columns[0] + 1, first=rows[0] + 1, last=rows[-1] + 1
        )
    if len(columns) >= LINE and len(rows) == 1 and columns[-1] - columns[0] < len(columns):
        return gettext("row {row}, columns {first} to {last}").format(
            row=rows[0] + 1, first=columns[0] + 1, last=columns[-1] + 1
        )
    return "; ".join(place_of((x, y), WORDS) for x, y in cells)


def figures_in(report: Report) -> list[FigureRow]:
    """Return what was measured, as far as it could be."""
    rows = []
    for key, (name, form) in FIGURES.items():
        measured = report["figures"].get(key)
        if measured:
            rows.append(FigureRow(str(name), number(measured["value"], form), _between(measured, form)))
    if report["flown"] > len(report["failed"]):
        changes = number(report["lead_changes"], "{:.1f}")
        rows.append(FigureRow(gettext("Times that the lead changes in a flight"), changes, ""))
    for checkpoint, slow in report["legs"].items():
        name = gettext("The way to checkpoint {number}, in times of the best").format(number=checkpoint)
        rows.append(FigureRow(name, number(slow, "{:.1f}"), ""))
    return rows


def starts_in(report: Report) -> list[StartRow]:
    """Return how fair the starts are; nothing where all robots share one."""
    return [
        StartRow(
            place_of(start["at"], WORDS),
            number(start["place"], "{:.1f}"),
            number(start["win_share"]["value"], SHARE),
            _between(start["win_share"], SHARE),
        )
        for start in report["fair"]["starts"]
    ]


def wins_in(wins: TunnelWinsView) -> tuple[list[WinsRow], str, bool]:
    """Return who has won so far by start, what that says of the starts, and whether it is bad.

    There are no rows where all robots share one start.
    """
    starts = wins["starts"]
    total = sum(start["wins"] for start in starts)
    if len(starts) < 2:
        return [], gettext("Fair: all robots share one start."), False
    rows = [
        WinsRow(
            place_of(start["at"], WORDS),
            number(start["wins"], "{:.1f}"),
            number(start["wins"] / total if total else 0.0, SHARE),
            number(start["fair"], SHARE),
            round(100 * start["wins"] / total, 1) if total else 0.0,
            round(100 * start["fair"], 1),
        )
        for start in starts
    ]
    if wins["odds"] >= UNEQUAL:
        return rows, gettext("Some starts win too often: this is no chance any more."), True
    if wins["odds"] >= 1:
        return rows, gettext("Some starts seem to win more often. It may still be chance."), False
    return rows, gettext("So far all starts win as often as chance has it."), False


def _between(measured: Mapping[str, float | None], form: str) -> str:
    low, high = measured["low"], measured["high"]
    if low is None or high is None:
        return gettext("not known yet")
    if low == high:
        return ""
    return gettext("{low} to {high}").format(low=number(low, form), high=number(high, form))
