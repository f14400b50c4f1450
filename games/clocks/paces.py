"""Paces as documents, and in words.

A pace is written with all its keys: ``hours`` for each turn, ``minutes`` for each turn of a live game, or a
``bank`` of hours with an ``increment``; where a turn ends at a time of day, ``at`` what time ("20:00") in
which time ``zone``.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

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
        raise ValueError("“pace” must be an object, such as {“hours”: 24}.")
    if unknown := sorted(str(key) for key in document if key not in KEYS):
        raise ValueError(f"“pace” has no key “{unknown[0]}”.")
    hours, minutes, at, zone, bank, increment = (document.get(key) for key in KEYS)
    if minutes is not None:
        if any(key is not None for key in (hours, at, zone, bank, increment)):
            raise ValueError("A live game has only “minutes” for each turn. Leave the other keys out.")
        return Live(_minutes(minutes))
    if bank is not None or increment is not None:
        if hours is not None or at is not None or zone is not None:
            raise ValueError("A pace has hours for each turn, or a bank with an increment: not both.")
        return Bank(_hours("bank", bank), _hours("increment", increment))
    daily = _daily(at, zone)
    if hours is None and daily is None:
        return None
    hours = _hours("hours", hours)
    if daily is not None and hours < SHORTEST_DAILY:
        raise ValueError(f"A turn that ends at a time of day takes at least {SHORTEST_DAILY} hours.")
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
            return f"daily at {at:%H:%M} ({_place(zone)})"
        case PerTurn(hours=hours, daily=Daily(at=at, zone=zone)):
            return f"{duration(hours)} a turn, until {at:%H:%M} ({_place(zone)})"
        case PerTurn(hours=hours):
            return f"{duration(hours)} a turn"
        case Live(minutes=minutes):
            return f"{_counted(minutes, 'minute')} a turn (live)"
        case Bank(hours=hours, increment=increment):
            return f"{duration(hours)} in the bank, and {duration(increment)} more each turn"
    return "no time limit"


def duration(hours: int) -> str:
    """Say how long a number of hours are.

    >>> duration(48), duration(1), duration(36), duration(336)
    ('2 days', '1 hour', '36 hours', '2 weeks')
    """
    for unit, size in (("week", 168), ("day", 24)):
        if hours % size == 0:
            return _counted(hours // size, unit)
    return _counted(hours, "hour")


def _counted(number: int, unit: str) -> str:
    return f"{number} {unit}{'' if number == 1 else 's'}"


def _place(zone: ZoneInfo) -> str:
    return zone.key.replace("_", " ")


def _hours(key: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= LONGEST_TURN:
        raise ValueError(f"“{key}” must be a whole number from 1 to {LONGEST_TURN}.")
    return value


def _minutes(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= LONGEST_LIVE:
        raise ValueError(
            f"“minutes” must be a whole number from 1 to {LONGEST_LIVE}. For longer turns, use “hours”."
        )
    return value


def _daily(at: object, zone: object) -> Daily | None:
    """Return a time of day; None where there is none."""
    if at is None and zone is None:
        return None
    if at is None:
        raise ValueError("“zone” says where it is the time of day “at”, which is missing.")
    try:
        # To the minute: isoformat would take "20", and seconds.
        read = datetime.strptime(at if isinstance(at, str) else "", "%H:%M").time()  # noqa: DTZ007
    except ValueError:
        raise ValueError("“at” must be a time of day, such as “20:00”.") from None
    if not isinstance(zone, str) or zone not in available_timezones():
        raise ValueError("“zone” must be a time zone, such as “Europe/Berlin”.")
    return Daily(read, ZoneInfo(zone))
