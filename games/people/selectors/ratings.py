"""A player's ratings, as far as they show them: the numbers to everyone, the rest as their statistics."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, TypedDict

from accounts.models import User
from games.errors import player_named
from games.people.selectors.audiences import Audiences
from games.play.selectors.viewers import Viewer
from games.standings.models import ALL
from games.standings.selectors.ratings import (
    PlayerRatingView,
    Rival,
    Rivals,
    Step,
    names_of,
    ratings_of,
    rivals_of,
    steps_of,
)


@dataclass(frozen=True, slots=True)
class NamedRival:
    """An opponent by name."""

    robo_name: str
    rival: Rival


@dataclass(frozen=True, slots=True)
class PersonRatings:
    """What a page shows: all ratings, the one that was asked for, and what led to it, None where hidden."""

    person: User
    mine: bool
    ratings: list[PlayerRatingView]
    rating: PlayerRatingView | None
    steps: list[Step] | None
    games: dict[int, str]
    best: list[NamedRival]
    worst: list[NamedRival]


class RatingStepView(TypedDict):
    """What a game made of a rating."""

    game: Annotated[int | None, "Null where I may not know of it, or it is no more."]
    at: datetime
    rank: Annotated[int, "In which place they finished for their rating."]
    rating: Annotated[int, "After the game."]
    change: int


class RivalView(TypedDict):
    """An opponent, and in how many games the player finished ahead of them, level, and behind."""

    robo_name: str
    ahead: int
    level: int
    behind: int


class PersonRatingsView(TypedDict):
    """A player's ratings, and what led to one of them, which is null where they keep it to themselves."""

    robo_name: str
    ratings: list[PlayerRatingView]
    ruleset: Annotated[str | None, "That of the rest; null for all together."]
    history: Annotated[list[RatingStepView] | None, "The latest last."]
    best: Annotated[list[RivalView] | None, "Opponents against whom they do best."]
    worst: Annotated[list[RivalView] | None, "Opponents against whom they do worst."]


def person_ratings(*, viewer: Viewer, robo_name: str, pool: str, now: datetime) -> PersonRatings:
    """Return a player's ratings, and the past of one of them; raises NotFound for an unknown name."""
    person = player_named(robo_name)
    audiences = Audiences(viewer=viewer, person=person)
    every = ratings_of(user=person, now=now)
    asked = None if pool == ALL else pool
    rating = next((each for each in every if each["ruleset"] == asked), None)
    if not audiences.sees(person.shows_statistics):
        return PersonRatings(person, audiences.mine, every, rating, None, {}, [], [])
    steps = steps_of(user=person, pool=pool)
    games = audiences.games().filter(pk__in=[step.game for step in steps])
    rivals = rivals_of(user=person, pool=pool)
    best, worst = _named(rivals)
    names = dict(games.values_list("pk", "name"))
    return PersonRatings(person, audiences.mine, every, rating, steps, names, best, worst)


def ratings_view(found: PersonRatings, *, pool: str) -> PersonRatingsView:
    """Return the same as an answer of the API."""
    hidden = found.steps is None
    return {
        "robo_name": found.person.robo_name,
        "ratings": found.ratings,
        "ruleset": None if pool == ALL else pool,
        "history": None if found.steps is None else [_step(step, found.games) for step in found.steps],
        "best": None if hidden else [_rival(each) for each in found.best],
        "worst": None if hidden else [_rival(each) for each in found.worst],
    }


def _step(step: Step, games: dict[int, str]) -> RatingStepView:
    return {
        "game": step.game if step.game in games else None,
        "at": step.at,
        "rank": step.rank,
        "rating": step.rating,
        "change": step.change,
    }


def _rival(each: NamedRival) -> RivalView:
    rival = each.rival
    return {
        "robo_name": each.robo_name,
        "ahead": rival.ahead,
        "level": rival.level,
        "behind": rival.behind,
    }


def _named(rivals: Rivals) -> tuple[list[NamedRival], list[NamedRival]]:
    names = names_of({rival.user for rival in (*rivals.best, *rivals.worst)})
    best, worst = (
        [NamedRival(names[rival.user], rival) for rival in each] for each in (rivals.best, rivals.worst)
    )
    return best, worst
