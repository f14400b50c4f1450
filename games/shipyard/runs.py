"""What people see of runs of the wind tunnel: no one but the person who draws the ship sees them."""

from datetime import datetime
from typing import Annotated, Any, Final, TypedDict

from django.utils.translation import gettext as _

from accounts.models import User
from games.documents import Shape, written
from games.errors import NotFound
from games.language import told
from games.play.selectors.viewers import Viewer
from games.reasons import tell
from games.shipyard.models import ShipSuggestion, StarshipDraft, TunnelRun
from rules.language import sentence_from_json
from rules.tunnel.findings import AMBER, GREEN, RED
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


class TunnelRunView(TunnelRunFacts):
    """A run of the wind tunnel, with what it has come to so far."""

    failure: Annotated[str | None, "Why it failed, in a sentence; null if it did not."]
    report: Annotated[dict[str, Any] | None, REPORT]


def runs_of(*, draft: StarshipDraft) -> list[TunnelRun]:
    """Return the runs of a draft, the last one first, without the documents that they flew."""
    return list(draft.tunnel_runs.defer("document", "sentences").order_by("-pk"))


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
    return {**run_facts(run), "failure": failure, "report": report_for(run)}


def mark_of(run: TunnelRun) -> str:
    """Return what differs whenever something of a run does."""
    judged = run.report["flown"] if run.report else 0
    return f"{run.pk}-{run.status}-{run.flown}-{judged}"


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
