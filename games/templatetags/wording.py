"""Times and numbers as people say them."""

from datetime import datetime, timedelta

from django import template
from django.utils import timezone

from games.models import Starship

register = template.Library()

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


@register.filter
def ago(since: datetime) -> str:
    """Say how long ago something was, in the largest unit that fits."""
    passed = timezone.now() - since
    return "just now" if passed < MINUTE else f"{_roughly(passed)} ago"


@register.filter
def left(until: datetime) -> str:
    """Say how much time is left."""
    remaining = until - timezone.now()
    if remaining <= timedelta(0):
        return "time is up"
    return f"{_closely(remaining)} left"


@register.filter
def duration(hours: int) -> str:
    """Say how long so many hours are.

    >>> duration(48), duration(1), duration(36)
    ('2 days', '1 hour', '36 hours')
    """
    if hours % 168 == 0:
        return _counted(hours // 168, "week")
    return _counted(hours // 24, "day") if hours % 24 == 0 else _counted(hours, "hour")


@register.filter
def players(starship: Starship) -> str:
    """Say for how many players a starship is meant."""
    least, most = starship.seats_least, starship.seats_most
    if most == 1:
        return "for one"
    return f"for {least}" if least == most else f"for {least} to {most}"


def _roughly(time: timedelta) -> str:
    if time < HOUR:
        return f"{time // MINUTE} min"
    if time < DAY:
        return f"{time // HOUR} h"
    return _counted(time // DAY, "day")


def _closely(time: timedelta) -> str:
    """Name the two largest units, as long as the second matters."""
    if time < HOUR:
        return f"{max(1, time // MINUTE)} min"
    if time < DAY:
        return f"{time // HOUR} h {time % HOUR // MINUTE} min"
    days = _counted(time // DAY, "day")
    return f"{days} {time % DAY // HOUR} h" if time < 3 * DAY else days


def _counted(number: int, unit: str) -> str:
    return f"{number} {unit}{'' if number == 1 else 's'}"
