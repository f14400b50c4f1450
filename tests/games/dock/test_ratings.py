"""Ratings of ships: which reviews count, when stars appear, and how ships are sorted."""

from decimal import Decimal

import pytest

from accounts.models import User
from games.dock.models import Review, ShipRating
from games.dock.reviews import adjust_ratings, rate_all, take_back_review
from games.fleet.models import Starship
from games.fleet.services import save_starship
from tests.games.dock.reviewed import crowd, finished, lane_ship, review
from tests.games.support import LANE, NOW, Board


@pytest.fixture
def ship(db: None) -> Starship:
    return lane_ship()


def rating_of(ship: Starship) -> ShipRating:
    return ShipRating.objects.get(starship=ship)


def test_stars_are_shown_from_five_reviewers_on(ship: Starship) -> None:
    crowd(ship, 5, 5, 5, 4)
    assert (rating_of(ship).reviews, rating_of(ship).stars) == (4, None)
    crowd(ship, 5)
    assert (rating_of(ship).reviews, rating_of(ship).stars) == (5, Decimal("4.80"))


def test_a_ship_without_reviews_has_no_rating(ship: Starship, bob: User) -> None:
    finished(ship, bob)
    review(bob, ship)
    take_back_review(user=bob, starship_id=ship.pk)
    assert not ShipRating.objects.exists()


def test_only_the_newest_version_reviewed_by_a_person_counts(ship: Starship, bob: User) -> None:
    finished(ship, bob)
    review(bob, ship, 1)
    rows = ["a . . . .+i1+wE", ". . . . ."]
    save_starship(starship_id=ship.pk, document={**LANE.document, "rows": rows}, section="fleet", now=NOW)
    ship.refresh_from_db()
    finished(ship, bob)
    review(bob, ship, 5)
    assert (rating_of(ship).reviews, rating_of(ship).total) == (1, 5)
    review(bob, ship, 2, version=1)
    assert rating_of(ship).total == 5
    take_back_review(user=bob, starship_id=ship.pk)
    assert rating_of(ship).total == 2


def test_few_reviews_count_little_for_sorting(ship: Starship) -> None:
    other = Board("Other", LANE.rows).saved()
    crowd(ship, 5)
    crowd(other, *[4] * 9, 5)
    assert rating_of(ship).stars is None
    adjust_ratings()
    mean = Decimal(46) / 11
    assert abs(rating_of(ship).shrunk - (5 + 10 * mean) / 11) < Decimal("0.01")
    assert abs(rating_of(other).shrunk - (41 + 10 * mean) / 20) < Decimal("0.01")


def test_sort_values_follow_the_site_s_mean(ship: Starship) -> None:
    other = Board("Other", LANE.rows).saved()
    crowd(ship, 5)
    assert rating_of(ship).shrunk == 5
    crowd(other, 1)
    assert adjust_ratings() == 1
    assert rating_of(ship).shrunk == Decimal("3.182")
    assert adjust_ratings() == 0


def test_ratings_can_be_rebuilt_from_the_reviews(ship: Starship) -> None:
    crowd(ship, 5, 4, 3, 2, 1)
    right = ShipRating.objects.values().get()
    ShipRating.objects.update(reviews=9, total=9, stars=1, shrunk=1)
    assert rate_all() == 1
    assert {**ShipRating.objects.values().get(), "id": 0} == {**right, "id": 0}
    ShipRating.objects.all().delete()
    assert (rate_all(), rate_all()) == (1, 0)
    Review.objects.all().delete()
    assert rate_all() == 1
    assert not ShipRating.objects.exists()
