"""The past of one player's rating: how it changed, and with whom."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import F

from accounts.models import User
from games.ratings.models import RatingChange
from games.ratings.scale import give_or_take, points
from games.ratings.selectors.standings import offset_of

MOST: Final = 500
"""How many changes are shown of a rating, the latest."""

FEWEST: Final = 3
"""How many games two people have played before one counts as the other's rival."""

RIVALS: Final = 5


@dataclass(frozen=True, slots=True)
class Step:
    """What a game made of a rating; ``rank`` is the place that counted."""

    game: int
    at: datetime
    rank: int
    before: int
    rating: int
    uncertainty: int

    @property
    def change(self) -> int:
        return self.rating - self.before


@dataclass(frozen=True, slots=True)
class Rival:
    """Another player, and in how many games one finished before, level with and behind them."""

    user: int
    ahead: int
    level: int
    behind: int

    @property
    def games(self) -> int:
        return self.ahead + self.level + self.behind


@dataclass(frozen=True, slots=True)
class Rivals:
    """The opponents against whom a player does best, and those against whom they do worst."""

    best: list[Rival]
    worst: list[Rival]


def steps_of(*, user: User, pool: str) -> list[Step]:
    """Return how a player's rating in a pool has changed, the latest last."""
    offset = offset_of(pool)
    rows = (
        RatingChange.objects.filter(user=user, pool=pool)
        .annotate(game=F("result__of_game"))
        .order_by("-played_at", "-game")
    )
    return [
        Step(
            row.game,
            row.played_at,
            row.rank,
            points(row.mu_before + offset),
            points(row.mu + offset),
            give_or_take(row.sigma),
        )
        for row in reversed(rows[:MOST])
    ]


def meetings_of(*, user: User, pool: str) -> list[Rival]:
    """Return all whom a player met in their latest games of a pool, and how these ended."""
    mine = (
        RatingChange.objects.filter(user=user, pool=pool)
        .order_by("-played_at", "-result__of_game")
        .values_list("result", "side", "rank")
    )
    own = {result: (side, rank) for result, side, rank in mine[:MOST]}
    others = RatingChange.objects.filter(pool=pool, result__in=list(own), user__deleted_at=None).exclude(
        user=user
    )
    met: defaultdict[int, list[int]] = defaultdict(lambda: [0, 0, 0])
    for result, other, side, rank in others.values_list("result", "user", "side", "rank"):
        if side != own[result][0]:
            met[other][1 + (own[result][1] > rank) - (own[result][1] < rank)] += 1
    return [Rival(other, *counts) for other, counts in sorted(met.items())]


def rivals_of(*, user: User, pool: str) -> Rivals:
    """Return with whom a player did best and worst in their latest games of a pool, if they met often."""
    found = [rival for rival in meetings_of(user=user, pool=pool) if rival.games >= FEWEST]
    best = sorted(found, key=lambda rival: (rival.behind - rival.ahead, -rival.games))
    worst = sorted(found, key=lambda rival: (rival.ahead - rival.behind, -rival.games))
    return Rivals(
        [rival for rival in best if rival.ahead > rival.behind][:RIVALS],
        [rival for rival in worst if rival.behind > rival.ahead][:RIVALS],
    )
