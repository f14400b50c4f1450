"""Runs of the wind tunnel, as people start and cancel them. Workers fly them (`services/flying.py`)."""

from datetime import datetime
from secrets import token_hex
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

import rules
from accounts.limits import Limit
from accounts.models import User
from games import enqueue
from games.allowances import DAY, spend
from games.errors import Conflict, refuse_guests
from games.play.services.locks import hold_person
from games.shipyard.models import StarshipDraft, TunnelBatch, TunnelRun
from games.shipyard.runs import run_for
from games.shipyard.selectors import draft_for
from games.shipyard.services.crews import edition_and_crew
from rules.tunnel.flying import FLIGHTS, looks

BATCH: Final = 20
"""Flights that a worker claims at a time."""

MOST_A_DAY: Final = 20
"""Runs that a person may start within a day."""


MOST_KEPT: Final = 20
"""Runs of a draft that are kept; beyond that, the oldest go."""


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
        prepare_batches(run, looks(flights)[0])
        offer_run(run, now)
    return run


def cancel_run(*, user: User, run_id: int, now: datetime) -> TunnelRun:
    """Stop a run; what its last look came to stays. Raises NotFound, and Conflict for one that has ended."""
    refuse_guests(user)
    run_for(viewer=user, run_id=run_id)
    with transaction.atomic():
        run = hold_run(run_id) or run_for(viewer=user, run_id=run_id)
        if run.status == TunnelRun.Status.CANCELLED:
            return run
        if not run.is_under_way:
            raise Conflict("over", _("This run is over already."))
        return end_run(run, TunnelRun.Status.CANCELLED, now)


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
    spend(Limit("tunnel-runs", MOST_A_DAY, DAY), user=user, detail=detail, now=now)


def _give_up_fixes(draft: StarshipDraft, now: datetime) -> None:
    """End what is tried for earlier runs of a draft, once that is flown again."""
    under_way = draft.tunnel_runs.filter(fix_of__isnull=False, status__in=TunnelRun.UNDER_WAY)
    for run in under_way.select_for_update(no_key=True).order_by("pk"):
        end_run(run, TunnelRun.Status.CANCELLED, now)


def prepare_batches(run: TunnelRun, until: int) -> None:
    """Make the batches of a run up to flight number ``until``, which is left out."""
    firsts = range(run.flown, until, BATCH)
    TunnelBatch.objects.bulk_create(
        TunnelBatch(run=run, first=first, count=min(BATCH, until - first)) for first in firsts
    )


def hold_run(run_id: int) -> TunnelRun | None:
    """Return a run as it is now, held until the transaction ends; None if it was deleted."""
    return TunnelRun.objects.select_for_update(no_key=True).filter(pk=run_id).first()


def offer_run(run: TunnelRun, now: datetime) -> None:
    """Send a message that there is something to do for a run."""
    TunnelRun.objects.filter(pk=run.pk).update(offered_at=now)
    enqueue.fly_run(run.pk)


def end_run(run: TunnelRun, status: TunnelRun.Status, now: datetime) -> TunnelRun:
    """End a run whose row is held: its flights go, and its report stays."""
    run.status, run.finished_at = status, now
    run.save(update_fields=["status", "finished_at", "failure"])
    run.batches.all().delete()
    return run
