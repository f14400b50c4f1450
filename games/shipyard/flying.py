"""Jobs of workers: fly wind tunnel runs in batches, judge ships, and test fixes."""

import logging
import time
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

import rules
from accounts.models import User
from games.errors import Conflict, NotFound
from games.shipyard.models import (
    FIX_FORMAT,
    FLIGHTS_FORMAT,
    SENTENCES_FORMAT,
    WINS_FORMAT,
    StarshipDraft,
    TunnelBatch,
    TunnelRun,
)
from games.shipyard.selectors import draft_for, sketch_of
from games.shipyard.services import put_cells
from games.shipyard.tunnel import end_run, is_offered, lock_run, offer_run, prepare_batches, run_for
from games.work.jobs import encode_reason
from roborunner import faults
from roborunner.faults import time_limit
from roborunner.leases import take_back, uncount
from rules.language import sentence_to_json
from rules.notation import write_starship
from rules.sketch import changed
from rules.tunnel.figures import Flight, flight_from_json, flight_to_json, wins_of
from rules.tunnel.flying import fly, judged_after
from rules.tunnel.remedies import FLIGHTS, remedies_of
from rules.tunnel.report import report_of
from rules.tunnel.run import Run, Verdict, judge

ATTEMPTS: Final = 3
"""The maximum number of attempts to fly a batch, judge a run, or continue a search for a ship.

The number is limited because a faulty ship may crash every worker that flies it.
"""

WORK_SECONDS: Final = 30.0
"""Seconds of flying after which a worker stores the results and ends its task.

Another task flies the remaining flights.
"""

LONGEST_FLIGHT: Final = 60.0
"""The maximum duration of a flight, in seconds. A longer flight counts as failed."""

TASK_TIME_LIMIT: Final = 120
"""Seconds after which a task is killed.

This is longer than `WORK_SECONDS` plus a flight of `LONGEST_FLIGHT`.
"""

LEASE: Final = timedelta(seconds=150)
"""The duration of a worker's claim on a batch or search.

It is longer than `TASK_TIME_LIMIT`, so a worker whose claim has ended is dead.
"""

SECONDS_BETWEEN_CHECKS: Final = 1.0
"""Seconds between a worker's checks for the cancellation of its run or search."""

logger = logging.getLogger(__name__)


def fixes_for(row: TunnelRun, run: Run, verdict: Verdict, now: datetime) -> list[TunnelRun]:
    """Return unsaved runs to test possible fixes for the findings of a run.

    Returns an empty list if the run itself tests a fix. An error in the search for fixes also gives an empty
    list, so that the verdict on the run is stored anyway.
    """
    if row.fix_of_id is not None:
        return []
    try:
        remedies = remedies_of(run, verdict)
    except Exception:
        logger.exception("No fixes could be found for run %d", row.pk)
        return []
    return [
        TunnelRun(
            draft_id=row.draft_id,
            asked_by_id=row.asked_by_id,
            version=row.version,
            document=write_starship(changed(run.setup.starship, remedy.cells)),
            ruleset=row.ruleset,
            edition=row.edition,
            players=row.players,
            flights=FLIGHTS,
            seed=row.seed,
            fix_of=row,
            fix={
                "format": FIX_FORMAT,
                "kind": remedy.kind,
                "label": sentence_to_json(remedy.label),
                "cells": [[x, y, token] for (x, y), token in remedy.cells.items()],
            },
            created_at=now,
        )
        for remedy in remedies
    ]


def take_fix(*, user: User, run_id: int, fix_id: int, now: datetime) -> StarshipDraft:
    """Save the next version of a draft with a fix that one of its runs offers.

    Raises NotFound if the person has no such run or the run offers no such fix, and Conflict if the fix's
    cells have changed in the draft since the run.
    """
    run = run_for(viewer=user, run_id=run_id)
    tried = run.fixes.select_related("fix_of").filter(pk=fix_id).first()
    if tried is None or tried.fix is None or not is_offered(tried):
        raise NotFound("no-fix", _("There is no such fix."))
    draft = draft_for(viewer=user, draft_id=run.draft_id)
    cells = {(x, y): token for x, y, token in tried.fix["cells"]}
    now_there, flown = sketch_of(draft), [row.split() for row in run.document["rows"]]
    if any(now_there.token_at(x, y) != flown[y][x] for x, y in cells):
        detail = _("You changed these cells after the flights. Fly the ship again to find new fixes.")
        raise Conflict("changed", detail)
    return put_cells(user=user, draft_id=draft.pk, expected_version=draft.version, cells=cells, now=now)


def fly_batch(*, run_id: int, now: datetime) -> int:
    """Fly one unclaimed batch of a run, and judge the run if all its batches are flown.

    Returns the number of flights stored. A call is safe at any time, even if there is nothing to do. If
    workers die repeatedly on a batch, the run fails.
    """
    batch = _claim(run_id, now)
    stored = 0
    if batch is not None:
        if batch.attempts > ATTEMPTS:
            _fail(run_id, encode_reason("deadly-ship", ATTEMPTS), now)
            return 0
        stored = _fly(batch, now)
    _judge(run_id, now)
    return stored


def runs_to_fly(*, now: datetime) -> QuerySet[TunnelRun]:
    """Return the unfinished runs that a worker can continue, oldest first.

    The worker can fly an unclaimed batch of the run or, if all its batches are flown, judge the run.
    """
    free = Exists(TunnelBatch.free(now).filter(run=OuterRef("pk")))
    waiting = free | ~Exists(TunnelBatch.objects.filter(TunnelBatch.OPEN, run=OuterRef("pk")))
    return TunnelRun.objects.filter(waiting, status__in=TunnelRun.UNDER_WAY).order_by("created_at")


def run_of(row: TunnelRun) -> Run:
    """Convert the database row of a wind tunnel run to a `Run` of `rules.tunnel`."""
    edition = rules.ruleset(row.ruleset, row.edition)
    setup = rules.make_setup(edition, {}, rules.read_starship(row.document, known=True), row.players)
    return Run(setup, row.players, row.flights, row.seed)


def _claim(run_id: int, now: datetime) -> TunnelBatch | None:
    """Claim the first unclaimed batch of a run, and count the attempt.

    Returns None if there is no unclaimed batch.
    """
    free = TunnelBatch.free(now).filter(run=run_id, run__status__in=TunnelRun.UNDER_WAY)
    batches = free.select_related("run").order_by("first")
    batch = next((each for each in batches if each.claim(LEASE, now=now)), None)
    if batch is None:
        return None
    TunnelRun.objects.filter(pk=run_id, status__in=TunnelRun.UNDER_WAY).update(
        status=TunnelRun.Status.FLYING, offered_at=now
    )
    return batch


def _fly(batch: TunnelBatch, now: datetime) -> int:
    """Fly a claimed batch and store its flights. Return the number of flights stored."""
    try:
        flights = _flown(batch)
        return _store(batch, flights, now) if flights else 0
    except Exception as error:
        if faults.is_temporary(error):  # not the ship's fault: another attempt follows when the lease ends
            take_back([batch], error)
            raise
        logger.exception("Flights of run %d could not be flown", batch.run_id)
        _fail(batch.run_id, encode_reason("unflyable"), now)
        return 0


def _flown(batch: TunnelBatch) -> list[Flight]:
    """Fly a batch until its end or for `WORK_SECONDS`. Return the flights.

    Returns an empty list if the run ends meanwhile.
    """
    run, flights = run_of(batch.run), list[Flight]()
    started = looked = time.monotonic()
    for number in range(batch.first, batch.first + batch.count):
        with time_limit(LONGEST_FLIGHT, f"it took longer than {LONGEST_FLIGHT:g} s"):
            flights.append(fly(run.setup, run.players, run.seed, number))
        passed = time.monotonic()
        if passed - looked > SECONDS_BETWEEN_CHECKS:
            looked = passed
            if not TunnelRun.objects.filter(pk=batch.run_id, status__in=TunnelRun.UNDER_WAY).exists():
                return []
        if passed - started > WORK_SECONDS:
            break
    return flights


def _store(batch: TunnelBatch, flights: list[Flight], now: datetime) -> int:
    """Store the flights of a batch. Return the number of flights stored.

    The flights that are still missing become a new batch. Stores nothing if the run has ended, or if another
    worker has claimed the batch.
    """
    with transaction.atomic():
        run = lock_run(batch.run_id)
        if run is None or not run.is_under_way:
            return 0
        written = {"format": FLIGHTS_FORMAT, "flights": [flight_to_json(flight) for flight in flights]}
        if not batch.mine().update(flights=written, count=len(flights), lease_until=None):
            return 0
        if left := batch.count - len(flights):
            TunnelBatch.objects.create(run=run, first=batch.first + len(flights), count=left)
        run.flown += len(flights)
        run.wins = _with_wins(run.wins, flights)
        run.save(update_fields=["flown", "wins"])
        if run.batches.filter(flights__isnull=True).exists():
            offer_run(run, now)
    return len(flights)


def _with_wins(before: dict[str, Any] | None, flights: list[Flight]) -> dict[str, Any] | None:
    """Return a run's wins by start cell: the wins ``before``, plus the wins in the new ``flights``.

    Returns None if there is no start cell.
    """
    starts = {(x, y): [robots, wins] for x, y, robots, wins in (before or {"starts": []})["starts"]}
    for flight in flights:
        for at in flight.starts:
            starts.setdefault(at, [flight.starts.count(at), 0.0])
    for at, wins in wins_of(flights).items():
        starts[at][1] += wins
    ordered = sorted(starts.items(), key=lambda each: each[0][::-1])
    return {"format": WINS_FORMAT, "starts": [[*at, *counts] for at, counts in ordered]} if starts else None


def _judge(run_id: int, now: datetime) -> None:
    """Judge a run if all its batches are flown. Then end the run, or prepare more flights."""
    run = _begin_to_judge(run_id, now)
    if run is None:
        return
    try:
        rules_run = run_of(run)
        flights = [
            flight_from_json(flight)
            for batch in run.batches.all()
            for flight in (batch.flights or {})["flights"]
        ]
        verdict = judge(rules_run, flights)
        fixes = fixes_for(run, rules_run, verdict, now) if verdict.final else []
    except Exception as error:
        if faults.is_temporary(error):
            uncount(TunnelRun.objects.filter(pk=run_id), f"Run {run_id} was not judged")
            raise
        logger.exception("Run %d could not be judged", run_id)
        _fail(run_id, encode_reason("unflyable"), now)
        return
    with transaction.atomic():
        locked = lock_run(run_id)
        if locked is None or not locked.is_under_way or _has_open_batches(locked):
            return  # the run was cancelled in the meantime, or another worker judged it first
        _write_report(locked, rules_run, verdict)
        if verdict.final:
            end_run(locked, TunnelRun.Status.DONE, now)
            for fix in fixes:
                fix.save()
                prepare_batches(fix, fix.flights)
                offer_run(fix, now)
        else:
            prepare_batches(
                locked, next(look for look in judged_after(locked.flights) if look > locked.flown)
            )
            offer_run(locked, now)


def _begin_to_judge(run_id: int, now: datetime) -> TunnelRun | None:
    """Count and commit an attempt to judge a run. Return the run.

    Returns None if the run has ended or has unflown batches. Also returns None after too many attempts; the
    run has then failed.
    """
    with transaction.atomic():
        run = lock_run(run_id)
        if run is None or not run.is_under_way or _has_open_batches(run):
            return None
        if run.attempts >= ATTEMPTS:
            run.failure = encode_reason("deadly-ship", ATTEMPTS)
            end_run(run, TunnelRun.Status.FAILED, now)
            return None
        run.attempts += 1
        run.save(update_fields=["attempts"])
    return run


def _has_open_batches(run: TunnelRun) -> bool:
    return run.batches.filter(flights__isnull=True).exists()


def _write_report(run: TunnelRun, rules_run: Run, verdict: Verdict) -> None:
    """Save a verdict as a report in English, with its sentences for translation."""
    run.report, run.sentences = report_of(rules_run, verdict), sentences_of(verdict)
    run.attempts = 0
    run.save(update_fields=["report", "sentences", "attempts"])


def sentences_of(verdict: Verdict) -> dict[str, Any]:
    """Return a verdict's sentences as JSON, for later translation."""
    findings = [
        {name: sentence_to_json(getattr(finding, name)) for name in ("message", "certainty", "advice")}
        for finding in verdict.findings
    ]
    return {"format": SENTENCES_FORMAT, "findings": findings}


def _fail(run_id: int, failure: str, now: datetime) -> None:
    """End a run as failed, with a reason."""
    with transaction.atomic():
        run = lock_run(run_id)
        if run is not None and run.is_under_way:
            logger.error("Run %d of the wind tunnel has failed: %s", run_id, failure)
            run.failure = failure
            end_run(run, TunnelRun.Status.FAILED, now)
