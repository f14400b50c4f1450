"""Ratings as players see them: of a player, a game and a club, and the list of the best players."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Final, TypedDict

from django.db.models import F, Max

import rules
from accounts.models import User
from games.clubs.models import Club, ClubGame
from games.play.models import Game
from games.standings.models import OVERALL, PlayerRating, RatingChange, RatingPool, Result
from games.standings.ratings import LISTED_GAMES, LISTED_OPPONENTS, LISTED_SIGMA, margin_of_error, points
from games.standings.selectors.results import outcome_in, standing_of

BEST_SHOWN: Final = 50
"""The maximum number of players in the list of the best players."""

POOLS: Final = (OVERALL, *rules.RULESETS)


class PlayerRatingView(TypedDict):
    """A player's rating in one ruleset or overall."""

    ruleset: Annotated[str | None, "Null for the overall rating."]
    rating: int
    uncertainty: Annotated[int, "In 19 of 20 cases, the true rating is at most this far from `rating`."]
    provisional: Annotated[bool, "Whether the rating has not settled yet."]
    games: Annotated[int, "Number of rated games."]
    opponents: Annotated[int, f"Number of people met in these games, counted up to {LISTED_OPPONENTS}."]
    played_at: Annotated[datetime, "When the last of these games ended."]
    listed: Annotated[bool, "Whether the player qualifies for the list of the best."]


class BestPlayerView(TypedDict):
    """A player in the list of the best players."""

    place: Annotated[int, "Tied players share a place."]
    robo_name: str
    look: int | None
    rating: int
    uncertainty: int
    games: int


class GameRatingView(TypedDict):
    """A player's rating change from a game, in the rating for the game's ruleset."""

    robo_name: str
    look: int | None
    rank: Annotated[int, "The player's place for the rating. Tied players share a place."]
    before: int
    rating: int
    change: int


def ratings_of(*, user: User, now: datetime) -> list[PlayerRatingView]:
    """Return a player's ratings, overall rating first. Leaves out rulesets without a rated game."""
    rows = {row.pool_id: row for row in PlayerRating.objects.filter(user=user).select_related("pool")}
    return [_rating(rows[key], now) for key in POOLS if key in rows]


def _rating(row: PlayerRating, now: datetime) -> PlayerRatingView:
    standing = standing_of(row)
    return {
        "ruleset": None if row.pool_id == OVERALL else row.pool_id,
        "rating": row.points,
        "uncertainty": margin_of_error(standing.skill_at(now).sigma),
        "provisional": standing.provisional,
        "games": row.games,
        "opponents": row.met,
        "played_at": row.played_at,
        "listed": row.listed and row.user.deleted_at is None,
    }


def missing_of(rating: PlayerRatingView) -> Mapping[str, int]:
    """Return how much a rating still lacks to be listed among the best.

    The keys are "games", "opponents" and "points". Keys of met conditions are left out. The value of "points"
    is the rating's uncertainty minus the largest allowed uncertainty, in points.
    """
    lacks = {
        "games": LISTED_GAMES - rating["games"],
        "opponents": LISTED_OPPONENTS - rating["opponents"],
        "points": rating["uncertainty"] - margin_of_error(LISTED_SIGMA),
    }
    return {key: number for key, number in lacks.items() if number > 0}


def best_players(*, pool: str, now: datetime) -> list[BestPlayerView]:
    """Return the best players of a pool, by rating minus uncertainty."""
    rows = PlayerRating.objects.filter(pool=pool, listed=True, user__deleted_at=None)
    best = rows.select_related("user", "pool").order_by("-floor", "user_id")[:BEST_SHOWN]
    found: list[BestPlayerView] = []
    floor = None
    for number, row in enumerate(best, 1):
        found.append(
            {
                "place": found[-1]["place"] if row.floor == floor else number,
                "robo_name": row.user.robo_name,
                "look": row.user.look,
                "rating": row.points,
                "uncertainty": margin_of_error(standing_of(row).skill_at(now).sigma),
                "games": row.games,
            }
        )
        floor = row.floor
    return found


def changes_by(*, game: Game) -> list[GameRatingView]:
    """Return the rating changes of a game, best place first. Empty until the game is rated."""
    last = Result.objects.filter(of_game=game.pk).aggregate(last=Max("revision"))["last"]
    changes = RatingChange.objects.filter(
        pool=game.ruleset, result__of_game=game.pk, result__revision=last
    ).select_related("user", "pool")
    return [
        {
            "robo_name": change.user.robo_name,
            "look": change.user.look,
            "rank": change.rank,
            "before": points(change.mu_before + change.pool.offset),
            "rating": points(change.mu + change.pool.offset),
            "change": points(change.mu + change.pool.offset) - points(change.mu_before + change.pool.offset),
        }
        for change in changes.order_by("rank", "side", "pk")
    ]


def offset_of(pool: str) -> float:
    """Return the offset of a rating pool. Displayed ratings add it to the players' means."""
    return RatingPool.objects.filter(pk=pool).values_list("offset", flat=True).first() or 0.0


# --- The past of a rating -----------------------------------------------------------------------------------


STEPS_SHOWN: Final = 500
"""The maximum number of latest changes to show of a player's rating."""

LEAST_RIVAL_GAMES: Final = 3
"""The minimum number of games together for two players to be rivals."""

RIVALS_SHOWN: Final = 5


@dataclass(frozen=True, slots=True)
class Step:
    """The change of a rating by a game. ``rank`` is the player's rank in the game's result."""

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
    """An opponent of a player. Counts the games that the player finished ahead, level and behind."""

    user: int
    ahead: int
    level: int
    behind: int

    @property
    def games(self) -> int:
        return self.ahead + self.level + self.behind


@dataclass(frozen=True, slots=True)
class Rivals:
    """A player's rivals: the easiest opponents (``best``) and the hardest ones (``worst``)."""

    best: list[Rival]
    worst: list[Rival]


def steps_of(*, user: User, pool: str) -> list[Step]:
    """Return the latest changes of a player's rating in a pool, oldest first."""
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
            margin_of_error(row.sigma),
        )
        for row in reversed(rows[:STEPS_SHOWN])
    ]


def meetings_of(*, user: User, pool: str) -> list[Rival]:
    """Return all opponents in a player's latest games in a pool, with the results against each of them."""
    mine = (
        RatingChange.objects.filter(user=user, pool=pool)
        .order_by("-played_at", "-result__of_game")
        .values_list("result", "side", "rank")
    )
    own = {result: (side, rank) for result, side, rank in mine[:STEPS_SHOWN]}
    others = RatingChange.objects.filter(pool=pool, result__in=list(own), user__deleted_at=None).exclude(
        user=user
    )
    met: defaultdict[int, list[int]] = defaultdict(lambda: [0, 0, 0])
    for result, other, side, rank in others.values_list("result", "user", "side", "rank"):
        if side != own[result][0]:
            met[other][1 + (own[result][1] > rank) - (own[result][1] < rank)] += 1
    return [Rival(other, *counts) for other, counts in sorted(met.items())]


def rivals_of(*, user: User, pool: str) -> Rivals:
    """Return a player's easiest and hardest opponents in a pool.

    Counts only opponents met in at least `LEAST_RIVAL_GAMES` of the player's latest games.
    """
    found = [rival for rival in meetings_of(user=user, pool=pool) if rival.games >= LEAST_RIVAL_GAMES]
    best = sorted(found, key=lambda rival: (rival.behind - rival.ahead, -rival.games))
    worst = sorted(found, key=lambda rival: (rival.ahead - rival.behind, -rival.games))
    return Rivals(
        [rival for rival in best if rival.ahead > rival.behind][:RIVALS_SHOWN],
        [rival for rival in worst if rival.behind > rival.ahead][:RIVALS_SHOWN],
    )


# --- The table of a club ------------------------------------------------------------------------------------


CLUB_TABLE_PERIOD: Final = timedelta(days=365)
"""How long a finished game counts for a club's standings."""

MOST_CHANGES: Final = 5000


class ClubLineView(TypedDict):
    """A member in the standings of a club."""

    place: Annotated[int, "Tied players share a place."]
    robo_name: str
    look: int | None
    games: Annotated[int, "Number of rated games of the club."]
    won: int
    points: Annotated[
        float, "Sum of the share of opponents or squads beaten in each game. A tie counts half."
    ]


def club_table(*, club: Club, now: datetime) -> list[ClubLineView]:
    """Rank a club's members by their points in the club's rated games of the last year."""
    games = ClubGame.objects.filter(club=club).order_by().values("game")
    changes = (
        RatingChange.objects.filter(
            pool=OVERALL, result__of_game__in=games, played_at__gt=now - CLUB_TABLE_PERIOD
        )
        .select_related("user", "result")
        .order_by("-played_at", "-result__of_game")[:MOST_CHANGES]
    )
    members = set(club.memberships.values_list("user", flat=True))
    lines: dict[int, ClubLineView] = {}
    for change in changes:
        if change.user_id not in members:
            continue
        line = lines.setdefault(
            change.user_id,
            {
                "place": 0,
                "robo_name": change.user.robo_name,
                "look": change.user.look,
                "games": 0,
                "won": 0,
                "points": 0.0,
            },
        )
        line["games"] += 1
        line["won"] += change.rank == 1
        line["points"] += float(outcome_in(change.result).share_beaten(change.user_id))
    return _placed(sorted(lines.values(), key=lambda line: (-line["points"], line["robo_name"].lower())))


def _placed(lines: list[ClubLineView]) -> list[ClubLineView]:
    for number, line in enumerate(lines, 1):
        before = lines[number - 2] if number > 1 else None
        line["place"] = before["place"] if before and before["points"] == line["points"] else number
    return lines
