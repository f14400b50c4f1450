"""Running jobs so that nothing bad in one place stops another.

A job that fails stops no other job, and a row that fails stops no other row. Both get an alarm with the
cause, which closes when the same thing succeeds. A row is set aside and tried again later, after longer and
longer waits, or at once when staff say that they have mended it.
"""

import logging
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from django.db import (
    DatabaseError,
    InterfaceError,
    close_old_connections,
    connection,
    transaction,
)
from django.db.models import F, IntegerField, QuerySet, Value
from django.utils.translation import gettext as _

from accounts.models import User
from games import faults, meters
from games.alarms import Alarm, failing_jobs
from games.errors import Conflict, NotFound, reason_of
from games.reasons import Explained
from games.rights import Right, require
from games.timeouts import at_most

logger = logging.getLogger(__name__)

BACK_OFF: Final = timedelta(minutes=1)
"""How long a row is set aside after its first failure; the wait doubles with each further one."""

LONGEST_BACK_OFF: Final = timedelta(minutes=15)
"""The longest that a row is set aside before it is tried again."""

ROW_SECONDS: Final = 30
"""How long one row may take."""


class Job(NamedTuple):
    """A small piece of the sweeper's work: its name, for alarms and metrics, and what does it.

    ``do`` takes ``now`` and returns how much it did.
    """

    name: str
    do: Callable[..., int | None]


def run(jobs: Iterable[Job], *, now: datetime) -> dict[str, int]:
    """Run jobs one by one, each for itself; return how much each did, 0 for one that failed."""
    failing: list[str] = []
    try:
        failing = failing_jobs()
    except (DatabaseError, InterfaceError):
        logger.exception("The alarms could not be read")
        _renew_connection()
    done: dict[str, int] = {}
    for job in jobs:
        try:
            done[job.name] = job.do(now=now) or 0
            if job.name in failing:
                Alarm.objects.filter(job=job.name, row=0, closed_at=None).update(closed_at=now)
        except Exception as error:
            logger.exception("The sweeper's job %r failed", job.name)
            meters.JOB_FAILURES.labels(job.name).inc()
            _renew_connection()
            done[job.name] = 0
            _raise_alarm(job.name, error, now=now)
    return done


def each(
    job: str,
    rows: QuerySet[Any],
    do: Callable[[int], int | None],
    *,
    most: int,
    now: datetime,
    game: str | None = None,
) -> int:
    """Do a job's work for each of some rows, in their order, each in a transaction; return how much was done.

    ``do`` takes a row's number. A row that fails is set aside with its reason, as an alarm, and left out
    until it is to be tried again. ``game`` names the field that holds the row's game. What is no longer due
    needs no alarm.
    """
    aside = dict(Alarm.objects.filter(job=job, closed_at=None, row__gt=0).values_list("row", "retry_at"))
    resting = [row for row, retry_at in aside.items() if retry_at and retry_at > now]
    due = rows.exclude(pk__in=resting) if resting else rows
    done, well = 0, set()
    for row, game_id in list(due.values_list("pk", F(game) if game else Value(None, IntegerField()))[:most]):
        try:
            with at_most(ROW_SECONDS, f"it took longer than {ROW_SECONDS} s"), transaction.atomic():
                done += do(row) or 0
            well.add(row)
        except NotFound:
            continue  # deleted since it was found
        except Exception as error:
            if not _database_answers():
                raise
            set_aside(job, kind=_kind(rows), row=row, game_id=game_id, error=error, now=now)
    if aside:
        still = set(rows.filter(pk__in=aside).values_list("pk", flat=True)) - well
        mended = Alarm.objects.filter(job=job, row__in=aside.keys() - still, closed_at=None)
        mended.update(closed_at=now)
    return done


def set_aside(
    job: str, *, kind: str, row: int, error: Exception, now: datetime, game_id: int | None = None
) -> None:
    """Set a row of a job aside, with an alarm that tells staff why; it is tried again later."""
    logger.error(
        "The sweeper's job %r sets %s %d aside: %s",
        job,
        kind,
        row,
        reason_of(error),
        exc_info=error,
        extra={"game": game_id} if game_id else {},
    )
    meters.ROWS_SET_ASIDE.labels(job).inc()
    _raise_alarm(job, error, kind=kind, row=row, game_id=game_id, now=now)


def resting(job: str, *, now: datetime) -> QuerySet[Alarm, int]:
    """Return the numbers of the rows that a job has set aside, and that it does not try again yet."""
    aside = Alarm.objects.filter(job=job, row__gt=0, closed_at=None, retry_at__gt=now)
    return aside.values_list("row", flat=True)


def take_back(job: str, *, row: int, now: datetime) -> None:
    """Close the alarm of a row that was set aside, since its work was done."""
    Alarm.objects.filter(job=job, row=row, closed_at=None).update(closed_at=now)


def try_again(*, user: User, alarm_id: int, now: datetime) -> Alarm:
    """Have a row that was set aside tried again by the next pass, as staff.

    Raises Forbidden for all others, NotFound, and Conflict for an alarm that is closed or about no row.
    """
    require(user, Right.CHANGE_ALARMS)
    alarm = Alarm.objects.filter(pk=alarm_id).first()
    if alarm is None:
        raise NotFound("no-alarm", _("This alarm does not exist."))
    if alarm.closed_at is not None or not alarm.row:
        raise Conflict("no-row", _("This alarm is not about a row that was set aside."))
    Alarm.objects.filter(pk=alarm_id).update(retry_at=now)
    return alarm


def _raise_alarm(
    job: str, error: Exception, *, kind: str = "", row: int = 0, game_id: int | None = None, now: datetime
) -> None:
    """Raise the alarm of a job or of one of its rows, or count one more failure of it."""
    before = Alarm.objects.filter(job=job, row=row).first
    try:
        alarm = before() or Alarm(job=job, row=row, closed_at=now)
        if alarm.closed_at is not None:
            alarm.due_at = alarm.raised_at = now
            alarm.attempts, alarm.closed_at = 0, None
        alarm.kind, alarm.game_id, alarm.error = kind, game_id, _reason(error)
        alarm.attempts += 1
        alarm.retry_at = now if faults.passes(error) else now + _wait(alarm.attempts)
        with transaction.atomic():
            alarm.save()
    except (DatabaseError, InterfaceError):
        logger.exception("The alarm of the sweeper's job %r could not be kept", job)
        _renew_connection()


def _reason(error: Exception) -> str:
    return error.reason if isinstance(error, Explained) else reason_of(error)


def _wait(attempts: int) -> timedelta:
    return min(BACK_OFF * (1 << min(attempts - 1, 20)), LONGEST_BACK_OFF)


def _renew_connection() -> None:
    """Drop a connection that broke, so that what comes next gets another."""
    if not connection.in_atomic_block:
        close_old_connections()


def _database_answers() -> bool:
    """Return whether the database is there: if not, what failed was not the fault of any row."""
    _renew_connection()
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except (DatabaseError, InterfaceError):
        return False
    return True


def _kind(rows: QuerySet[Any]) -> str:
    return str(rows.model._meta.model_name)
