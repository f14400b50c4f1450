"""What the database refuses of reviews and ratings, no matter who writes."""

from functools import partial
from typing import Any

import pytest

from accounts.models import User
from games.dock.models import Rating, Review
from tests.games.dock.reviewed import finished, lane_ship, review
from tests.games.support import NOW
from tests.games.test_constraints import refused


@pytest.mark.parametrize(
    ("changes", "constraint"),
    [
        ({"stars": 0}, "review_has_stars"),
        ({"stars": 6}, "review_has_stars"),
        ({"tags": ["too-long", "too-short", "too-deadly", "fair-starts"]}, "review_has_few_tags"),
        ({"answer": "Thanks!"}, "review_answered_at_some_time"),
        ({"answered_at": NOW}, "review_answered_at_some_time"),
    ],
)
def test_a_review_is_whole(bob: User, changes: dict[str, Any], constraint: str) -> None:
    ship = lane_ship()
    finished(ship, bob)
    review(bob, ship)
    refused(partial(Review.objects.update, **changes), constraint)


def test_a_person_has_one_review_of_a_version(bob: User) -> None:
    ship = lane_ship()
    finished(ship, bob)
    again = review(bob, ship)
    again.pk = None
    refused(again.save, "review_one_each")


@pytest.mark.parametrize(
    ("changes", "constraint"),
    [
        ({"reviews": 0}, "rating_of_somebody"),
        ({"total": 6}, "rating_of_somebody"),
        ({"total": 0}, "rating_of_somebody"),
        ({"stars": 4}, "rating_shown_from_enough_people"),
        ({"reviews": 5, "total": 20}, "rating_shown_from_enough_people"),
    ],
)
def test_a_rating_is_whole(bob: User, changes: dict[str, Any], constraint: str) -> None:
    ship = lane_ship()
    finished(ship, bob)
    review(bob, ship)
    refused(partial(Rating.objects.update, **changes), constraint)
