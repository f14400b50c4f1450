"""Read and write paces and calendars as documents, and describe them in words."""

from collections.abc import Iterable, Mapping
from datetime import datetime, time
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django.utils.formats import time_format
from django.utils.translation import gettext, gettext_lazy as _, ngettext

from accounts.time_zones import zone_of
from games.clocks.clock import (
    MAX_LIVE_MINUTES,
    MAX_TURN_HOURS,
    MIN_DAILY_HOURS,
    Bank,
    Calendar,
    Daily,
    Live,
    Pace,
    PerTurn,
    Span,
    Stop,
)
from games.wording import names_in_words

KEYS = ("hours", "minutes", "at", "zone", "bank", "increment")


def write_pace(pace: Pace) -> dict[str, Any]:
    """Return a pace as a document with all keys. Keys that do not apply to the pace are None."""
    document: dict[str, Any] = dict.fromkeys(KEYS)
    match pace:
        case PerTurn(hours=hours, daily=None):
            document["hours"] = hours
        case PerTurn(hours=hours, daily=Daily(at=at, zone=zone)):
            document |= {"hours": hours, "at": f"{at:%H:%M}", "zone": zone.key}
        case Live(minutes=minutes):
            document["minutes"] = minutes
        case Bank(hours=hours, increment=increment):
            document |= {"bank": hours, "increment": increment}
    return document


def read_pace(document: object) -> Pace:
    """Return the pace in a document. If the document is None or has no values, there is no time limit.

    Raises ValueError, with a sentence for the user, if the document is not valid.
    """
    if document is None:
        return None
    if not isinstance(document, Mapping):
        raise ValueError(gettext("“pace” must be an object, such as {“hours”: 24}."))
    if unknown := sorted(str(key) for key in document if key not in KEYS):
        raise ValueError(gettext("“pace” has no key “{key}”.").format(key=unknown[0]))
    hours, minutes, at, zone, bank, increment = (document.get(key) for key in KEYS)
    if minutes is not None:
        if any(key is not None for key in (hours, at, zone, bank, increment)):
            raise ValueError(gettext("A live game has only “minutes”. Leave out all other keys."))
        return Live(_minutes(minutes))
    if bank is not None or increment is not None:
        if hours is not None or at is not None or zone is not None:
            raise ValueError(gettext("A pace has either “hours”, or a “bank” with an “increment”."))
        return Bank(_hours("bank", bank), _hours("increment", increment))
    daily = None if at is None and zone is None else _daily(at, zone)
    if hours is None and daily is None:
        return None
    hours = _hours("hours", hours)
    if daily is not None and hours < MIN_DAILY_HOURS:
        raise ValueError(
            gettext("Turns that end at a set time of day must last at least {number} hours.").format(
                number=MIN_DAILY_HOURS
            )
        )
    return PerTurn(hours, daily)


def pace_in_words(pace: Pace) -> str:
    """Describe a pace in a few words that answer the question “How much time is there?”.

    >>> pace_in_words(PerTurn(48)), pace_in_words(Bank(72, 12)), pace_in_words(None)
    ('2 days a turn', 'time bank of 3 days, plus 12 hours each turn', 'no time limit')
    >>> pace_in_words(Live(1)), pace_in_words(Live(5))
    ('1 minute a turn (live)', '5 minutes a turn (live)')
    >>> from datetime import time
    >>> pace_in_words(PerTurn(24, Daily(time(20), ZoneInfo("Europe/Berlin"))))
    'daily at 20:00 (Europe/Berlin)'
    >>> pace_in_words(PerTurn(72, Daily(time(8, 30), ZoneInfo("America/New_York"))))
    '3 days a turn, until 08:30 (America/New York)'
    """
    match pace:
        case PerTurn(hours=24, daily=Daily(at=at, zone=zone)):
            return gettext("daily at {time} ({zone})").format(time=_clock(at), zone=_zone_name(zone))
        case PerTurn(hours=hours, daily=Daily(at=at, zone=zone)):
            return gettext("{duration} a turn, until {time} ({zone})").format(
                duration=duration(hours), time=_clock(at), zone=_zone_name(zone)
            )
        case PerTurn(hours=hours):
            return gettext("{duration} a turn").format(duration=duration(hours))
        case Live(minutes=minutes):
            turns = ngettext("{number} minute a turn (live)", "{number} minutes a turn (live)", minutes)
            return turns.format(number=minutes)
        case Bank(hours=hours, increment=increment):
            return gettext("time bank of {time}, plus {increment} each turn").format(
                time=duration(hours), increment=duration(increment)
            )
    return gettext("no time limit")


def duration(hours: int) -> str:
    """Return a number of hours in words.

    >>> duration(48), duration(1), duration(36), duration(336)
    ('2 days', '1 hour', '36 hours', '2 weeks')
    """
    if hours % 168 == 0:
        return ngettext("{number} week", "{number} weeks", hours // 168).format(number=hours // 168)
    if hours % 24 == 0:
        return ngettext("{number} day", "{number} days", hours // 24).format(number=hours // 24)
    return ngettext("{number} hour", "{number} hours", hours).format(number=hours)


def _clock(at: time) -> str:
    return time_format(at)


def _zone_name(zone: ZoneInfo) -> str:
    return zone.key.replace("_", " ")


def _hours(key: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= MAX_TURN_HOURS:
        raise ValueError(
            gettext("“{key}” must be a whole number from 1 to {most}.").format(key=key, most=MAX_TURN_HOURS)
        )
    return value


def _minutes(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= MAX_LIVE_MINUTES:
        raise ValueError(
            gettext(
                "“minutes” must be a whole number from 1 to {most}. For longer turns, use “hours”."
            ).format(most=MAX_LIVE_MINUTES)
        )
    return value


def _daily(at: object, zone: object) -> Daily:
    """Return a time of day in a time zone. Raises ValueError if either value is not valid."""
    if at is None:
        raise ValueError(gettext("“zone” needs a time of day. Give one in “at”."))
    try:
        # Only HH:MM: fromisoformat would accept "20" and seconds.
        read = datetime.strptime(at if isinstance(at, str) else "", "%H:%M").time()  # noqa: DTZ007
    except ValueError:
        raise ValueError(gettext("“at” must be a time of day, such as “20:00”.")) from None
    if not isinstance(zone, str) or zone not in available_timezones():
        raise ValueError(gettext("“zone” must be a time zone, such as “Europe/Berlin”."))
    return Daily(read, zone_of(zone))


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
    """Return a calendar as a document with all keys.

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
    """Return the single pauses of a clock as documents."""
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
    """Describe the days off and quiet hours of a calendar as the end of a sentence.

    The result is empty if there are none.

    >>> calendar_in_words(Calendar(days_off=frozenset({5, 6}), night=(time(22), time(7))))
    'on Saturdays and Sundays, and from 22:00 to 07:00'
    >>> calendar_in_words(Calendar(days_off=frozenset({0, 2, 6})))
    'on Mondays, Wednesdays and Sundays'
    >>> calendar_in_words(Calendar())
    ''
    """
    days = names_in_words([str(DAYS[day]) for day in sorted(calendar.days_off)])
    if not calendar.night:
        return gettext("on {days}").format(days=days) if days else ""
    dusk, dawn = map(_clock, calendar.night)
    if not days:
        return gettext("from {dusk} to {dawn}").format(dusk=dusk, dawn=dawn)
    times = gettext("on {days}, and from {dusk} to {dawn}")
    return times.format(days=days, dusk=dusk, dawn=dawn)


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _time(text: str) -> time:
    return datetime.strptime(text, "%H:%M").time()  # noqa: DTZ007, only a time of day
