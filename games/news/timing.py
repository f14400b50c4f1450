"""When people are told: reminders before a deadline but never at night, and the daily mail. No clock here."""

from datetime import datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

Night = tuple[time, time]
"""From when to when it is night, by someone's own clock."""

SHARE: Final = 4
"""A reminder comes when one part in that many is left of the time for a turn."""

EARLIEST: Final = timedelta(days=1)
"""The longest before a deadline that anybody is reminded."""

LATEST: Final = timedelta(minutes=10)
"""The shortest: later than that a reminder helps no one."""

NIGHT: Final[Night] = (time(22), time(8))
"""From when to when no one is reminded, by their own clock."""

EVENING: Final = timedelta(minutes=30)
"""How long before a night comes what would fall into it, so that it has arrived by then."""


def reminder_at(
    *, opened: datetime, deadline: datetime | None, zone: ZoneInfo, sleep: Night | None = None
) -> datetime | None:
    """Return when to remind someone of a turn, None where there is no good time for it.

    It is when a quarter of the time is left, and at most a day. What would fall into the night, or into the
    hours in which they ``sleep``, comes on the evening before; where the turn was still young by then, on the
    morning after.

    >>> from datetime import UTC
    >>> noon = datetime(2026, 11, 21, 12, tzinfo=UTC)
    >>> str(reminder_at(opened=noon, deadline=noon + timedelta(hours=20), zone=ZoneInfo("UTC")))
    '2026-11-21 21:30:00+00:00'
    >>> late = datetime(2026, 11, 21, 21, tzinfo=UTC)
    >>> str(reminder_at(opened=late, deadline=late + timedelta(hours=14), zone=ZoneInfo("UTC")))
    '2026-11-22 08:00:00+00:00'
    """
    if deadline is None:
        return None
    ahead = min((deadline - opened) / SHARE, EARLIEST)
    if ahead < LATEST:
        return None
    at = deadline - ahead
    if not is_night(at, zone, sleep):
        return at
    evening = _evening_before(at, zone, sleep)
    if evening is not None and evening >= opened + ahead:
        return evening
    morning = morning_after(at, zone, sleep)
    return morning if morning is not None and morning <= deadline - LATEST else None


def is_night(at: datetime, zone: ZoneInfo, sleep: Night | None = None) -> bool:
    """Return whether it is night somewhere, or someone's time to sleep; its first and its last moment are
    none of it.
    """
    return _night_round(at, zone, sleep) is not None


def morning_after(at: datetime, zone: ZoneInfo, sleep: Night | None = None) -> datetime | None:
    """Return when the night ends that a moment falls into, that moment by day; None where it is always night.

    >>> from datetime import UTC
    >>> late = datetime(2026, 11, 21, 23, tzinfo=UTC)
    >>> str(morning_after(late, ZoneInfo("UTC"), sleep=(time(3), time(9, 30))))
    '2026-11-22 09:30:00+00:00'
    """
    for _ in _NIGHTS:
        night = _night_round(at, zone, sleep)
        if night is None:
            return at
        at = night[1]
    return None


def _evening_before(at: datetime, zone: ZoneInfo, sleep: Night | None) -> datetime | None:
    """Return the last good time before the night of a moment, or None."""
    for _ in _NIGHTS:
        night = _night_round(at, zone, sleep)
        if night is None:
            return at
        at = night[0] - EVENING
    return None


_NIGHTS: Final = range(4)
"""More nights than can follow each other without a day, of the two that someone has."""


def _night_round(at: datetime, zone: ZoneInfo, sleep: Night | None) -> tuple[datetime, datetime] | None:
    """Return from when to when it is the night that a moment falls into, None by day."""
    local = at.astimezone(zone)
    for begin, end in (NIGHT, *([sleep] if sleep else [])):
        for days in (0, 1):
            day = local.date() - timedelta(days=days)
            dusk = datetime.combine(day, begin, zone)
            dawn = datetime.combine(day + timedelta(days=end <= begin), end, zone)
            # By the clock, as people read it: also where an hour is skipped, or comes twice.
            if dusk.replace(tzinfo=None) < local.replace(tzinfo=None) < dawn.replace(tzinfo=None):
                return dusk.astimezone(at.tzinfo), dawn.astimezone(at.tzinfo)
    return None


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
