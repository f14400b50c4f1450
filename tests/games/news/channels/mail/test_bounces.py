"""Bounced emails, and email addresses that are closed because of them."""

import doctest
import io
import sys
from collections.abc import Iterator

import pytest
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.core.management import call_command
from django.test import Client
from pytest_django.fixtures import Settings

from accounts import mail as account_mail
from accounts.models import ClosedAddress, User
from games.news.channels import bounces
from games.news.channels.mail import fetch_bounces, record_bounce
from games.news.delivery import send_notification
from games.news.models import Notice
from tests.games.support import NOW, Table, later
from tests.support.mailbox import Mailbox
from tests.support.postbox import Postbox


@pytest.fixture(autouse=True)
def _an_address_to_come_back_to(settings: Settings) -> None:
    settings.BOUNCE_ADDRESS = "bounces@robo.example"


SAID = "550 5.1.1 <alice@example.org>: gone"

REPORT = """\
Return-Path: <>
From: MAILER-DAEMON@mail.example.org (Mail Delivery System)
Subject: Undelivered Mail Returned to Sender
To: {to}
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="part"

This is a MIME-encapsulated message.

--part
Content-Type: text/plain; charset=us-ascii

I'm sorry to have to inform you that your message could not be delivered.

--part
Content-Type: message/delivery-status

Reporting-MTA: dns; mail.example.org
Arrival-Date: Sat, 21 Nov 2026 12:00:00 +0000 (UTC)

Final-Recipient: rfc822; alice@example.org
Original-Recipient: rfc822;alice@example.org
Action: {action}
Status: {status}
Remote-MTA: dns; mx.example.org
Diagnostic-Code: smtp; {said}

--part
Content-Type: text/rfc822-headers

Subject: First flight, turn 0: choose your heading

--part--
"""


def report(to: str, *, status: str = "5.1.1", action: str = "failed", said: str = SAID) -> bytes:
    """Return a mail server's report about a bounce (RFC 3464)."""
    return REPORT.format(to=to, status=status, action=action, said=said).encode()


def return_path(mailbox: Mailbox, notice: Notice) -> str:
    """Send a notification by mail. Return its envelope sender."""
    assert send_notification(notice_id=notice.pk, now=NOW)
    return mailbox.envelopes[-1].mail_from or ""


def test_each_mail_has_its_own_return_address(notice: Notice, mailbox: Mailbox) -> None:
    address = return_path(mailbox, notice)
    assert address.startswith(f"bounces+{notice.pk}-") and address.endswith("@robo.example")
    assert len(address.partition("@")[0]) <= 64
    (mail,) = mailbox.mails
    assert mail["From"] == "Robo Runner <robo-runner@localhost>"
    assert mail["Auto-Submitted"] == "auto-generated"


def test_without_a_return_address_bounces_go_to_the_sender(
    notice: Notice, mailbox: Mailbox, settings: Settings
) -> None:
    settings.BOUNCE_ADDRESS = ""
    assert return_path(mailbox, notice) == "robo-runner@localhost"
    record_bounce(message=report("bounces@robo.example"), now=NOW)
    assert not ClosedAddress.objects.exists()


def test_a_permanent_bounce_closes_the_address_and_the_page_says_so(
    table: Table, notice: Notice, mailbox: Mailbox, client: Client, alice: User, bob: User
) -> None:
    address = return_path(mailbox, notice)
    said = record_bounce(message=report(address), now=later(minutes=5))
    assert said == f"Notice {notice.pk} bounced permanently. Its address gets no more mail about games."
    notice.refresh_from_db()
    assert notice.last_error == "came-back: 550 5.1.1 the address: gone"
    closed = account_mail.closure_of("Alice@Example.org")
    assert closed and closed.reason == "550 5.1.1 the address: gone"
    table.play(notice.game, alice, bob, now=later(minutes=6))
    following = Notice.objects.get(user=alice, turn=1)
    assert not send_notification(notice_id=following.pk, now=later(minutes=7))
    following.refresh_from_db()
    assert following.status == Notice.Status.CLOSED
    client.force_login(alice)
    page = client.get("/settings/news/").content.decode()
    assert "Your mail is bouncing" in page
    assert "“550 5.1.1 the address: gone”" in page
    page = client.post("/settings/news/address/", follow=True).content.decode()
    assert "We’ll send mail to your address again" in page and "Your mail is bouncing" not in page
    assert account_mail.closure_of(alice.email) is None


def test_a_bounce_after_a_new_key_closes_the_address(
    notice: Notice, mailbox: Mailbox, settings: Settings, alice: User
) -> None:
    address = return_path(mailbox, notice)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "the key that came after, and just as long as the old one"
    record_bounce(message=report(address), now=later(minutes=5))
    assert account_mail.bounce_closure_of(alice.email)


def test_my_room_warns_players_who_want_mail(client: Client, alice: User, bob: User) -> None:
    close_for_good(alice)
    for person, manner, said in ((alice, "at once", True), (alice, "none", False), (bob, "at once", False)):
        User.objects.filter(pk=person.pk).update(manner=manner)
        client.force_login(person)
        page = client.get("/my-room/").content.decode()
        assert ("Our emails to you bounce." in page) == said
        assert ('href="/settings/news/#closed"' in page) == said


def test_a_person_who_opted_out_sees_this_and_may_opt_in_again(client: Client, alice: User) -> None:
    digest = account_mail.digest_of(alice.email)
    account_mail.close_address(digest=digest, cause=ClosedAddress.Cause.ASKED, now=NOW)
    client.force_login(alice)
    assert "bounc" not in client.get("/my-room/").content.decode()
    page = client.get("/settings/news/").content.decode()
    assert "You opted out with a link in an email" in page and "bounc" not in page
    client.post("/settings/news/address/")
    assert account_mail.closure_of(alice.email) is None


def close_for_good(user: User) -> None:
    """Close a user's address, as after a permanent bounce."""
    digest = account_mail.digest_of(user.email)
    cause = ClosedAddress.Cause.CAME_BACK
    account_mail.close_address(digest=digest, cause=cause, now=NOW, reason="550 5.1.1 gone")


def test_a_temporary_bounce_closes_nothing(notice: Notice, mailbox: Mailbox, alice: User) -> None:
    address = return_path(mailbox, notice)
    for status, action in (
        *(("5.2.2", "failed"), ("5.7.1", "failed"), ("4.4.7", "failed")),
        *(("4.1.1", "delayed"), ("2.0.0", "relayed")),
    ):
        record_bounce(message=report(address, status=status, action=action), now=NOW)
        assert account_mail.closure_of(alice.email) is None, status


def test_no_one_closes_an_address_without_having_its_mail(
    notice: Notice, mailbox: Mailbox, alice: User, bob: User
) -> None:
    address = return_path(mailbox, notice)
    bobs = Notice.objects.get(user=bob)
    before, _, signature = address.partition("-")
    forged = [
        f"bounces+{bobs.pk}-{signature}",
        f"{before}-{'0' * 24}@robo.example",
        address.replace("@robo.example", "@elsewhere.example"),
        "bounces@robo.example",
        f"bounces+{10**30}-{signature}",
        "",
    ]
    for to in forged:
        said = record_bounce(message=report(to), now=NOW)
        assert said == "This is not a bounce of an email from this site.", to
    assert not ClosedAddress.objects.exists()


def test_a_bounce_of_the_old_address_does_not_affect_the_new_one(
    notice: Notice, mailbox: Mailbox, alice: User
) -> None:
    address = return_path(mailbox, notice)
    User.objects.filter(pk=alice.pk).update(email="alice@elsewhere.example")
    record_bounce(message=report(address), now=NOW)
    assert not ClosedAddress.objects.exists()


NO_REPORTS = [
    *(b"", b"\xff\xfe\x00", b"Subject: I am away\nTo: %s\n\nUntil Monday."),
    b"Content-Type: multipart/report\nTo: %s\n\nwithout an end",
    (
        b'Content-Type: multipart/report; boundary="a"\nTo: %s\n\n'
        b"--a\nContent-Type: message/delivery-status\n\nAction"
    ),
]


def test_other_mail_closes_nothing(notice: Notice, mailbox: Mailbox) -> None:
    address = return_path(mailbox, notice).encode()
    for message in NO_REPORTS:
        said = record_bounce(message=message.replace(b"%s", address), now=NOW)
        assert said.startswith("This is not a bounce")
    assert not ClosedAddress.objects.exists()


def test_a_mail_server_pipes_bounces_to_a_command(
    notice: Notice, mailbox: Mailbox, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = return_path(mailbox, notice)
    given = io.TextIOWrapper(io.BytesIO(report("somebody@elsewhere.example")))
    monkeypatch.setattr(sys, "stdin", given)
    said = io.StringIO()
    call_command("take_return", f"--recipient={address.upper()}", stdout=said)
    assert "bounced permanently" in said.getvalue()
    assert account_mail.closure_of(alice.email)


@pytest.fixture
def postbox(settings: Settings) -> Iterator[Postbox]:
    postbox = Postbox("robo", "hush")
    postbox.start()
    settings.BOUNCE_MAILBOX = postbox.url
    yield postbox
    postbox.stop()


def test_reports_are_fetched_from_a_mailbox_and_deleted_there(
    notice: Notice, mailbox: Mailbox, postbox: Postbox, alice: User
) -> None:
    postbox.mails = [b"Subject: Buy now\r\n\r\n.\r\n", report(return_path(mailbox, notice)), b"x" * 1_000_001]
    assert fetch_bounces(now=NOW) == 2
    assert account_mail.closure_of(alice.email)
    assert postbox.mails == []


def test_a_failing_mailbox_is_logged_without_its_password(
    db: None, postbox: Postbox, caplog: pytest.LogCaptureFixture
) -> None:
    postbox.password, postbox.mails = "another", [b"Subject: still here\r\n\r\n"]
    assert fetch_bounces(now=NOW) == 0
    postbox.stop()
    assert fetch_bounces(now=NOW) == 0
    assert caplog.text.count("Can't fetch the mailbox") == 2
    assert "hush" not in caplog.text
    assert postbox.mails


def test_without_a_mailbox_nothing_is_fetched(db: None, settings: Settings) -> None:
    settings.BOUNCE_MAILBOX = ""
    assert fetch_bounces(now=NOW) == 0


def refusing(mailbox: Mailbox, reply: str) -> None:
    """Make the mail server refuse every address with the given reply."""

    async def handle_RCPT(  # noqa: N802
        server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        return reply

    mailbox.handle_RCPT = handle_RCPT  # type: ignore[attr-defined]


def test_an_address_refused_after_the_message_data_is_closed(
    notice: Notice, mailbox: Mailbox, alice: User
) -> None:
    async def handle_DATA(server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        return "550 5.1.1 no such user here"

    mailbox.handle_DATA = handle_DATA  # type: ignore[method-assign]
    assert not send_notification(notice_id=notice.pk, now=NOW)
    notice.refresh_from_db()
    assert notice.status == Notice.Status.CLOSED
    assert account_mail.closure_of(alice.email)


def test_an_address_refused_by_the_mail_server_is_closed_immediately(
    notice: Notice, mailbox: Mailbox, alice: User
) -> None:
    refusing(mailbox, "550 5.1.1 <alice@example.org>: no such user")
    assert not send_notification(notice_id=notice.pk, now=NOW)
    notice.refresh_from_db()
    assert (notice.status, notice.attempts) == (Notice.Status.CLOSED, 1)
    assert "no such user" in notice.last_error
    closed = account_mail.closure_of(alice.email)
    assert closed and closed.cause == ClosedAddress.Cause.CAME_BACK


def test_any_other_refusal_is_tried_again(notice: Notice, mailbox: Mailbox) -> None:
    for reply in ("550 5.7.1 Blocked: spam", "550 No", "452 4.2.2 Mailbox full"):
        refusing(mailbox, reply)
        assert not send_notification(notice_id=notice.pk, now=NOW)
        notice.refresh_from_db()
        assert notice.status == Notice.Status.PENDING
        assert reply.split()[0] in notice.last_error
        Notice.objects.update(lease_until=None)
    assert not ClosedAddress.objects.exists()


def test_confirming_an_address_by_mail_reopens_it(client: Client, alice: User) -> None:
    from allauth.account.models import EmailAddress, EmailConfirmationHMAC

    digest = account_mail.digest_of(alice.email)
    account_mail.close_address(digest=digest, cause=ClosedAddress.Cause.CAME_BACK, now=NOW)
    address = EmailAddress.objects.get(user=alice)
    address.verified = False
    address.save()
    client.post(f"/accounts/confirm-email/{EmailConfirmationHMAC(address).key}/")
    assert account_mail.closure_of(alice.email) is None


def test_the_examples_in_docstrings_are_true() -> None:
    results = doctest.testmod(bounces)
    assert results.attempted and not results.failed
