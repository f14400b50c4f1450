"""Events from mail providers: their authentication, closed addresses, and opt-outs."""

import hashlib
import hmac
import json
from base64 import b64encode
from typing import Any

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from accounts import mail
from accounts.models import ClosedAddress, Frequency, User
from games.lobby.invitations import invite
from games.news.channels.bounces import mark_of
from games.news.models import Notice
from tests.games.support import NOW, Table

SECRET = "hush-hush-hush-hush"

PROVIDERS = ("Mailgun", "Postmark")

GONE = "550 5.1.1 <alice@example.org>: no such user"
FULL = "452 4.2.2 <alice@example.org>: mailbox full"
REFUSED = "550 5.7.1 this looks like spam"


@pytest.fixture(params=PROVIDERS)
def provider(request: pytest.FixtureRequest, settings: Settings) -> str:
    settings.MAIL_PROVIDER = request.param
    settings.MAIL_EVENTS_SECRET = SECRET
    return str(request.param)


def bounce(provider: str, mark: str, said: str) -> Any:
    """Return a provider's event about a bounced email."""
    if provider == "Postmark":
        return postmark_event("Bounce", "HardBounce", mark) | {"Details": f"smtp;{said}"}
    delivery = {"code": 550, "message": said}
    return mailgun_event("failed", mark) | {"delivery-status": delivery, "severity": "permanent"}


def complaint(provider: str, mark: str) -> Any:
    """Return a provider's event about a spam complaint."""
    if provider == "Postmark":
        return postmark_event("SpamComplaint", "SpamComplaint", mark)
    return mailgun_event("complained", mark)


def mailgun_event(event: str, mark: str) -> dict[str, Any]:
    variables = {"notice": mark} if mark else {}
    return {
        "event": event,
        "recipient": "alice@example.org",
        "timestamp": 1795262400.0,
        "user-variables": variables,
    }


def postmark_event(record: str, kind: str, mark: str) -> dict[str, Any]:
    return {
        "RecordType": record,
        "Type": kind,
        "ID": 7,
        "MessageID": "1",
        "Email": "alice@example.org",
        "BouncedAt": "2026-11-21T12:00:00Z",
        "Metadata": {"notice": mark} if mark else {},
    }


def send_event(provider: str, told: Any, *, secret: str = SECRET) -> int:
    """Send an event as the provider would. Return the status of the response."""
    headers = {}
    if provider == "Mailgun":
        signature = hmac.new(secret.encode(), b"1795262400a-token", hashlib.sha256).hexdigest()
        signed = {"timestamp": "1795262400", "token": "a-token", "signature": signature}
        told = {"signature": signed, "event-data": told}
    else:
        headers["Authorization"] = f"Basic {b64encode(f'robo:{secret}'.encode()).decode()}"
    browser = Client(enforce_csrf_checks=True)
    answer = browser.post("/mail-events/", json.dumps(told), content_type="application/json", headers=headers)
    return answer.status_code


def mark(notice: Notice) -> str:
    return mark_of(notice, "alice@example.org")


def test_a_permanent_bounce_closes_the_address(provider: str, notice: Notice, alice: User, bob: User) -> None:
    assert send_event(provider, bounce(provider, mark(notice), GONE)) == 200
    closed = mail.bounce_closure_of(alice.email)
    assert closed and closed.reason.endswith("550 5.1.1 the address: no such user")
    notice.refresh_from_db()
    assert notice.last_error.startswith("came-back: ")
    assert "alice@example.org" not in notice.last_error
    assert mail.closure_of(bob.email) is None


def test_a_temporary_bounce_closes_nothing(provider: str, notice: Notice) -> None:
    for said in (FULL, REFUSED, "550 no", "\0"):
        assert send_event(provider, bounce(provider, mark(notice), said)) == 200
        assert not ClosedAddress.objects.exists()
        notice.refresh_from_db()
        assert notice.last_error.startswith("came-back: ")
        Notice.objects.update(last_error="")


def test_an_address_that_the_provider_calls_invalid_is_closed(
    settings: Settings, notice: Notice, alice: User
) -> None:
    settings.MAIL_PROVIDER, settings.MAIL_EVENTS_SECRET = "Postmark", SECRET
    told = postmark_event("Bounce", "BadEmailAddress", mark(notice)) | {"Description": "Not a valid address."}
    assert send_event("Postmark", told) == 200
    closed = mail.bounce_closure_of(alice.email)
    assert closed and closed.reason == "Not a valid address."


def test_a_spam_complaint_stops_mail_about_games(
    provider: str, notice: Notice, alice: User, bob: User
) -> None:
    assert send_event(provider, complaint(provider, mark(notice))) == 200
    alice.refresh_from_db()
    bob.refresh_from_db()
    assert (alice.manner, bob.manner) == (Frequency.NONE, Frequency.AT_ONCE)
    assert not ClosedAddress.objects.exists()
    notice.refresh_from_db()
    assert notice.last_error == "spam"


def test_a_spam_complaint_about_an_invitation_stops_invitations(
    provider: str, table: Table, alice: User, bob: User
) -> None:
    game = table.game(alice, seats=3, private=True)
    invite(user=alice, game_id=game.pk, robo_name="Bob", now=NOW)
    invite(user=alice, game_id=game.pk, email="nobody@example.org", now=NOW)
    for address in ("nobody@example.org", bob.email):
        assert bob.lobby_mail
        notice = next(each for each in Notice.objects.filter(kind="invited") if _address(each) == address)
        assert send_event(provider, complaint(provider, mark_of(notice, address))) == 200
        bob.refresh_from_db()
    assert (bob.manner, bob.lobby_mail) == (Frequency.AT_ONCE, False)
    assert mail.has_opted_out("nobody@example.org") and not mail.has_opted_out(bob.email)


def _address(notice: Notice) -> str:
    return notice.user.email if notice.user else notice.email


def test_events_without_the_secret_are_refused(
    provider: str, notice: Notice, caplog: pytest.LogCaptureFixture
) -> None:
    told = bounce(provider, mark(notice), GONE)
    assert send_event(provider, told, secret="hush-hush-hush-hash") == 401
    for body in (json.dumps(told), "", "{", '{"signature": 7}', '{"signature": {"timestamp": "²"}}'):
        answer = Client().post("/mail-events/", body, content_type="application/json")
        assert answer.status_code == 401, body
        assert answer.headers["WWW-Authenticate"].startswith("Basic ")
    assert not ClosedAddress.objects.exists()
    assert caplog.text.count("A mail event was refused") == 6
    assert SECRET not in caplog.text


def test_without_a_configured_secret_all_events_are_refused(
    provider: str, notice: Notice, settings: Settings
) -> None:
    settings.MAIL_EVENTS_SECRET = ""
    assert send_event(provider, bounce(provider, mark(notice), GONE)) == 404
    assert send_event(provider, bounce(provider, mark(notice), GONE), secret="") == 404
    assert not ClosedAddress.objects.exists()


def test_events_about_other_emails_are_ignored(provider: str, notice: Notice, bob: User) -> None:
    """Mail about accounts has no mark. An old address tells nothing about the new one."""
    forged = f"{Notice.objects.get(user=bob).pk}-{mark(notice).partition('-')[2]}"
    for other in ("", forged, "0", f"{notice.pk}-{'0' * 24}", f"{10**30}-{'0' * 24}"):
        assert send_event(provider, bounce(provider, other, GONE)) == 200
        assert send_event(provider, complaint(provider, other)) == 200
    mark_before = mark(notice)
    User.objects.filter(pk=notice.user_id).update(email="alice@elsewhere.example")
    assert send_event(provider, bounce(provider, mark_before, GONE)) == 200
    assert not ClosedAddress.objects.exists()
    assert not User.objects.filter(manner=Frequency.NONE).exists()
    assert not Notice.objects.exclude(last_error="").exists()


def test_events_about_delivered_emails_are_ignored(provider: str, notice: Notice) -> None:
    told: dict[str, Any] = {
        "Mailgun": mailgun_event("delivered", mark(notice)),
        "Postmark": postmark_event("Delivery", "", mark(notice)),
    }
    assert send_event(provider, told[provider]) == 200
    notice.refresh_from_db()
    assert notice.last_error == ""


def test_nonsense_is_refused_or_ignored(provider: str, db: None) -> None:
    for nonsense in ("", "robots", 7, None, [], [7], {"event": []}, {"RecordType": {}}):
        assert send_event(provider, nonsense) in (200, 400)
    assert not ClosedAddress.objects.exists()


def test_events_are_posted_and_the_address_shows_no_page(provider: str, client: Client, db: None) -> None:
    assert client.get("/mail-events/").status_code == 405
