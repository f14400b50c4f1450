"""The time zones that a person may live in, by their IANA names."""

from collections.abc import Iterable
from functools import cache
from itertools import groupby
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

_CONTINENTS = frozenset(
    (
        "Africa",
        "America",
        "Antarctica",
        "Arctic",
        "Asia",
        "Atlantic",
        "Australia",
        "Europe",
        "Indian",
        "Pacific",
    )
)


def validate(name: str) -> None:
    """Raise Django's ValidationError unless `name` is a time zone."""
    if name not in available_timezones():
        told = (
            _("“%(name)s” is not a time zone: choose one from the list, such as Europe/Berlin.")
            if name
            else _("Choose a time zone from the list, such as Europe/Berlin.")
        )
        raise ValidationError(told, code="time_zone", params={"name": name})


def zone_of(name: str) -> ZoneInfo:
    """Return a time zone by its name; UTC for what is none, or was dropped from the list since."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):  # OSError: "America" is a directory of zones
        return ZoneInfo("UTC")


@cache
def _of_continents() -> tuple[str, ...]:
    return tuple(sorted(name for name in available_timezones() if name.partition("/")[0] in _CONTINENTS))


def choices(*, current: str) -> list[tuple[str, Iterable[tuple[str, str]] | str]]:
    """Choices for a form: UTC, then the places of each continent; `current` is among them whatever it is."""
    places = _of_continents()
    others = [name for name in (current, "UTC") if name not in places]
    return [
        *((name, name) for name in dict.fromkeys(others)),
        *(
            (continent, [(name, _place(name)) for name in names])
            for continent, names in groupby(places, key=lambda name: name.partition("/")[0])
        ),
    ]


def _place(name: str) -> str:
    """``America/Argentina/Buenos_Aires`` as a person writes it.

    >>> _place("America/Argentina/Buenos_Aires")
    'Buenos Aires, Argentina'
    """
    _, *places = name.replace("_", " ").split("/")
    return ", ".join(reversed(places))
