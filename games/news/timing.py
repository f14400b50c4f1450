"""Pure functions for the times of reminders, never at night, and daily email."""

from datetime import datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

Night = tuple[time, time]
"""The start and end of a night, by a person's own clock."""

REMINDER_SHARE: Final = 4
"""A reminder comes when 1 / `REMINDER_SHARE` of the time for a turn is left."""

LONGEST_LEAD: Final = timedelta(days=1)
"""The longest time from a reminder to the deadline."""

SHORTEST_LEAD: Final = timedelta(minutes=10)
"""The shortest time from a reminder to the deadline: later, it helps no one."""

NIGHT: Final[Night] = (time(22), time(8))
"""The hours without reminders, by a person's own clock."""

EVENING: Final = timedelta(minutes=30)
"""How long before the night an evening reminder is sent, to arrive in time."""


def reminder_at(
    *, opened: datetime, deadline: datetime | None, zone: ZoneInfo, sleep: Night | None = None
) -> datetime | None:
    """Return when to remind a player of a turn, or None without a good time.

    It is when a quarter of the turn's time is left, but at most a day. If that falls into the night, or
    into the player's hours of ``sleep``, it is the evening before. If the turn was still young then, it is
    the morning after.

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
    ahead = min((deadline - opened) / REMINDER_SHARE, LONGEST_LEAD)
    if ahead < SHORTEST_LEAD:
        return None
    at = deadline - ahead
    if not is_night(at, zone, sleep):
        return at
    evening = _evening_before(at, zone, sleep)
    if evening is not None and evening >= opened + ahead:
        return evening
    morning = morning_after(at, zone, sleep)
    return morning if morning is not None and morning <= deadline - SHORTEST_LEAD else None


def is_night(at: datetime, zone: ZoneInfo, sleep: Night | None = None) -> bool:
    """Return whether it is night in a zone, or a person's time to ``sleep``.

    The first and the last moment do not count.
    """
    return _night_round(at, zone, sleep) is not None


def morning_after(at: datetime, zone: ZoneInfo, sleep: Night | None = None) -> datetime | None:
    """Return the end of the night around a moment, or the moment itself by day.

    Return None if it is always night.

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
    """Return the last good time before a night, the moment itself by day, or None."""
    for _ in _NIGHTS:
        night = _night_round(at, zone, sleep)
        if night is None:
            return at
        at = night[0] - EVENING
    return None


_NIGHTS: Final = range(4)
"""More nights than can adjoin, unless there is no day at all."""


def _night_round(at: datetime, zone: ZoneInfo, sleep: Night | None) -> tuple[datetime, datetime] | None:
    """Return the start and end of the night around a moment, or None by day."""
    local = at.astimezone(zone)
    for begin, end in (NIGHT, *([sleep] if sleep else [])):
        for days in (0, 1):
            day = local.date() - timedelta(days=days)
            dusk = datetime.combine(day, begin, zone)
            dawn = datetime.combine(day + timedelta(days=end <= begin), end, zone)
            # Compare local times, even if an hour is skipped or comes twice.
            if dusk.replace(tzinfo=None) < local.replace(tzinfo=None) < dawn.replace(tzinfo=None):
                return dusk.astimezone(at.tzinfo), dawn.astimezone(at.tzinfo)
    return None


def daily_after(*, after: datetime, hour: int, zone: ZoneInfo) -> datetime:
    """Return the next time at a certain hour in a zone.

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
