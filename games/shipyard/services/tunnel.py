"""Runs of the wind tunnel: started by people, flown by workers batch by batch, judged after some of them.

The rows say what is left to fly, and messages only hurry: a worker claims a batch with a lease, flies it
outside of any transaction, and stores its flights. When all flights of a look are there, they are judged.
"""

import logging
import time
from datetime import datetime, timedelta
from secrets import token_hex
from typing import Any, Final

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

import rules
from accounts.models import User
from games import enqueue, faults
from games.errors import Conflict, reason_of, refuse_guests
from games.play.services.locks import hold_person
from games.reasons import keep
from games.shipyard.limits import refuse_beyond
from games.shipyard.models import StarshipDraft, TunnelBatch, TunnelRun
from games.shipyard.models.tunnel import FLIGHTS_FORMAT, SENTENCES_FORMAT, WINS_FORMAT
from games.shipyard.runs import run_for
from games.shipyard.selectors import draft_for
from games.shipyard.services.crews import edition_and_crew
from games.shipyard.services.fixes import fixes_for
from games.timeouts import at_most
from rules.language import sentence_to_json
from rules.tunnel.flight import Flight, flight_from_json, flight_to_json
from rules.tunnel.flying import fly
from rules.tunnel.report import report_of
from rules.tunnel.run import Run, Verdict, judge
from rules.tunnel.schedule import FLIGHTS, looks
from rules.tunnel.wins import wins_of

logger = logging.getLogger(__name__)

BATCH: Final = 20
"""Flights that a worker claims at a time."""

MOST_A_DAY: Final = 20
"""Runs that a person may start within a day."""


MOST_KEPT: Final = 20
"""Runs of a draft that are kept; beyond that, the oldest go."""

ATTEMPTS: Final = 3
"""How often workers may begin a batch, or a verdict, before the run has failed: it can kill them."""

WORKING: Final = 30.0
"""Seconds after which a worker stores what it has flown, and leaves the rest to the next task."""

LONGEST_FLIGHT: Final = 60.0
"""Seconds that a flight may take; one that takes longer counts as failed."""

LIMIT: Final = 120
"""Seconds that a task may take before its process is killed: more than ``WORKING`` and one long flight."""

LEASE: Final = timedelta(seconds=150)
"""How long a batch is one worker's: longer than its task may take. After that the worker counts as dead."""

LOOKING: Final = 1.0
"""Seconds between two looks of a worker whether its run was cancelled."""

NOTING: Final = 10.0
"""Seconds for which a worker tries to note that an attempt does not count."""


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
    """Have computers fly a draft, as it is now, up to so many times; return the run.

    It is flown by the ``ruleset`` that is named, else by the one that the draft is for, else by the first
    that it suits. Without ``players`` it is flown by as many as the draft is for, if they suit, else by the
    middle number of those that do. If the same cells were flown like this before, or are being flown, that
    run is returned.

    Raises Forbidden for guests, NotFound, Invalid with every reason why the draft cannot be flown like this,
    Conflict while another run of this person is under way, and TooMany for one who has started as many today
    as one may.
    """
    refuse_guests(user)
    draft = draft_for(viewer=user, draft_id=draft_id)
    edition, crew = edition_and_crew(draft, ruleset, players, flights)
    with transaction.atomic():
        hold_person(user)
        if not StarshipDraft.objects.select_for_update(no_key=True).filter(pk=draft.pk):
            draft_for(viewer=user, draft_id=draft_id)  # it was deleted meanwhile
        if same := _same(draft, edition, crew, flights):
            return same
        _check_limits(user, now)
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
        kept = runs.order_by("-pk").values_list("pk", flat=True)[:MOST_KEPT]
        runs.exclude(pk__in=list(kept)).delete()
        _prepare_batches(run, looks(flights)[0])
        _offer(run, now)
    return run


def fly_batch(*, run_id: int, now: datetime) -> int:
    """Fly a batch of a run that no worker is flying; return how many flights were stored.

    When all flights up to the next look are there, they are judged. It does nothing where nothing is left to
    do, so it may be called at any time. A batch whose workers die again and again makes the run failed.
    """
    batch = _claim(run_id, now)
    stored = 0
    if batch is not None:
        if batch.attempts > ATTEMPTS:
            _fail(run_id, keep("deadly-ship", ATTEMPTS), now)
            return 0
        stored = _fly(batch, now)
    _judge(run_id, now)
    return stored


def cancel_run(*, user: User, run_id: int, now: datetime) -> TunnelRun:
    """Stop a run; what its last look came to stays. Raises NotFound, and Conflict for one that has ended."""
    refuse_guests(user)
    run_for(viewer=user, run_id=run_id)
    with transaction.atomic():
        run = _held(run_id) or run_for(viewer=user, run_id=run_id)
        if run.status == TunnelRun.Status.CANCELLED:
            return run
        if not run.is_under_way:
            raise Conflict("over", _("This run is over already."))
        return _end(run, TunnelRun.Status.CANCELLED, now)


def to_fly(*, now: datetime) -> QuerySet[TunnelRun]:
    """Return runs under way that wait for a worker, the oldest first: for flights, or for their verdict."""
    open_batches = TunnelBatch.objects.filter(run=OuterRef("pk"), flights__isnull=True)
    waiting = Exists(open_batches.filter(is_free(now))) | ~Exists(open_batches)
    return TunnelRun.objects.filter(waiting, status__in=TunnelRun.UNDER_WAY).order_by("created_at")


def _same(draft: StarshipDraft, edition: rules.Ruleset, players: int, flights: int) -> TunnelRun | None:
    """Return a run of the same cells by the same ruleset, with as many players and flights, or more."""
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


def _check_limits(user: User, now: datetime) -> None:
    """Refuse a run to a person whose row is held, if another is under way, or there were many today."""
    runs = TunnelRun.objects.filter(asked_by=user, fix_of=None)
    if runs.filter(status__in=TunnelRun.UNDER_WAY).exists():
        detail = _("Another ship of yours is in the wind tunnel. Wait for its verdict, or cancel that run.")
        raise Conflict("under-way", detail)
    detail = _("You have started {most} runs within a day. Try again later.").format(most=MOST_A_DAY)
    refuse_beyond(MOST_A_DAY, runs, detail=detail, now=now)


def _give_up_fixes(draft: StarshipDraft, now: datetime) -> None:
    """End what is tried for earlier runs of a draft, once that is flown again."""
    under_way = draft.tunnel_runs.filter(fix_of__isnull=False, status__in=TunnelRun.UNDER_WAY)
    for run in under_way.select_for_update(no_key=True).order_by("pk"):
        _end(run, TunnelRun.Status.CANCELLED, now)


def _prepare_batches(run: TunnelRun, until: int) -> None:
    """Make the batches of a run up to flight number ``until``, which is left out."""
    firsts = range(run.flown, until, BATCH)
    TunnelBatch.objects.bulk_create(
        TunnelBatch(run=run, first=first, count=min(BATCH, until - first)) for first in firsts
    )


# What workers do


def run_of(row: TunnelRun) -> Run:
    """Return a run as the rules know it."""
    edition = rules.ruleset(row.ruleset, row.edition)
    setup = rules.make_setup(edition, {}, rules.read_starship(row.document), row.players)
    return Run(setup, row.players, row.flights, row.seed)


def is_free(now: datetime) -> Q:
    """Return what holds for rows that no worker has on lease."""
    return Q(lease_until__isnull=True) | Q(lease_until__lte=now)


def _held(run_id: int) -> TunnelRun | None:
    """Return a run as it is now, held until the transaction ends; None if it was deleted."""
    return TunnelRun.objects.select_for_update(no_key=True).filter(pk=run_id).first()


def _offer(run: TunnelRun, now: datetime) -> None:
    """Send a message that there is something to do for a run."""
    TunnelRun.objects.filter(pk=run.pk).update(offered_at=now)
    enqueue.fly_run(run.pk)


def _claim(run_id: int, now: datetime) -> TunnelBatch | None:
    """Claim the first batch of a run that no other worker holds, and count the attempt; None without one."""
    with transaction.atomic():
        free = TunnelBatch.objects.filter(
            is_free(now), run=run_id, run__status__in=TunnelRun.UNDER_WAY, flights__isnull=True
        )
        held = free.select_for_update(skip_locked=True, of=("self",)).select_related("run")
        batch = held.order_by("first").first()
        if batch is None:
            return None
        batch.attempts += 1
        batch.lease_until = now + LEASE
        batch.save(update_fields=["attempts", "lease_until"])
    TunnelRun.objects.filter(pk=run_id, status__in=TunnelRun.UNDER_WAY).update(
        status=TunnelRun.Status.FLYING, offered_at=now
    )
    return batch


def _fly(batch: TunnelBatch, now: datetime) -> int:
    """Fly a batch that is claimed, and store its flights; return how many."""
    try:
        flights = _flown(batch)
        return _store(batch, flights, now) if flights else 0
    except Exception as error:
        if faults.passes(error):  # no fault of the ship's: it is tried again once the lease has run out
            _take_back(batch, error)
            raise
        logger.exception("Flights of run %d could not be flown", batch.run_id)
        _fail(batch.run_id, keep("unflyable"), now)
        return 0


def _flown(batch: TunnelBatch) -> list[Flight]:
    """Return the flights of a batch, or as many as there is time for; none if its run ends meanwhile."""
    run, flights = run_of(batch.run), list[Flight]()
    begun = looked = time.monotonic()
    for number in range(batch.first, batch.first + batch.count):
        with at_most(LONGEST_FLIGHT, f"it took longer than {LONGEST_FLIGHT:g} s"):
            flights.append(fly(run.setup, run.players, run.seed, number))
        passed = time.monotonic()
        if passed - looked > LOOKING:
            looked = passed
            if not TunnelRun.objects.filter(pk=batch.run_id, status__in=TunnelRun.UNDER_WAY).exists():
                return []
        if passed - begun > WORKING:
            break
    return flights


def _store(batch: TunnelBatch, flights: list[Flight], now: datetime) -> int:
    """Store the flights of a batch; what was left out becomes a batch of its own. Return how many.

    Nothing is stored where the run has ended, or where another worker has taken over the batch.
    """
    with transaction.atomic():
        run = _held(batch.run_id)
        if run is None or not run.is_under_way:
            return 0
        written = {"format": FLIGHTS_FORMAT, "flights": [flight_to_json(flight) for flight in flights]}
        mine = run.batches.filter(pk=batch.pk, attempts=batch.attempts, flights__isnull=True)
        if not mine.update(flights=written, count=len(flights), lease_until=None):
            return 0
        if left := batch.count - len(flights):
            TunnelBatch.objects.create(run=run, first=batch.first + len(flights), count=left)
        run.flown += len(flights)
        run.wins = _with_wins(run.wins, flights)
        run.save(update_fields=["flown", "wins"])
        if run.batches.filter(flights__isnull=True).exists():
            _offer(run, now)
    return len(flights)


def _with_wins(before: dict[str, Any] | None, flights: list[Flight]) -> dict[str, Any] | None:
    """Return the wins by start, those of these flights added."""
    starts = {(x, y): [robots, wins] for x, y, robots, wins in (before or {"starts": []})["starts"]}
    for flight in flights:
        for at in flight.starts:
            starts.setdefault(at, [flight.starts.count(at), 0.0])
    for at, wins in wins_of(flights).items():
        starts[at][1] += wins
    ordered = sorted(starts.items(), key=lambda each: each[0][::-1])
    return {"format": WINS_FORMAT, "starts": [[*at, *counts] for at, counts in ordered]} if starts else None


def _take_back(batch: TunnelBatch, error: Exception) -> None:
    """Note that an attempt does not count, since a fault that passes prevented it."""
    mine = TunnelBatch.objects.filter(pk=batch.pk, attempts=batch.attempts, flights__isnull=True)
    faults.note(
        lambda: mine.update(attempts=F("attempts") - 1),
        f"Flights of run {batch.run_id} could not be flown ({reason_of(error)})",
        seconds=NOTING,
    )


def _judge(run_id: int, now: datetime) -> None:
    """Judge a run of which all flights up to the next look are there, and end it or go on with it."""
    run = _begin_to_judge(run_id, now)
    if run is None:
        return
    try:
        told = run_of(run)
        flights = [
            flight_from_json(flight)
            for batch in run.batches.all()
            for flight in (batch.flights or {})["flights"]
        ]
        verdict = judge(told, flights)
        fixes = fixes_for(run, told, verdict, now) if verdict.final else []
    except Exception as error:
        if faults.passes(error):
            TunnelRun.objects.filter(pk=run_id, attempts__gt=0).update(attempts=F("attempts") - 1)
            raise
        logger.exception("Run %d could not be judged", run_id)
        _fail(run_id, keep("unflyable"), now)
        return
    with transaction.atomic():
        held = _held(run_id)
        if held is None or not held.is_under_way or _has_open_batches(held):
            return  # cancelled meanwhile, or another worker was first
        _write_report(held, told, verdict)
        if verdict.final:
            _end(held, TunnelRun.Status.DONE, now)
            for fix in fixes:
                fix.save()
                _prepare_batches(fix, fix.flights)
                _offer(fix, now)
        else:
            _prepare_batches(held, next(look for look in looks(held.flights) if look > held.flown))
            _offer(held, now)


def _begin_to_judge(run_id: int, now: datetime) -> TunnelRun | None:
    """Count an attempt to judge a run where it survives whatever comes of it; None if that is not due."""
    with transaction.atomic():
        run = _held(run_id)
        if run is None or not run.is_under_way or _has_open_batches(run):
            return None
        if run.attempts >= ATTEMPTS:
            run.failure = keep("deadly-ship", ATTEMPTS)
            _end(run, TunnelRun.Status.FAILED, now)
            return None
        run.attempts += 1
        run.save(update_fields=["attempts"])
    return run


def _has_open_batches(run: TunnelRun) -> bool:
    return run.batches.filter(flights__isnull=True).exists()


def _write_report(run: TunnelRun, told: Run, verdict: Verdict) -> None:
    """Write what a look came to: as a report in English, and its sentences for any language."""
    run.report, run.sentences = report_of(told, verdict), sentences_of(verdict)
    run.attempts = 0
    run.save(update_fields=["report", "sentences", "attempts"])


def sentences_of(verdict: Verdict) -> dict[str, Any]:
    """Write the sentences of a verdict, to be told in any language."""
    findings = [
        {name: sentence_to_json(getattr(finding, name)) for name in ("message", "certainty", "advice")}
        for finding in verdict.findings
    ]
    return {"format": SENTENCES_FORMAT, "findings": findings}


def _fail(run_id: int, failure: str, now: datetime) -> None:
    """End a run that cannot be flown, with its reason."""
    with transaction.atomic():
        run = _held(run_id)
        if run is not None and run.is_under_way:
            logger.error("Run %d of the wind tunnel has failed: %s", run_id, failure)
            run.failure = failure
            _end(run, TunnelRun.Status.FAILED, now)


def _end(run: TunnelRun, status: TunnelRun.Status, now: datetime) -> TunnelRun:
    """End a run whose row is held: its flights go, and its report stays."""
    run.status, run.finished_at = status, now
    run.save(update_fields=["status", "finished_at", "failure"])
    run.batches.all().delete()
    return run
