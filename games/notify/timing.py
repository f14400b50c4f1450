"""When people are told: reminders before a deadline but never at night, and the daily mail. No clock here."""

from datetime import datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

SHARE: Final = 4
"""A reminder comes when one part of so many is left of the time for a turn."""

EARLIEST: Final = timedelta(days=1)
"""The longest before a deadline that anybody is reminded."""

LATEST: Final = timedelta(minutes=10)
"""The shortest: later than that a reminder helps nobody."""

NIGHT: Final = (time(22), time(8))
"""From when to when nobody is reminded, by their own clock."""


def reminder_at(*, opened: datetime, deadline: datetime | None, zone: ZoneInfo) -> datetime | None:
    """Return when to remind somebody of a turn, None where there is no good time for it.

    It is when a quarter of the time is left, and at most a day. What would fall into the night comes on the
    evening before; where the turn was still young by then, on the morning after.

    >>> from datetime import UTC
    >>> noon = datetime(2026, 11, 21, 12, tzinfo=UTC)
    >>> str(reminder_at(opened=noon, deadline=noon + timedelta(hours=24), zone=ZoneInfo("UTC")))
    '2026-11-22 08:00:00+00:00'
    >>> str(reminder_at(opened=noon, deadline=noon + timedelta(hours=20), zone=ZoneInfo("UTC")))
    '2026-11-21 22:00:00+00:00'
    """
    if deadline is None:
        return None
    ahead = min((deadline - opened) / SHARE, EARLIEST)
    if ahead < LATEST:
        return None
    at = deadline - ahead
    if not is_night(at, zone):
        return at
    evening, morning = _night_round(at, zone)
    if evening >= opened + ahead:
        return evening
    return morning if morning <= deadline - LATEST else None


def is_night(at: datetime, zone: ZoneInfo) -> bool:
    """Return whether it is night somewhere; the first and the last moment of a night are none of it."""
    evening, morning = NIGHT
    clock = at.astimezone(zone).time()
    return clock > evening or clock < morning


def _night_round(at: datetime, zone: ZoneInfo) -> tuple[datetime, datetime]:
    """Return when the night began that a moment falls into, and when it ends."""
    begin, end = NIGHT
    local = at.astimezone(zone)
    day = local.date() if local.time() > begin else local.date() - timedelta(days=1)
    evening = datetime.combine(day, begin, zone)
    morning = datetime.combine(day + timedelta(days=1), end, zone)
    return evening.astimezone(at.tzinfo), morning.astimezone(at.tzinfo)


def daily_after(*, after: datetime, hour: int, zone: ZoneInfo) -> datetime:
    """Return the next time that it is a certain hour somewhere.

    >>> from datetime import UTC
    >>> evening = datetime(2026, 11, 21, 20, 30, tzinfo=UTC)
    >>> str(daily_after(after=evening, hour=8, zone=ZoneInfo("Europe/Berlin")))
    '2026-11-22 07:00:00+00:00'
    """
    day = after.astimezone(zone).date()
    for days in range(3):
        at = datetime.combine(day + timedelta(days=days), time(hour), zone).astimezone(after.tzinfo)
        if at > after:
            return at
    raise AssertionError("every day has every hour, or one in its place")
