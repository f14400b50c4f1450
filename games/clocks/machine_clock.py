"""Check this machine's clock.

After a jump of the clock, everything looks old: sign-ups, guests, open games, sessions and deadlines. So two
others confirm it: the database's clock, and the time since the machine started, which does not change with
the clock. Until both do, no sweep runs, no task deletes or emails because of a time, and no session ends for
that reason.
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
"""The largest difference between two machines' clocks, and the largest jump."""

BOOTS_STORED: Final = 50
"""The number of recent machine starts to keep."""

BOOT_ID: Final = Path("/proc/sys/kernel/random/boot_id")


class Machine(NamedTuple):
    """A start of a machine, and the time since then, including suspended time."""

    boot: UUID
    uptime: timedelta


def database_time() -> datetime:
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        found: datetime = cursor.fetchone()[0]
    return found


def this_machine() -> Machine | None:
    """Return this machine's start and its uptime, None except on Linux."""
    try:
        return Machine(
            boot=UUID(BOOT_ID.read_text().strip()),
            uptime=timedelta(seconds=time.clock_gettime(time.CLOCK_BOOTTIME)),
        )
    except (AttributeError, OSError, ValueError):
        return None


def agree(*, process: datetime, database: datetime) -> bool:
    """Return whether two clocks agree within a minute.

    >>> noon = datetime(2026, 11, 21, 12)
    >>> agree(process=noon, database=noon + TOLERANCE), agree(process=noon, database=noon - 2 * TOLERANCE)
    (True, False)
    """
    return abs(process - database) <= TOLERANCE


def jump(*, process: datetime, machine: Machine | None) -> timedelta:
    """Return the clock's jump since the last sweep on this machine, zero if confirmed.

    Time confirms a jump too: an hour after a jump of an hour, ages are correct again.
    """
    boot = Boot.objects.filter(pk=machine.boot).first() if machine else None
    if machine is None or boot is None:
        return timedelta()
    jumped = (process - machine.uptime) - boot.booted_at
    return jumped if abs(jumped) > max(TOLERANCE, machine.uptime - boot.uptime) else timedelta()


def is_confirmed(*, process: datetime, machine: Machine | None) -> bool:
    """Return whether tasks may delete and mail by this machine's clock."""
    return not jump(process=process, machine=machine)


def is_confirmed_by_all(now: datetime) -> bool:
    """Return whether a web process may end sessions: its clock agrees and didn't jump."""
    return agree(process=now, database=database_time()) and is_confirmed(process=now, machine=this_machine())


def check(*, process: datetime, database: datetime, machine: Machine | None) -> None:
    """Raise Explained unless the database and the machine's uptime confirm the clock."""
    if not agree(process=process, database=database):
        raise Explained("clocks", f"{process:%Y-%m-%d %H:%M:%S}, {database:%Y-%m-%d %H:%M:%S}")
    if jumped := jump(process=process, machine=machine):
        raise Explained("clock-jump", f"{process - jumped:%Y-%m-%d %H:%M:%S}, {process:%Y-%m-%d %H:%M:%S}")


def confirm(*, process: datetime, machine: Machine | None) -> None:
    """Trust this machine's clock from now on."""
    if machine is None:
        return
    reading = {"booted_at": process - machine.uptime, "uptime": machine.uptime}
    _boot, is_new = Boot.objects.update_or_create(pk=machine.boot, defaults=reading)
    if is_new:
        kept = Boot.objects.order_by("-booted_at").values_list("pk", flat=True)[:BOOTS_STORED]
        Boot.objects.exclude(pk__in=list(kept)).exclude(pk=machine.boot).delete()
