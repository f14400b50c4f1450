"""Find the troubles of the site, for the process that watches it.

Each trouble has a key that stays the same while it lasts, a subject, and advice. Texts name no person and no
game by its name, because they are sent to other services.
"""

from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.conf import settings
from django.db import DatabaseError, InterfaceError

from games.clocks.maintenance import maintenance_at
from games.clocks.models import Heartbeat
from games.news.delivery import GIVEN_UP, MAIL_JOB, failing_server
from games.staff.models import BackupRun
from games.staff.selectors import created_at, last_drill, last_run, oldest_mail
from games.work.jobs import reason_in_words
from games.work.models import Alarm
from roborunner.health import all_migrated, redis_answers, web_failure
from roborunner.postgres import connections
from roborunner.scrubbing import scrubbed


class Trouble(NamedTuple):
    """Something that is wrong now.

    It counts only after it has been seen for as long as its ``patience``, because parts of a site are away
    for some seconds when they are restarted.
    """

    key: str
    subject: str
    advice: str
    detail: str = ""
    path: str = ""
    patience: timedelta = timedelta(0)


RESTART: Final = timedelta(seconds=30)
"""The time that a part may be away without a message, because it may be restarting."""

LATE_SWEEP: Final = timedelta(seconds=45)
"""The time that a sweep may be late: then workers count as stopped."""

DATABASE_SECONDS: Final = 10.0
"""The maximum number of seconds to wait for the database in one look."""

MAIL_WAITS: Final = timedelta(minutes=10)
"""The age of an email without an attempt to send it that shows that no worker sends mail."""

RELEASE_OF_MAIL: Final = timedelta(minutes=5)
"""The time until all daily emails are sent. Their notifications may be a day old."""

MOST_ALARMS: Final = 500
"""The maximum number of open alarms, oldest first, in one look."""

LONGEST_DETAIL: Final = 300

DATABASE, MIGRATIONS, WATCH = "database", "migrations", "watch"
OUTSIDE: Final = frozenset({DATABASE, "redis", "web"})
"""The keys of troubles that can be seen without the database."""


def judged_keys(found: Collection[str]) -> frozenset[str] | None:
    """Return the keys of the troubles that a look can see, if it ``found`` these. None means all."""
    if WATCH in found:
        return frozenset(found)
    if DATABASE in found:
        return OUTSIDE
    return OUTSIDE | {MIGRATIONS} if MIGRATIONS in found else None


def is_expected(*, now: datetime, silent: bool) -> bool:
    """Return whether the site is under maintenance, so that the operator expects troubles.

    While the database is ``silent``, the last known answer counts.
    """
    try:
        with connections.within(DATABASE_SECONDS, least=1.0):
            return maintenance_at(now, asks=not silent) is not None
    except (DatabaseError, InterfaceError):
        return maintenance_at(now, asks=False) is not None


ALARM_LIST: Final = "/admin/games/alarm/?state=open"


def outside_troubles() -> list[Trouble]:
    """Return the troubles with parts other than the database, such as Redis and the web processes."""
    found = []
    if not redis_answers():
        found.append(
            Trouble(
                "redis",
                "Redis does not answer",
                "Start Redis, and check its memory and its disk.",
                "Pages open, but no turn is played until it answers. Workers may count as stopped, too.",
                patience=RESTART,
            )
        )
    if settings.WATCH_URL and (reason := web_failure(settings.WATCH_URL)):
        found.append(
            Trouble(
                "web",
                "No web process answers",
                "Start the web processes, and read their logs.",
                f"No page opens. {scrubbed(reason)}"[:LONGEST_DETAIL],
                patience=RESTART,
            )
        )
    return found


SILENT_DATABASE: Final = Trouble(
    DATABASE,
    "The database does not answer",
    "Start Postgres, and check its disk and its log.",
    "No page opens, and no turn is played.",
    patience=RESTART,
)


BLIND: Final = Trouble(
    WATCH,
    "The watch cannot look at the site",
    "Read the log of the watch.",
    "It may miss other troubles.",
    patience=RESTART,
)


def inside_troubles(*, started_at: datetime, now: datetime) -> list[Trouble]:
    """Return the troubles that the database knows of. Raises DatabaseError if it does not answer.

    ``started_at`` is the time since which the site has been watched. Workers may start at the same time.
    """
    with connections.within(DATABASE_SECONDS, least=1.0):
        if not all_migrated():
            advice = "Run manage.py prepare, then restart all parts."
            return [Trouble(MIGRATIONS, "The database needs migrations", advice, patience=RESTART)]
        return [
            *_late_sweeps(started_at, now),
            *_mail_troubles(now),
            *_backup_troubles(now),
            *_open_alarms(),
        ]


def _late_sweeps(started_at: datetime, now: datetime) -> Iterator[Trouble]:
    heart = Heartbeat.objects.values_list("at", flat=True).first()
    last = max(heart, started_at) if heart and heart <= now else started_at
    if now - last > timedelta(seconds=settings.SWEEP_SECONDS) + LATE_SWEEP:
        since = f"The last sweep was at {heart:%Y-%m-%d %H:%M:%S} UTC." if heart else "No sweep has run yet."
        yield Trouble(
            "worker",
            "Workers have stopped",
            "Start the worker for turns, and beat, and read their logs.",
            f"No turn is played. {since}",
        )


def _mail_troubles(now: datetime) -> Iterator[Trouble]:
    if server := failing_server(now=now):
        yield Trouble(
            MAIL_JOB,
            "The mail server accepts no mail",
            "Check EMAIL_URL and the mail server, then run manage.py send_test.",
            scrubbed(reason_in_words(server.error))[:LONGEST_DETAIL],
            ALARM_LIST,
        )
    if (since := oldest_mail(untried=True)) and since < now - MAIL_WAITS:
        yield Trouble(
            "oldest-mail",
            "No worker sends mail",
            "Start the worker for mail, and read its log.",
            f"An email has waited since {since:%Y-%m-%d %H:%M} UTC.",
            "/admin/games/notice/",
            patience=RELEASE_OF_MAIL,
        )


def _backup_troubles(now: datetime) -> Iterator[Trouble]:
    path = "/admin/games/backuprun/"
    for kind, limit in ((BackupRun.Kind.BACKUP, backup_limit()), (BackupRun.Kind.DRILL, drill_limit())):
        if limit is None or (since := _last_good(kind)) is None or since >= now - limit:
            continue
        named = "backup" if kind == BackupRun.Kind.BACKUP else "restore drill"
        yield Trouble(
            f"{named.rpartition(' ')[2]}-age",
            f"The last good {named} is too old",
            f"Check the timer of the {named}, run one by hand, and read its error.",
            f"There was none since {since:%Y-%m-%d %H:%M} UTC.",
            path,
        )
    drill = last_drill()
    if drill and not drill.ok and drill_limit() is not None:
        yield Trouble(
            "drill",
            "The last restore drill failed",
            "Read its error, make a new backup, and run the drill again.",
            f"Your backups may be useless. {scrubbed(drill.error)}"[:LONGEST_DETAIL],
            path,
        )


def _last_good(kind: BackupRun.Kind) -> datetime | None:
    """Return when the last good run began, or if there was none, when the database was created."""
    run = last_run(kind, ok=True)
    return run.started_at if run else created_at()


def backup_limit() -> timedelta | None:
    return timedelta(hours=settings.BACKUP_HOURS) or None


def drill_limit() -> timedelta | None:
    return timedelta(days=settings.DRILL_DAYS) or None


def _open_alarms() -> Iterator[Trouble]:
    # Mail has a trouble of its own, which begins earlier.
    alarms = Alarm.objects.filter(closed_at=None).exclude(job=MAIL_JOB, row=0).select_related("turn")
    for alarm in alarms.order_by("raised_at", "pk")[:MOST_ALARMS]:
        error = (alarm.turn.error if alarm.turn else "") or alarm.error
        yield Trouble(
            f"alarm:{alarm.pk}",
            _subject_of(alarm),
            _advice_on(alarm),
            scrubbed(reason_in_words(error))[:LONGEST_DETAIL],
            f"/admin/games/alarm/{alarm.pk}/change/",
        )


def _subject_of(alarm: Alarm) -> str:
    if alarm.turn is not None:
        return f"Turn {alarm.turn.number} of game {alarm.turn.game_id} is not played"
    if alarm.job == GIVEN_UP:
        return "Emails were given up"
    if alarm.row:
        return f"The job {alarm.job} fails for {alarm.kind} {alarm.row}"
    return f"The job {alarm.job} fails"


def _advice_on(alarm: Alarm) -> str:
    if alarm.turn is not None:
        return "Fix the cause. If the turn has used up its attempts, use Resolve again."
    if alarm.job == GIVEN_UP:
        return "Fix the mail server, then use Send again for the notices that were given up."
    if alarm.job == "clocks":
        return "Set the clocks of the machines, and switch on NTP."
    if alarm.row:
        return "Fix the row. The job tries it again, at once with Try the row again."
    return "Read the error and the log of the worker. The job runs again at each sweep."
