"""Sending mail through a provider's API, and refusals by the provider."""

import email
import email.policy
import json
from base64 import b64encode
from typing import Any, NamedTuple

import pytest
from pytest_django.fixtures import Settings

from accounts import mail as account_mail
from accounts.models import AccountMail, ClosedAddress, User
from accounts.services import send_deletion_mail
from games.news.channels.bounces import notice_with_mark
from games.news.delivery import ATTEMPTS, send_account_mail, send_notification
from games.news.models import Notice
from roborunner import environment
from tests.games.support import NOW, later
from tests.support.receiver import Posted, Receiver

KEY = "hush-hush-hush"

URLS = {
    "Mailgun": f"mailgun://{KEY}@mail.example.org",
    "Postmark": f"postmark://{KEY}@",
}

TAKEN: dict[str, tuple[int, object]] = {
    "Mailgun": (200, {"id": "<1@mail.example.org>", "message": "Queued. Thank you."}),
    "Postmark": (200, {"ErrorCode": 0, "Message": "OK", "MessageID": "1", "To": "alice@example.org"}),
}
"""The response of each provider when it accepts an email: status and document."""

INACTIVE = (
    "You tried to send to a recipient that has been marked as inactive. Found inactive addresses:"
    " alice@example.org. Inactive recipients are ones that have generated a hard bounce or a spam complaint."
)


@pytest.fixture
def receiver(monkeypatch: pytest.MonkeyPatch, receiver: Receiver) -> Receiver:
    monkeypatch.setenv("NO_PROXY", "localhost")
    monkeypatch.setenv("no_proxy", "localhost")
    return receiver


def choose(settings: Settings, provider: str, api: str) -> None:
    """Send mail through the given provider, with its API at the address ``api``."""
    for name, value in environment.email("EMAIL_URL", URLS[provider]).items():
        setattr(settings, name, value)
    settings.ANYMAIL = settings.ANYMAIL | {f"{provider.upper()}_API_URL": api}


def answers(receiver: Receiver, status: int, document: object) -> None:
    """Set the response of the provider's API."""
    receiver.status = status
    receiver.answer = b"" if document is None else json.dumps(document).encode()


class Given(NamedTuple):
    """The parts of an email that a provider received, in the same form for all providers."""

    shown: str
    to: str
    sender: str
    headers: dict[str, str]
    text: str
    html: str
    pictures: list[str]
    metadata: dict[str, str]
    tracked: list[Any]


def given_to_postmark(posted: Posted) -> Given:
    told = json.loads(posted.body)
    assert posted.path == "/email"
    return Given(
        posted.headers["x-postmark-server-token"],
        told["To"],
        told["From"],
        {header["Name"].lower(): header["Value"] for header in told["Headers"]},
        told["TextBody"],
        told["HtmlBody"],
        [each["ContentID"].removeprefix("cid:") for each in told["Attachments"]],
        told["Metadata"],
        [told["TrackOpens"], told["TrackLinks"]],
    )


def given_to_mailgun(posted: Posted) -> Given:
    kind = posted.headers["content-type"].encode()
    form = email.message_from_bytes(
        b"Content-Type: " + kind + b"\r\n\r\n" + posted.body, policy=email.policy.HTTP
    )
    assert posted.path == "/mail.example.org/messages"
    fields: dict[str, str] = {}
    pictures = []
    for part in form.iter_parts():
        name = str(part.get_param("name", header="content-disposition"))
        if name == "inline":
            pictures.append(str(part.get_filename()))
        else:
            fields[name] = part.get_payload(decode=True).decode()
    said = b64encode(f"api:{KEY}".encode()).decode()
    return Given(
        KEY if posted.headers["authorization"] == f"Basic {said}" else "",
        fields["to"],
        fields["from"],
        {name[2:].lower(): value for name, value in fields.items() if name.startswith("h:")},
        fields["text"],
        fields["html"],
        pictures,
        {name[2:]: value for name, value in fields.items() if name.startswith("v:")},
        [fields["o:tracking-opens"], fields["o:tracking-clicks"]],
    )


READ = {"Mailgun": given_to_mailgun, "Postmark": given_to_postmark}


@pytest.mark.parametrize("provider", URLS)
def test_a_provider_gets_the_complete_mail(
    provider: str, notice: Notice, receiver: Receiver, settings: Settings
) -> None:
    choose(settings, provider, f"http://localhost:{receiver.port}/")
    answers(receiver, *TAKEN[provider])
    assert send_notification(notice_id=notice.pk, now=NOW)
    (posted,) = receiver.posted
    given = READ[provider](posted)
    assert given.shown == KEY
    assert given.to == "alice@example.org"
    assert given.sender == "Robo Runner <robo-runner@localhost>"
    assert given.headers["message-id"] == f"<notice-{notice.pk}@localhost>"
    assert given.headers["references"] == f"<game-{notice.game_id}@localhost>"
    assert given.headers["list-unsubscribe"].startswith("<http://localhost:8000/")
    assert given.headers["list-unsubscribe-post"] == "List-Unsubscribe=One-Click"
    assert given.headers["auto-submitted"] == "auto-generated"
    assert ("x-pm-keepid" in given.headers) == (provider == "Postmark")
    assert notice.game.name in given.text
    assert "cid:board" in given.html
    assert given.pictures == ["board"]
    assert notice_with_mark(given.metadata["notice"]) == notice
    assert set(given.tracked) <= {False, "None", "no"}
    notice.refresh_from_db()
    assert notice.status == Notice.Status.SENT


@pytest.mark.parametrize("provider", URLS)
def test_a_mail_without_extra_headers_is_sent_too(
    provider: str, receiver: Receiver, settings: Settings, db: None, caplog: pytest.LogCaptureFixture
) -> None:
    choose(settings, provider, f"http://localhost:{receiver.port}/")
    answers(receiver, *TAKEN[provider])
    send_deletion_mail(User(email="alice@example.org"), now=NOW)
    assert send_account_mail(mail_id=AccountMail.objects.get().pk, now=NOW)
    assert len(receiver.posted) == 1
    assert not caplog.text


INVALID: list[tuple[str, int, object, str]] = [
    (
        "Postmark",
        422,
        {"ErrorCode": 300, "Message": "Invalid 'To' address: 'alice@example.org'."},
        "550 5.1.3 Postmark: Invalid 'To' address: the address",
    ),
    (
        "Mailgun",
        400,
        {"message": "'to' parameter is not a valid address. please check documentation"},
        "550 5.1.3 Mailgun: 'to' parameter is not a valid address. please check documentation",
    ),
]


@pytest.mark.parametrize(("provider", "status", "document", "said"), INVALID)
def test_an_address_that_the_provider_calls_invalid_is_closed_immediately(
    provider: str,
    status: int,
    document: object,
    said: str,
    notice: Notice,
    receiver: Receiver,
    settings: Settings,
    alice: User,
) -> None:
    choose(settings, provider, f"http://localhost:{receiver.port}/")
    answers(receiver, status, document)
    assert not send_notification(notice_id=notice.pk, now=NOW)
    notice.refresh_from_db()
    assert (notice.status, notice.attempts) == (Notice.Status.CLOSED, 1)
    assert notice.last_error == f"mail-server: {said}"
    closed = account_mail.bounce_closure_of(alice.email)
    assert closed and closed.reason == said


POSTMARK: list[tuple[int, object, str]] = [
    (422, {"ErrorCode": 406, "Message": INACTIVE}, "mail-server: 550 Postmark: You tried to send"),
    (
        422,
        {"ErrorCode": 300, "Message": "Invalid 'From' address: 'robo'."},
        "MailRejected: Postmark answered 422: Invalid 'From' address: 'robo'.",
    ),
    (
        401,
        {"ErrorCode": 10, "Message": f"The Server Token {KEY} is not valid."},
        "MailRejected: Postmark answered 401: The Server Token … is not valid.",
    ),
    (200, {"Odd": "\0"}, "MailRejected: Postmark answered 200: "),
    (200, ["what"], "MailRejected: Postmark sent an unreadable answer: AttributeError"),
    (500, "\0", "MailRejected: Postmark answered 500: "),
]
MAILGUN: list[tuple[int, object, str]] = [
    (401, "Forbidden", 'MailRejected: Mailgun answered 401: "Forbidden"'),
    (
        400,
        {"message": "'from' parameter is not a valid address, alice@example.org is"},
        "MailRejected: Mailgun answered 400: 'from' parameter is not a valid address, the address is",
    ),
    (404, {"message": "Domain not found"}, "MailRejected: Mailgun answered 404: Domain not found"),
    (200, {"message": "Mailgun Magnificent API"}, "MailRejected: Mailgun answered 200: "),
    (503, None, "MailRejected: Mailgun answered 503: "),
]


@pytest.mark.parametrize(("provider", "cases"), [("Postmark", POSTMARK), ("Mailgun", MAILGUN)])
def test_any_other_response_is_retried_and_given_up_with_its_reason(
    provider: str,
    cases: list[tuple[int, object, str]],
    notice: Notice,
    receiver: Receiver,
    settings: Settings,
    caplog: pytest.LogCaptureFixture,
) -> None:
    choose(settings, provider, f"http://localhost:{receiver.port}/")
    for status, document, reason in cases:
        for attempts, becomes in ((0, Notice.Status.PENDING), (ATTEMPTS - 1, Notice.Status.GIVEN_UP)):
            pending = {"status": Notice.Status.PENDING, "lease_until": None, "attempts": attempts}
            Notice.objects.filter(pk=notice.pk).update(**pending)
            answers(receiver, status, document)
            assert not send_notification(notice_id=notice.pk, now=NOW)
            notice.refresh_from_db()
            assert notice.status == becomes
            assert notice.last_error.startswith(reason.rstrip())
            for secret in (KEY, "alice@example.org"):
                assert secret not in notice.last_error
                assert secret not in caplog.text
    assert len(receiver.posted) == 2 * len(cases)
    assert not ClosedAddress.objects.exists()


@pytest.mark.parametrize("provider", URLS)
def test_an_unreachable_provider_is_tried_again(
    provider: str, notice: Notice, receiver: Receiver, settings: Settings
) -> None:
    choose(settings, provider, "http://localhost:1/")
    assert not send_notification(notice_id=notice.pk, now=NOW)
    notice.refresh_from_db()
    assert notice.status == Notice.Status.PENDING
    assert notice.last_error == f"MailRejected: {provider} cannot be reached: ConnectionError"
    choose(settings, provider, f"http://localhost:{receiver.port}/")
    answers(receiver, *TAKEN[provider])
    assert send_notification(notice_id=notice.pk, now=later(minutes=5))


def test_a_silent_provider_is_abandoned(notice: Notice, receiver: Receiver, settings: Settings) -> None:
    receiver.pause = 3
    choose(settings, "Postmark", f"http://localhost:{receiver.port}/")
    assert settings.ANYMAIL["REQUESTS_TIMEOUT"] == 20
    settings.ANYMAIL = settings.ANYMAIL | {"REQUESTS_TIMEOUT": 0.2}
    assert not send_notification(notice_id=notice.pk, now=NOW)
    notice.refresh_from_db()
    assert notice.last_error == "MailRejected: Postmark cannot be reached: ReadTimeout"


def test_refused_mail_about_accounts_waits_in_the_outbox(
    receiver: Receiver, settings: Settings, db: None, caplog: pytest.LogCaptureFixture
) -> None:
    choose(settings, "Postmark", f"http://localhost:{receiver.port}/")
    answers(receiver, 422, {"ErrorCode": 406, "Message": INACTIVE})
    send_deletion_mail(User(email="alice@example.org"), now=NOW)
    mail = AccountMail.objects.get()
    assert not send_account_mail(mail_id=mail.pk, now=NOW)
    mail.refresh_from_db()
    assert "Postmark" in mail.last_error
    for secret in (KEY, "alice@example.org"):
        assert secret not in mail.last_error
        assert secret not in caplog.text
