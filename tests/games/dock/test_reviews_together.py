"""Reviews written at the same moment, on separate database connections."""

from functools import partial
from typing import Any

import pytest

from games.dock.models import Review, ShipRating
from games.dock.reviews import answer_review, take_back_review
from games.errors import Conflict
from tests import cast
from tests.games.dock.prototypes import called, published
from tests.games.dock.reviewed import crowd, finished, lane_ship, review
from tests.games.shipyard.tunnels import LANE
from tests.games.support import NOW
from tests.games.together import together

pytestmark = pytest.mark.django_db(transaction=True)


def raised(answers: list[Any]) -> list[Any]:
    return [answer for answer in answers if isinstance(answer, Exception)]


def test_two_simultaneous_reviews_are_both_counted() -> None:
    ship, people = lane_ship(), (cast.bob(), cast.carol(), cast.dave())
    finished(ship, *people)
    assert raised(together(*(partial(review, person, ship, 4) for person in people))) == []
    assert (ShipRating.objects.get().reviews, ShipRating.objects.get().total) == (3, 12)


def test_a_double_click_makes_one_review() -> None:
    ship, bob = lane_ship(), cast.bob()
    finished(ship, bob)
    assert raised(together(*[partial(review, bob, ship, 4)] * 3)) == []
    assert Review.objects.count() == 1 and ShipRating.objects.get().reviews == 1


def test_of_two_windows_the_last_one_wins() -> None:
    ship, bob = lane_ship(), cast.bob()
    finished(ship, bob)
    review(bob, ship, 3)
    together(partial(review, bob, ship, 1), partial(take_back_review, user=bob, starship_id=ship.pk))
    assert [each.stars for each in Review.objects.all()] == [each.total for each in ShipRating.objects.all()]


def test_the_tenth_review_of_a_day_is_accepted_once() -> None:
    ship, people = lane_ship(), (cast.bob(), cast.carol())
    crowd(ship, *[4] * 9)
    finished(ship, *people)
    together(*(partial(review, person, ship, 4) for person in people))
    assert Review.objects.filter(held_until=None).count() == 10
    assert Review.objects.exclude(held_until=None).count() == 1


def test_two_simultaneous_answers_become_one() -> None:
    alice, bob = cast.alice(), cast.bob()
    ship = published(alice, called(alice, "Canoe", *LANE)).starship
    finished(ship, bob)
    answer = partial(answer_review, user=alice, review_id=review(bob, ship).pk, now=NOW)
    answers = together(partial(answer, text="One"), partial(answer, text="Two"))
    assert [type(answer) for answer in raised(answers)] == [Conflict]
