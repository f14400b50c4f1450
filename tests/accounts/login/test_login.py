"""Logging in, logging out, and forgotten passwords."""

import pytest
from django.core.mail import EmailMessage
from django.test import Client

from accounts.models import User
from tests.support.accounts import PASSWORD, link_in

pytestmark = pytest.mark.django_db


def test_a_failed_login_does_not_reveal_the_reason(alice: User, client: Client) -> None:
    pages = [
        client.post("/accounts/login/", {"login": login, "password": "wrong-password"})
        for login in ("Alice", "alice@example.org", "Dave", "dave@example.org")
    ]
    sentences = {str(page.context["form"].non_field_errors()) for page in pages}
    assert len(sentences) == 1
    assert "Wrong name, address or password." in sentences.pop()


def test_guessing_is_stopped_after_five_tries(alice: User, client: Client) -> None:
    for _ in range(5):
        client.post("/accounts/login/", {"login": "alice@example.org", "password": "guess"})
    page = client.post("/accounts/login/", {"login": "alice@example.org", "password": PASSWORD})
    assert (page.status_code, page.headers["Retry-After"]) == (429, "300")
    assert "Too many wrong passwords. Wait 5 minutes, then try again." in page.content.decode()
    assert client.get("/settings/profile/").status_code == 302


def test_a_closed_account_is_explained_at_login(alice: User, client: Client) -> None:
    alice.is_active = False
    alice.save()
    page = client.post("/accounts/login/", {"login": "Alice", "password": PASSWORD}, follow=True)
    assert b"This account is locked" in page.content


def test_logging_out_requires_a_post(signed_in: Client) -> None:
    assert b"Your games continue" in signed_in.get("/accounts/logout/").content
    assert signed_in.get("/settings/profile/").status_code == 200
    signed_in.post("/accounts/logout/")
    assert signed_in.get("/settings/profile/").status_code == 302


def test_login_leads_back_to_the_page_that_asked(alice: User, client: Client) -> None:
    asked = client.get("/settings/profile/")
    page = client.post(
        asked["Location"], {"login": "Alice", "password": PASSWORD, "next": "/settings/profile/"}
    )
    assert page["Location"] == "/settings/profile/"


def test_login_never_leads_to_another_site(alice: User, client: Client) -> None:
    form = {"login": "Alice", "password": PASSWORD, "next": "https://evil.example/"}
    assert client.post("/accounts/login/", form)["Location"] == "/"


def test_a_forgotten_password_is_replaced_by_mail(
    alice: User, client: Client, mailoutbox: list[EmailMessage]
) -> None:
    client.post("/accounts/password/reset/", {"email": "Alice@example.org"})
    [mail] = mailoutbox
    assert mail.subject == "Choose a new password, Alice"
    page = client.get(link_in(mail), follow=True)
    form = {"password1": "quite-another-7", "password2": "quite-another-7"}
    client.post(page.request["PATH_INFO"], form)
    assert client.get("/settings/profile/").status_code == 200
    assert mailoutbox[1].subject == "Your password was changed"
    alice.refresh_from_db()
    assert alice.check_password("quite-another-7")
    again = Client().get(link_in(mail))
    assert b"This link no longer works" in again.content


def test_asking_for_a_password_does_not_reveal_accounts(alice: User, mailoutbox: list[EmailMessage]) -> None:
    known = Client().post("/accounts/password/reset/", {"email": "alice@example.org"}, follow=True)
    unknown = Client().post("/accounts/password/reset/", {"email": "dave@example.org"}, follow=True)
    assert known.redirect_chain == unknown.redirect_chain
    assert [mail.subject for mail in mailoutbox] == [
        "Choose a new password, Alice",
        "No account has this address",
    ]


def test_asking_too_often_gets_an_explanation(alice: User, client: Client) -> None:
    for _ in range(5):
        client.post("/accounts/password/reset/", {"email": "alice@example.org"})
    page = client.post("/accounts/password/reset/", {"email": "alice@example.org"})
    assert (page.status_code, int(page.headers["Retry-After"]) > 0) == (429, True)
    assert b"Too many requests" in page.content


def test_a_form_sent_without_a_login_explains_that_and_leads_back_to_its_page(client: Client) -> None:
    for referer, way_back in (
        ("http://testserver/starships/?page=2", "/starships/%3Fpage%3D2"),
        ("http://elsewhere.example/starships/", "/games/new/"),
        ("//elsewhere.example/starships/", "/games/new/"),
        ("", "/games/new/"),
    ):
        answer = client.post("/games/new/", {}, headers={"Referer": referer})
        assert answer.headers["Location"] == f"/accounts/login/?next={way_back}"
    said = "Nothing was saved. Log in, then try again."
    assert said in client.get(answer.headers["Location"]).content.decode()
    assert said not in client.get("/accounts/login/").content.decode()
