"""Paces as documents, and in words.

A pace is written with all its keys: ``hours`` for each turn, ``minutes`` for each turn of a live game, or a
``bank`` of hours with an ``increment``; where a turn ends at a time of day, ``at`` what time ("20:00") in
which time ``zone``.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.time_zones import zone_of
from games.clocks.clock import LONGEST_LIVE, LONGEST_TURN, SHORTEST_DAILY, Bank, Daily, Live, Pace, PerTurn

KEYS = ("hours", "minutes", "at", "zone", "bank", "increment")


def write_pace(pace: Pace) -> dict[str, Any]:
    """Write a pace with all its keys; those that it has no use for are None."""
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
    """Read a pace; None, and one without any key, is without limit.

    Raises ValueError with a sentence for what is no pace.
    """
    if document is None:
        return None
    if not isinstance(document, Mapping):
        raise ValueError(_("“pace” must be an object, such as {“hours”: 24}."))
    if unknown := sorted(str(key) for key in document if key not in KEYS):
        raise ValueError(_("“pace” has no key “{key}”.").format(key=unknown[0]))
    hours, minutes, at, zone, bank, increment = (document.get(key) for key in KEYS)
    if minutes is not None:
        if any(key is not None for key in (hours, at, zone, bank, increment)):
            raise ValueError(_("A live game has only “minutes” for each turn. Leave the other keys out."))
        return Live(_minutes(minutes))
    if bank is not None or increment is not None:
        if hours is not None or at is not None or zone is not None:
            raise ValueError(_("A pace has hours for each turn, or a bank with an increment: not both."))
        return Bank(_hours("bank", bank), _hours("increment", increment))
    daily = None if at is None and zone is None else _daily(at, zone)
    if hours is None and daily is None:
        return None
    hours = _hours("hours", hours)
    if daily is not None and hours < SHORTEST_DAILY:
        raise ValueError(
            _("A turn that ends at a time of day takes at least {number} hours.").format(
                number=SHORTEST_DAILY
            )
        )
    return PerTurn(hours, daily)


def pace_in_words(pace: Pace) -> str:
    """Say how fast a game is played, as an answer to "how much time is there?".

    >>> pace_in_words(PerTurn(48)), pace_in_words(Bank(72, 12)), pace_in_words(None)
    ('2 days a turn', '3 days in the bank, and 12 hours more each turn', 'no time limit')
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
            return _("daily at {time:%H:%M} ({zone})").format(time=at, zone=_place(zone))
        case PerTurn(hours=hours, daily=Daily(at=at, zone=zone)):
            return _("{duration} a turn, until {time:%H:%M} ({zone})").format(
                duration=duration(hours), time=at, zone=_place(zone)
            )
        case PerTurn(hours=hours):
            return _("{duration} a turn").format(duration=duration(hours))
        case Live(minutes=minutes):
            turns = ngettext("{number} minute a turn (live)", "{number} minutes a turn (live)", minutes)
            return turns.format(number=minutes)
        case Bank(hours=hours, increment=increment):
            return _("{time} in the bank, and {increment} more each turn").format(
                time=duration(hours), increment=duration(increment)
            )
    return _("no time limit")


def duration(hours: int) -> str:
    """Say how long a number of hours are.

    >>> duration(48), duration(1), duration(36), duration(336)
    ('2 days', '1 hour', '36 hours', '2 weeks')
    """
    if hours % 168 == 0:
        return ngettext("{number} week", "{number} weeks", hours // 168).format(number=hours // 168)
    if hours % 24 == 0:
        return ngettext("{number} day", "{number} days", hours // 24).format(number=hours // 24)
    return ngettext("{number} hour", "{number} hours", hours).format(number=hours)


def _place(zone: ZoneInfo) -> str:
    return zone.key.replace("_", " ")


def _hours(key: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= LONGEST_TURN:
        raise ValueError(
            _("“{key}” must be a whole number from 1 to {most}.").format(key=key, most=LONGEST_TURN)
        )
    return value


def _minutes(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= LONGEST_LIVE:
        raise ValueError(
            _("“minutes” must be a whole number from 1 to {most}. For longer turns, use “hours”.").format(
                most=LONGEST_LIVE
            )
        )
    return value


def _daily(at: object, zone: object) -> Daily:
    """Return a time of day."""
    if at is None:
        raise ValueError(_("“zone” needs the time of day “at”, which is missing."))
    try:
        # To the minute: isoformat would take "20", and seconds.
        read = datetime.strptime(at if isinstance(at, str) else "", "%H:%M").time()  # noqa: DTZ007
    except ValueError:
        raise ValueError(_("“at” must be a time of day, such as “20:00”.")) from None
    if not isinstance(zone, str) or zone not in available_timezones():
        raise ValueError(_("“zone” must be a time zone, such as “Europe/Berlin”."))
    return Daily(read, zone_of(zone))
