"""The pages of reviews: forms, escaped text, and links to reviews."""

from functools import partial

import pytest
from django.test import Client

from accounts.models import User
from games.dock import pages
from games.dock.models import Review
from games.fleet.models import Starship
from games.web.pages import page_of
from tests.games.dock.prototypes import called, played_out, published
from tests.games.dock.reviewed import crowd, finished, review
from tests.games.shipyard.tunnels import LANE
from tests.games.support import NOW, Table


@pytest.fixture
def ship(alice: User) -> Starship:
    return published(alice, called(alice, "Canoe", *LANE)).starship


def page(user: User | None, path: str, status: int = 200) -> str:
    client = Client()
    if user:
        client.force_login(user)
    answer = client.get(path)
    assert answer.status_code == status, path
    return answer.content.decode()


def sent(user: User, path: str, **form: object) -> tuple[int, str]:
    client = Client()
    client.force_login(user)
    answer = client.post(path, form, follow=True)
    return answer.status_code, answer.content.decode()


def test_a_finished_game_links_players_except_the_builder_to_the_review(
    ship: Starship, alice: User, bob: User, dave: User
) -> None:
    way = f"/starships/{ship.pk}/review/?version=1"
    assert way not in page(bob, f"/games/{Table(ship).game(bob, alice).pk}/"), "it goes on"
    game = played_out(ship, bob, alice)
    assert way in page(bob, f"/games/{game.pk}/")
    for other in (alice, dave):
        assert way not in page(other, f"/games/{game.pk}/")
    review(bob, ship)
    assert "Change your review" in page(bob, f"/games/{game.pk}/")


def test_a_form_publishes_a_review(ship: Starship, bob: User) -> None:
    finished(ship, bob)
    path = f"/starships/{ship.pk}/review/"
    form = {"version": "1", "stars": "4", "tags": ["fair-starts"], "text": "Good."}
    status, html = sent(bob, path, **form)
    assert status == 200 and "Your review is published" in html and "Fair starts" in html
    assert "Good." in page(bob, path) and "Delete your review" in page(bob, path)
    _, html = sent(bob, f"{path}delete/", version="1")
    assert "Your review was deleted" in html and not Review.objects.exists()


def test_errors_are_shown_beside_the_typed_text(ship: Starship, bob: User) -> None:
    finished(ship, bob)
    four = ["too-long", "too-short", "too-deadly", "fair-starts"]
    wrong: list[tuple[dict[str, object], str]] = [
        ({}, "Choose a number of stars"),
        ({"stars": "4", "tags": four}, "at most 3 tags"),
    ]
    for form, said in wrong:
        status, html = sent(bob, f"/starships/{ship.pk}/review/", **{"text": "My words.", **form})
        assert status == 422 and said in html and "My words." in html
    assert not Review.objects.exists()


def test_players_who_have_not_finished_a_game_read_why(ship: Starship, dave: User) -> None:
    assert "You haven’t finished a game on this version." in page(dave, f"/starships/{ship.pk}/review/", 403)


def test_html_in_a_review_is_shown_as_text(ship: Starship, alice: User, bob: User) -> None:
    finished(ship, bob)
    found = review(bob, ship, text="<script>alert(1)</script> https://example.org")
    sent(alice, f"/starships/{ship.pk}/reviews/{found.pk}/answer/", text="<b>Thanks</b>")
    for path in (f"/starships/{ship.pk}/", f"/starships/{ship.pk}/reviews/"):
        html = page(None, path)
        assert "&lt;script&gt;alert(1)&lt;/script&gt; https://example.org" in html
        assert "&lt;b&gt;Thanks&lt;/b&gt;" in html and 'href="https://example.org' not in html


def test_the_builder_answers_on_the_page(ship: Starship, alice: User, bob: User) -> None:
    finished(ship, bob)
    found = review(bob, ship)
    path = f"/starships/{ship.pk}/reviews/"
    assert "Publish the answer" in page(alice, path) and "Publish the answer" not in page(bob, path)
    status, html = sent(alice, f"{path}{found.pk}/answer/", text=" ")
    assert status == 422 and "Write something first" in html
    status, html = sent(alice, f"{path}{found.pk}/answer/", text="Thanks!")
    assert status == 200 and "Thanks!" in page(None, path)


def test_only_author_and_staff_see_a_waiting_review(
    ship: Starship, alice: User, bob: User, erin: User
) -> None:
    crowd(ship, *[5] * 10)
    finished(ship, bob)
    review(bob, ship, 1, text="Not for me.")
    path = f"/starships/{ship.pk}/reviews/"
    for person in (None, alice):
        assert "Not for me." not in page(person, path)
    for person in (bob, erin):
        html = page(person, path)
        assert "Not for me." in html and "many reviews within a day" in html


def test_only_author_and_staff_see_a_hidden_review(
    ship: Starship, alice: User, bob: User, erin: User
) -> None:
    finished(ship, bob)
    review(bob, ship, 1, text="Not for me.")
    Review.objects.update(hidden_at=NOW)
    path = f"/starships/{ship.pk}/"
    assert "Not for me." not in page(alice, path)
    for person in (bob, erin):
        assert "Staff hid this review" in page(person, path)


def test_stars_are_shown_from_five_reviewers_on(ship: Starship) -> None:
    crowd(ship, 5, 5, 4, 4)
    path = f"/starships/{ship.pk}/"
    assert "4 people have reviewed this ship" in page(None, path)
    crowd(ship, 5)
    assert "<strong>4.6</strong> of 5 stars" in page(None, path)


def test_reviews_are_paginated_and_filtered_by_version(
    ship: Starship, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "page_of", partial(page_of, size=2))
    crowd(ship, 4, 4, 4)
    path = f"/starships/{ship.pk}/reviews/"
    assert page(None, path).count('class="review"') == 2
    assert page(None, f"{path}?page=2").count('class="review"') == 1
    assert 'class="review"' not in page(None, f"{path}?version=2")
    assert page(None, f"{path}?version=x").count('class="review"') == 2
