"""``manage.py schedule_backups``: make a backup each night and a drill each week, until it is stopped.

For machines without timers, such as the containers of ``docker-compose.yml``.
"""

import signal
import subprocess
import sys
import time
from datetime import datetime, timedelta
from typing import Any, Final

from django.core.management.base import CommandParser
from django.db import Error, connection
from django.utils import timezone

from embedded import processes
from games.management import OneLineCommand
from games.staff.models import BackupRun
from games.staff.selectors import last_run

RETRY: Final = timedelta(hours=1)
"""The time after a failed backup until the next attempt."""

BETWEEN_DRILLS: Final = timedelta(days=6, hours=12)
"""The least time between two drills: a bit less than a week."""

STOP_SECONDS: Final = 8
"""The time for a backup or drill to clean up if this command is stopped. Docker kills it after 10 seconds."""

LONGEST_SLEEP: Final = 60
"""Seconds after which the clock is looked at again, since it may be set in between."""


def next_backup(*, hour: int, last: datetime | None, tried: datetime | None, now: datetime) -> datetime:
    """Return the time of the next backup, at an ``hour`` of the day in UTC.

    A backup that was missed is due at once. ``last`` is the start of the last good backup, and ``tried`` the
    start of the last attempt.

    >>> from datetime import UTC
    >>> def at(day, hour): return datetime(2026, 11, day, hour, tzinfo=UTC)
    >>> next_backup(hour=3, last=at(20, 3), tried=None, now=at(20, 9)) == at(21, 3)
    True
    >>> next_backup(hour=3, last=at(18, 3), tried=None, now=at(20, 9)) == at(20, 9)
    True
    >>> next_backup(hour=3, last=at(18, 3), tried=at(20, 9), now=at(20, 9)) == at(20, 10)
    True
    """
    today = now.replace(hour=hour, minute=0, second=0, microsecond=0)
    missed = today if today <= now else today - timedelta(days=1)
    due = missed + timedelta(days=1) if last and last >= missed else now
    return max(due, tried + RETRY) if tried else due


class Command(OneLineCommand):
    """Wait for the time of each backup, and run it in another process."""

    help = "Make a backup each night, and a restore drill each week, until it is stopped."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--hour", type=int, choices=range(24), default=3, help="of the day, in UTC (default: 3)"
        )
        parser.add_argument(
            "--every", type=int, metavar="SECONDS", help="for trials: a backup and a drill after each pause"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        tried: datetime | None = None
        pause = None if options["every"] is None else timedelta(seconds=options["every"])
        try:
            with processes.interruptible():
                while True:
                    now = timezone.now()
                    if pause is None:
                        last = _last(BackupRun.Kind.BACKUP, ok=True)
                        due = next_backup(hour=options["hour"], last=last, tried=tried, now=now)
                    else:
                        due = tried + pause if tried else now
                    if due > now:
                        time.sleep(min((due - now).total_seconds(), LONGEST_SLEEP))
                        continue
                    tried = now
                    _call("backup")
                    drilled = _last(BackupRun.Kind.DRILL)
                    if drilled is None or drilled < now - (pause or BETWEEN_DRILLS):
                        _call("drill")
        except processes.Interrupted:
            return


def _last(kind: BackupRun.Kind, *, ok: bool | None = None) -> datetime | None:
    """Return the start of the last run, or None if there is none or the database does not answer."""
    try:
        run = last_run(kind, ok=ok)
    except Error:
        return None
    finally:
        connection.close()  # not held for a day
    return run.started_at if run else None


def _call(command: str) -> None:
    """Run a command of ``manage.py``. It writes its own result to the log and to the database."""
    line = processes.command_line([sys.executable, processes.PROJECT / "manage.py", command])
    child = subprocess.Popen(line, start_new_session=True)
    try:
        child.wait()
    finally:
        processes.stop(child, signal.SIGINT, timeout=STOP_SECONDS)
