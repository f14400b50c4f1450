"""Pages of the wind tunnel: start a run, follow it, and read its report."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from html import escape
from math import ceil, sqrt
from typing import Any, Final, NamedTuple

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

import rules
from games.errors import Conflict, NotFound, number_in
from games.fleet.pictures import empty_board, lay_over
from games.shipyard.flying import take_fix
from games.shipyard.inputs import TunnelForm
from games.shipyard.models import StarshipDraft, TunnelRun
from games.shipyard.pages.drafts import mark, title_of
from games.shipyard.selectors import draft_for, faults_in, sketch_of, suiting
from games.shipyard.tunnel import (
    TunnelFixView,
    TunnelWinsView,
    cancel_run,
    fix_view,
    fixes_under_way,
    offered_fixes,
    report_for,
    run_for,
    run_state_tag,
    runs_of,
    start_run,
    wins_view,
)
from games.web.actions import Done, action
from games.web.pages import handle_missing, require_account, user_of
from games.wording import WORDS, translate
from games.work.jobs import reason_in_words
from rules.drawing.pen import CELL
from rules.language import place_of
from rules.suitability import player_numbers
from rules.tunnel.figures import UNEQUAL
from rules.tunnel.findings import Form, percentage, rounded
from rules.tunnel.report import COLOURS

SHADES: Final = 5
"""The number of shades of a heat map."""

Report = dict[str, Any]
Row = tuple[int, list[int]]


def tunnel_drawing(document: object, report: Report | None) -> SafeString:
    """Draw a ship with its report as layers: findings, entered cells, and deaths.

    Without a report, draw only the ship.
    """
    svg = empty_board(rules.read_starship(document, known=True), rulers=True)
    if report is None:
        return svg
    layers = [
        ("found", "".join(_finding_marks(report["findings"]))),
        ("entered", "".join(_shades(report["cells"]["entered"]))),
        ("deaths", "".join(_shades(report["cells"]["deaths"]))),
    ]
    overlay = "".join(f'<g class="heat heat-{name}" aria-hidden="true">{marks}</g>' for name, marks in layers)
    return lay_over(svg, overlay)


def fix_drawing(fix: TunnelRun) -> SafeString:
    """Draw a ship with a fix, and a frame around each changed cell."""
    assert fix.fix is not None
    svg = empty_board(rules.read_starship(fix.document, known=True))
    marks = "".join(mark(x + 1, y + 1, "different") for x, y, _token in fix.fix["cells"])
    return lay_over(svg, f'<g class="ship-marks">{marks}</g>')


def grid_of(counts: Iterable[Sequence[int]], width: int, height: int) -> list[Row]:
    """Return the counts of all cells as numbered rows, for a table.

    ``counts`` has the column, the row and the count of each cell that was counted. Columns and rows start
    at 0. Other cells get 0.

    >>> grid_of([[1, 0, 7]], 2, 2)
    [(1, [0, 7]), (2, [0, 0])]
    """
    found = {(x, y): times for x, y, times in counts}
    return [(y + 1, [found.get((x, y), 0) for x in range(width)]) for y in range(height)]


def shade_of(times: int, most: int) -> int:
    """Return the shade of a cell in a heat map, from 1 to 5, for its count.

    ``most`` is the largest count of all cells. Darkness grows with the square root of the count.

    >>> [shade_of(times, 100) for times in (1, 4, 5, 36, 100)]
    [1, 1, 2, 3, 5]
    """
    return max(1, ceil(SHADES * sqrt(times / most)))


def _shades(counts: Sequence[Sequence[int]]) -> Iterable[str]:
    most = max((times for *_at, times in counts), default=1)
    for x, y, times in counts:
        yield (
            f'<rect class="is-{shade_of(times, most)}" x="{x * CELL}" y="{y * CELL}" width="{CELL}"'
            f' height="{CELL}"/>{_text(x, y, _short(times), "heat-number")}'
        )


def _finding_marks(findings: Sequence[Report]) -> Iterable[str]:
    """Yield an SVG frame around each cell with findings, and a label with the numbers of these findings."""
    named: dict[tuple[int, int], list[int]] = {}
    for place, finding in enumerate(findings, 1):
        for x, y in finding["cells"]:
            named.setdefault((x, y), []).append(place)
    for (x, y), numbers in named.items():
        side = CELL - 3
        yield f'<rect x="{x * CELL + 1.5}" y="{y * CELL + 1.5}" width="{side}" height="{side}" rx="3"/>'
        yield _text(x, y, ", ".join(map(str, numbers)), "heat-name")


def _text(x: int, y: int, text: str, kind: str) -> str:
    return f'<text class="{kind}" x="{(x + 0.5) * CELL}" y="{(y + 0.5) * CELL}">{escape(text)}</text>'


def _short(times: int) -> str:
    """Shorten a number to fit into a cell of a drawing.

    >>> _short(999), _short(1234), _short(56789)
    ('999', '1.2k', '57k')
    """
    if times < 1000:
        return str(times)
    return f"{number_format(rounded(times / 1000, 1 if times < 10_000 else 0))}k"


SHORTEST_LINE: Final = 3
"""The minimum length, in cells, of a line of cells. `places_of` names only the ends of a line."""

FIGURES: Final[Mapping[str, tuple[str | Promise, Form]]] = {
    "length": (_("Median length with Pilots, in turns"), rounded),
    "unfinished": (_("Unfinished flights"), percentage),
    "half_time": (_("Flights lost by the half-time leader"), percentage),
    "last_turn": (_("Flights lost by the leader before the last turn"), percentage),
    "deadly": (_("Share of deaths that happen in the deadliest cell"), percentage),
    "airlock": (_("Deaths near the start, per Rookie"), partial(rounded, places=2)),
    "waiting": (_("Turns that end with the robot virtual"), percentage),
    "leg": (_("Slowest leg compared with the others"), rounded),
    "fire": (_("Damage by the ship’s lasers, per 100 robot turns"), rounded),
    "unused": (_("Cells never entered"), percentage),
}
"""The name and number format of each measured figure of a report, in the order of the page."""

VERDICTS: Final[Mapping[str, str | Promise]] = {"green": _("Green"), "amber": _("Amber"), "red": _("Red")}


class FigureRow(NamedTuple):
    """A figure's name, value, and confidence interval."""

    name: str
    value: str
    between: str


class StartRow(NamedTuple):
    """The results of robots from one start cell."""

    at: str
    place: str
    wins: str
    between: str


class WinsRow(NamedTuple):
    """The wins of the robots from one start cell, with their share and the fair share."""

    at: str
    wins: str
    share: str
    fair: str
    percent: float
    fair_percent: float


class FindingRow(NamedTuple):
    """A finding in a report, with its number in the drawing, and its cells in words."""

    number: int
    severity: str
    message: str
    where: str
    certainty: str
    advice: str


def verdict_sentence(report: Report) -> str:
    """Return the sentence to explain the colour of a report's verdict."""
    return WORDS(COLOURS[report["verdict"]])


def findings_in(report: Report) -> list[FindingRow]:
    """Return the findings of a report, worst first."""
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
    """Return the places of cells in words. For a line of three cells or more, name only its ends.

    >>> places_of([[11, 0], [11, 1], [11, 2]])
    'column 12, rows 1 to 3'
    >>> places_of([[4, 0], [6, 0], [7, 0]])
    'column 5, row 1; column 7, row 1; column 8, row 1'
    """
    columns, rows = sorted({x for x, _y in cells}), sorted({y for _x, y in cells})
    if len(rows) >= SHORTEST_LINE and len(columns) == 1 and rows[-1] - rows[0] < len(rows):
        return gettext("column {column}, rows {first} to {last}").format(
            column=columns[0] + 1, first=rows[0] + 1, last=rows[-1] + 1
        )
    if len(columns) >= SHORTEST_LINE and len(rows) == 1 and columns[-1] - columns[0] < len(columns):
        return gettext("row {row}, columns {first} to {last}").format(
            row=rows[0] + 1, first=columns[0] + 1, last=columns[-1] + 1
        )
    return "; ".join(place_of((x, y), WORDS) for x, y in cells)


def figures_in(report: Report) -> list[FigureRow]:
    """Return the measured figures of a report."""
    rows = []
    for key, (name, form) in FIGURES.items():
        measured = report["figures"].get(key)
        if measured:
            rows.append(FigureRow(str(name), translate(form(measured["value"])), _between(measured, form)))
    if report["flown"] > len(report["failed"]):
        changes = translate(rounded(report["lead_changes"]))
        rows.append(FigureRow(gettext("Lead changes per flight"), changes, ""))
    for checkpoint, slow in report["legs"].items():
        name = gettext("Leg to checkpoint {number} compared with its best time").format(number=checkpoint)
        rows.append(FigureRow(name, translate(rounded(slow)), ""))
    return rows


def starts_in(report: Report) -> list[StartRow]:
    """Return a report's results by start cell, or an empty list if there is only one start cell."""
    return [
        StartRow(
            place_of(start["at"], WORDS),
            translate(rounded(start["place"])),
            translate(percentage(start["win_share"]["value"])),
            _between(start["win_share"], percentage),
        )
        for start in report["fair"]["starts"]
    ]


def wins_in(wins: TunnelWinsView) -> tuple[list[WinsRow], str, bool]:
    """Return rows of wins by start cell, a sentence on fairness, and a warning flag.

    The flag is true if the starts are unfair. If all robots share one start, there are no rows.
    """
    starts = wins["starts"]
    total = sum(start["wins"] for start in starts)
    if len(starts) < 2:
        return [], gettext("Fair: all robots share one start."), False
    rows = [
        WinsRow(
            place_of(start["at"], WORDS),
            translate(rounded(start["wins"])),
            translate(percentage(start["wins"] / total if total else 0.0)),
            translate(percentage(start["fair"])),
            round(100 * start["wins"] / total, 1) if total else 0.0,
            round(100 * start["fair"], 1),
        )
        for start in starts
    ]
    if wins["odds"] >= UNEQUAL:
        return rows, gettext("Some starts win more often than chance would explain."), True
    if wins["odds"] >= 1:
        return rows, gettext("Some starts seem to win more often, but this may be chance."), False
    return rows, gettext("So far, no start wins more often than chance would explain."), False


def _between(measured: Mapping[str, float | None], form: Form) -> str:
    low, high = measured["low"], measured["high"]
    if low is None or high is None:
        return gettext("not known yet")
    if low == high:
        return ""
    return gettext("{low} to {high}").format(low=translate(form(low)), high=translate(form(high)))


CELLS_NAMED = 6
"""The maximum number of changed cells to name in a fix.

A fix with more changed cells is only shown as a drawing.
"""


def _last_run(request: HttpRequest, draft_id: int) -> dict[str, Any]:
    return _runs_part(draft_for(viewer=user_of(request), draft_id=draft_id))


@never_cache
@action(TunnelForm, template="shipyard/tunnel.html", context=_last_run)
def tunnel(request: HttpRequest, draft_id: int, asked: dict[str, Any]) -> Done:
    """Show the last wind tunnel run of a draft, and start a new run."""
    run = start_run(user=user_of(request), draft_id=draft_id, **asked, now=timezone.now())
    said = gettext("You flew this version with these settings before. Results:")
    there = reverse("shipyard:tunnel_run", args=[draft_id, run.pk])
    return Done("" if run.is_under_way else said, then=there)


@require_http_methods(["GET", "HEAD"])
@never_cache
@login_required
@require_account
@handle_missing
def tunnel_run(request: HttpRequest, draft_id: int, run_id: int) -> HttpResponse:
    draft = draft_for(viewer=user_of(request), draft_id=draft_id)
    context = _runs_part(draft, shown=_run_of(request, draft_id, run_id))
    return render(request, "shipyard/tunnel.html", {**context, "form": TunnelForm(**context.pop("given"))})


@action(says=_("The flights were cancelled."))
def cancel_tunnel_run(request: HttpRequest, draft_id: int, run_id: int) -> None:
    found = _run_of(request, draft_id, run_id)
    cancel_run(user=user_of(request), run_id=found.pk, now=timezone.now())


@action()
def take_tunnel_fix(request: HttpRequest, draft_id: int, run_id: int) -> Done:
    """Apply a tested fix to the draft."""
    found, number = _run_of(request, draft_id, run_id), number_in(request.POST.get("fix")) or 0
    try:
        saved = take_fix(user=user_of(request), run_id=found.pk, fix_id=number, now=timezone.now())
    except NotFound as gone:  # the run still has a page, which shows the message
        raise Conflict(gone.code, gone.detail) from None
    said = gettext("The fix was applied in version {number}.").format(number=saved.version)
    return Done(said, then=reverse("shipyard:draft", args=[draft_id]))


def _run_of(request: HttpRequest, draft_id: int, run_id: int) -> TunnelRun:
    """Return a run by its ID. Raises NotFound if it is not a run of the draft."""
    found = run_for(viewer=user_of(request), run_id=run_id)
    if found.draft_id != draft_id:
        raise NotFound("no-run", gettext("There are no such flights."))
    return found


def _runs_part(draft: StarshipDraft, *, shown: TunnelRun | None = None) -> dict[str, Any]:
    """Return the context of a draft's wind tunnel page: all runs, and one in detail.

    The run in detail is ``shown``, or else the newest.
    """
    runs = runs_of(draft=draft)
    if shown is None and runs:
        shown = run_for(viewer=draft.user, run_id=runs[0].pk)
    ship = sketch_of(draft).ship
    suits = [edition for edition in suiting(drawing=draft) if player_numbers(edition, ship)]
    return {
        "draft": draft,
        "title": title_of(draft),
        "given": {"suiting": suits, "initial": {"ruleset": draft.ruleset}},
        "errors": sum(fault.is_blocking for fault in faults_in(draft)),
        "flies": bool(suits),
        "under_way": next((each for each in runs if each.is_under_way), None),
        "runs": [(each, rules.RULESETS[each.ruleset].name, _colour(each)) for each in runs],
        **(run_context(shown) if shown else {}),
    }


def run_context(found: TunnelRun) -> dict[str, Any]:
    """Return the context of a run for the template `shipyard/tunnel_run.html`."""
    report = report_for(found)
    context: dict[str, Any] = {
        "run": found,
        "mark": run_state_tag(found),
        "edition": rules.RULESETS[found.ruleset],
        "failure": reason_in_words(found.failure) if found.failure else "",
        "board": _drawn(found, report),
        "report": report,
        "wins": wins_in(wins) if (wins := wins_view(found)) and found.is_under_way else None,
        "fixes": [_fix_row(fix) for fix in offered_fixes(found)],
        "fixes_under_way": fixes_under_way(found),
    }
    if report:
        width, height = _size(found)
        grids = [
            ("entered", gettext("How often robots entered each cell"), report["cells"]["entered"]),
            ("deaths", gettext("Robots destroyed in each cell"), report["cells"]["deaths"]),
        ]
        context |= {
            "verdict": report["verdict"],
            "verdict_sentence": verdict_sentence(report),
            "findings": findings_in(report),
            "figures": figures_in(report),
            "starts": starts_in(report),
            "columns": range(1, width + 1),
            "grids": [(name, caption, grid_of(counts, width, height)) for name, caption, counts in grids],
        }
    return context


def _fix_row(fix: TunnelRun) -> tuple[TunnelFixView, SafeString, str]:
    """Return the view of a fix, its drawing, and its cells in words.

    If the fix changes more than `CELLS_NAMED` cells, the words are empty.
    """
    view = fix_view(fix)
    where = places_of([(cell["column"] - 1, cell["row"] - 1) for cell in view["cells"][:CELLS_NAMED]])
    return view, fix_drawing(fix), where if len(view["cells"]) <= CELLS_NAMED else ""


def _drawn(found: TunnelRun, report: dict[str, Any] | None) -> str:
    """Draw the ship of a run with its report.

    Returns an empty string if the ship is unreadable, as in some failed runs.
    """
    try:
        return tunnel_drawing(found.document, report)
    except rules.NotationError:
        return ""


def _size(found: TunnelRun) -> tuple[int, int]:
    rows = found.document["rows"]
    return len(rows[0].split()), len(rows)


def _colour(found: TunnelRun) -> tuple[str, str]:
    """Return a run's verdict as a colour and a word. Both are empty before the first verdict."""
    colour = found.report["verdict"] if found.report else ""
    return colour, str(VERDICTS[colour]) if colour else ""
