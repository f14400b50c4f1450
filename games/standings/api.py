"""API of ratings and awards."""

from datetime import date
from typing import Annotated, TypedDict

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.request import Request

from games.errors import NotFound, view_of_row
from games.people.selectors.profiles import PersonRatingsView, person_ratings, ratings_view
from games.standings.awards import AWARDS, RANKS, month_of, read_month
from games.standings.models import OVERALL
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
    """A list of the best players, best first."""

    results: list[BestPlayerView]


class GameRatingsView(TypedDict):
    """Rating changes of a game, best place first. The list is empty unless the game is rated and over."""

    results: list[GameRatingView]


@call(
    "GET",
    "List the best players",
    BestPlayersView,
    query=RatingsQuery,
    strangers=True,
    replica_ok=bool,
    group="ratings",
)
def list_best_players(request: Request, asked: Values) -> Answered:
    """Returns the best players of a ruleset, or overall, by rating minus uncertainty."""
    return {"results": best_players(pool=asked.get("ruleset", OVERALL), now=timezone.now())}


@call(
    "GET",
    "Get a player's ratings",
    PersonRatingsView,
    query=RatingsQuery,
    strangers=True,
    replica_ok=bool,
    group="ratings",
)
def get_ratings(request: Request, robo_name: str, asked: Values) -> Answered:
    """Returns all ratings of a player, and the history of one of them: in a ruleset, or overall."""
    pool = asked.get("ruleset", OVERALL)
    found = person_ratings(viewer=request.user, robo_name=robo_name, pool=pool, now=timezone.now())
    return ratings_view(found, pool=pool)


@call(
    "GET",
    "Get the rating changes of a game",
    GameRatingsView,
    query=LinkQuery,
    strangers=True,
    replica_ok=bool,
    group="ratings",
)
def get_game_ratings(request: Request, game_id: int, asked: Values) -> Answered:
    """Returns how a game changed each player's rating in its ruleset."""
    return {"results": changes_by(game=game_of(request, game_id, asked))}


# --- Awards -------------------------------------------------------------------------------------------------


class AwardView(TypedDict):
    """An award for the best players of a month."""

    key: str
    name: str
    reason: Annotated[str, "The figure that decides the award."]


class RankStepView(TypedDict):
    """A rank, and the points needed to reach it."""

    key: str
    name: str
    points: int


class AwardsView(TypedDict):
    """All awards and ranks, and the months with awards, newest first."""

    results: list[AwardView]
    ranks: list[RankStepView]
    months: Annotated[list[date], "The first day of each month."]
    least_games: Annotated[int, "Minimum number of rated games to take part."]


class AwardBoardView(TypedDict):
    """The leaders of an award in a month."""

    month: date
    results: list[BoardLineView]


@call("GET", "List awards and ranks", AwardsView, strangers=True, replica_ok=bool, group="awards")
def list_awards(request: Request) -> Answered:
    """Returns the monthly awards, the ranks, and the months whose awards were made."""
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
    "Get the leaders of an award",
    AwardBoardView,
    query=MonthQuery,
    strangers=True,
    replica_ok=bool,
    group="awards",
)
def get_award(request: Request, key: str, asked: Values) -> Answered:
    """Returns the leaders of an award in a month. The default is the current month."""
    if key not in AWARDS:
        raise NotFound("no-award", _("There is no such award."))
    month = read_month(asked.get("month", "")) or month_of(timezone.now())
    return {
        "month": month,
        "results": [view_of_row(BoardLineView, line) for line in top(key=key, month=month)],
    }


@call(
    "GET", "Get a player's rank and awards", PlayerAwardsView, strangers=True, replica_ok=bool, group="awards"
)
def get_player_awards(request: Request, robo_name: str) -> Answered:
    """Returns a player's rank and awards, and their monthly figures if you may see their statistics."""
    return player_awards(viewer=request.user, robo_name=robo_name)
