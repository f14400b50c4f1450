"""Who is best at what in a month: all of it follows from the rows of the month."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Final, TypedDict

from django.conf import settings
from django.db.models import F

from accounts.models import Audience
from games.awards.definitions import AWARDS, BEST
from games.awards.models import Award, MonthClose, PlayerMonth

LISTED: Final = 50
"""How many players the page of an award lists."""

AHEAD: Final = 3
"""How many front runners are shown of each award."""


class BoardLineView(TypedDict):
    """A player in the order of an award."""

    place: Annotated[int, "Equals have the same."]
    robo_name: str
    look: int | None
    value: float
    games: Annotated[int, "In this month; 0 where only tests of prototypes were played."]


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A player in the order of an award: equals have the same place."""

    place: int
    user_id: int
    robo_name: str
    look: int | None
    value: float
    games: int


def board(*, key: str, month: date, most: int = 4 * LISTED) -> Iterator[BoardLine]:
    """Yield the first players of a month in the order of an award, the best first.

    Those with fewer games than `settings.AWARD_GAMES` do not take part, nor do those who do not show their
    statistics to everybody.
    """
    award = AWARDS[key]
    rows = PlayerMonth.objects.filter(
        month=month, user__shows_statistics=Audience.EVERYBODY, user__deleted_at=None
    )
    rows = rows.filter(award.takes_part(settings.AWARD_GAMES)).annotate(value=award.value)
    if not award.fewest:
        rows = rows.filter(value__gt=0)
    order = F("value").asc() if award.fewest else F("value").desc()
    place, before = 0, None
    found = rows.select_related("user").order_by(order, "-games", "user_id")
    for number, row in enumerate(found[:most], 1):
        mark = (row.value, row.games)
        if mark != before:
            place, before = number, mark
        yield BoardLine(place, row.user_id, row.user.robo_name, row.user.look, row.value, row.games)


def top(*, key: str, month: date, most: int = LISTED) -> list[BoardLine]:
    """Return the first players of an award."""
    return list(board(key=key, month=month, most=most))


def winners(*, key: str, month: date) -> list[BoardLine]:
    """Return those who get an award: all in the first three places, also where several share one."""
    return [line for line in board(key=key, month=month) if line.place <= BEST]


def closed_months() -> list[date]:
    """Return the months that have awards, the latest first."""
    return list(MonthClose.objects.values_list("month", flat=True))


def awards_of_month(month: date) -> dict[str, list[Award]]:
    """Return the awards that were made for a month, by key; none of one that is not closed."""
    found: dict[str, list[Award]] = {}
    awards = Award.objects.filter(close__month=month, user__deleted_at=None).select_related("user")
    for award in awards.order_by("place", "pk"):
        found.setdefault(award.key, []).append(award)
    return found
