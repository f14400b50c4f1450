"""Requests for an old host of the site lead to the present one."""

from collections.abc import Iterator

import pytest
from django.test import Client, override_settings

from accounts.mail import unsubscribe_token
from accounts.models import Frequency
from tests import cast


@pytest.fixture(autouse=True)
def renamed() -> Iterator[None]:
    hosts = {"ALLOWED_HOSTS": ["new.example", "old.example"], "OLD_HOSTS": ["old.example"]}
    with override_settings(BASE_URL="http://new.example", **hosts):
        yield


@pytest.mark.parametrize("path", ["/", "/games/7/?turn=3", "/accounts/confirm-email/a-key/", "/api/v1/games"])
def test_a_link_leads_to_the_same_page(path: str) -> None:
    answer = Client().get(path, headers={"host": "old.example"})
    assert (answer.status_code, answer["Location"]) == (308, f"http://new.example{path}")
    assert answer["Cache-Control"] == "max-age=3600", "a change back would else make a circle"


def test_forms_are_sent_again_to_the_present_host() -> None:
    answer = Client().post("/accounts/login/", headers={"host": "old.example"})
    assert (answer.status_code, answer["Location"]) == (308, "http://new.example/accounts/login/")


def test_one_click_stops_mail_without_a_redirect(db: None) -> None:
    alice = cast.alice()
    link = f"/unsubscribe/{unsubscribe_token(alice)}/"
    click = {"List-Unsubscribe": "One-Click"}
    assert Client().post(link, click, headers={"host": "old.example"}).status_code == 200
    alice.refresh_from_db()
    assert alice.manner == Frequency.NONE


def test_other_hosts_are_still_refused(db: None) -> None:
    assert Client().get("/", headers={"host": "other.example"}).status_code == 400
