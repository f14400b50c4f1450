"""The wind tunnel of a draft: starting a run, following it, and what it came to."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

import rules
from accounts.navigation import only_by_form
from games.errors import NotFound, ServiceError
from games.pages import for_people, hides_what_is_not_there, number_in, user_of
from games.reasons import tell
from games.shipyard.drawings import faults_in
from games.shipyard.forms import TunnelForm
from games.shipyard.models import StarshipDraft, TunnelRun
from games.shipyard.pages.drafts import title_of
from games.shipyard.pages.heat import fix_drawing, grid_of, tunnel_drawing
from games.shipyard.pages.reports import (
    VERDICTS,
    figures_in,
    findings_in,
    places_of,
    starts_in,
    verdict_sentence,
    wins_in,
)
from games.shipyard.runs import (
    TunnelFixView,
    fix_view,
    fixes_under_way,
    mark_of,
    offered_fixes,
    report_for,
    run_for,
    runs_of,
    wins_view,
)
from games.shipyard.selectors import draft_for
from games.shipyard.services.fixes import take_fix
from games.shipyard.services.tunnel import cancel_run, start_run

NAMED = 6
"""Cells of a fix that are named; of larger ones the drawing says it all."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@for_people
@hides_what_is_not_there
def tunnel(request: HttpRequest, draft_id: int) -> HttpResponse:
    """Show the last run of a draft; on POST start another."""
    draft = draft_for(viewer=user_of(request), draft_id=draft_id)
    if request.method != "POST":
        return _page(request, draft)
    form = _form(draft, request.POST)
    if not form.is_valid():
        return _page(request, draft, form=form, status=422)
    given = form.cleaned_data
    try:
        run = start_run(
            user=user_of(request),
            draft_id=draft_id,
            ruleset=given["ruleset"],
            players=int(given["players"]) if given["players"] else None,
            flights=int(given["flights"]),
            now=timezone.now(),
        )
    except NotFound:
        raise
    except ServiceError as refusal:
        form.add_refusal(refusal)
        return _page(request, draft, form=form, status=refusal.status)
    if not run.is_under_way:
        messages.success(request, _("This version was flown like this before. Here is what it came to."))
    return redirect("shipyard:tunnel_run", draft_id, run.pk)


@require_http_methods(["GET", "HEAD"])
@never_cache
@login_required
@for_people
@hides_what_is_not_there
def run(request: HttpRequest, draft_id: int, run_id: int) -> HttpResponse:
    """Show one run of a draft."""
    draft = draft_for(viewer=user_of(request), draft_id=draft_id)
    return _page(request, draft, shown=_run_of(request, draft, run_id))


@only_by_form
@login_required
@for_people
@hides_what_is_not_there
def cancel(request: HttpRequest, draft_id: int, run_id: int) -> HttpResponse:
    """Stop a run."""
    draft = draft_for(viewer=user_of(request), draft_id=draft_id)
    found = _run_of(request, draft, run_id)
    try:
        cancel_run(user=user_of(request), run_id=found.pk, now=timezone.now())
    except NotFound:
        raise
    except ServiceError as refusal:
        messages.error(request, refusal.detail)
    else:
        messages.success(request, _("The run is cancelled."))
    return redirect("shipyard:tunnel_run", draft_id, run_id)


@only_by_form
@login_required
@for_people
@hides_what_is_not_there
def fix(request: HttpRequest, draft_id: int, run_id: int) -> HttpResponse:
    """Put a fix that was flown into the draft."""
    draft = draft_for(viewer=user_of(request), draft_id=draft_id)
    _run_of(request, draft, run_id)
    number = number_in(request.POST.get("fix")) or 0
    try:
        saved = take_fix(user=user_of(request), run_id=run_id, fix_id=number, now=timezone.now())
    except ServiceError as refusal:
        messages.error(request, refusal.detail)
        return redirect("shipyard:tunnel_run", draft_id, run_id)
    messages.success(request, _("The fix is in version {number}.").format(number=saved.version))
    return redirect("shipyard:draft", draft_id)


def _run_of(request: HttpRequest, draft: StarshipDraft, run_id: int) -> TunnelRun:
    """Return a run of a draft; raises NotFound, also for one of another draft."""
    found = run_for(viewer=user_of(request), run_id=run_id)
    if found.draft_id != draft.pk:
        raise NotFound("no-run", _("There is no such run."))
    return found


def _page(
    request: HttpRequest,
    draft: StarshipDraft,
    *,
    shown: TunnelRun | None = None,
    form: TunnelForm | None = None,
    status: int = 200,
) -> HttpResponse:
    runs = runs_of(draft=draft)
    if shown is None and runs:
        shown = run_for(viewer=user_of(request), run_id=runs[0].pk)
    form = form or _form(draft)
    context = {
        "draft": draft,
        "title": title_of(draft),
        "form": form,
        "errors": sum(fault.prevents_play for fault in faults_in(draft)),
        "flies": bool(form.suiting),
        "under_way": next((each for each in runs if each.is_under_way), None),
        "runs": [(each, rules.RULESETS[each.ruleset].name, _colour(each)) for each in runs],
        **(told_of(shown) if shown else {}),
    }
    return render(request, "shipyard/tunnel.html", context, status=status)


def told_of(found: TunnelRun) -> dict[str, Any]:
    """Return what a page tells of a run, as `shipyard/tunnel_run.html` asks for it."""
    report = report_for(found)
    told: dict[str, Any] = {
        "run": found,
        "mark": mark_of(found),
        "edition": rules.RULESETS[found.ruleset],
        "failure": tell(found.failure) if found.failure else "",
        "board": _drawn(found, report),
        "report": report,
        "wins": wins_in(wins) if (wins := wins_view(found)) and found.is_under_way else None,
        "fixes": [_fix_row(fix) for fix in offered_fixes(found)],
        "fixes_under_way": fixes_under_way(found),
    }
    if report:
        width, height = _size(found)
        grids = [
            ("entered", _("How often robots entered each cell"), report["cells"]["entered"]),
            ("deaths", _("Deaths in each cell"), report["cells"]["deaths"]),
        ]
        told |= {
            "verdict": report["verdict"],
            "verdict_sentence": verdict_sentence(report),
            "findings": findings_in(report),
            "figures": figures_in(report),
            "starts": starts_in(report),
            "columns": range(1, width + 1),
            "grids": [(name, caption, grid_of(counts, width, height)) for name, caption, counts in grids],
        }
    return told


def _fix_row(fix: TunnelRun) -> tuple[TunnelFixView, SafeString, str]:
    """Return a fix as it is told, as it is drawn, and where it changes the ship."""
    told = fix_view(fix)
    where = places_of([(cell["column"] - 1, cell["row"] - 1) for cell in told["cells"][:NAMED]])
    return told, fix_drawing(fix), where if len(told["cells"]) <= NAMED else ""


def _drawn(found: TunnelRun, report: dict[str, Any] | None) -> str:
    """Draw what was flown; nothing where that cannot be read any more, since then its run has failed."""
    try:
        return tunnel_drawing(found.document, report)
    except rules.NotationError:
        return ""


def _size(found: TunnelRun) -> tuple[int, int]:
    rows = found.document["rows"]
    return len(rows[0].split()), len(rows)


def _colour(found: TunnelRun) -> tuple[str, str]:
    """Return the verdict of a run as a colour and a word; empty before its first look."""
    colour = found.report["verdict"] if found.report else ""
    return colour, str(VERDICTS[colour]) if colour else ""


def _form(draft: StarshipDraft, data: Any = None) -> TunnelForm:
    return TunnelForm(data, draft=draft)
