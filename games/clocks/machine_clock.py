"""Check the clock of this machine before anything is deleted, ended or emailed because of its age.

After the clock has jumped ahead, everything looks old: sign-ups, guests, open games, sessions and deadlines.
Therefore the clock must be confirmed in two ways. It must agree with the database's clock, and with the time
since the machine started, which does not change when the clock is set. Until then, no sweep runs, no task
deletes or emails anything because of its age, and no session ends because of its age.
"""

import time
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple
from uuid import UUID

from django.db import connection

from games.clocks.models import Boot
from games.work.jobs import Explained

TOLERANCE: Final = timedelta(minutes=1)
"""The maximum accepted difference between two machines' clocks, and the maximum accepted jump of a clock."""

BOOTS_STORED: Final = 50
"""The number of most recent starts (boots) of machines to store."""

BOOT_ID: Final = Path("/proc/sys/kernel/random/boot_id")


class Machine(NamedTuple):
    """A start of the machine: its ID from the kernel (``boot``), and the time since then (``uptime``).

    The uptime includes any time when the machine was suspended.
    """

    boot: UUID
    uptime: timedelta


def database_time() -> datetime:
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        found: datetime = cursor.fetchone()[0]
    return found


def this_machine() -> Machine | None:
    """Return this machine's last start and the time since then, or None if the system is not Linux."""
    try:
        return Machine(
            boot=UUID(BOOT_ID.read_text().strip()),
            uptime=timedelta(seconds=time.clock_gettime(time.CLOCK_BOOTTIME)),
        )
    except (AttributeError, OSError, ValueError):
        return None


def agree(*, process: datetime, database: datetime) -> bool:
    """Return whether the clocks of this process and of the database agree within `TOLERANCE`.

    >>> noon = datetime(2026, 11, 21, 12)
    >>> agree(process=noon, database=noon + TOLERANCE), agree(process=noon, database=noon - 2 * TOLERANCE)
    (True, False)
    """
    return abs(process - database) <= TOLERANCE


def jump(*, process: datetime, machine: Machine | None) -> timedelta:
    """Return how far this machine's clock has jumped since it was last confirmed to be right.

    The result is zero if the jump is within `TOLERANCE`, or if the clock has not been confirmed since this
    machine started. It is also zero once the time since the confirmation is longer than the jump, because the
    error in ages then no longer matters.
    """
    boot = Boot.objects.filter(pk=machine.boot).first() if machine else None
    if machine is None or boot is None:
        return timedelta()
    jumped = (process - machine.uptime) - boot.booted_at
    return jumped if abs(jumped) > max(TOLERANCE, machine.uptime - boot.uptime) else timedelta()


def is_confirmed(*, process: datetime, machine: Machine | None) -> bool:
    """Return whether the clock has not jumped, so that tasks may delete and email because of age."""
    return not jump(process=process, machine=machine)


def is_confirmed_by_all(now: datetime) -> bool:
    """Return whether a web process may end sessions because of their age.

    For this, the machine's clock must agree with the database's clock, and must not have jumped.
    """
    return agree(process=now, database=database_time()) and is_confirmed(process=now, machine=this_machine())


def check(*, process: datetime, database: datetime, machine: Machine | None) -> None:
    """Raise Explained unless the database's clock and the machine's uptime confirm the machine's clock."""
    if not agree(process=process, database=database):
        raise Explained("clocks", f"{process:%Y-%m-%d %H:%M:%S}, {database:%Y-%m-%d %H:%M:%S}")
    if jumped := jump(process=process, machine=machine):
        raise Explained("clock-jump", f"{process - jumped:%Y-%m-%d %H:%M:%S}, {process:%Y-%m-%d %H:%M:%S}")


def confirm(*, process: datetime, machine: Machine | None) -> None:
    """Store this machine's current time as right. Later checks compare the machine's clock with it."""
    if machine is None:
        return
    reading = {"booted_at": process - machine.uptime, "uptime": machine.uptime}
    _boot, is_new = Boot.objects.update_or_create(pk=machine.boot, defaults=reading)
    if is_new:
        kept = Boot.objects.order_by("-booted_at").values_list("pk", flat=True)[:BOOTS_STORED]
        Boot.objects.exclude(pk__in=list(kept)).exclude(pk=machine.boot).delete()
