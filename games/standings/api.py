"""The API of ratings and awards."""

from datetime import date
from typing import Annotated, TypedDict

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.request import Request

from games.errors import NotFound, written
from games.people.selectors.profiles import PersonRatingsView, person_ratings, ratings_view
from games.standings.awards import AWARDS, RANKS, month_of, read_month
from games.standings.models import ALL
from games.standings.selectors.awards import (
    BoardLineView,
    PlayerAwardsView,
    closed_months,
    player_awards,
    top,
)
from games.standings.selectors.ratings import BestPlayerView, GameRatingView, best_players, changes_by
from games.web.api import Answered, Values, call, game_of
from games.web.queries import LinkQuery, MonthQuery, RatingsQuery

# --- Ratings ------------------------------------------------------------------------------------------------


class BestPlayersView(TypedDict):
    """The best players, the best first."""

    results: list[BestPlayerView]


class GameRatingsView(TypedDict):
    """What a game changed, the first to finish first; nothing where it is not rated, or not over."""

    results: list[GameRatingView]


@call(
    "GET",
    "List the best players",
    BestPlayersView,
    query=RatingsQuery,
    strangers=True,
    old=bool,
    group="ratings",
)
def list_best_players(request: Request, asked: Values) -> Answered:
    """Of a ruleset, or of all together, by what they are at least worth."""
    return {"results": best_players(pool=asked.get("ruleset", ALL), now=timezone.now())}


@call(
    "GET",
    "Get a player's ratings",
    PersonRatingsView,
    query=RatingsQuery,
    strangers=True,
    old=bool,
    group="ratings",
)
def get_ratings(request: Request, robo_name: str, asked: Values) -> Answered:
    """All of them; and of the ruleset that is named, or of all together, how the rating came about."""
    pool = asked.get("ruleset", ALL)
    found = person_ratings(viewer=request.user, robo_name=robo_name, pool=pool, now=timezone.now())
    return ratings_view(found, pool=pool)


@call(
    "GET",
    "Get what a game changed in ratings",
    GameRatingsView,
    query=LinkQuery,
    strangers=True,
    old=bool,
    group="ratings",
)
def get_game_ratings(request: Request, game_id: int, asked: Values) -> Answered:
    """In those of its ruleset."""
    return {"results": changes_by(game=game_of(request, game_id, asked))}


# --- Awards -------------------------------------------------------------------------------------------------


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


@call("GET", "List awards and ranks", AwardsView, strangers=True, old=bool, group="awards")
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


@call(
    "GET",
    "Get the best of a month",
    AwardBoardView,
    query=MonthQuery,
    strangers=True,
    old=bool,
    group="awards",
)
def get_award(request: Request, key: str, asked: Values) -> Answered:
    """At one thing, as `awards` names it; without a month of the running one."""
    if key not in AWARDS:
        raise NotFound("no-award", _("There is no such award."))
    month = read_month(asked.get("month", "")) or month_of(timezone.now())
    return {"month": month, "results": [written(BoardLineView, line) for line in top(key=key, month=month)]}


@call("GET", "Get a player's rank and awards", PlayerAwardsView, strangers=True, old=bool, group="awards")
def get_player_awards(request: Request, robo_name: str) -> Answered:
    """And what they did, month by month, where they show me their statistics."""
    return player_awards(viewer=request.user, robo_name=robo_name)
