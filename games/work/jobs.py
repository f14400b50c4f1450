"""Run the sweeper's jobs, raise alarms about failures, and explain failures to staff.

A job that fails stops no other job, and a row that fails stops no other row. Each failure raises an alarm
with the reason. The alarm closes when the same job or row succeeds. A row that failed is set aside and tried
again, after longer and longer waits, or in the next pass when staff request it.

The reason for a failure is stored as a kind and a detail. It becomes a sentence when it is shown. Metrics
name no person, game or address. They are numbers for the whole service.
"""

import logging
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final, NamedTuple

from django.db import DatabaseError, InterfaceError, close_old_connections, connection, transaction
from django.db.models import F, IntegerField, QuerySet, Value
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _
from prometheus_client import Counter, Histogram

from accounts.models import User
from games.errors import Conflict, NotFound, describe_error
from games.rights import Right, require
from games.work.models import Alarm, EndedGame, failing_jobs
from roborunner import faults
from roborunner.faults import time_limit

# --- Reasons ------------------------------------------------------------------------------------------------


REASONS: Final[Mapping[str, Promise]] = {
    "unfinished": _("The worker was interrupted or is still working on it."),
    "passing": _("{detail} This is temporary. The turn will be tried again until it works."),
    "too-slow": _("The turn was played in its own process, which did not finish within {detail} s."),
    "ended-by": _("The turn was played in its own process, which was terminated by {detail}."),
    "far-away": _(
        "A deadline is more than 10 years away, which must be a mistake. Extend it: the added time counts"
        " from now."
    ),
    "tried": _("It has used up its {detail} attempts and will not be tried again."),
    "no-worker": _("No worker has played this turn."),
    "deadly": _("Its computers started choosing their orders {detail} times, and the worker died each time."),
    "deadly-ship": _("The worker that flew this ship died {detail} times. The ship may be too large to fly."),
    "unflyable": _(
        "This ship couldn’t be flown because of an error on our side. Staff can see the cause in the log."
    ),
    "deadly-search": _("The worker that looked for this ship died {detail} times."),
    "no-design": _("We found no good ship of this kind. Try another size, theme or symmetry."),
    "long-search": _("The search took too long. Try a smaller ship or fewer players."),
    "search-fault": _(
        "The search failed because of an error on our side. Staff can see the cause in the log."
    ),
    "deadly-clip": _("The worker that made this clip died {detail} times."),
    "large-clip": _("This turn is too long for a clip."),
    "clip-fault": _("The clip failed because of an error on our side. Staff can see the cause in the log."),
    "deadly-analysis": _("The worker that analysed this game died {detail} times."),
    "analysis-fault": _(
        "The analysis failed because of an error on our side. Staff can see the cause in the log."
    ),
    "interrupted": _("The worker was interrupted each time."),
    "mail-server": _("The mail server said: {detail}"),
    "clocks": _("The clocks of a worker and the database disagree: {detail}. Correct them."),
    "clock-jump": _(
        "The clock of a worker’s machine jumped: {detail}. Correct it. If it is already correct, run"
        " manage.py confirm_clock there."
    ),
    "mail-refused": _("The mail server has accepted no mail since {detail}"),
    "mail-given-up": _("An email could not be sent and will not be tried again. Last error: {detail}"),
    "came-back": _("It bounced: {detail}"),
    "spam": _("The recipient marked it as spam."),
    "status": _("It answered {detail}."),
    "redirect": _("It answered {detail}. Redirects are not followed."),
    "gone": _("It answered {detail} and accepts no more notifications."),
    "address": _("Its address can’t be used any more."),
    "private": _("The address leads to a private network. Use a public one."),
    "unknown-host": _("Its host is unknown."),
    "unreachable": _("It can’t be reached: {detail}."),
    "certificate": _("Its certificate is not valid: {detail}."),
    "timeout": _("It did not answer within {detail} seconds."),
    "no-http": _("Its answer is not HTTP."),
    "no-room": _("Its answer names no room."),
}


class Explained(Exception):
    """A failure with a reason that staff can read as a sentence."""

    def __init__(self, kind: str, detail: object = None) -> None:
        super().__init__(kind, detail)
        self.reason = encode_reason(kind, detail)

    def __str__(self) -> str:
        return reason_in_words(self.reason)


def encode_reason(kind: str, detail: object = None) -> str:
    """Encode the reason for a failure for storage.

    >>> encode_reason("status", 500), encode_reason("spam")
    ('status: 500', 'spam')
    """
    assert kind in REASONS, kind
    return f"{kind}: {detail}" if detail is not None else kind


def reason_in_words(kept: str) -> str:
    """Return the sentence for an encoded reason for a failure. Any other text is returned unchanged.

    >>> reason_in_words("status: 500"), reason_in_words("KeyError: 7")
    ('It answered 500.', 'KeyError: 7')
    """
    kind, _colon, detail = kept.partition(": ")
    return str(REASONS[kind]).format(detail=detail) if kind in REASONS else kept


# --- Metrics ------------------------------------------------------------------------------------------------


TURN_WAIT = Histogram(
    "robo_runner_turn_wait_seconds",
    "Time until a worker took up a turn with all orders or no time left.",
    buckets=(0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 900),
)

TURN_RESOLUTION = Histogram(
    "robo_runner_turn_resolution_seconds",
    "Time to play a turn and store its result.",
    buckets=(0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10),
)

NOTICES_SENT = Counter("robo_runner_notices_sent", "Notices sent.")

ANNOUNCEMENTS_SENT = Counter("robo_runner_announcements_sent", "Announcements posted to group channels.")

ACCOUNT_MAIL_SENT = Counter("robo_runner_account_mail_sent", "Emails about accounts sent.")

MAIL_FAILURES = Counter("robo_runner_mail_failures", "Failed attempts to send an email of any kind.")

MAIL_GIVEN_UP = Counter("robo_runner_mail_given_up", "Emails of any kind that were given up.")

CALL_FAILURES = Counter(
    "robo_runner_call_failures", "Failed attempts to reach a player's webhook or device, or a group channel."
)

JOB_FAILURES = Counter("robo_runner_job_failures", "Sweeper jobs that failed as a whole.", ["job"])

ROWS_SET_ASIDE = Counter("robo_runner_row_failures", "Times that a sweeper job set a row aside.", ["job"])


# --- Jobs ---------------------------------------------------------------------------------------------------


logger = logging.getLogger(__name__)

BACK_OFF: Final = timedelta(minutes=1)
"""The time after which a job tries a failed row again.

Each further failure doubles the time, up to `LONGEST_BACK_OFF`.
"""

LONGEST_BACK_OFF: Final = timedelta(minutes=15)
"""The maximum time before a job tries a failed row again."""

ROW_SECONDS: Final = 30
"""The maximum time for a job's work on one row, in seconds."""


class Job(NamedTuple):
    """A sweeper job (periodic work). Alarms and metrics use its ``name``.

    The function ``do`` takes ``now``, and returns how many rows it handled.
    """

    name: str
    do: Callable[..., int | None]


def run(jobs: Iterable[Job], *, now: datetime) -> dict[str, int]:
    """Run jobs of the sweeper one after another.

    Return the number of rows that each job handled, by the job's name. It is 0 if the job failed.
    """
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
            JOB_FAILURES.labels(job.name).inc()
            _renew_connection()
            done[job.name] = 0
            _raise_alarm(job.name, error, now=now)
    return done


def for_each_row(
    job: str,
    rows: QuerySet[Any],
    do: Callable[[int], int | None],
    *,
    most: int,
    now: datetime,
    game: str | None = None,
    key: str = "pk",
) -> int:
    """Do a job's work for each of these rows, each in its own transaction. Return the sum of the results.

    ``do`` takes the value of a row's field ``key``, by default its ID, and returns a number or None. ``game``
    is the name of the field with the row's game, for alarms. ``most`` is the maximum number of rows in one
    call. If a row fails, an alarm with the reason is raised, and the row is left out until its next attempt.
    The alarm closes when the row succeeds, or is no longer among ``rows``.
    """
    aside = dict(Alarm.objects.filter(job=job, closed_at=None, row__gt=0).values_list("row", "retry_at"))
    rows_set_aside = [row for row, retry_at in aside.items() if retry_at and retry_at > now]
    due = rows.exclude(**{f"{key}__in": rows_set_aside}) if rows_set_aside else rows
    done, well = 0, set()
    for row, game_id in list(due.values_list(key, F(game) if game else Value(None, IntegerField()))[:most]):
        try:
            with time_limit(ROW_SECONDS, f"it took longer than {ROW_SECONDS} s"), transaction.atomic():
                done += do(row) or 0
            well.add(row)
        except NotFound:
            continue  # deleted in the meantime
        except Exception as error:
            if not _database_answers():
                raise
            set_aside(job, kind=_kind(rows), row=row, game_id=game_id, error=error, now=now)
    if aside:
        still = set(rows.filter(**{f"{key}__in": aside}).values_list(key, flat=True)) - well
        mended = Alarm.objects.filter(job=job, row__in=aside.keys() - still, closed_at=None)
        mended.update(closed_at=now)
    return done


GAMES_PER_PASS: Final = 200
"""The maximum number of ended games that a job counts in one pass. The next pass continues."""


def note_ended(game_id: int, of: Iterable[str]) -> None:
    """Record an ended game, to be counted once by each of the jobs with the names in ``of``.

    The caller must hold the lock on the game's row.
    """
    EndedGame.objects.bulk_create([EndedGame(game_id=game_id, job=job) for job in of], ignore_conflicts=True)


def ended_games(job: str) -> QuerySet[EndedGame]:
    """Return the ended games that a job has not counted yet, earliest end first."""
    return EndedGame.objects.filter(job=job).order_by("game__ended_at", "game")


def count_ended_games(
    job: str, games: QuerySet[EndedGame], count: Callable[[int], bool], *, now: datetime
) -> int:
    """Count the games that `ended_games` returns for a job. Return how many were counted.

    ``count`` takes the ID of a game, and returns whether it counted the game.
    """
    do = partial(count_ended_game, job, count)
    return for_each_row(job, games, do, most=GAMES_PER_PASS, now=now, game="game_id", key="game_id")


def count_ended_game(job: str, count: Callable[[int], bool], game_id: int) -> int:
    """Count an ended game for a job. Return 1 if it was counted, else 0.

    It is not counted if another worker counts it at the same time, or if ``count`` returns False. In the
    latter case, the job tries again in its next pass.
    """
    noted = ended_games(job).select_for_update(skip_locked=True, of=("self",)).filter(game=game_id).first()
    if noted is None or not count(game_id):
        return 0
    noted.delete()
    return 1


def set_aside(
    job: str, *, kind: str, row: int, error: Exception, now: datetime, game_id: int | None = None
) -> None:
    """Set a row of a job aside, to be tried again later. Raise an alarm that tells staff why."""
    logger.error(
        "The sweeper's job %r sets %s %d aside: %s",
        job,
        kind,
        row,
        describe_error(error),
        exc_info=error,
        extra={"game": game_id} if game_id else {},
    )
    ROWS_SET_ASIDE.labels(job).inc()
    _raise_alarm(job, error, kind=kind, row=row, game_id=game_id, now=now)


def rows_set_aside(job: str, *, now: datetime) -> QuerySet[Alarm, int]:
    """Return the IDs of the rows that a job has set aside after a failure, and will not try again yet."""
    aside = Alarm.objects.filter(job=job, row__gt=0, closed_at=None, retry_at__gt=now)
    return aside.values_list("row", flat=True)


def close_alarm(job: str, *, row: int, now: datetime) -> None:
    """Close the alarm about a row of a job, once the job's work on the row has succeeded."""
    Alarm.objects.filter(job=job, row=row, closed_at=None).update(closed_at=now)


def try_again(*, user: User, alarm_id: int, now: datetime) -> Alarm:
    """Let a member of staff request that the next pass tries a failed row again.

    Raises NotFound if the alarm does not exist, Forbidden for anyone without the right to change alarms, and
    Conflict if the alarm is closed or not about a row.
    """
    require(user, Right.CHANGE_ALARMS)
    alarm = Alarm.objects.filter(pk=alarm_id).first()
    if alarm is None:
        raise NotFound("no-alarm", gettext("This alarm does not exist."))
    if alarm.closed_at is not None or not alarm.row:
        raise Conflict("no-row", gettext("This alarm is not about a row that was set aside."))
    Alarm.objects.filter(pk=alarm_id).update(retry_at=now)
    return alarm


def _raise_alarm(
    job: str, error: Exception, *, kind: str = "", row: int = 0, game_id: int | None = None, now: datetime
) -> None:
    """Raise an alarm about a job or one of its rows, or count one more failure in an alarm that is open."""
    before = Alarm.objects.filter(job=job, row=row).first
    try:
        alarm = before() or Alarm(job=job, row=row, closed_at=now)
        if alarm.closed_at is not None:
            alarm.due_at = alarm.raised_at = now
            alarm.attempts, alarm.closed_at = 0, None
        alarm.kind, alarm.game_id, alarm.error = kind, game_id, _reason(error)
        alarm.attempts += 1
        alarm.retry_at = now if faults.is_temporary(error) else now + _wait(alarm.attempts)
        with transaction.atomic():
            alarm.save()
    except (DatabaseError, InterfaceError):
        logger.exception("The alarm of the sweeper's job %r could not be kept", job)
        _renew_connection()


def _reason(error: Exception) -> str:
    return error.reason if isinstance(error, Explained) else describe_error(error)


def _wait(attempts: int) -> timedelta:
    return min(BACK_OFF * (1 << min(attempts - 1, 20)), LONGEST_BACK_OFF)


def _renew_connection() -> None:
    """Close the database connection if it is broken. The next query opens a new one."""
    if not connection.in_atomic_block:
        close_old_connections()


def _database_answers() -> bool:
    """Return whether the database answers. If it does not, a failure is not the fault of a row."""
    _renew_connection()
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except (DatabaseError, InterfaceError):
        return False
    return True


def _kind(rows: QuerySet[Any]) -> str:
    return str(rows.model._meta.model_name)
