"""Addresses that pages had before lead to where the pages are now."""

import pytest
from django.test import Client

from tests import cast

pytestmark = pytest.mark.django_db

MOVED = {
    "/room/": "/games/",
    "/room/?pace=fast&join=2": "/games/?pace=fast&join=2",
    "/preferences/": "/settings/profile/",
    "/preferences/time/": "/settings/time/",
    "/preferences/news/?from=mail": "/settings/news/?from=mail",
    "/preferences//example.org/": "/settings//example.org/",
    "/preferences/%C3%A9%3F/": "/settings/%C3%A9%3F/",
    "/accounts/settings/": "/settings/",
}


@pytest.mark.parametrize("path", MOVED)
def test_an_old_address_leads_to_the_new_one_for_good(path: str) -> None:
    answer = Client().get(path)
    assert (answer.status_code, answer["Location"]) == (301, MOVED[path])


def test_a_form_that_was_open_while_its_address_changed_is_still_sent() -> None:
    alice = cast.alice()
    browser = Client()
    browser.force_login(alice)
    answer = browser.post("/accounts/settings/", {"speed": "200"})
    assert (answer.status_code, answer["Location"]) == (308, "/settings/")
    alice.refresh_from_db()
    assert alice.speed == 100, "the old address itself changes nothing"
    answer = browser.post("/accounts/settings/", {"speed": "200", **FORM}, follow=True)
    assert answer.status_code == 200
    alice.refresh_from_db()
    assert alice.speed == 200


def test_the_new_address_asks_for_the_token_of_a_form_that_comes_by_the_old_one() -> None:
    alice = cast.alice()
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(alice)
    assert browser.post("/accounts/settings/", {"speed": "200", **FORM}, follow=True).status_code == 403
    alice.refresh_from_db()
    assert alice.speed == 100


FORM = {
    "motion": "auto",
    "theme": "auto",
    "cell_size": "fit",
    "volume": "70",
    "effects_volume": "80",
    "music_volume": "50",
}
