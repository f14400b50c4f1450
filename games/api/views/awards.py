"""Awards of months, and ranks."""

from datetime import date
from typing import Annotated, TypedDict

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.request import Request

from games.api.queries import MonthQuery
from games.api.views.base import Answered, Values, call
from games.awards.definitions import AWARDS, RANKS
from games.awards.months import month_of, read_month
from games.awards.selectors.boards import BoardLineView, closed_months, top
from games.awards.selectors.ranks import PlayerAwardsView, player_awards
from games.documents import written
from games.errors import NotFound


class AwardView(TypedDict):
    """An award."""

    key: str
    name: str
    reason: Annotated[str, "What players are compared by."]


class RankStepView(TypedDict):
    """A rank, and what it takes."""

    key: str
    name: str
    points: int


class AwardsView(TypedDict):
    """All awards and ranks, and the months that have awards, the latest first."""

    results: list[AwardView]
    ranks: list[RankStepView]
    months: Annotated[list[date], "Each by its first day."]
    least_games: Annotated[int, "How many games it takes to take part."]


class AwardBoardView(TypedDict):
    """The best at one thing in a month."""

    month: date
    results: list[BoardLineView]


@call("GET", "List awards and ranks", AwardsView, strangers=True, old=bool)
def list_awards(request: Request) -> Answered:
    """What can be won each month, and the months that are closed."""
    return {
        "results": [
            {"key": each.key, "name": str(each.name), "reason": str(each.reason)} for each in AWARDS.values()
        ],
        "ranks": [{"key": rank.key, "name": str(rank.name), "points": rank.points} for rank in RANKS],
        "months": closed_months(),
        "least_games": settings.AWARD_GAMES,
    }


@call("GET", "Get the best of a month", AwardBoardView, query=MonthQuery, strangers=True, old=bool)
def get_award(request: Request, key: str, asked: Values) -> Answered:
    """At one thing, as `awards` names it; without a month of the running one."""
    if key not in AWARDS:
        raise NotFound("no-award", _("There is no such award."))
    month = read_month(asked.get("month", "")) or month_of(timezone.now())
    return {"month": month, "results": [written(BoardLineView, line) for line in top(key=key, month=month)]}


@call("GET", "Get a player's rank and awards", PlayerAwardsView, strangers=True, old=bool)
def get_player_awards(request: Request, robo_name: str) -> Answered:
    """And what they did, month by month, where they show me their statistics."""
    return player_awards(viewer=request.user, robo_name=robo_name)
