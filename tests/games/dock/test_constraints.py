"""Database constraints on reviews, ratings, reports and takedowns."""

from functools import partial
from typing import Any

import pytest
from django.db.models import Model

from accounts.models import User
from games.dock.models import Prototype, Review, ShipRating
from games.moderation.models import Case
from games.moderation.services.reports import report_starship
from games.shipyard.models import StarshipDraft
from games.shipyard.services import make_link
from tests.games.dock.prototypes import published
from tests.games.dock.reviewed import finished, lane_ship, review
from tests.games.support import NOW
from tests.games.test_constraints import refused


@pytest.fixture
def bobs_review(bob: User) -> Review:
    """Bob's review of a ship in the fleet."""
    ship = lane_ship()
    finished(ship, bob)
    return review(bob, ship)


def all_refused(model: type[Model], changes: list[tuple[dict[str, Any], str]]) -> None:
    """Check that the database refuses each change, because of the named constraint."""
    for change, constraint in changes:
        refused(partial(model._default_manager.update, **change), constraint)


def test_a_review_is_complete_and_unique_per_person_and_version(bobs_review: Review) -> None:
    all_refused(
        Review,
        [
            ({"stars": 0}, "review_has_stars"),
            ({"stars": 6}, "review_has_stars"),
            ({"tags": ["too-long", "too-short", "too-deadly", "fair-starts"]}, "review_has_few_tags"),
            ({"answer": "Thanks!"}, "review_answered_at_some_time"),
            ({"answered_at": NOW}, "review_answered_at_some_time"),
        ],
    )
    bobs_review.pk = None
    refused(bobs_review.save, "review_one_each")


def test_a_rating_is_complete(bobs_review: Review) -> None:
    all_refused(
        ShipRating,
        [
            ({"reviews": 0}, "rating_of_somebody"),
            ({"total": 6}, "rating_of_somebody"),
            ({"total": 0}, "rating_of_somebody"),
            ({"stars": 4}, "rating_shown_from_enough_people"),
            ({"reviews": 5, "total": 20}, "rating_shown_from_enough_people"),
        ],
    )


def test_a_case_has_one_subject_is_open_once_and_has_one_report_per_person(alice: User, bob: User) -> None:
    prototype = published(alice)
    report = report_starship(user=bob, starship_id=prototype.starship_id, reason="copied", now=NOW)
    refused(partial(Case.objects.update, draft=prototype.draft), "case_about_one_thing")
    refused(partial(Case.objects.update, starship=None), "case_about_one_thing")
    refused(partial(Case.objects.update, decided_at=NOW), "case_open_or_decided")
    report.pk = None
    refused(report.save, "report_once")
    report.case.pk = None
    refused(report.case.save, "case_open_once")


def test_a_taken_down_ship_keeps_its_place_and_has_no_link(alice: User) -> None:
    prototype = published(alice)
    taken = "prototype_taken_down_from_a_status"
    refused(partial(Prototype.objects.update, taken_from="testing"), taken)
    refused(partial(Prototype.objects.update, status="taken-down", ended_at=NOW), taken)
    make_link(user=alice, draft_id=prototype.draft_id or 0, now=NOW)
    refused(partial(StarshipDraft.objects.update, taken_down_at=NOW), "starship_draft_taken_down_has_no_link")
