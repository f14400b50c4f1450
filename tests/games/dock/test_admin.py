"""Reviews in the admin: filters, and decisions that need a reason."""

import pytest
from django.test import Client

from accounts.models import User
from games.dock.models import Review
from games.moderation.models import Moderation
from tests.games.admin_pages import address, do, listing, messages_in, permit
from tests.games.dock.reviewed import finished, lane_ship, review
from tests.games.support import later


@pytest.fixture
def bobs_review(bob: User) -> Review:
    ship = lane_ship()
    finished(ship, bob)
    return review(bob, ship, 1, text="<b>Never</b> again.")


def test_staff_hide_a_review_with_a_reason_shown_to_its_author(
    staff: Client, bobs_review: Review, bob: User
) -> None:
    assert "Hide this review?" in do(staff, "hide", bobs_review).content.decode()
    bobs_review.refresh_from_db()
    assert bobs_review.is_shown
    answer = do(staff, "hide", bobs_review, sure="1", reason="Not about the ship.")
    assert messages_in(answer)[0].startswith("Hidden: ")
    bobs_review.refresh_from_db()
    assert bobs_review.hidden_at is not None
    client = Client()
    client.force_login(bob)
    page = client.get(f"/starships/{bobs_review.starship_id}/reviews/").content.decode()
    assert "The reason: Not about the ship." in page
    do(staff, "show", bobs_review, sure="1", reason="It is, after all.")
    bobs_review.refresh_from_db()
    assert bobs_review.is_shown and Moderation.objects.count() == 2
    assert "Not about the ship." in staff.get(listing(Moderation)).content.decode()


def test_staff_find_and_release_waiting_reviews(staff: Client, bobs_review: Review) -> None:
    assert staff.get(listing(Review), {"state": "held"}).context["cl"].result_count == 0
    Review.objects.update(held_until=later(hours=48))
    assert staff.get(listing(Review), {"state": "held"}).context["cl"].result_count == 1
    page = staff.get(address(bobs_review)).content.decode()
    assert "Release" in page and "Show again" not in page and "&lt;b&gt;Never" in page
    do(staff, "release", bobs_review, sure="1", reason="They are real people.")
    bobs_review.refresh_from_db()
    assert bobs_review.is_shown


def test_it_requires_the_permission(client: Client, grace: User, bobs_review: Review) -> None:
    permit(grace, "view_review")
    client.force_login(grace)
    do(client, "hide", bobs_review, sure="1", reason="I may not.")
    bobs_review.refresh_from_db()
    assert bobs_review.is_shown and client.get(address(bobs_review)).status_code == 200
