"""The pages of ships that the generator suggests."""

import pytest
from django.test import Client

from accounts.models import User
from games.shipyard.models import ShipSuggestion, StarshipDraft
from games.shipyard.services import MOST_DRAFTS
from games.shipyard.suggestions import cancel_search
from tests.games.reader import reader
from tests.games.shipyard.drawing import drafted
from tests.games.shipyard.searches import found, request_ship
from tests.games.support import NOW

FORM = {"ruleset": "robo-runner", "width": "8", "height": "8", "players": "2", "theme": "ring", "seed": "7"}


@pytest.fixture
def browser(alice: User) -> Client:
    return reader(alice).client


def page_of(browser: Client, suggestion: ShipSuggestion) -> str:
    return browser.get(f"/shipyard/suggestions/{suggestion.pk}/").content.decode()


def test_the_page_of_a_new_ship_links_to_suggestions(browser: Client) -> None:
    assert 'href="/shipyard/suggest/"' in browser.get("/shipyard/new/").content.decode()


def test_a_player_starts_and_follows_a_search(browser: Client, alice: User) -> None:
    answer = browser.post("/shipyard/suggest/", FORM)
    made = ShipSuggestion.objects.get(user=alice)
    assert answer.headers["Location"] == f"/shipyard/suggestions/{made.pk}/"
    page = page_of(browser, made)
    assert "Waiting in the queue." in page
    assert f'data-followed="/api/v1/shipyard/suggestions/{made.pk}"' in page
    ShipSuggestion.objects.update(status="flying", ships=3, flown=40)
    page = page_of(browser, made)
    assert "3 of 8 ships have been tested." in page and "<span data-flown>40</span>" in page
    ShipSuggestion.objects.update(ships=8, last_flights=100)
    page = page_of(browser, made)
    assert "The best one is flying again." in page and 'value="80"' in page
    assert "View progress" in browser.get("/shipyard/suggest/").content.decode()


def test_invalid_requests_are_refused_beside_the_field(browser: Client) -> None:
    answer = browser.post("/shipyard/suggest/", {**FORM, "players": "7"})
    assert answer.status_code == 422
    assert (
        "With Robo Runner, a ship of this size is for 2, 3 players. Choose one of these numbers."
        in answer.content.decode()
    )
    assert not ShipSuggestion.objects.exists()


def test_a_second_search_is_refused_on_the_page(browser: Client, alice: User) -> None:
    request_ship(alice)
    answer = browser.post("/shipyard/suggest/", {**FORM, "seed": "8"})
    assert answer.status_code == 409
    assert "View progress" in answer.content.decode()


def test_a_suggested_ship_is_shown_with_its_verdict(browser: Client, alice: User) -> None:
    page = page_of(browser, found(alice))
    assert "<h1>Canoe</h1>" in page and "Mind the gap." in page
    assert "Beams that run in a ring" in page
    assert "tunnel-finding is-" in page and "<svg" in page
    assert "Canoe" in browser.get("/shipyard/suggest/").content.decode()


def test_the_next_seed_gives_another_ship(browser: Client, alice: User) -> None:
    page = page_of(browser, found(alice))
    assert 'name="seed" value="belt 2"' in page and 'name="width" value="8"' in page


def test_editing_a_suggestion_creates_a_draft(browser: Client, alice: User) -> None:
    answer = browser.post(f"/shipyard/suggestions/{found(alice).pk}/draw/")
    draft = StarshipDraft.objects.get(user=alice)
    assert answer.headers["Location"] == f"/shipyard/{draft.pk}/"


def test_a_player_with_too_many_drafts_reads_this_on_the_page(browser: Client, alice: User) -> None:
    made = found(alice)
    for _ in range(MOST_DRAFTS):
        drafted(alice)
    answer = browser.post(f"/shipyard/suggestions/{made.pk}/draw/", follow=True)
    assert answer.redirect_chain[-1][0] == f"/shipyard/suggestions/{made.pk}/"
    assert "You have 20 drafts, which is the limit. Delete one first." in answer.content.decode()


def test_a_search_is_cancelled(browser: Client, alice: User) -> None:
    made = request_ship(alice)
    for _ in range(2):
        page = browser.post(f"/shipyard/suggestions/{made.pk}/cancel/", follow=True).content.decode()
        assert "The search was cancelled." in page and "This search was cancelled." in page
    over = found(alice)
    page = browser.post(f"/shipyard/suggestions/{over.pk}/cancel/", follow=True).content.decode()
    assert "This search is already over." in page


def test_a_failed_search_gives_the_reason(browser: Client, alice: User) -> None:
    made = cancel_search(user=alice, suggestion_id=request_ship(alice).pk, now=NOW)
    ShipSuggestion.objects.filter(pk=made.pk).update(status="failed", failure="no-design")
    assert "We found no good ship of this kind." in page_of(browser, made)
