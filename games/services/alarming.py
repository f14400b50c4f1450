"""Alarms of turns that are not played, for whatever reason: raised and closed by themselves."""

import logging
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet

from games.models import Alarm, Game, Turn

logger = logging.getLogger(__name__)

OVERDUE = timedelta(minutes=5)
"""How late a turn may be before staff should know: workers and sweeper have had their chances by then."""


def watch_turns(*, now: datetime) -> int:
    """Raise an alarm for each turn that is overdue, and close those of turns that no longer are.

    Returns how many were raised, or opened anew.
    """
    overdue = _overdue(now)
    Alarm.objects.filter(closed_at=None).exclude(turn__in=overdue.values("pk")).update(closed_at=now)
    raised = 0
    for turn in overdue.exclude(alarm__closed_at=None, alarm__isnull=False).only(
        "game", "ready_at", "deadline"
    ):
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


def _overdue(now: datetime) -> QuerySet[Turn]:
    late = Q(ready_at__lte=now - OVERDUE) | Q(deadline__lte=now - OVERDUE)
    return Turn.objects.filter(late, status=Turn.Status.OPEN, game__status=Game.Status.RUNNING)
