"""Ratings as they are shown: of one player, of a game, and of the best."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Annotated, Final, TypedDict

from django.db.models import Max

import rules
from accounts.models import User
from games.play.models import Game
from games.ratings.fold import LISTED, LISTED_GAMES, LISTED_OPPONENTS
from games.ratings.models import ALL, PlayerRating, RatingChange, RatingPool, Result
from games.ratings.scale import give_or_take, points
from games.ratings.stored import standing_of

BEST: Final = 50
"""How many are listed among the best."""

POOLS: Final = (ALL, *rules.RULESETS)


class PlayerRatingView(TypedDict):
    """How good a player is, in one ruleset or in all together."""

    ruleset: Annotated[str | None, "Null for all together."]
    rating: int
    uncertainty: Annotated[int, "In 19 of 20 cases the true rating is no farther away than this."]
    provisional: Annotated[bool, "It has not settled yet."]
    games: Annotated[int, "Rated games."]
    opponents: Annotated[int, f"People met in them, counted up to {LISTED_OPPONENTS}."]
    played_at: Annotated[datetime, "When the last of them ended."]
    listed: Annotated[bool, "Among those from whom the best are listed."]


class BestPlayerView(TypedDict):
    """A player among the best."""

    place: Annotated[int, "Equals have the same."]
    robo_name: str
    look: int | None
    rating: int
    uncertainty: int
    games: int


class GameRatingView(TypedDict):
    """What a game changed for one player, in its ruleset."""

    robo_name: str
    rank: Annotated[int, "In which place they finished for their rating; equals have the same."]
    before: int
    rating: int
    change: int


def ratings_of(*, user: User, now: datetime) -> list[PlayerRatingView]:
    """Return a player's ratings, that of all rulesets first; none of pools in which they have not played."""
    rows = {row.pool_id: row for row in PlayerRating.objects.filter(user=user).select_related("pool")}
    return [_rating(rows[key], now) for key in POOLS if key in rows]


def _rating(row: PlayerRating, now: datetime) -> PlayerRatingView:
    standing = standing_of(row)
    return {
        "ruleset": None if row.pool_id == ALL else row.pool_id,
        "rating": row.points,
        "uncertainty": give_or_take(standing.skill_at(now).sigma),
        "provisional": standing.provisional,
        "games": row.games,
        "opponents": row.met,
        "played_at": row.played_at,
        "listed": row.listed and row.user.deleted_at is None,
    }


def missing_of(rating: PlayerRatingView) -> Mapping[str, int]:
    """Return what a rating lacks to be listed: games, people, and points by which it is too uncertain."""
    lacks = {
        "games": LISTED_GAMES - rating["games"],
        "opponents": LISTED_OPPONENTS - rating["opponents"],
        "points": rating["uncertainty"] - give_or_take(LISTED),
    }
    return {key: number for key, number in lacks.items() if number > 0}


def best_players(*, pool: str, now: datetime) -> list[BestPlayerView]:
    """Return the best of a pool, by what they are at least worth: the rating less its uncertainty."""
    rows = PlayerRating.objects.filter(pool=pool, listed=True, user__deleted_at=None)
    best = rows.select_related("user", "pool").order_by("-floor", "user_id")[:BEST]
    found: list[BestPlayerView] = []
    floor = None
    for number, row in enumerate(best, 1):
        found.append(
            {
                "place": found[-1]["place"] if row.floor == floor else number,
                "robo_name": row.user.robo_name,
                "look": row.user.look,
                "rating": row.points,
                "uncertainty": give_or_take(standing_of(row).skill_at(now).sigma),
                "games": row.games,
            }
        )
        floor = row.floor
    return found


def changes_by(*, game: Game) -> list[GameRatingView]:
    """Return what a game changed for its players, best first; nothing as long as it is not rated."""
    last = Result.objects.filter(of_game=game.pk).aggregate(last=Max("revision"))["last"]
    changes = RatingChange.objects.filter(
        pool=game.ruleset, result__of_game=game.pk, result__revision=last
    ).select_related("user", "pool")
    return [
        {
            "robo_name": change.user.robo_name,
            "rank": change.rank,
            "before": points(change.mu_before + change.pool.offset),
            "rating": points(change.mu + change.pool.offset),
            "change": points(change.mu + change.pool.offset) - points(change.mu_before + change.pool.offset),
        }
        for change in changes.order_by("rank", "side", "pk")
    ]


def offset_of(pool: str) -> float:
    """Return what is added to means of a pool before they are shown."""
    return RatingPool.objects.filter(pk=pool).values_list("offset", flat=True).first() or 0.0


def names_of(people: Iterable[int]) -> dict[int, str]:
    """Return the Robo Names of people by their numbers."""
    return dict(User.objects.filter(pk__in=people).values_list("pk", "robo_name"))
