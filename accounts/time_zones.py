"""The time zones to choose from, by their IANA names.

A renamed place has two names, such as Asia/Calcutta and Asia/Kolkata. Both are accepted. The present one is
stored and shown.
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
"""Links to another place with the same clocks; by ``#=`` in ``backward`` of tzdb."""

_UTC: Final = "Etc/UTC"


def canonical(name: str) -> str:
    """Return the present name of a time zone. Other names stay as they are.

    >>> canonical("Asia/Calcutta"), canonical("Europe/Kiev"), canonical("Europe/Oslo"), canonical("Zulu")
    ('Asia/Kolkata', 'Europe/Kyiv', 'Europe/Oslo', 'UTC')
    """
    return _present_names().get(name, name)


@cache
def _present_names() -> Mapping[str, str]:
    """Return the present names of places by their old names."""
    rows = (line.split() for line in _table("tzdata.zi") if line.startswith("L "))
    links = {old: new for _link, new, old in rows}
    found = {old: _RENAMED.get(old, new) for old, new in links.items() if old not in _places()}
    utc = dict.fromkeys([_UTC, *(old for old, new in found.items() if new == _UTC)], "UTC")
    return {old: new for old, new in found.items() if new in _places()} | utc


@cache
def _places() -> frozenset[str]:
    """Return the places of all countries, by their present names."""
    rows = (line.split("\t") for line in _table("zone.tab") if not line.startswith("#"))
    return frozenset(row[2] for row in rows) & available_timezones()


def _table(name: str) -> list[str]:
    return (files("tzdata") / "zoneinfo" / name).read_text(encoding="utf-8").splitlines()


def validate(name: str) -> None:
    """Raise Django's ValidationError unless `name` is a time zone."""
    if name not in available_timezones():
        told = (
            _("“%(name)s” is not a time zone. Choose one from the list, such as Europe/Berlin.")
            if name
            else _("Choose a time zone from the list, such as Europe/Berlin.")
        )
        raise ValidationError(told, code="time_zone", params={"name": name})


def zone_of(name: str) -> ZoneInfo:
    """Return a time zone by any of its names, or UTC if it is unknown or was dropped."""
    try:
        return ZoneInfo(canonical(name))
    except (ZoneInfoNotFoundError, ValueError, OSError):  # OSError: "America" is a directory of zones
        return ZoneInfo("UTC")


class ZoneField(forms.ChoiceField):
    """A choice of a time zone. It also accepts old names."""

    def to_python(self, value: object) -> str:
        return canonical(super().to_python(value))

    def prepare_value(self, value: object) -> object:
        return canonical(value) if isinstance(value, str) else value


def choices(*, current: str) -> list[tuple[str, Iterable[tuple[str, str]] | str]]:
    """Return the choices for a form: UTC, the current zone, then the continents."""
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
    """Return ``America/Argentina/Buenos_Aires`` as a person writes it.

    >>> _place("America/Argentina/Buenos_Aires")
    'Buenos Aires, Argentina'
    """
    _, *places = name.replace("_", " ").split("/")
    return ", ".join(reversed(places))
