"""The ranks of players, and what made them."""

from datetime import date
from typing import Annotated, TypedDict

from django.db.models import Sum

from accounts.models import User
from games.awards.definitions import AWARDS, POINTS, rank_after, rank_for
from games.awards.models import Award, PlayerMonth
from games.awards.selectors.figures import FIGURES
from games.people.selectors.audiences import Audiences
from games.play.selectors.viewers import Viewer
from games.players import player_named


class RankView(TypedDict):
    """A rank, and what is missing for the next."""

    key: str
    points: Annotated[int, "What all awards so far are worth."]
    next: Annotated[str | None, "The next rank; null for the highest."]
    missing: Annotated[int, "Points that are missing for it."]


class WonAwardView(TypedDict):
    """An award that a player has won."""

    key: str
    month: date
    place: int
    value: float


class FiguresView(TypedDict):
    """What a player did in rated games among people: in a month, or in all."""

    month: Annotated[date | None, "Its first day; null for all."]
    games: int
    figures: dict[str, int]


class PlayerAwardsView(TypedDict):
    """A player's rank and awards; and their figures, null where they keep them to themselves."""

    robo_name: str
    rank: RankView
    awards: list[WonAwardView]
    months: list[FiguresView] | None


def rank_of(*, user: User) -> RankView:
    """Return a player's rank."""
    places = Award.objects.filter(user=user, key__in=AWARDS).values_list("place", flat=True)
    points = sum(POINTS[place] for place in places)
    rank = rank_for(points)
    after = rank_after(rank)
    return {
        "key": rank.key,
        "points": points,
        "next": after.key if after else None,
        "missing": after.points - points if after else 0,
    }


def player_awards(*, viewer: Viewer, robo_name: str) -> PlayerAwardsView:
    """Return a player's rank, awards and months, the latest first; raises NotFound for an unknown name."""
    person = player_named(robo_name)
    shown = Audiences(viewer=viewer, person=person).sees(person.shows_statistics)
    awards = Award.objects.filter(user=person, key__in=AWARDS).select_related("close")
    return {
        "robo_name": person.robo_name,
        "rank": rank_of(user=person),
        "awards": [
            {"key": each.key, "month": each.close.month, "place": each.place, "value": each.value}
            for each in awards.order_by("-close__month", "place", "key")
        ],
        "months": _months(person) if shown else None,
    }


def _months(person: User) -> list[FiguresView]:
    """Return all of a player's months, the sum of all of them first."""
    rows = PlayerMonth.objects.filter(user=person)
    if not rows.exists():
        return []
    whole = rows.aggregate(**{name: Sum(name) for name in FIGURES})
    months = [
        {name: getattr(row, name) for name in FIGURES} | {"month": row.month}
        for row in rows.order_by("-month")
    ]
    return [_figures(None, whole), *(_figures(each["month"], each) for each in months)]


def _figures(month: date | None, sums: dict[str, int]) -> FiguresView:
    return {
        "month": month,
        "games": sums["games"],
        "figures": {name: sums[name] for name in FIGURES if name != "games"},
    }
