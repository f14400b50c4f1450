"""The unsubscribe link in emails about games."""

from urllib.parse import urlsplit

import pytest
from django.test import Client

from accounts.mail import unsubscribe_url
from accounts.models import User

pytestmark = pytest.mark.django_db


def path_of(user: User) -> str:
    return urlsplit(unsubscribe_url(user)).path


def test_the_link_is_an_absolute_address(alice: User, settings: object) -> None:
    assert unsubscribe_url(alice).startswith(f"{settings.BASE_URL}/unsubscribe/")  # type: ignore[attr-defined]


def test_only_the_button_stops_the_mail(alice: User, client: Client) -> None:
    page = client.get(path_of(alice))
    assert b"No more emails about games?" in page.content
    alice.refresh_from_db()
    assert alice.manner == "at once"
    assert b"These emails have stopped" in client.post(path_of(alice)).content
    alice.refresh_from_db()
    assert alice.manner == "none"


def test_a_mail_program_stops_the_mail_with_one_click(alice: User) -> None:
    browser = Client(enforce_csrf_checks=True)
    sort = "application/x-www-form-urlencoded"
    assert browser.post(path_of(alice), "List-Unsubscribe=One-Click", content_type=sort).status_code == 200
    alice.refresh_from_db()
    assert alice.manner == "none"


def test_a_forged_link_or_signature_stops_nothing(alice: User, client: Client) -> None:
    bob = User.objects.create_user("Bob", "bob@example.org")
    signature = path_of(alice).partition("-")[2]
    for path in (path_of(alice)[:-3] + "x/", "/unsubscribe/1/", f"/unsubscribe/{bob.pk}-{signature}"):
        page = client.post(path)
        assert page.status_code == 404
        assert b"This link does not work" in page.content
    for person in (alice, bob):
        person.refresh_from_db()
        assert person.manner == "at once"


def test_the_link_of_a_deleted_account_is_explained(alice: User, client: Client) -> None:
    path = path_of(alice)
    alice.delete()
    assert client.get(path).status_code == 404
