"""How good players are."""

from typing import TypedDict

from django.utils import timezone
from rest_framework.request import Request

from games.api.queries import LinkQuery, RatingsQuery
from games.api.views.base import Answered, Values, call, game_of
from games.people.selectors.ratings import PersonRatingsView, person_ratings, ratings_view
from games.ratings.models import ALL
from games.ratings.selectors.standings import (
    BestPlayerView,
    GameRatingView,
    best_players,
    changes_by,
)


class BestPlayersView(TypedDict):
    """The best players, the best first."""

    results: list[BestPlayerView]


class GameRatingsView(TypedDict):
    """What a game changed, the first to finish first; nothing where it is not rated, or not over."""

    results: list[GameRatingView]


@call("GET", "List the best players", BestPlayersView, query=RatingsQuery, strangers=True, old=bool)
def list_best_players(request: Request, asked: Values) -> Answered:
    """Of a ruleset, or of all together, by what they are at least worth."""
    return {"results": best_players(pool=asked.get("ruleset", ALL), now=timezone.now())}


@call("GET", "Get a player's ratings", PersonRatingsView, query=RatingsQuery, strangers=True, old=bool)
def get_ratings(request: Request, robo_name: str, asked: Values) -> Answered:
    """All of them; and of the ruleset that is named, or of all together, how the rating came about."""
    pool = asked.get("ruleset", ALL)
    found = person_ratings(viewer=request.user, robo_name=robo_name, pool=pool, now=timezone.now())
    return ratings_view(found, pool=pool)


@call("GET", "Get what a game changed in ratings", GameRatingsView, query=LinkQuery, strangers=True, old=bool)
def get_game_ratings(request: Request, game_id: int, asked: Values) -> Answered:
    """In those of its ruleset."""
    return {"results": changes_by(game=game_of(request, game_id, asked))}
