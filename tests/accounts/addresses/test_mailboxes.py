"""All spellings of an email address share one account and one bounce record."""

from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core.mail import EmailMessage
from django.test import Client

from accounts import mail as account_mail
from accounts.models import ClosedAddress, User, mailbox_of
from accounts.services import open_account
from tests.support.accounts import PASSWORD, link_in

pytestmark = pytest.mark.django_db

SignUp = Callable[..., Any]

STORED = "pat@xn--mller-kva.example"
SPELLINGS = ["pat@müller.example", "Pat@MÜLLER.example", "pat@mu\u0308ller.example", STORED, STORED.upper()]
OTHER = SPELLINGS[2]


@pytest.fixture
def pat(db: None) -> User:
    return open_account(robo_name="Pat", email=SPELLINGS[0], password=PASSWORD)


def test_every_spelling_is_the_same_mailbox() -> None:
    for spelling in SPELLINGS:
        assert mailbox_of(f" {spelling} ") == STORED


def test_an_address_without_a_valid_domain_stays_unchanged() -> None:
    for address in ("pat@", "@", "", "pat", "pat@a..ü", "pat@" + "ü" * 300, "pat@\u202eü"):
        assert mailbox_of(address) == address


def test_the_owner_logs_in_and_resets_the_password_by_another_spelling(
    pat: User, mailoutbox: list[EmailMessage]
) -> None:
    assert pat.email == STORED
    browser = Client()
    assert browser.post("/accounts/login/", {"login": OTHER, "password": PASSWORD}).status_code == 302
    assert "pat@müller.example" in browser.get("/accounts/email/").content.decode()
    Client().post("/accounts/password/reset/", {"email": OTHER})
    (mail,) = mailoutbox
    assert mail.to == [STORED] and "/password/reset/key/" in str(mail.body)


def test_a_second_account_with_the_mailbox_is_never_confirmed(
    pat: User, sign_up: SignUp, mailoutbox: list[EmailMessage]
) -> None:
    sign_up(Client(), username="Mallory", email=OTHER)
    (mail,) = mailoutbox
    assert mail.to == [STORED] and "already" in str(mail.body)
    assert User.objects.exclude(email="").get(email=STORED) == pat
    assert account_mail.owner_of(OTHER) == pat


def test_a_sign_up_is_stored_in_normalised_spelling(sign_up: SignUp, mailoutbox: list[EmailMessage]) -> None:
    sign_up(email=OTHER)
    Client().post(link_in(mailoutbox[0]))
    assert User.objects.get().email == EmailAddress.objects.get(verified=True).email == STORED


def test_a_changed_address_is_stored_in_normalised_spelling(
    signed_in: Client, alice: User, mailoutbox: list[EmailMessage]
) -> None:
    asked = signed_in.post("/accounts/email/", {"email": SPELLINGS[0], "action_add": ""}, follow=True)
    signed_in.post(asked.request["PATH_INFO"], {"password": PASSWORD, "next": "/accounts/email/"})
    signed_in.post("/accounts/email/", {"email": SPELLINGS[0], "action_add": ""})
    assert EmailAddress.objects.filter(user=alice, email=STORED).exists()
    assert mailoutbox[-1].to == [STORED]


def test_a_bounce_closes_every_spelling(alice: User) -> None:
    account_mail.close_address(
        digest=account_mail.digest_of(SPELLINGS[0]),
        cause=ClosedAddress.Cause.CAME_BACK,
        now=alice.date_joined,
    )
    assert account_mail.bounce_closure_of(OTHER)
    account_mail.reopen_address(OTHER)
    assert account_mail.closure_of(SPELLINGS[0]) is None
