"""Players' calendars as documents, and in words.

A calendar is written with all its keys: the time ``zone``; the ``days_off``, from 0 for Monday; from when to
when it is ``night`` (["22:00", "07:00"], or None). With them are the ``stops`` of a clock, where there are
any: each with ``from`` and ``until`` when it stood still, the ``reason``, and the deadline ``before``.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime, time
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.time_zones import zone_of
from games.clocks.clock import Calendar, Span, Stop
from games.language import joined

DAYS = (
    _("Mondays"),
    _("Tuesdays"),
    _("Wednesdays"),
    _("Thursdays"),
    _("Fridays"),
    _("Saturdays"),
    _("Sundays"),
)


def write_calendar(calendar: Calendar) -> dict[str, Any]:
    """Write a calendar with all its keys.

    >>> from zoneinfo import ZoneInfo
    >>> write_calendar(Calendar(ZoneInfo("Europe/Berlin"), frozenset({6}), (time(22), time(6, 30))))
    {'zone': 'Europe/Berlin', 'days_off': [6], 'night': ['22:00', '06:30']}
    """
    return {
        "zone": str(calendar.zone),
        "days_off": sorted(calendar.days_off),
        "night": [f"{at:%H:%M}" for at in calendar.night] if calendar.night else None,
    }


def read_calendar(document: Mapping[str, Any]) -> Calendar:
    night = document["night"]
    return Calendar(
        zone=zone_of(document["zone"]),
        days_off=frozenset(document["days_off"]),
        night=(_time(night[0]), _time(night[1])) if night else None,
    )


def write_stops(stops: Iterable[Stop]) -> list[dict[str, str]]:
    """Write what stopped a clock once."""
    return [
        {
            "from": stop.pause.start.isoformat(),
            "until": stop.pause.end.isoformat(),
            "reason": stop.reason,
            "before": stop.before.isoformat(),
        }
        for stop in stops
    ]


def read_stops(document: Iterable[Mapping[str, str]]) -> tuple[Stop, ...]:
    return tuple(
        Stop(Span(_instant(stop["from"]), _instant(stop["until"])), stop["reason"], _instant(stop["before"]))
        for stop in document
    )


def calendar_in_words(calendar: Calendar) -> str:
    """Say when a clock stands still, as the end of a sentence; nothing where it never does.

    >>> calendar_in_words(Calendar(days_off=frozenset({5, 6}), night=(time(22), time(7))))
    'on Saturdays and Sundays, and from 22:00 to 07:00'
    >>> calendar_in_words(Calendar(days_off=frozenset({0, 2, 6})))
    'on Mondays, Wednesdays and Sundays'
    >>> calendar_in_words(Calendar())
    ''
    """
    days = joined([str(DAYS[day]) for day in sorted(calendar.days_off)])
    if not calendar.night:
        return gettext("on {days}").format(days=days) if days else ""
    dusk, dawn = calendar.night
    if not days:
        return gettext("from {dusk:%H:%M} to {dawn:%H:%M}").format(dusk=dusk, dawn=dawn)
    times = gettext("on {days}, and from {dusk:%H:%M} to {dawn:%H:%M}")
    return times.format(days=days, dusk=dusk, dawn=dawn)


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _time(text: str) -> time:
    return datetime.strptime(text, "%H:%M").time()  # noqa: DTZ007, a time of day alone
