"""Alarms of turns that are not played, for whatever reason: raised and closed by the sweeper.

Alarms of the sweeper's own jobs and rows are in `jobs`.
"""

import logging
from datetime import datetime, timedelta

from django.db.models import Q

from games.alarms import Alarm
from games.clocks.clock import YEARS_AWAY
from games.play.models import Hand, Turn
from games.play.selectors.underway import turns_under_way
from games.play.services.resolution import ATTEMPTS
from games.reasons import keep

logger = logging.getLogger(__name__)

OVERDUE = timedelta(minutes=5)
"""How late a turn may be before staff should know: workers and sweeper have had their chances by then."""


def watch_turns(*, now: datetime) -> int:
    """Raise an alarm for each turn that is overdue or never will be, and close those of turns that go on.

    Returns how many were raised, or opened again.
    """
    late = _late(now)
    opened = Alarm.objects.filter(closed_at=None, turn__isnull=False)
    opened.exclude(turn__in=late).update(closed_at=now)
    known = set(opened.values_list("turn", flat=True))
    raised = 0
    for turn in (turn for pk, turn in late.items() if pk not in known):
        due = min(time for time in (turn.ready_at, turn.deadline, now) if time)
        Alarm.objects.update_or_create(
            turn=turn,
            defaults={
                "game_id": turn.game_id,
                "due_at": due,
                "raised_at": now,
                "closed_at": None,
                "error": _reason(turn, now),
            },
        )
        logger.warning(
            "A turn waits to be played since %s",
            due.isoformat(),
            extra={"game": turn.game_id, "turn": turn.pk},
        )
        raised += 1
    return raised


def _late(now: datetime) -> dict[int, Turn]:
    """Return the turns that are late, by their number; looked up in several ways, each by its index."""
    turns = turns_under_way().only("game", "ready_at", "deadline", "attempts")
    # What is not tried any more waits for staff: they need not wait to be told.
    given_up = Q(attempts__gte=ATTEMPTS)
    ready = turns.filter(Q(ready_at__lte=now - OVERDUE) | given_up, ready_at__isnull=False)
    late = turns.filter(Q(deadline__lte=now - OVERDUE) | given_up, deadline__lte=now)
    never = Q(deadline__gt=now + YEARS_AWAY)
    hands = Hand.objects.filter(never, turn__status=Turn.Status.OPEN).values("turn")
    endless = turns.filter(never)
    waiting = turns.filter(pk__in=hands)  # for a player whose time never ends
    found = (*ready.order_by("ready_at"), *late.order_by("deadline"), *endless, *waiting)
    return {turn.pk: turn for turn in found}


def _reason(turn: Turn, now: datetime) -> str:
    """Return why a turn is not played, for staff, as far as it does not say so itself (`Turn.error`)."""
    if turn.ready_at is None and (turn.deadline is None or turn.deadline > now):
        return keep("far-away")
    if turn.attempts >= ATTEMPTS:
        return keep("tried", turn.attempts)
    return keep("no-worker")
