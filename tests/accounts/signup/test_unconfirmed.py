"""Unconfirmed addresses give no access, and unconfirmed sign-ups are short-lived."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.internal.flows.login import record_authentication
from allauth.account.models import EmailAddress
from django.core.mail import EmailMessage
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.errors import NotFound
from games.lobby.invitations import invite
from games.lobby.models import Invitation
from games.people.services.deletion import forget_sign_ups
from games.work.sweeper import sweep
from tests.games.support import HALL, NOW, Table
from tests.support.accounts import PASSWORD, link_in

pytestmark = pytest.mark.django_db

SignUp = Callable[..., Any]

TYPED = "mallory-typed-it@example.org"
"""A stranger's email address. Another person typed it, and it is never confirmed."""


@pytest.fixture
def changing(alice: User) -> User:
    """Alice, after an unconfirmed change of her address to `TYPED`."""
    EmailAddress.objects.create(user=alice, email=TYPED)
    return alice


@pytest.fixture
def asked_for(db: None) -> User:
    """An account that staff made, with the unconfirmed address `TYPED`."""
    return User.objects.create_user("Frank", TYPED, PASSWORD)


def asks_for_password(email: str) -> None:
    Client().post("/accounts/password/reset/", {"email": email})


def is_in(browser: Client) -> bool:
    return browser.get("/settings/profile/").status_code == 200


@pytest.mark.parametrize("who", ["sign-up", "change of address", "account made by staff"])
def test_no_password_is_reset_by_an_unconfirmed_address(
    request: pytest.FixtureRequest, sign_up: SignUp, mailoutbox: list[EmailMessage], who: str
) -> None:
    if who == "sign-up":
        sign_up(username="Mallory", email=TYPED)
    else:
        request.getfixturevalue("changing" if who == "change of address" else "asked_for")
    mailoutbox.clear()
    asks_for_password(TYPED)
    assert [(mail.to, mail.subject) for mail in mailoutbox] == [([TYPED], "No account has this address")]
    assert "/password/reset/key/" not in str(mailoutbox[0].body)


def test_the_owner_of_an_account_still_resets_its_password(
    changing: User, mailoutbox: list[EmailMessage]
) -> None:
    asks_for_password("ALICE@example.org")
    assert [mail.subject for mail in mailoutbox] == ["Choose a new password, Alice"]


@pytest.mark.parametrize("fixture", ["changing", "asked_for"])
def test_no_one_logs_in_by_an_unconfirmed_address(
    request: pytest.FixtureRequest, fixture: str, client: Client, mailoutbox: list[EmailMessage]
) -> None:
    request.getfixturevalue(fixture)
    page = client.post("/accounts/login/", {"login": TYPED, "password": PASSWORD})
    assert "Wrong name, address or password." in page.content.decode()
    assert client.post("/accounts/login/", {"login": TYPED, "password": PASSWORD}).status_code == 200
    assert not is_in(client)
    assert client.login(username=TYPED, password=PASSWORD) is False
    assert mailoutbox == []


@pytest.mark.parametrize("fixture", ["changing", "asked_for"])
def test_no_token_is_created_by_an_unconfirmed_address(
    request: pytest.FixtureRequest, fixture: str, client: Client
) -> None:
    user = request.getfixturevalue(fixture)

    def status(login: str) -> int:
        sent = {"login": login, "password": PASSWORD}
        return client.post("/api/v1/tokens", sent, content_type="application/json").status_code

    assert status(TYPED) == 401
    assert status(user.robo_name) == (201 if fixture == "changing" else 403)


def test_a_sign_up_has_no_address_until_it_is_confirmed(
    sign_up: SignUp, mailoutbox: list[EmailMessage]
) -> None:
    sign_up()
    bob = User.objects.get()
    assert (bob.email, bob.awaits_confirmation) == ("", True)
    Client().post(link_in(mailoutbox[0]))
    bob.refresh_from_db()
    assert (bob.email, bob.awaits_confirmation) == ("bob@example.org", False)


def test_no_one_is_logged_in_without_an_address(db: None) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create(robo_name="Mallory", email="", last_login=timezone.now())


def test_of_two_sign_ups_with_one_address_the_first_confirmed_gets_it(
    sign_up: SignUp, mailoutbox: list[EmailMessage]
) -> None:
    sign_up()
    sign_up(Client(), username="Mallory")
    assert User.objects.unconfirmed().count() == 2
    mallory = User.objects.get(robo_name="Mallory")
    Client().post(link_in(mailoutbox[0]))
    asks_for_password("bob@example.org")
    assert mailoutbox[-1].subject == "Choose a new password, Bob"
    other = Client().post("/accounts/login/", {"login": "Mallory", "password": PASSWORD}, follow=True)
    assert other.redirect_chain[-1][0] == "/accounts/confirm-email/"
    mallory.refresh_from_db()
    assert mallory.awaits_confirmation


def test_a_confirmed_address_can_be_replaced_but_not_removed(alice: User, signed_in: Client) -> None:
    session = signed_in.session
    request = HttpRequest()
    request.session = session
    record_authentication(request, alice, "password", reauthenticated=True)
    session.save()
    signed_in.post("/accounts/email/", {"email": alice.email, "action_remove": ""})
    assert EmailAddress.objects.get().email == alice.email
    alice.refresh_from_db()
    assert alice.email


def test_a_sign_up_has_no_page_and_cannot_be_invited(sign_up: SignUp, alice: User) -> None:
    sign_up()
    assert Client().get("/players/Bob/").status_code == 404
    game = Table(HALL.saved()).game(alice, seats=4)
    with pytest.raises(NotFound):
        invite(user=alice, game_id=game.pk, robo_name="Bob", now=NOW)
    assert not Invitation.objects.exists()


def test_a_sign_up_frees_its_name_and_address_after_a_day(
    sign_up: SignUp, mailoutbox: list[EmailMessage]
) -> None:
    sign_up()
    now = timezone.now()
    assert forget_sign_ups(now=now + timedelta(hours=23, minutes=59)) == 0
    assert sign_up(Client()).context["form"].errors["username"] == [
        "This Robo Name is taken. Choose another."
    ]
    sweep(now=now + timedelta(hours=24, minutes=1))
    assert not User.objects.exists()
    assert not EmailAddress.objects.exists()
    assert b"This link no longer works" in Client().get(link_in(mailoutbox[0])).content
    assert sign_up(Client()).status_code == 302


def test_accounts_are_not_deleted_with_sign_ups(alice: User, asked_for: User) -> None:
    User.objects.update(date_joined=timezone.now() - timedelta(days=400))
    assert forget_sign_ups(now=timezone.now()) == 0
    assert User.objects.count() == 2


def test_correcting_a_wrong_address_disables_the_first_link(
    sign_up: SignUp, client: Client, mailoutbox: list[EmailMessage]
) -> None:
    page = client.get(sign_up(email="bbo@example.org").url).content.decode()
    assert "We sent an email to <strong>bbo@example.org</strong>." in page
    answer = client.post("/accounts/confirm-email/", {"email": "Bob@example.org"}, follow=True)
    assert "<strong>bob@example.org</strong>" in answer.content.decode()
    first, second = mailoutbox
    assert second.to == ["bob@example.org"]
    assert b"This link no longer works" in Client().get(link_in(first)).content
    client.post(link_in(second))
    assert is_in(client)
    assert User.objects.get().email == "bob@example.org"


def test_the_same_name_can_sign_up_again_immediately(
    sign_up: SignUp, client: Client, mailoutbox: list[EmailMessage]
) -> None:
    sign_up(email="bbo@example.org")
    assert sign_up(username="bob", password1="quite-another-7").status_code == 302
    bob = User.objects.get()
    assert (bob.robo_name, EmailAddress.objects.get().email) == ("bob", "bob@example.org")
    assert bob.check_password("quite-another-7")
    stranger = sign_up(Client(), username="Bob", email="mallory@example.org")
    assert "username" in stranger.context["form"].errors, "for nobody else"


def test_a_returning_sign_up_with_name_and_password_may_correct_the_address(
    sign_up: SignUp, mailoutbox: list[EmailMessage]
) -> None:
    sign_up(email="bbo@example.org")
    elsewhere = Client()
    elsewhere.post("/accounts/login/", {"login": "Bob", "password": PASSWORD})
    elsewhere.post("/accounts/confirm-email/", {"email": "bob@example.org"})
    assert mailoutbox[-1].to == ["bob@example.org"]


def test_an_invalid_address_is_refused_and_nothing_changes(sign_up: SignUp, client: Client) -> None:
    sign_up()
    page = client.post("/accounts/confirm-email/", {"email": "bob"})
    assert "Enter a valid email address." in page.content.decode()
    assert EmailAddress.objects.get().email == "bob@example.org"


def test_the_mail_is_sent_again_but_not_too_often(
    sign_up: SignUp, client: Client, mailoutbox: list[EmailMessage], time_machine_at: Any
) -> None:
    sign_up()
    page = client.post("/accounts/confirm-email/", follow=True)
    assert b"Wait a minute before you ask for another." in page.content
    assert len(mailoutbox) == 1
    time_machine_at.shift(61)
    client.post("/accounts/confirm-email/")
    assert [mail.subject for mail in mailoutbox] == ["Confirm your address, Bob"] * 2


@pytest.fixture
def time_machine_at() -> Any:
    import time_machine

    with time_machine.travel(timezone.now(), tick=False) as clock:
        yield clock


def test_a_stranger_corrects_nothing(client: Client, sign_up: SignUp, mailoutbox: list[EmailMessage]) -> None:
    sign_up()
    answer = Client().post("/accounts/confirm-email/", {"email": "mallory@example.org"})
    assert answer["Location"] == "/accounts/login/"
    assert EmailAddress.objects.get().email == "bob@example.org"


def test_a_confirmed_sign_up_can_no_longer_be_corrected(
    sign_up: SignUp, client: Client, mailoutbox: list[EmailMessage]
) -> None:
    sign_up()
    Client().post(link_in(mailoutbox[0]))
    client.post("/accounts/confirm-email/", {"email": "mallory@example.org"})
    assert User.objects.get().email == "bob@example.org"
    assert sign_up(email="mallory@example.org").context["form"].errors["username"]


def test_a_sign_up_deleted_meanwhile_cannot_be_confirmed(
    sign_up: SignUp, client: Client, mailoutbox: list[EmailMessage], monkeypatch: pytest.MonkeyPatch
) -> None:
    from accounts.adapter import AccountAdapter

    sign_up()
    confirm = AccountAdapter.confirm_email

    def confirm_late(self: AccountAdapter, request: HttpRequest, address: EmailAddress) -> bool:
        forget_sign_ups(now=timezone.now() + timedelta(days=2))
        return confirm(self, request, address)

    monkeypatch.setattr(AccountAdapter, "confirm_email", confirm_late)
    assert client.post(link_in(mailoutbox[0])).status_code < 500
    assert not User.objects.exists()
    assert not EmailAddress.objects.exists()
