"""Limits on password attempts, and the host name in links of account emails."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core.mail import EmailMessage
from django.test import Client

from accounts.models import User
from accounts.services import open_account
from tests.support.accounts import PASSWORD, link_in

pytestmark = pytest.mark.django_db

LOGINS = ("Alice", "aLICE", "alice@example.org", "ALICE@Example.ORG", " Alice ")


def addresses() -> Any:
    """Return an iterator of IP addresses, one for each attempt.

    No address repeats, so only the account's limit applies.
    """
    return (f"192.0.2.{number}" for number in range(1, 255))


def log_in(login: str, password: str, **more: Any) -> Any:
    return Client().post("/accounts/login/", {"login": login, "password": password}, **more)


def token_status(login: str, password: str, **more: Any) -> int:
    sent = {"login": login, "password": password}
    return Client().post("/api/v1/tokens", sent, content_type="application/json", **more).status_code


def test_five_wrong_passwords_are_the_limit_for_any_host_case_or_name(alice: User, settings: Any) -> None:
    hosts = ("localhost:8000", "127.0.0.1:8000", "[::1]:8000", "testserver", "testserver:8000")
    for login, host, peer in zip(LOGINS, hosts, addresses(), strict=False):
        assert log_in(login, "guess", headers={"host": host}, REMOTE_ADDR=peer).status_code == 200
    for login, peer in zip(LOGINS, (f"198.51.100.{number}" for number in range(9)), strict=False):
        assert log_in(login, PASSWORD, REMOTE_ADDR=peer).status_code != 302, login
        assert token_status(login, PASSWORD, REMOTE_ADDR=peer) in (401, 429), login


def test_attempts_for_tokens_pages_and_the_current_password_share_one_count(
    alice: User, signed_in: Client
) -> None:
    asked = addresses()
    token_status("alice", "guess", REMOTE_ADDR=next(asked))
    token_status("alice@example.org", "guess", REMOTE_ADDR=next(asked))
    log_in("ALICE", "guess", REMOTE_ADDR=next(asked))
    new = {"password1": "quite-another-7", "password2": "quite-another-7"}
    signed_in.post("/accounts/password/change/", {"oldpassword": "guess", **new}, REMOTE_ADDR=next(asked))
    signed_in.post("/accounts/reauthenticate/", {"password": "guess"}, REMOTE_ADDR=next(asked))
    assert log_in("alice@example.org", PASSWORD, REMOTE_ADDR=next(asked)).status_code == 200
    for path, fields in (
        ("/accounts/reauthenticate/", {"password": PASSWORD}),
        ("/accounts/password/change/", {"oldpassword": PASSWORD, **new}),
    ):
        page = signed_in.post(path, fields, REMOTE_ADDR=next(asked))
        assert page.status_code == 429
        assert b"Too many wrong passwords." in page.content
    alice.refresh_from_db()
    assert alice.check_password(PASSWORD)


def test_right_passwords_do_not_count(alice: User) -> None:
    for peer in [*addresses()][:6]:
        assert log_in("Alice", PASSWORD, REMOTE_ADDR=peer).status_code == 302
        assert token_status("alice@example.org", PASSWORD, REMOTE_ADDR=peer) == 201


def test_attempts_do_not_reveal_the_owner_of_an_address(alice: User) -> None:
    asked = addresses()
    for _ in range(5):
        log_in("Alice", "guess", REMOTE_ADDR=next(asked))
    known, unknown = (
        [log_in(f"{name}@example.org", "guess", REMOTE_ADDR=next(asked)) for _ in range(6)]
        for name in ("alice", "nobody")
    )
    assert [page.status_code for page in known] == [page.status_code for page in unknown]
    words = [[str(page.context["form"].non_field_errors()) for page in pages] for pages in (known, unknown)]
    assert words[0] == words[1]
    assert "After 5 wrong passwords, you have to wait 5 minutes." in words[0][0]


def test_a_new_password_by_mail_lets_the_owner_in_immediately(
    alice: User, client: Client, mailoutbox: list[EmailMessage]
) -> None:
    asked = addresses()
    for login in ("Alice", "alice@example.org") * 4:
        log_in(login, "guess", REMOTE_ADDR=next(asked))
    client.post("/accounts/password/reset/", {"email": "alice@example.org"})
    page = client.get(link_in(mailoutbox[0]), follow=True)
    new = {"password1": "quite-another-7", "password2": "quite-another-7"}
    client.post(page.request["PATH_INFO"], new)
    for login in ("Alice", "alice@example.org"):
        assert log_in(login, "quite-another-7", REMOTE_ADDR=next(asked)).status_code == 302


def test_no_one_resets_the_attempts_at_another_account(
    alice: User, client: Client, mailoutbox: list[EmailMessage]
) -> None:
    mallory = open_account(robo_name="Mallory", email="mallory@example.org", password=PASSWORD)
    EmailAddress.objects.create(user=mallory, email=alice.email)  # typed, never confirmed
    asked = addresses()
    for _ in range(5):
        log_in(alice.email, "guess", REMOTE_ADDR=next(asked))
    client.post("/accounts/password/reset/", {"email": "mallory@example.org"})
    page = client.get(link_in(mailoutbox[0]), follow=True)
    client.post(page.request["PATH_INFO"], {"password1": "quite-another-7", "password2": "quite-another-7"})
    assert client.get("/settings/profile/").status_code == 200
    assert log_in(alice.email, PASSWORD, REMOTE_ADDR=next(asked)).status_code == 429


def _sign_up_again(client: Client) -> None:
    client.post(
        "/accounts/signup/", {"username": "Carol", "email": "alice@example.org", "password1": PASSWORD}
    )


MAILS: dict[str, Callable[[Client], object]] = {
    "Confirm your address, Bob": lambda client: client.post(
        "/accounts/signup/", {"username": "Bob", "email": "bob@example.org", "password1": PASSWORD}
    ),
    "You already have an account": lambda client: client.post(
        "/accounts/signup/", {"username": "Carol", "email": "alice@example.org", "password1": PASSWORD}
    ),
    "Choose a new password, Alice": lambda client: client.post(
        "/accounts/password/reset/", {"email": "alice@example.org"}
    ),
    "No account has this address": lambda client: client.post(
        "/accounts/password/reset/", {"email": "nobody@example.org"}
    ),
}


def test_links_in_emails_point_to_the_site_s_own_address(
    alice: User, mailoutbox: list[EmailMessage], settings: Any
) -> None:
    settings.BASE_URL = "http://robo.example.org:8000"
    settings.ALLOWED_HOSTS = ["robo.example.org", "other.example.org"]
    for subject, send in MAILS.items():
        mailoutbox.clear()
        send(Client(headers={"host": "other.example.org"}))
        [mail] = mailoutbox
        assert mail.subject == subject
        links = re.findall(r"https?://\S+", str(mail.body))
        assert links
        assert [link for link in links if not link.startswith("http://robo.example.org:8000")] == []
        assert "other.example.org" not in str(mail.body)


def test_news_about_an_account_link_to_the_site_s_own_address(
    alice: User, signed_in: Client, mailoutbox: list[EmailMessage], settings: Any
) -> None:
    settings.ALLOWED_HOSTS = ["localhost", "other.example.org"]
    fields = {"oldpassword": PASSWORD, "password1": "quite-another-7", "password2": "quite-another-7"}
    signed_in.post("/accounts/password/change/", fields, headers={"host": "other.example.org"})
    [mail] = mailoutbox
    assert f"{settings.BASE_URL}/accounts/password/reset/" in str(mail.body)
    assert "other.example.org" not in str(mail.body)
