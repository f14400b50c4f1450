"""What lists of games are narrowed down to: ruleset, pace, players, free seats and size of the board."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

import django_filters
from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Greatest
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import rules
from games.play.models import Game, Seat

Choices = Sequence[tuple[str, str | Promise]]
Games = QuerySet[Game]

RULESETS: Choices = [(key, ruleset.name) for key, ruleset in rules.RULESETS.items()]
PACES: Choices = (
    ("live", _("Live")),
    ("fast", _("1 to 4 hours")),
    ("day", _("Up to a day")),
    ("slow", _("Over a day")),
    ("bank", _("Time bank")),
    ("none", _("No limit")),
)
SEATS: Choices = (("2", "2"), ("3-4", _("3 or 4")), ("5-8", _("5 to 8")))
FREE: Choices = (
    ("1", _("1 or more")),
    ("2", _("2 or more")),
    ("3", _("3 or more")),
    ("4", _("4 or more")),
)
SIZES: Choices = (
    ("small", _("Small, up to 10 cells")),
    ("medium", _("Medium, up to 13")),
    ("large", _("Large, from 14")),
)

HOURS = {"fast": (1, 4), "day": (5, 24), "slow": (25, None)}
"""Hours for a turn, from and to."""

SIDES = {"small": (1, 10), "medium": (11, 13), "large": (14, None)}
"""Cells of a board's longer side, from and to."""


def by_pace(games: Games, pace: str) -> Games:
    """Return the games that are played at a pace of `PACES`."""
    banked = Q(pace__bank__gte=1)
    if pace == "bank":
        return games.filter(banked)
    live = Q(pace__has_key="minutes")
    if pace == "live":
        return games.filter(live)
    if pace == "none":
        return games.filter(pace__hours=None).exclude(banked).exclude(live)
    return games.filter(_between("pace__hours", *HOURS[pace]))


def by_seats(games: Games, seats: str) -> Games:
    """Return the games for a number of players, of `SEATS`."""
    least, _dash, most = seats.partition("-")
    return games.filter(seats__range=(int(least), int(most or least)))


def by_free(games: Games, free: str) -> Games:
    """Return the games that wait for at least that many players, of `FREE`."""
    seats = Seat.objects.filter(game=OuterRef("pk")).order_by().values("game")
    sitting = Coalesce(Subquery(seats.annotate(sitting=Count("pk")).values("sitting")), 0)
    found: Games = games.alias(sitting=sitting).filter(
        status=Game.Status.OPEN, sitting__lte=F("seats") - int(free)
    )
    return found


def by_size(games: Games, size: str) -> Games:
    """Return the games on boards of a size of `SIZES`."""
    width = Coalesce("course__width", "revision__width")
    height = Coalesce("course__height", "revision__height")
    found: Games = games.alias(side=Greatest(width, height)).filter(_between("side", *SIDES[size]))
    return found


def _between(field: str, least: int, most: int | None) -> Q:
    """Return from where to where a field is to be; an upper bound alone would let in what has no value."""
    return Q(**{f"{field}__gte": least}) & (Q() if most is None else Q(**{f"{field}__lte": most}))


def _choice(
    label: str | Promise, choices: Choices, narrow: Callable[[Games, str], Games] | None = None
) -> Any:
    more = {} if narrow is None else {"method": lambda games, name, value: narrow(games, value)}
    return django_filters.ChoiceFilter(label=label, choices=choices, empty_label=_("Any"), **more)


class GameFilter(django_filters.FilterSet):  # type: ignore[misc]
    """Narrows games down by what an address asks for; what is no choice leaves its filter off."""

    ruleset = _choice(_("Ruleset"), RULESETS)
    pace = _choice(_("Time for a turn"), PACES, by_pace)
    seats = _choice(_("Players"), SEATS, by_seats)
    free = _choice(_("Free seats"), FREE, by_free)
    size = _choice(_("Board"), SIZES, by_size)

    class Meta:
        model = Game
        fields: Sequence[str] = ()

    @property
    def chosen(self) -> Mapping[str, str]:
        self.form.is_valid()
        return {name: value for name, value in self.form.cleaned_data.items() if value}

    @property
    def query(self) -> str:
        """The filters that are on, as the query of an address."""
        return urlencode(self.chosen)

    @property
    def faults(self) -> list[str]:
        """Say which filters are off since there is no such choice."""
        return [
            gettext("“{value}” is not a choice of “{filter}”: that filter is off.").format(
                value=_short(self.form.data.get(name, "")), filter=self.filters[name].label
            )
            for name in self.form.errors
        ]


def _short(value: str) -> str:
    """Return the beginning of a value that may be anything.

    >>> _short("x" * 50)
    'xxxxxxxxxxxxxxxxxxxxxxxx…'
    """
    return value if len(value) <= 24 else f"{value[:24]}…"
