"""Start, cancel and show wind tunnel runs. Workers fly the runs (`flying`)."""

from datetime import datetime
from secrets import token_hex
from typing import Annotated, Any, Final, TypedDict

from django.db import transaction
from django.utils.text import capfirst
from django.utils.translation import gettext as _

import rules
from accounts.limits import Limit
from accounts.models import User
from games.errors import Conflict, Invalid, NotFound, Shape, document_problems, refuse_guests, view_of_row
from games.play.game_view import Cell
from games.play.viewers import Viewer
from games.shipyard.models import ShipSuggestion, StarshipDraft, TunnelBatch, TunnelRun
from games.shipyard.selectors import FixCell, draft_for, ruleset_for
from games.shipyard.services import ship_of
from games.wording import translate
from games.work import enqueue
from games.work.jobs import reason_in_words
from games.work.models import DAY, consume_limit, lock_person
from rules.language import sentence_from_json
from rules.suitability import middle, player_numbers
from rules.tunnel.figures import UNEQUAL, odds_of
from rules.tunnel.findings import AMBER, GREEN, RED
from rules.tunnel.flying import FLIGHTS, judged_after
from rules.tunnel.remedies import cures
from rules.tunnel.report import TUNNEL_FORMAT

VERDICTS: Final = (GREEN, AMBER, RED)

REPORT: Final = Shape(
    {
        "type": "object",
        "description": f"The last report, as a `{TUNNEL_FORMAT}` document. Its `final` is false if more"
        " flights may follow. Null before the first report.",
        "properties": {"format": {"type": "string", "enum": [TUNNEL_FORMAT]}},
        "required": ["format"],
        "additionalProperties": True,
        "nullable": True,
    }
)


class TunnelRunFacts(TypedDict):
    """A wind tunnel run, as shown in lists."""

    id: int
    draft: Annotated[int, "The ID of the draft."]
    version: Annotated[int, "The version of the draft."]
    ruleset: str
    players: int
    flights: Annotated[int, "The maximum number of flights. A run stops as soon as its verdict is certain."]
    flown: Annotated[int, "The number of flights so far."]
    seed: Annotated[str, "The same seed gives the same flights."]
    status: Annotated[
        str, tuple(TunnelRun.Status.values), "A run that is `waiting` or `flying` may still change."
    ]
    verdict: Annotated[str | None, VERDICTS, "The verdict of the last report; null before the first."]
    created_at: datetime
    finished_at: datetime | None


class TunnelFixView(TypedDict):
    """A tested fix. It removes a finding of the run and causes no new red finding."""

    id: int
    finding: Annotated[str, "The kind of finding that it removes."]
    label: Annotated[str, "Its effect, as the label of a button."]
    cells: Annotated[list[FixCell], "The new tokens for cells of the flown version."]


class StartWinsView(TypedDict):
    """The wins of the robots from one start cell."""

    at: Annotated[Cell, "[x, y], from the top left [0, 0]."]
    robots: Annotated[int, "The number of robots that start there."]
    wins: Annotated[float, "The wins of Pilots. Robots that win together share one win."]
    fair: Annotated[float, "The share of all wins for these robots if starts are equal."]


class TunnelWinsView(TypedDict):
    """The wins so far, by start cell.

    If all robots start in the same cell, `starts` has one item.
    """

    starts: list[StartWinsView]
    odds: Annotated[float, f"The odds of unequal against equal starts. {UNEQUAL:g} or more is not chance."]


class TunnelRunView(TunnelRunFacts):
    """A wind tunnel run, with its results so far."""

    failure: Annotated[str | None, "The reason for a failure, in a sentence for people; null without one."]
    report: Annotated[dict[str, Any] | None, REPORT]
    wins: Annotated[TunnelWinsView | None, "Updated after each batch of flights; null before the first."]
    fixes: list[TunnelFixView]
    fixes_under_way: Annotated[int, "The number of fixes whose flights are not over yet."]


def runs_of(*, draft: StarshipDraft) -> list[TunnelRun]:
    """Return the wind tunnel runs of a draft, newest first, without tests of fixes."""
    return list(draft.tunnel_runs.filter(fix_of=None).defer("document", "sentences").order_by("-pk"))


def run_for(*, viewer: Viewer, run_id: int) -> TunnelRun:
    """Return a wind tunnel run of one of the viewer's drafts.

    Raises NotFound if the viewer has no such run.
    """
    runs = TunnelRun.objects.filter(pk=run_id, draft__user=viewer) if isinstance(viewer, User) else None
    run = runs.first() if runs is not None else None
    if run is None:
        raise NotFound("no-run", _("There are no such flights."))
    return run


def run_facts(run: TunnelRun) -> TunnelRunFacts:
    return view_of_row(TunnelRunFacts, run, draft=run.draft_id, verdict=verdict_of(run))


def run_view(run: TunnelRun) -> TunnelRunView:
    """Return the view of a run, with its report in the reader's language."""
    failure = reason_in_words(run.failure) if run.failure else None
    return {
        **run_facts(run),
        "failure": failure,
        "report": report_for(run),
        "wins": wins_view(run),
        "fixes": [fix_view(fix) for fix in offered_fixes(run)],
        "fixes_under_way": fixes_under_way(run),
    }


def wins_view(run: TunnelRun) -> TunnelWinsView | None:
    """Return the wins of a run by start cell, or None before the first flights."""
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
    """Return the successfully tested fixes for a run's findings."""
    return [fix for fix in run.fixes.order_by("pk").select_related("fix_of") if is_offered(fix)]


def fixes_under_way(run: TunnelRun) -> int:
    """Return the number of fixes still under test for a run's findings."""
    return run.fixes.filter(status__in=TunnelRun.UNDER_WAY).count()


def is_offered(fix: TunnelRun) -> bool:
    """Return whether the test of a fix is done and shows that the fix works.

    A fix works if it removes its finding and causes no new red finding.
    """
    if fix.fix is None or fix.fix_of is None or fix.status != TunnelRun.Status.DONE:
        return False
    before, after = (
        [(finding["kind"], finding["severity"]) for finding in (run.report or {})["findings"]]
        for run in (fix.fix_of, fix)
    )
    return cures(fix.fix["kind"], before, after)


def fix_view(fix: TunnelRun) -> TunnelFixView:
    """Return the view of a tested fix, with its label in the reader's language."""
    assert fix.fix is not None
    return {
        "id": fix.pk,
        "finding": fix.fix["kind"],
        "label": translate(sentence_from_json(fix.fix["label"])),
        "cells": [{"row": y + 1, "column": x + 1, "token": token} for x, y, token in fix.fix["cells"]],
    }


def run_state_tag(run: TunnelRun) -> str:
    """Return a tag for the state of a run. The tag changes with every change of the run."""
    judged = run.report["flown"] if run.report else 0
    return f"{run.pk}-{run.status}-{run.flown}-{judged}-{fixes_under_way(run)}"


def verdict_of(run: TunnelRun | ShipSuggestion) -> str | None:
    """Return the last verdict on a run or search, or None before the first report."""
    return run.report["verdict"] if run.report else None


def report_for(run: TunnelRun | ShipSuggestion) -> dict[str, Any] | None:
    """Return the last report of a run or search, in the reader's language.

    Returns None before the first report.
    """
    if run.report is None or run.sentences is None:
        return None
    findings = [
        {**finding, **{name: translate(sentence_from_json(kept)) for name, kept in sentences.items()}}
        for finding, sentences in zip(run.report["findings"], run.sentences["findings"], strict=True)
    ]
    return {**run.report, "findings": findings}


def edition_and_crew(draft: StarshipDraft, key: str, players: int | None) -> tuple[rules.Ruleset, int]:
    """Choose the ruleset and the number of players for a wind tunnel run of a draft.

    If ``key`` is empty, the ruleset is the draft's, or else the first suitable one. If ``players`` is None,
    the number of players is the draft's if it is possible, or else the median of the possible numbers. Raises
    Invalid with every reason why the draft cannot be flown with this ruleset and number of players.
    """
    key = key or ruleset_for(drawing=draft, players=draft.players)
    ship = ship_of(draft, key)
    edition = rules.RULESETS[key]
    numbers = player_numbers(edition, ship)
    if players is None:
        if not numbers:
            detail = _(
                "The wind tunnel needs start cells for at least 2 players. Add start cells to the ship."
            )
            raise _invalid([{"code": "players", "detail": detail, "key": "players"}])
        players = draft.players if draft.players in numbers else middle(numbers)
    if players < 2:
        detail = _("A flight needs at least 2 players.")
        raise _invalid([{"code": "players", "detail": detail, "key": "players"}])
    try:
        rules.make_setup(edition, {}, ship, players)
    except rules.SetupError as error:
        found = document_problems("players", error.problems)
        raise _invalid([{**each, "detail": f"{capfirst(each['detail'])}."} for each in found]) from None
    return edition, players


def _invalid(problems: list[dict[str, object]]) -> Invalid:
    return Invalid(
        "no-run", _("Couldn’t fly this ship in the wind tunnel. Fix the problems first."), problems
    )


BATCH_SIZE: Final = 20
"""The maximum number of flights in a batch. A worker claims one batch at a time."""

RUNS_A_DAY: Final = 20
"""The maximum number of wind tunnel runs that a person may start in a day."""


RUNS_KEPT: Final = 20
"""The maximum number of stored runs of a draft. Older runs are deleted."""


def start_run(
    *,
    user: User,
    draft_id: int,
    ruleset: str = "",
    players: int | None = None,
    flights: int = FLIGHTS,
    seed: str = "",
    now: datetime,
) -> TunnelRun:
    """Start a wind tunnel run of a draft's current cells, with at most ``flights``.

    The default ruleset is the draft's, or else the first suitable one. The default number of players is the
    draft's if it is possible, or else the median of the possible numbers. If a run of the same cells, ruleset
    and players, and of at least as many flights, is done or under way, returns that run.

    Raises NotFound, Forbidden for guests, Invalid with every reason why the draft cannot be flown with these
    settings, Conflict if the person has another run under way, and TooMany after too many runs within a day.
    """
    refuse_guests(user)
    draft = draft_for(viewer=user, draft_id=draft_id)
    edition, crew = edition_and_crew(draft, ruleset, players)
    with transaction.atomic():
        lock_person(user)
        if not StarshipDraft.objects.select_for_update(no_key=True).filter(pk=draft.pk):
            draft_for(viewer=user, draft_id=draft_id)  # raises NotFound, since the draft was just deleted
        if same := _matching_run(draft, edition, crew, flights):
            return same
        _check_run_limits(user, now)
        _give_up_fixes(draft, now)
        run = TunnelRun.objects.create(
            draft=draft,
            asked_by=user,
            version=draft.version,
            document=draft.document,
            ruleset=edition.key,
            edition=edition.version,
            players=crew,
            flights=flights,
            seed=seed or token_hex(4),
            created_at=now,
        )
        runs = draft.tunnel_runs.filter(fix_of=None)
        kept = runs.order_by("-pk").values_list("pk", flat=True)[:RUNS_KEPT]
        runs.exclude(pk__in=list(kept)).delete()
        prepare_batches(run, judged_after(flights)[0])
        offer_run(run, now)
    return run


def cancel_run(*, user: User, run_id: int, now: datetime) -> TunnelRun:
    """Cancel a run, but keep its last report.

    Raises Forbidden for guests, NotFound, and Conflict if the run is already over.
    """
    refuse_guests(user)
    run_for(viewer=user, run_id=run_id)
    with transaction.atomic():
        run = lock_run(run_id) or run_for(viewer=user, run_id=run_id)
        if run.status == TunnelRun.Status.CANCELLED:
            return run
        if not run.is_under_way:
            raise Conflict("over", _("These flights are already over."))
        return end_run(run, TunnelRun.Status.CANCELLED, now)


def _matching_run(
    draft: StarshipDraft, edition: rules.Ruleset, players: int, flights: int
) -> TunnelRun | None:
    """Return the draft's newest run with the same cells, ruleset and players, or None.

    Only runs that are done or under way, with a maximum of at least ``flights`` flights, count.
    """
    runs = draft.tunnel_runs.filter(
        fix_of=None,
        status__in=[*TunnelRun.UNDER_WAY, TunnelRun.Status.DONE],
        document__rows=draft.document["rows"],
        ruleset=edition.key,
        edition=edition.version,
        players=players,
        flights__gte=flights,
    )
    return runs.order_by("-pk").first()


def _check_run_limits(user: User, now: datetime) -> None:
    """Check whether a person may start a run, and count the run against the daily limit.

    Raises Conflict if another run is under way, and TooMany after too many runs within a day. The caller must
    hold the lock on the person's row.
    """
    runs = TunnelRun.objects.filter(asked_by=user, fix_of=None)
    if runs.filter(status__in=TunnelRun.UNDER_WAY).exists():
        detail = _(
            "Another of your ships is in the wind tunnel. Wait for its verdict, or cancel its flights."
        )
        raise Conflict("under-way", detail)
    detail = _(
        "You used the wind tunnel {most} times within a day, which is the limit. Try again later."
    ).format(most=RUNS_A_DAY)
    consume_limit(Limit("tunnel-runs", RUNS_A_DAY, DAY), user=user, detail=detail, now=now)


def _give_up_fixes(draft: StarshipDraft, now: datetime) -> None:
    """Cancel all unfinished tests of fixes for a draft.

    The fixes are for findings of earlier runs. `start_run` calls this before it creates a new run.
    """
    under_way = draft.tunnel_runs.filter(fix_of__isnull=False, status__in=TunnelRun.UNDER_WAY)
    for run in under_way.select_for_update(no_key=True).order_by("pk"):
        end_run(run, TunnelRun.Status.CANCELLED, now)


def prepare_batches(run: TunnelRun, until: int) -> None:
    """Create batches for the flights of a run from the first unflown one up to ``until`` (exclusive)."""
    firsts = range(run.flown, until, BATCH_SIZE)
    TunnelBatch.objects.bulk_create(
        TunnelBatch(run=run, first=first, count=min(BATCH_SIZE, until - first)) for first in firsts
    )


def lock_run(run_id: int) -> TunnelRun | None:
    """Return a run, locked until the transaction ends, or None if it was deleted."""
    return TunnelRun.objects.select_for_update(no_key=True).filter(pk=run_id).first()


def offer_run(run: TunnelRun, now: datetime) -> None:
    """Queue a task for workers to continue a run."""
    TunnelRun.objects.filter(pk=run.pk).update(offered_at=now)
    enqueue.fly_run(run.pk)


def end_run(run: TunnelRun, status: TunnelRun.Status, now: datetime) -> TunnelRun:
    """End a run and delete its batches, but keep its last report.

    The caller must hold the lock on the run's row.
    """
    run.status, run.finished_at = status, now
    run.save(update_fields=["status", "finished_at", "failure"])
    run.batches.all().delete()
    return run
