"""How much work there is, in one query that touches nothing but what is under way: indexes hold just that."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Count, QuerySet, Value

from games.alarms import Alarm
from games.news.models import Notice
from games.people.models import Deletion
from games.play.models import Game, Turn


class Backlog(NamedTuple):
    """How many games are played, and how much in them waits for what.

    ``turns_ready`` have all their orders and wait for a worker, ``turns_overdue`` are past their deadline;
    ``notices_failing`` are those pending that were tried in vain before, ``notices_held`` wait for a better
    time; ``jobs_failing`` are jobs of the sweeper that failed as a whole, ``rows_set_aside`` rows that failed
    alone; ``deletions_under_way`` are accounts that games have not all forgotten yet.
    """

    games_running: int
    turns_ready: int
    turns_overdue: int
    alarms_open: int
    jobs_failing: int
    rows_set_aside: int
    notices_pending: int
    notices_failing: int
    notices_held: int
    notices_given_up: int
    deletions_under_way: int


def backlog(*, now: datetime) -> Backlog:
    """Return how much work there is."""
    return Backlog(**dict(counts(now)))


def counts(now: datetime) -> QuerySet[Any, tuple[str, int]]:
    """Return the one query: the name of each number, and the number."""
    first, *others = (_counted(name, rows) for name, rows in _rows(now))
    return first.union(*others, all=True)


def _rows(now: datetime) -> Iterator[tuple[str, QuerySet[Any]]]:
    turns = Turn.objects.filter(status=Turn.Status.OPEN, game__status=Game.Status.RUNNING)
    pending = Notice.objects.filter(status=Notice.Status.PENDING)
    yield "games_running", Game.objects.filter(status=Game.Status.RUNNING)
    yield "turns_ready", turns.filter(ready_at__isnull=False)
    yield "turns_overdue", turns.filter(deadline__isnull=False, deadline__lte=now)
    alarms = Alarm.objects.filter(closed_at=None)
    yield "alarms_open", alarms
    yield "jobs_failing", alarms.filter(row=0).exclude(job="")
    yield "rows_set_aside", alarms.filter(row__gt=0)
    yield "notices_pending", pending
    yield "notices_failing", pending.filter(attempts__gt=0)
    yield "notices_held", Notice.objects.filter(status=Notice.Status.HELD)
    yield "notices_given_up", Notice.objects.filter(status=Notice.Status.GIVEN_UP)
    yield "deletions_under_way", Deletion.objects.filter(done_at=None)


def _counted(name: str, rows: QuerySet[Any]) -> QuerySet[Any, Any]:
    named = rows.order_by().annotate(what=Value(name)).values("what")
    counted: QuerySet[Any, Any] = named.annotate(number=Count("*")).values_list("what", "number")
    return counted
