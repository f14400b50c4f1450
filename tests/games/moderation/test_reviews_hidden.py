"""Staff hide a review, show it again, or release a waiting one."""

from functools import partial

import pytest

from accounts.models import User
from games.dock.models import Review, ShipRating
from games.errors import Conflict, Forbidden, NotFound
from games.fleet.models import Starship
from games.moderation.models import Moderation
from games.moderation.services.takedown import hide_review, release_review, show_review
from tests.games.dock.reviewed import crowd, finished, lane_ship, review
from tests.games.support import NOW, later

WHY = {"reason": "Insults the builder.", "now": NOW}


@pytest.fixture
def ship(db: None) -> Starship:
    return lane_ship()


@pytest.fixture
def bobs_review(ship: Starship, bob: User) -> Review:
    finished(ship, bob)
    return review(bob, ship, 1)


def test_a_hidden_review_does_not_count_until_it_is_shown_again(bobs_review: Review, erin: User) -> None:
    hide_review(user=erin, review_id=bobs_review.pk, **WHY)
    bobs_review.refresh_from_db()
    assert bobs_review.hidden_at == NOW and not ShipRating.objects.exists()
    show_review(user=erin, review_id=bobs_review.pk, reason="A mistake.", now=later(hours=1))
    bobs_review.refresh_from_db()
    assert bobs_review.is_shown and ShipRating.objects.get().total == 1
    done = Moderation.objects.order_by("pk").values_list("action", "reason", "by", "review")
    assert list(done) == [
        ("hide", "Insults the builder.", erin.pk, bobs_review.pk),
        ("show", "A mistake.", erin.pk, bobs_review.pk),
    ]


def test_a_waiting_review_is_released(ship: Starship, bob: User, erin: User) -> None:
    crowd(ship, *[5] * 10)
    finished(ship, bob)
    held = review(bob, ship, 1)
    released = release_review(user=erin, review_id=held.pk, **WHY)
    assert released.is_shown and ShipRating.objects.get().reviews == 11
    with pytest.raises(Conflict):
        release_review(user=erin, review_id=held.pk, **WHY)


def test_a_hidden_review_stays_hidden_when_its_wait_ends(bobs_review: Review, erin: User) -> None:
    Review.objects.update(held_until=later(hours=48))
    hide_review(user=erin, review_id=bobs_review.pk, **WHY)
    release_review(user=erin, review_id=bobs_review.pk, **WHY)
    bobs_review.refresh_from_db()
    assert not bobs_review.is_shown and not ShipRating.objects.exists()


def test_each_action_works_once(bobs_review: Review, erin: User) -> None:
    with pytest.raises(Conflict):
        show_review(user=erin, review_id=bobs_review.pk, **WHY)
    hide_review(user=erin, review_id=bobs_review.pk, **WHY)
    with pytest.raises(Conflict):
        hide_review(user=erin, review_id=bobs_review.pk, **WHY)
    assert Moderation.objects.count() == 1


def test_only_staff_may_act(bobs_review: Review, bob: User, erin: User) -> None:
    hide = partial(hide_review, review_id=bobs_review.pk, now=NOW)
    with pytest.raises(Forbidden):
        hide(user=bob, reason="I do not like it.")
    with pytest.raises(NotFound):
        hide_review(user=erin, review_id=0, **WHY)
    assert not Moderation.objects.exists()
