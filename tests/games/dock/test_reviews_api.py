"""The API of reviews."""

from typing import Any

import pytest

from accounts.models import User
from games.dock.models import Review
from games.fleet.models import Starship
from tests.games.api_client import Api
from tests.games.dock.prototypes import called, published
from tests.games.dock.reviewed import crowd, finished, review
from tests.games.shipyard.tunnels import LANE


@pytest.fixture
def ship(alice: User) -> Starship:
    return published(alice, called(alice, "Canoe", *LANE)).starship


def test_a_review_is_written_changed_and_withdrawn(ship: Starship, bob: User) -> None:
    finished(ship, bob)
    api, path = Api(bob), f"starships/{ship.pk}/review"
    document = {"stars": 4, "tags": ["fair-starts"], "text": "Good.", "version": 1}
    first = api.put(path, document)
    assert first.status == 200 and first.body["mine"] and first.body["version"] == 1
    second = api.put(path, {"stars": 5})
    assert (second.body["id"], second.body["stars"], second.body["text"]) == (first.body["id"], 5, "")
    listed = Api().get(f"starships/{ship.pk}/reviews").body
    assert [each["author"] for each in listed["results"]] == ["Bob"]
    assert listed["rating"] == {"reviews": 1, "stars": None}
    assert api.delete(path).body == {"reviews": 0, "stars": None}
    assert api.delete(path).refusal == (404, "no-review")


def test_errors_are_reported(ship: Starship, bob: User) -> None:
    finished(ship, bob)
    wrong: list[tuple[dict[str, Any], tuple[int, str]]] = [
        ({"stars": 6}, (422, "review")),
        ({"stars": 4, "version": 2}, (404, "no-version")),
        ({"stars": 4, "text": "x" * 5_000_000}, (413, "too-large")),
    ]
    for document, refusal in wrong:
        assert Api(bob).put(f"starships/{ship.pk}/review", document).refusal == refusal
    assert not Review.objects.exists()


def test_refusals_give_the_reason(ship: Starship, alice: User, dave: User) -> None:
    path = f"starships/{ship.pk}/review"
    assert Api(dave).put(path, {"stars": 4}).refusal == (403, "not-played")
    assert Api(alice).put(path, {"stars": 5}).refusal == (403, "own-ship")
    assert Api(alice).put("starships/999999/review", {"stars": 5}).refusal == (404, "no-starship")


def test_a_builder_answers_once(ship: Starship, alice: User, bob: User) -> None:
    finished(ship, bob)
    path = f"starships/{ship.pk}/reviews/{review(bob, ship).pk}/answer"
    assert Api(bob).post(path, {"text": "Thanks!"}).refusal == (403, "not-builder")
    assert Api(alice).post(path, {"text": " "}).refusal == (422, "answer")
    assert Api(alice).post(path, {"text": "Thanks!"}).body["answer"] == "Thanks!"
    assert Api(alice).post(path, {"text": "Thanks!"}).refusal == (409, "answered")
    other = published(alice, called(alice, "Other", *LANE)).starship
    elsewhere = path.replace(f"starships/{ship.pk}/", f"starships/{other.pk}/")
    assert Api(alice).post(elsewhere, {"text": "Thanks!"}).refusal == (404, "no-review")


def test_reviews_are_paginated(ship: Starship) -> None:
    crowd(ship, *[5] * 5)
    path, cursors = f"starships/{ship.pk}/reviews", []
    first = Api().get(path, limit=3).body
    cursors = [each["id"] for each in first["results"]]
    second = Api().get(first["next"].partition("/api/v1/")[2]).body
    cursors += [each["id"] for each in second["results"]]
    assert len(set(cursors)) == 5 and second["next"] is None
    assert first["rating"] == {"reviews": 5, "stars": 5.0}
    assert Api().get(path, version=2).body["results"] == []
    assert Api().get(path, cursor="x").status == 400
