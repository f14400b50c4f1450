"""The time zones that a person may live in, by their IANA names.

A place that was renamed has two names, such as Asia/Calcutta and Asia/Kolkata. Both are taken. The present
one is kept and shown.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from itertools import groupby
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

_RENAMED: Final = {
    "Africa/Asmera": "Africa/Asmara",
    "Africa/Timbuktu": "Africa/Bamako",
    "America/Coral_Harbour": "America/Atikokan",
    "America/Virgin": "America/St_Thomas",
    "Antarctica/South_Pole": "Antarctica/McMurdo",
    "Iceland": "Atlantic/Reykjavik",
    "Pacific/Ponape": "Pacific/Pohnpei",
    "Pacific/Truk": "Pacific/Chuuk",
    "Pacific/Yap": "Pacific/Chuuk",
}
"""Places whose links lead to another place with the same clocks; by ``#=`` in ``backward`` of tzdb."""

_UTC: Final = "Etc/UTC"


def canonical(name: str) -> str:
    """Return the present name of a time zone; what is no old name stays as it is.

    >>> canonical("Asia/Calcutta"), canonical("Europe/Kiev"), canonical("Europe/Oslo"), canonical("Zulu")
    ('Asia/Kolkata', 'Europe/Kyiv', 'Europe/Oslo', 'UTC')
    """
    return _present_names().get(name, name)


@cache
def _present_names() -> Mapping[str, str]:
    """Return the present names of places by their old ones, from the links of the time zone database."""
    rows = (line.split() for line in _table("tzdata.zi") if line.startswith("L "))
    links = {old: new for _link, new, old in rows}
    found = {old: _RENAMED.get(old, new) for old, new in links.items() if old not in _places()}
    utc = dict.fromkeys([_UTC, *(old for old, new in found.items() if new == _UTC)], "UTC")
    return {old: new for old, new in found.items() if new in _places()} | utc


@cache
def _places() -> frozenset[str]:
    """Return the places of all countries, each by its present name."""
    rows = (line.split("\t") for line in _table("zone.tab") if not line.startswith("#"))
    return frozenset(row[2] for row in rows) & available_timezones()


def _table(name: str) -> list[str]:
    return (files("tzdata") / "zoneinfo" / name).read_text(encoding="utf-8").splitlines()


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
    """Return a time zone by one of its names; UTC for what is none, or was dropped from the list since."""
    try:
        return ZoneInfo(canonical(name))
    except (ZoneInfoNotFoundError, ValueError, OSError):  # OSError: "America" is a directory of zones
        return ZoneInfo("UTC")


class ZoneField(forms.ChoiceField):
    """A choice of a time zone, which takes old names too, and shows and returns present ones."""

    def to_python(self, value: object) -> str:
        """Return the present name of what was sent."""
        return canonical(super().to_python(value))

    def prepare_value(self, value: object) -> object:
        """Return the present name of what is to be shown."""
        return canonical(value) if isinstance(value, str) else value


def choices(*, current: str) -> list[tuple[str, Iterable[tuple[str, str]] | str]]:
    """Choices for a form: UTC, then the places of each continent; `current` is among them whatever it is."""
    places = sorted(_places())
    others = [name for name in (canonical(current), "UTC") if name not in _places()]
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
