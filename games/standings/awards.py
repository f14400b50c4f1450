"""Define awards, ranks and months. Does not use the database."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Final

from django.db.models import Expression, F, FloatField, Q
from django.db.models.functions import Cast
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class AwardDefinition:
    """An award: its name, its reason, and the monthly figures to compare players by.

    A player's value is the sum of the figures in ``columns``. If ``each_game`` is true, it is divided by the
    player's number of games. If ``fewest`` is true, the smallest value is best, even 0. If ``any_games`` is
    true, no minimum number of games is needed.
    """

    key: str
    name: Promise
    reason: Promise
    columns: tuple[str, ...]
    each_game: bool = True
    fewest: bool = False
    any_games: bool = False

    @property
    def value(self) -> Expression:
        """Return the value to compare, as an expression over `PlayerMonth`."""
        total: Expression = Cast(
            sum((F(column) for column in self.columns[1:]), F(self.columns[0])), FloatField()
        )
        return total / F("games") if self.each_game else total

    def takes_part(self, least: int) -> Q:
        """Return the condition for a `PlayerMonth` to take part in this award.

        ``least`` is the minimum number of games, unless the award counts players with any number of games.
        """
        return Q(**{f"{self.columns[0]}__gt": 0}) if self.any_games else Q(games__gte=least)

    def value_of(self, row: object) -> float:
        """Return the value of one `PlayerMonth`, calculated in Python."""
        total = float(sum(getattr(row, column) for column in self.columns))
        games = getattr(row, "games")  # noqa: B009
        if not self.each_game:
            return total
        return total / games if games else 0.0


AWARDS: Final[Mapping[str, AwardDefinition]] = {
    each.key: each
    for each in (
        AwardDefinition("champion", _("Champion"), _("Share of games won"), ("won",)),
        AwardDefinition("rising-star", _("Rising Star"), _("Rating gained"), ("gained",), each_game=False),
        AwardDefinition("navigator", _("Navigator"), _("Checkpoints per game"), ("checkpoints",)),
        AwardDefinition("ace-gunner", _("Ace Gunner"), _("Damage dealt per game"), ("damage_dealt",)),
        AwardDefinition("demolisher", _("Demolisher"), _("Robots destroyed per game"), ("destroyed",)),
        AwardDefinition("bumper", _("Bumper"), _("Robots pushed per game"), ("pushed",)),
        AwardDefinition(
            "survivor", _("Survivor"), _("Fewest times destroyed per game"), ("deaths",), fewest=True
        ),
        AwardDefinition("hull-welder", _("Hull Welder"), _("Damage repaired per game"), ("repaired",)),
        AwardDefinition("iron-skin", _("Iron Skin"), _("Damage taken per game"), ("damage_taken",)),
        AwardDefinition("sprinter", _("Sprinter"), _("Cells moved forward per game"), ("forward",)),
        AwardDefinition("reverse-gear", _("Reverse Gear"), _("Cells moved backward per game"), ("backward",)),
        AwardDefinition(
            "spinning-top",
            _("Spinning Top"),
            _("Rotations on the spot per game"),
            ("left_turns", "right_turns", "half_turns"),
        ),
        AwardDefinition("marathon", _("Marathon"), _("Turns played"), ("turns",), each_game=False),
        AwardDefinition(
            "good-sport", _("Good Sport"), _("Games without a missed turn"), ("in_time",), each_game=False
        ),
        AwardDefinition(
            "test-pilot",
            _("Test Pilot"),
            _("Prototypes tested"),
            ("tested",),
            each_game=False,
            any_games=True,
        ),
    )
}
"""All awards by key, in display order."""

POINTS_BY_PLACE: Final[Mapping[int, int]] = {1: 5, 2: 3, 3: 2}
"""The points that an award adds towards the next rank, by place in the award."""

PLACES_AWARDED: Final = max(POINTS_BY_PLACE)
"""The number of places that earn points in each award."""


@dataclass(frozen=True, slots=True)
class Rank:
    """A rank, and the points needed to reach it."""

    key: str
    name: Promise
    points: int


RANKS: Final = (
    Rank("cadet", _("Cadet"), 0),
    Rank("ensign", _("Ensign"), 2),
    Rank("lieutenant", _("Lieutenant"), 10),
    Rank("commander", _("Commander"), 30),
    Rank("captain", _("Captain"), 70),
    Rank("commodore", _("Commodore"), 150),
    Rank("admiral", _("Admiral"), 300),
)
"""All ranks, lowest first."""


def rank_for(points: int) -> Rank:
    """Return the rank of a player with this number of points.

    >>> rank_for(0).key, rank_for(9).key, rank_for(10).key
    ('cadet', 'ensign', 'lieutenant')
    """
    return next(rank for rank in reversed(RANKS) if rank.points <= points)


def rank_after(rank: Rank) -> Rank | None:
    """Return the next higher rank, or None after the highest."""
    place = RANKS.index(rank) + 1
    return RANKS[place] if place < len(RANKS) else None


# --- Months -------------------------------------------------------------------------------------------------


def month_of(moment: datetime) -> date:
    """Return the month of a moment, as its first day in UTC.

    >>> month_of(datetime(2026, 11, 30, 23, 59, tzinfo=UTC))
    datetime.date(2026, 11, 1)
    """
    return moment.astimezone(UTC).date().replace(day=1)


def next_month(month: date) -> date:
    """Return the first day of the following month.

    >>> next_month(date(2026, 12, 1))
    datetime.date(2027, 1, 1)
    """
    return date(month.year + month.month // 12, month.month % 12 + 1, 1)


def read_month(text: str) -> date | None:
    """Read a month such as 2026-11 from a URL. Return None if the text is not a month.

    >>> read_month("2026-11"), read_month("2026-13"), read_month("soon")
    (datetime.date(2026, 11, 1), None, None)
    """
    try:
        return date.fromisoformat(f"{text}-01") if len(text) == 7 else None
    except ValueError:
        return None
