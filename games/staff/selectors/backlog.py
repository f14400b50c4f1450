"""How much work there is, in one query that touches nothing but what is under way: indexes hold just that."""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Any, NamedTuple

from django.db.models import Count, Exists, OuterRef, QuerySet, Value

from accounts.models import AccountMail
from games.alarms import Alarm
from games.news.models import Notice
from games.people.models import Deletion
from games.play.models import Game, Hand, Turn


class Backlog(NamedTuple):
    """How many games are played, and how much in them waits for what."""

    games_running: Annotated[
        int, "Games that are being played; each has one turn that waits for players or for a worker."
    ]
    turns_ready: Annotated[int, "Turns whose orders are all in, and which wait for a worker."]
    turns_thinking: Annotated[int, "Turns that wait for computers to think."]
    turns_overdue: Annotated[int, "Turns that are past their deadline."]
    alarms_open: Annotated[
        int, "Alarms that are open: turns not played in time, and jobs and rows that failed."
    ]
    jobs_failing: Annotated[int, "Jobs of the sweeper that failed as a whole when they last ran."]
    rows_set_aside: Annotated[int, "Rows that a job of the sweeper has set aside, since they failed."]
    notices_pending: Annotated[int, "Notices that are to be sent."]
    notices_failing: Annotated[int, "Notices among the pending that were tried in vain."]
    notices_held: Annotated[
        int, "Notices that wait for a better time: for the mail of a day, or for people who look."
    ]
    notices_given_up: Annotated[
        int, "Notices that were given up, but for those that somebody's own webhook did not take."
    ]
    account_mail_waiting: Annotated[int, "Mails about accounts that are to be sent."]
    deletions_under_way: Annotated[
        int, "Accounts that are deleted, and that games have not all forgotten yet."
    ]


def backlog(*, now: datetime) -> Backlog:
    """Return how much work there is."""
    return Backlog(**dict(counts(now)))


def counts(now: datetime) -> QuerySet[Any, tuple[str, int]]:
    first, *others = (_counted(name, rows) for name, rows in _rows(now))
    return first.union(*others, all=True)


def _rows(now: datetime) -> Iterator[tuple[str, QuerySet[Any]]]:
    turns = Turn.objects.filter(status=Turn.Status.OPEN, game__status=Game.Status.RUNNING)
    pending = Notice.objects.filter(status=Notice.Status.PENDING)
    yield "games_running", Game.objects.filter(status=Game.Status.RUNNING)
    yield "turns_ready", turns.filter(ready_at__isnull=False)
    owed = Hand.objects.filter(turn=OuterRef("pk"), program=None).exclude(seat__computer="")
    yield "turns_thinking", turns.filter(Exists(owed), asks_computers=True, ready_at=None)
    yield "turns_overdue", turns.filter(deadline__isnull=False, deadline__lte=now)
    alarms = Alarm.objects.filter(closed_at=None)
    yield "alarms_open", alarms
    yield "jobs_failing", alarms.filter(row=0).exclude(job="")
    yield "rows_set_aside", alarms.filter(row__gt=0)
    yield "notices_pending", pending
    yield "notices_failing", pending.filter(attempts__gt=0)
    yield "notices_held", Notice.objects.filter(status=Notice.Status.HELD)
    yield "notices_given_up", Notice.objects.filter(status=Notice.Status.GIVEN_UP)
    yield "account_mail_waiting", AccountMail.objects.all()
    yield "deletions_under_way", Deletion.objects.filter(done_at=None)


def _counted(name: str, rows: QuerySet[Any]) -> QuerySet[Any, Any]:
    named = rows.order_by().annotate(what=Value(name)).values("what")
    counted: QuerySet[Any, Any] = named.annotate(number=Count("*")).values_list("what", "number")
    return counted
