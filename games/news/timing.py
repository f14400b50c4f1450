"""Pure functions for the times of daily emails, and of reminders, which never come at night."""

from datetime import datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from accounts.models import REMINDER_HOURS

Night = tuple[time, time]
"""The start and end of a night, in a person's time zone."""

REMINDER_SHARE: Final = 4
"""A reminder comes when 1 / `REMINDER_SHARE` of the time for a turn is left."""

LONGEST_LEAD: Final = timedelta(days=1)
"""The longest time from the usual time of a reminder to the deadline."""

SHORTEST_LEAD: Final = timedelta(minutes=10)
"""The shortest time from a reminder to the deadline. A later reminder is useless."""


def reminder_kind(step: int | None) -> str:
    """Return the name of the kind of a reminder: a step in hours, or the usual reminder."""
    return f"remind-{step}h" if step else "reminder"


REQUESTED: Final = "later"
"""The name of the kind of a reminder that a player asked for, from a notification about a turn."""

REQUESTED_AFTER: Final = timedelta(hours=3)
"""The time from a player's request for a reminder to the reminder."""

CREATED_BEFORE: Final = {REQUESTED: REQUESTED_AFTER}
"""The time from the creation of a notification to its sending, by kind. Other kinds are sent at once."""

REMINDERS: Final = (*(reminder_kind(step) for step in (None, *REMINDER_HOURS)), REQUESTED)
"""The names of all kinds of reminder."""


NIGHT: Final[Night] = (time(22), time(8))
"""The hours without reminders, in a person's time zone."""

EVENING: Final = timedelta(minutes=30)
"""The time from an evening reminder to the start of the night."""


def reminder_at(
    *,
    opened: datetime,
    deadline: datetime | None,
    zone: ZoneInfo,
    sleep: Night | None = None,
    step: int | None = None,
) -> datetime | None:
    """Return the time to remind a player of a turn, or None if there is no good time.

    The usual time is when a quarter of the time from ``opened`` to ``deadline`` is left, or one day before
    ``deadline`` if that is later. With a ``step``, it is this number of hours before ``deadline``, and there
    is no reminder if the whole turn is not longer than that. If the usual time is at night, or in the
    player's hours of ``sleep``, the reminder comes on the evening before. If that evening is too soon, the
    reminder comes on the morning after. The evening is too soon if it is closer to ``opened`` than the usual
    time is to ``deadline``. Returns None if less than `SHORTEST_LEAD` would be left.

    >>> from datetime import UTC
    >>> noon = datetime(2026, 11, 21, 12, tzinfo=UTC)
    >>> str(reminder_at(opened=noon, deadline=noon + timedelta(hours=20), zone=ZoneInfo("UTC")))
    '2026-11-21 21:30:00+00:00'
    >>> late = datetime(2026, 11, 21, 21, tzinfo=UTC)
    >>> str(reminder_at(opened=late, deadline=late + timedelta(hours=14), zone=ZoneInfo("UTC")))
    '2026-11-22 08:00:00+00:00'
    >>> str(reminder_at(opened=noon, deadline=noon + timedelta(hours=9), zone=ZoneInfo("UTC"), step=6))
    '2026-11-21 15:00:00+00:00'
    """
    if deadline is None:
        return None
    whole = deadline - opened
    ahead = timedelta(hours=step) if step else min(whole / REMINDER_SHARE, LONGEST_LEAD)
    if not SHORTEST_LEAD <= ahead < whole:
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
    """Return whether a time is at night in a zone, or in the hours of ``sleep``.

    The exact start and end of the night do not count as night.
    """
    return _night_round(at, zone, sleep) is not None


def morning_after(at: datetime, zone: ZoneInfo, sleep: Night | None = None) -> datetime | None:
    """Return the end of the night around a time, or the time itself if it is by day.

    Returns None if the night and the hours of ``sleep`` leave no day.

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
    """Return the time of an evening reminder before the night around ``at``.

    Returns ``at`` itself if it is by day, and None if the night and the hours of ``sleep`` leave no day.
    """
    for _ in _NIGHTS:
        night = _night_round(at, zone, sleep)
        if night is None:
            return at
        at = night[0] - EVENING
    return None


_NIGHTS: Final = range(4)
"""The passes of a search for a time by day. Each pass skips one night. The search gives up after the last."""


def _night_round(at: datetime, zone: ZoneInfo, sleep: Night | None) -> tuple[datetime, datetime] | None:
    """Return the start and end of the night around a time, or None if it is by day."""
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
    """Return the first time later than ``after`` when it is ``hour`` o'clock in a time zone.

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
