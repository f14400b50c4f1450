"""What people see of runs of the wind tunnel: no one but the person who draws the ship sees them."""

from datetime import datetime
from typing import Annotated, Any, Final, TypedDict

from django.utils.translation import gettext as _

from accounts.models import User
from games.documents import Shape, written
from games.errors import NotFound
from games.language import told
from games.play.selectors.board import Cell
from games.play.selectors.viewers import Viewer
from games.reasons import tell
from games.shipyard.models import ShipSuggestion, StarshipDraft, TunnelRun
from games.shipyard.selectors import FixCell
from rules.language import sentence_from_json
from rules.tunnel.figures import UNEQUAL, odds_of
from rules.tunnel.findings import AMBER, GREEN, RED
from rules.tunnel.remedies import cures
from rules.tunnel.report import TUNNEL_FORMAT

VERDICTS: Final = (GREEN, AMBER, RED)

REPORT: Final = Shape(
    {
        "type": "object",
        "description": f"What the last look came to, as a `{TUNNEL_FORMAT}` document; its `final` is false"
        " as long as more flights may come. Null before the first look.",
        "properties": {"format": {"type": "string", "enum": [TUNNEL_FORMAT]}},
        "required": ["format"],
        "additionalProperties": True,
        "nullable": True,
    }
)


class TunnelRunFacts(TypedDict):
    """A run of the wind tunnel, as lists show it."""

    id: int
    draft: Annotated[int, "The draft that is flown."]
    version: Annotated[int, "The version of the draft that is flown."]
    ruleset: str
    players: int
    flights: Annotated[int, "How many are flown at most: a run stops as soon as its verdict is sure."]
    flown: Annotated[int, "How many have been flown."]
    seed: Annotated[str, "The same seed gives the same flights."]
    status: Annotated[str, tuple(TunnelRun.Status.values), "`waiting` and `flying` are under way."]
    verdict: Annotated[str | None, VERDICTS, "By the flights of the last look; null before the first."]
    created_at: datetime
    finished_at: datetime | None


class TunnelFixView(TypedDict):
    """A change that was flown, and cures a finding without another one that is red."""

    id: int
    finding: Annotated[str, "The kind of finding that it cures."]
    label: Annotated[str, "What it does, for a button."]
    cells: Annotated[list[FixCell], "What to put into the version that was flown."]


class StartWinsView(TypedDict):
    """How often the robots won that start in a cell."""

    at: Annotated[Cell, "[x, y], from the top left [0, 0]."]
    robots: Annotated[int, "How many start there."]
    wins: Annotated[float, "Wins of Pilots; those who win together share one."]
    fair: Annotated[float, "The share of all wins that is theirs if starts are equal."]


class TunnelWinsView(TypedDict):
    """Who wins so far. Where all robots share one start, there is one."""

    starts: list[StartWinsView]
    odds: Annotated[
        float, f"That starts are unequal, against equal ones. {UNEQUAL:g} and more are no chance."
    ]


class TunnelRunView(TunnelRunFacts):
    """A run of the wind tunnel, with what it has come to so far."""

    failure: Annotated[str | None, "Why it failed, in a sentence; null if it did not."]
    report: Annotated[dict[str, Any] | None, REPORT]
    wins: Annotated[TunnelWinsView | None, "After each batch of flights; null before the first."]
    fixes: list[TunnelFixView]
    fixes_under_way: Annotated[int, "Fixes that are still being flown: ask again."]


def runs_of(*, draft: StarshipDraft) -> list[TunnelRun]:
    """Return the runs of a draft, the last one first, without the documents that they flew."""
    return list(draft.tunnel_runs.filter(fix_of=None).defer("document", "sentences").order_by("-pk"))


def run_for(*, viewer: Viewer, run_id: int) -> TunnelRun:
    """Return a run of a draft of the viewer's own; raises NotFound for any other."""
    runs = TunnelRun.objects.filter(pk=run_id, draft__user=viewer) if isinstance(viewer, User) else None
    run = runs.first() if runs is not None else None
    if run is None:
        raise NotFound("no-run", _("There is no such run."))
    return run


def run_facts(run: TunnelRun) -> TunnelRunFacts:
    """Return a run as lists show it."""
    return written(TunnelRunFacts, run, draft=run.draft_id, verdict=verdict_of(run))


def run_view(run: TunnelRun) -> TunnelRunView:
    """Return a run with its report, whose sentences are in the reader's language."""
    failure = tell(run.failure) if run.failure else None
    return {
        **run_facts(run),
        "failure": failure,
        "report": report_for(run),
        "wins": wins_view(run),
        "fixes": [fix_view(fix) for fix in offered_fixes(run)],
        "fixes_under_way": fixes_under_way(run),
    }


def wins_view(run: TunnelRun) -> TunnelWinsView | None:
    """Return who wins so far; None before the first flights."""
    if run.wins is None:
        return None
    robots = sum(each[2] for each in run.wins["starts"])
    starts: list[StartWinsView] = [
        {"at": [x, y], "robots": sharing, "wins": round(wins, 2), "fair": sharing / robots}
        for x, y, sharing, wins in run.wins["starts"]
    ]
    odds = odds_of([each["wins"] for each in starts], [each["fair"] for each in starts])
    return {"starts": starts, "odds": round(odds, 2)}


def offered_fixes(run: TunnelRun) -> list[TunnelRun]:
    """Return what was tried for a run and is offered."""
    return [fix for fix in run.fixes.order_by("pk").select_related("fix_of") if is_offered(fix)]


def fixes_under_way(run: TunnelRun) -> int:
    """Return how many fixes are being tried for a run."""
    return run.fixes.filter(status__in=TunnelRun.UNDER_WAY).count()


def is_offered(fix: TunnelRun) -> bool:
    """Return whether what was tried for a run cures its finding, and brings no other."""
    if fix.fix is None or fix.fix_of is None or fix.status != TunnelRun.Status.DONE:
        return False
    before, after = (
        [(finding["kind"], finding["severity"]) for finding in (run.report or {})["findings"]]
        for run in (fix.fix_of, fix)
    )
    return cures(fix.fix["kind"], before, after)


def fix_view(fix: TunnelRun) -> TunnelFixView:
    """Return a fix that is offered, in the reader's language."""
    assert fix.fix is not None
    return {
        "id": fix.pk,
        "finding": fix.fix["kind"],
        "label": told(sentence_from_json(fix.fix["label"])),
        "cells": [{"row": y + 1, "column": x + 1, "token": token} for x, y, token in fix.fix["cells"]],
    }


def mark_of(run: TunnelRun) -> str:
    """Return what differs whenever something of a run does."""
    judged = run.report["flown"] if run.report else 0
    return f"{run.pk}-{run.status}-{run.flown}-{judged}-{fixes_under_way(run)}"


def verdict_of(run: TunnelRun | ShipSuggestion) -> str | None:
    """Return the colour that a run, or a search, has come to; None before the first look."""
    return run.report["verdict"] if run.report else None


def report_for(run: TunnelRun | ShipSuggestion) -> dict[str, Any] | None:
    """Return the report of a run, or of a ship that was found, in the reader's language; None before it."""
    if run.report is None or run.sentences is None:
        return None
    findings = [
        {**finding, **{name: told(sentence_from_json(kept)) for name, kept in sentences.items()}}
        for finding, sentences in zip(run.report["findings"], run.sentences["findings"], strict=True)
    ]
    return {**run.report, "findings": findings}
