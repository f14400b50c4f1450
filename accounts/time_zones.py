"""The time zones to choose from, by their IANA names.

A place that was renamed has two names, such as Asia/Calcutta and Asia/Kolkata. Both are accepted. The
current name is stored and shown.
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
"""The current names of some renamed time zones that tzdb lists as links to the zone of another place.

The file ``backward`` of tzdb has the current names after ``#=``.
"""

_UTC: Final = "Etc/UTC"


def canonical(name: str) -> str:
    """Return the current name of a time zone. A name that is not outdated is returned unchanged.

    >>> canonical("Asia/Calcutta"), canonical("Europe/Kiev"), canonical("Europe/Oslo"), canonical("Zulu")
    ('Asia/Kolkata', 'Europe/Kyiv', 'Europe/Oslo', 'UTC')
    """
    return _present_names().get(name, name)


@cache
def _present_names() -> Mapping[str, str]:
    """Return a mapping from old names of time zones to their current names."""
    rows = (line.split() for line in _table("tzdata.zi") if line.startswith("L "))
    links = {old: new for _link, new, old in rows}
    found = {old: _RENAMED.get(old, new) for old, new in links.items() if old not in _places()}
    utc = dict.fromkeys([_UTC, *(old for old, new in found.items() if new == _UTC)], "UTC")
    return {old: new for old, new in found.items() if new in _places()} | utc


@cache
def _places() -> frozenset[str]:
    """Return the current names of the time zones of all countries."""
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
    """Return a time zone by its current or an old name, or UTC if the name is unknown."""
    try:
        return ZoneInfo(canonical(name))
    except (ZoneInfoNotFoundError, ValueError, OSError):  # OSError: "America" is a directory of zones
        return ZoneInfo("UTC")


class ZoneField(forms.ChoiceField):
    """A form field to choose a time zone. It also accepts old names of time zones."""

    def to_python(self, value: object) -> str:
        return canonical(super().to_python(value))

    def prepare_value(self, value: object) -> object:
        return canonical(value) if isinstance(value, str) else value


def choices(*, current: str) -> list[tuple[str, Iterable[tuple[str, str]] | str]]:
    """Return the choices for a form: the current zone if it is unlisted, UTC, then zones by continent."""
    places = sorted(_places())
    others = [name for name in (canonical(current), "UTC") if name not in _places()]
    return [
        *((name, name) for name in dict.fromkeys(others)),
        *(
            (continent, [(name, _display_name(name)) for name in names])
            for continent, names in groupby(places, key=lambda name: name.partition("/")[0])
        ),
    ]


def _display_name(name: str) -> str:
    """Return the parts of a time zone's name after the continent, as people write them.

    >>> _display_name("America/Argentina/Buenos_Aires")
    'Buenos Aires, Argentina'
    """
    _, *places = name.replace("_", " ").split("/")
    return ", ".join(reversed(places))
