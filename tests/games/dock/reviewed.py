"""Finished games, and reviews of their starships."""

from itertools import count
from typing import Any

from accounts.models import User
from games.dock.inputs import NewReview
from games.dock.models import Review
from games.dock.reviews import write_review
from games.fleet.models import Starship
from games.play.models import Game
from tests import cast
from tests.games.support import LANE, NOW, Table

_numbers = count(1)


def lane_ship() -> Starship:
    return LANE.saved()


def finished(starship: Starship, *people: User, **more: Any) -> Game:
    """Return a finished game of the given people on a ship. One person plays against a computer."""
    if len(people) == 1:
        more = {"seats": 2, "computers": ["rookie"], **more}
    game = Table(starship).game(*people, **more)
    over(game)
    return game


def over(game: Game, **more: Any) -> None:
    """Mark a game as ended by its rules, without playing it."""
    ended = {"status": Game.Status.OVER, "ended_at": NOW, **more}
    Game.objects.filter(pk=game.pk).update(**ended)
    game.refresh_from_db()


def review(user: User, starship: Starship, stars: int = 4, **more: Any) -> Review:
    given = {"now": more.pop("now", NOW), **NewReview(data={"stars": stars, **more}).allowed()}
    return write_review(user=user, starship_id=starship.pk, **given)


def crowd(starship: Starship, *stars: int, **more: Any) -> list[Review]:
    """Write a review for each number of stars.

    Each is by a new person, after a game against a computer.
    """
    people = [cast.person(f"Pilot-{next(_numbers)}") for _ in stars]
    for person in people:
        finished(starship, person)
    return [review(person, starship, each, **more) for person, each in zip(people, stars, strict=True)]
