"""Alarms of turns that are not played, for whatever reason: raised and closed by the sweeper.

Alarms of the sweeper's own jobs and rows are in `jobs`.
"""

import logging
from datetime import datetime, timedelta

from django.db.models import Q

from games.models import Alarm, Turn
from games.selectors.underway import turns_under_way
from games.services.resolving import ATTEMPTS

logger = logging.getLogger(__name__)

OVERDUE = timedelta(minutes=5)
"""How late a turn may be before staff should know: workers and sweeper have had their chances by then."""


def watch_turns(*, now: datetime) -> int:
    """Raise an alarm for each turn that is overdue, and close those of turns that no longer are.

    Returns how many were raised, or opened again.
    """
    overdue = _overdue(now)
    opened = Alarm.objects.filter(closed_at=None, turn__isnull=False)
    opened.exclude(turn__in=overdue).update(closed_at=now)
    known = set(opened.values_list("turn", flat=True))
    raised = 0
    for turn in (turn for pk, turn in overdue.items() if pk not in known):
        due = min(filter(None, [turn.ready_at, turn.deadline]))
        Alarm.objects.update_or_create(
            turn=turn, defaults={"due_at": due, "raised_at": now, "closed_at": None}
        )
        logger.warning(
            "A turn waits to be played since %s",
            due.isoformat(),
            extra={"game": turn.game_id, "turn": turn.pk},
        )
        raised += 1
    return raised


def _overdue(now: datetime) -> dict[int, Turn]:
    """Return the turns that are late, by their number; looked up one way and the other, each by its index."""
    turns = turns_under_way().only("game", "ready_at", "deadline")
    # What is not tried any more waits for staff: they need not wait to be told.
    given_up = Q(attempts__gte=ATTEMPTS)
    ready = turns.filter(Q(ready_at__lte=now - OVERDUE) | given_up, ready_at__isnull=False)
    late = turns.filter(Q(deadline__lte=now - OVERDUE) | given_up, deadline__lte=now)
    return {turn.pk: turn for turn in (*ready.order_by("ready_at"), *late.order_by("deadline"))}
