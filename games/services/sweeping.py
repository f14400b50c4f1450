"""Finding what is due and was not done: messages get lost, workers die, deadlines pass."""

from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import transaction
from django.db.models import F, Q

from games import enqueue
from games.models import Game, Heartbeat, Notice, Turn
from games.services.resolving import ATTEMPTS
from games.services.sending import give_up_on_the_deadly

OFFER_AGAIN = timedelta(minutes=5)
"""How long a message may take before the sweeper takes it for lost."""


class Offers(NamedTuple):
    """How many turns and notices a pass of the sweeper has offered to the workers."""

    turns: int
    notices: int


def sweep(*, now: datetime) -> Offers:
    """Offer to the workers turns that are due and notices that nobody sent; return how many of each.

    Each offer is stamped, so that a pass does not repeat the offers of the one before.
    """
    Heartbeat.objects.update_or_create(pk=1, defaults={"at": now})
    give_up_on_the_deadly(now=now)
    return Offers(_offer_turns(now), _offer_notices(now))


def _not_just_offered(now: datetime) -> Q:
    return Q(offered_at=None) | Q(offered_at__lte=now - OFFER_AGAIN)


def _offer_turns(now: datetime) -> int:
    due = Q(ready_at__isnull=False) | Q(deadline__lte=now)
    running = Q(status=Turn.Status.OPEN, game__status=Game.Status.RUNNING)
    with transaction.atomic():
        turns = Turn.objects.select_for_update(skip_locked=True, of=("self",)).filter(
            due, running, _not_just_offered(now), attempts__lt=ATTEMPTS
        )
        ids = [turn.pk for turn in turns.only("pk")]
        Turn.objects.filter(pk__in=ids).update(offered_at=now)
        for turn_id in ids:
            enqueue.resolve_turn(turn_id)
    return len(ids)


def _offer_notices(now: datetime) -> int:
    free = Q(lease_until=None) | Q(lease_until__lte=now)
    # A lease that ran out after the last offer is news: it does not wait for the next.
    fresh = _not_just_offered(now) | Q(offered_at__lt=F("lease_until"))
    with transaction.atomic():
        notices = Notice.objects.select_for_update(skip_locked=True).filter(
            free, fresh, status=Notice.Status.PENDING
        )
        ids = [notice.pk for notice in notices.only("pk")]
        Notice.objects.filter(pk__in=ids).update(offered_at=now)
        for notice_id in ids:
            enqueue.send_notice(notice_id)
    return len(ids)
