"""Signing up, from the form to a usable account."""

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core.mail import EmailMessage
from django.db import connection, transaction
from django.test import Client

from accounts.models import AccountMail, User
from tests.support.accounts import PASSWORD, link_in

SignUp = Callable[..., Any]


@pytest.mark.django_db
def test_bob_signs_up_confirms_and_logs_in_by_name_and_by_address(
    sign_up: SignUp, mailoutbox: list[EmailMessage]
) -> None:
    page = sign_up()
    assert page.url == "/accounts/confirm-email/"
    [mail] = mailoutbox
    assert mail.to == ["bob@example.org"]
    assert mail.subject == "Confirm your address, Bob"
    assert "\n--\nRobo Runner" in str(mail.body)

    elsewhere = Client()
    assert b"Is <strong>bob@example.org</strong> the address of Bob?" in elsewhere.get(link_in(mail)).content
    assert not EmailAddress.objects.get().verified, "looking at the page confirms nothing"
    elsewhere.post(link_in(mail))
    assert EmailAddress.objects.get().verified

    for login in ("Bob", "bob", "bob@example.org", "BOB@example.org"):
        browser = Client()
        assert browser.post("/accounts/login/", {"login": login, "password": PASSWORD}).status_code == 302
        assert browser.get("/settings/profile/").status_code == 200


@pytest.mark.django_db
def test_confirming_in_the_same_browser_logs_in(
    sign_up: SignUp, client: Client, mailoutbox: list[EmailMessage]
) -> None:
    sign_up()
    client.post(link_in(mailoutbox[0]))
    assert client.get("/settings/profile/").status_code == 200


@pytest.mark.django_db
def test_no_one_logs_in_before_the_address_is_confirmed(sign_up: SignUp) -> None:
    sign_up()
    browser = Client()
    page = browser.post("/accounts/login/", {"login": "Bob", "password": PASSWORD})
    assert page["Location"] == "/accounts/confirm-email/"
    assert browser.get("/settings/profile/").status_code == 302


REFUSED: list[tuple[dict[str, str], str]] = [
    ({"username": "aLICE"}, "This Robo Name is taken. Choose another."),
    ({"username": "admin"}, "“admin” is a reserved word. Choose another name."),
    ({"username": "x" * 30}, "This Robo Name is too long: 30 characters. Use up to 20."),
    ({"username": ""}, "Enter a Robo Name."),
    ({"email": ""}, "Enter your email address."),
    ({"email": "bob"}, "Enter a valid email address."),
    ({"password1": ""}, "Enter a password."),
    ({"password1": "short"}, "This password is too short. It must contain at least 8 characters."),
    (
        {"password1": "Bob-the-robot", "username": "Bob-the-robot"},
        "The password is too similar to the Robo Name.",
    ),
]


@pytest.mark.django_db
def test_every_refusal_is_one_clear_sentence(alice: User, sign_up: SignUp) -> None:
    for fields, sentence in REFUSED:
        page = sign_up(**fields)
        assert page.status_code == 200
        said = [message for messages in page.context["form"].errors.values() for message in messages]
        assert said == [sentence]
    assert User.objects.count() == 1


@pytest.mark.django_db
def test_only_the_owner_learns_that_an_address_is_taken(
    alice: User, sign_up: SignUp, mailoutbox: list[EmailMessage]
) -> None:
    fresh = sign_up()
    taken = sign_up(Client(), username="Carol", email="ALICE@example.org")
    assert (taken.status_code, taken.url) == (fresh.status_code, fresh.url)
    mail = mailoutbox[-1]
    assert mail.to == ["alice@example.org"]
    assert mail.subject == "You already have an account"
    assert "/accounts/password/reset/" in str(mail.body)
    assert not EmailAddress.objects.filter(user__robo_name="Carol", verified=True).exists()


@pytest.mark.django_db
def test_the_browser_s_time_zone_is_stored_if_it_exists(sign_up: SignUp) -> None:
    for name, sent, kept in (("Bob", "Europe/Berlin", "Europe/Berlin"), ("Carol", "Mars/Base", "UTC")):
        sign_up(Client(), username=name, email=f"{name}@example.org", time_zone=sent)
        assert User.objects.get(robo_name=name).time_zone == kept


@pytest.mark.django_db
def test_a_truncated_link_is_explained(client: Client) -> None:
    page = client.get("/accounts/confirm-email/nonsense/")
    assert b"This link no longer works" in page.content


@pytest.mark.django_db
def test_an_unreachable_mail_server_delays_no_request(sign_up: SignUp, settings: Any, client: Client) -> None:
    """The email waits in the outbox."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    page = client.get(sign_up().url)
    assert b"We sent an email to" in page.content
    assert [mail.address for mail in AccountMail.objects.all()] == ["bob@example.org"]
    assert User.objects.filter(robo_name="Bob").exists()


@pytest.mark.django_db(transaction=True)
def test_of_two_sign_ups_for_one_name_the_second_is_refused(sign_up: SignUp) -> None:
    pages: list[Any] = []

    def second() -> None:
        try:
            pages.append(sign_up(Client()))
        finally:
            connection.close()

    thread = threading.Thread(target=second)
    with transaction.atomic():
        User.objects.create_user("BOB", "first@example.org")  # not visible yet: the second form validates
        thread.start()
        _wait_until_somebody_waits_for_us()
    thread.join(20)
    [page] = pages
    assert User.objects.count() == 1
    assert page.context["form"].errors["username"] == ["This Robo Name is taken. Choose another."]


def _wait_until_somebody_waits_for_us() -> None:
    end = time.monotonic() + 60
    with connection.cursor() as cursor:
        while True:
            cursor.execute(
                "select count(*) from pg_locks"
                " where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))"
            )
            if cursor.fetchone()[0]:
                return
            assert time.monotonic() < end, "the second never reached the database"
            time.sleep(0.02)
