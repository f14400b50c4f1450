"""Emails about accounts, and the alarm if the mail server fails."""

import ast
import re
import smtplib
import threading
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as site_settings
from django.core.mail import EmailMessage
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from accounts import mail as account_mail
from accounts.models import AccountMail, User
from games.news import delivery
from games.news.delivery import (
    LEASE,
    MAIL_JOB,
    give_up_expired,
    send_account_mail,
    send_notification,
    watch_mail,
)
from games.news.models import MailServer, Notice
from games.play.models import Game
from games.work import sweeper
from games.work.models import Alarm, failing_jobs
from roborunner.operations.probes import missing_parts
from tests.cast import password_of
from tests.games.support import NOW, later
from tests.support.mailbox import Mailbox
from tests.support.worker import Worker

Messages = list[tuple[str, int]]
LINK = "https://robo.example.org/accounts/password/reset/key/secret/"


def post(number: int = 1, *, kind: str = "test", now: datetime = NOW) -> AccountMail:
    address = f"person{number}@example.org"
    return account_mail.post_mail(kind=kind, address=address, subject="Your link", body=LINK, now=now)


@pytest.fixture
def waiting(db: None) -> AccountMail:
    """An email that waits in the outbox."""
    return post()


def swept(now: datetime) -> None:
    from games.work import jobs

    jobs.run([jobs.Job(MAIL_JOB, watch_mail)], now=now)


def test_it_is_sent_once_and_its_text_is_deleted(waiting: AccountMail, mailbox: Mailbox) -> None:
    assert send_account_mail(mail_id=waiting.pk, now=NOW)
    assert not send_account_mail(mail_id=waiting.pk, now=NOW)
    (mail,) = mailbox.mails
    assert (mail["To"], mail["Subject"]) == ("person1@example.org", "Your link")
    for kind in ("plain", "html"):
        body = mail.get_body((kind,))
        assert body and LINK in body.get_content()
    assert mail["Auto-Submitted"] == "auto-generated"
    assert re.fullmatch(r"<account-\d+-\d+@[\w.-]+>", mail["Message-ID"])
    assert not AccountMail.objects.exists()


@pytest.mark.parametrize("language", ["en", "de"])
def test_its_html_names_the_language_of_its_reader(
    alice: User, mailbox: Mailbox, settings: Any, language: str
) -> None:
    settings.LANGUAGES = [("en", "English"), ("de", "Deutsch")]
    User.objects.filter(pk=alice.pk).update(language=language)
    mail = account_mail.post_mail(kind="test", address=alice.email, subject="Link", body=LINK, now=NOW)
    assert send_account_mail(mail_id=mail.pk, now=NOW)
    body = mailbox.mails[0].get_body(("html",))
    assert body
    assert f'<html lang="{language}">' in body.get_content()


def test_a_page_puts_its_mail_into_the_outbox_and_says_only_this(
    client: Client, alice: User, settings: Any, messages: Messages
) -> None:
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    page = client.post("/accounts/password/reset/", {"email": alice.email}, follow=True).content.decode()
    mail = AccountMail.objects.get()
    assert ("send_account_mail", mail.pk) in messages
    assert "We sent you an email." in page
    assert "could not be sent" not in page
    assert re.search(r"/accounts/password/reset/key/\S+", mail.body)


def test_asking_again_replaces_a_waiting_link_but_no_warning(db: None) -> None:
    for kind in ("account/email/password_reset_key", "account/email/password_changed"):
        post(kind=kind)
        post(kind=kind)
    kinds = sorted(AccountMail.objects.values_list("kind", flat=True))
    assert kinds == ["account/email/password_changed"] * 2 + ["account/email/password_reset_key"]


def test_a_link_is_valid_as_long_as_its_mail_is_retried() -> None:
    assert account_mail.RETRY_PERIOD.total_seconds() <= site_settings.PASSWORD_RESET_TIMEOUT
    assert timedelta(days=site_settings.ACCOUNT_EMAIL_CONFIRMATION_EXPIRE_DAYS) >= account_mail.RETRY_PERIOD


@pytest.mark.parametrize(
    ("refusal", "after_data"), [("451 4.7.1 Come back later", False), ("550 5.7.1 Not from you", True)]
)
def test_it_is_tried_again_when_the_server_refuses_it(
    waiting: AccountMail, mailbox: Mailbox, refusal: str, after_data: bool
) -> None:
    mailbox.refusal, mailbox.after_data = refusal, after_data
    assert not send_account_mail(mail_id=waiting.pk, now=NOW)
    waiting.refresh_from_db()
    assert waiting.last_error == f"mail-server: {refusal}"
    mailbox.refusal = ""
    assert not send_account_mail(mail_id=waiting.pk, now=later(seconds=59))
    assert send_account_mail(mail_id=waiting.pk, now=later(minutes=1))


def test_it_is_tried_again_when_the_server_is_down_or_hangs(
    waiting: AccountMail, mailbox: Mailbox, settings: Any
) -> None:
    port, settings.EMAIL_PORT = settings.EMAIL_PORT, 1
    assert not send_account_mail(mail_id=waiting.pk, now=NOW)
    settings.EMAIL_PORT, settings.EMAIL_TIMEOUT, mailbox.pause = port, 0.5, 3.0
    assert not send_account_mail(mail_id=waiting.pk, now=later(minutes=1))
    mailbox.pause = 0.0
    assert send_account_mail(mail_id=waiting.pk, now=later(minutes=3))


def test_a_nonexistent_mailbox_is_given_up_without_an_alarm(waiting: AccountMail, mailbox: Mailbox) -> None:
    mailbox.refusal = "550 5.1.1 No such mailbox"
    assert not send_account_mail(mail_id=waiting.pk, now=NOW)
    assert not AccountMail.objects.exists()
    assert not MailServer.objects.filter(failing_since__isnull=False).exists()


def test_an_outdated_link_is_given_up_with_an_alarm_that_closes_automatically(
    waiting: AccountMail, mailbox: Mailbox
) -> None:
    mailbox.refusal = "451 4.3.0 Later"
    tries, now = 0, NOW
    while (row := AccountMail.objects.filter(pk=waiting.pk).first()) and now < waiting.good_until:
        send_account_mail(mail_id=waiting.pk, now=now)
        tries += 1
        row.refresh_from_db()
        assert row.lease_until
        now = row.lease_until
    assert 45 < tries < 60
    assert give_up_expired(now=waiting.good_until) == 1
    post(2)
    post(3)
    end = waiting.good_until + account_mail.RETRY_PERIOD
    assert give_up_expired(now=end) == 2
    assert not AccountMail.objects.exists(), "its text is not kept"
    alarm = Alarm.objects.get(job=delivery.GIVEN_UP)
    assert alarm.closed_at is None
    assert failing_jobs() == [], "a few recipients do not make the service unready"
    mailbox.refusal = ""
    assert send_account_mail(mail_id=post(now=end).pk, now=end)
    swept(end + timedelta(minutes=59))
    alarm.refresh_from_db()
    assert alarm.closed_at is None
    swept(end + timedelta(hours=1))
    alarm.refresh_from_db()
    assert alarm.closed_at == end + timedelta(hours=1)


def test_two_workers_send_it_once_and_a_dead_worker_s_lease_expires(
    waiting: AccountMail, monkeypatch: pytest.MonkeyPatch
) -> None:
    def meanwhile(mail: EmailMessage) -> None:
        assert not send_account_mail(mail_id=waiting.pk, now=NOW + LEASE / 2)
        raise SystemExit

    monkeypatch.setattr(EmailMessage, "send", meanwhile)
    with pytest.raises(SystemExit):
        send_account_mail(mail_id=waiting.pk, now=NOW)
    monkeypatch.undo()
    assert send_account_mail(mail_id=waiting.pk, now=NOW + LEASE)


def test_a_passing_fault_does_not_count(waiting: AccountMail, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(mail: EmailMessage) -> None:
        raise OperationalError("terminating connection due to administrator command")

    monkeypatch.setattr(EmailMessage, "send", gone)
    with pytest.raises(OperationalError):
        send_account_mail(mail_id=waiting.pk, now=NOW)
    waiting.refresh_from_db()
    assert (waiting.attempts, waiting.last_error) == (0, "")


def test_the_sweeper_offers_mail_after_a_lost_message(waiting: AccountMail, messages: Messages) -> None:
    messages.clear()
    assert sweeper.offer_account_mail(now=later(minutes=1)) == 1
    assert messages == [("send_account_mail", waiting.pk)]
    assert sweeper.offer_account_mail(now=later(minutes=1, seconds=10)) == 0


def refuse_all(mailbox: Mailbox, duel: Game) -> None:
    """Try to send notifications and account mail for 15 minutes. The server refuses them."""
    notices = list(Notice.objects.filter(game=duel, channel="mail"))
    mails = [post(number) for number in range(1, 4)]
    for minutes in (0, 1, 3, 7, 15):
        for notice in notices:
            send_notification(notice_id=notice.pk, now=later(minutes=minutes))
        for mail in mails:
            send_account_mail(mail_id=mail.pk, now=later(minutes=minutes))


def test_a_server_that_refuses_all_mail_raises_one_alarm_that_closes_automatically(
    duel: Game, mailbox: Mailbox
) -> None:
    mailbox.refusal = "550 Not from you"
    refuse_all(mailbox, duel)
    swept(later(minutes=16))
    swept(later(minutes=17))
    (alarm,) = Alarm.objects.filter(closed_at=None)
    assert (alarm.job, alarm.row) == (MAIL_JOB, 0)
    assert "550 Not from you" in alarm.error
    assert failing_jobs() == [MAIL_JOB]
    mailbox.refusal = ""
    assert send_account_mail(mail_id=AccountMail.objects.all()[0].pk, now=later(minutes=45))
    swept(later(minutes=45))
    assert failing_jobs() == []


def test_a_few_failing_addresses_raise_no_alarm(db: None, mailbox: Mailbox) -> None:
    mailbox.refusal = "451 4.7.1 Greylisted"
    mails = [post(number) for number in (1, 2)]
    for minutes in (0, 1, 3, 7, 15, 31):
        for mail in mails:
            send_account_mail(mail_id=mail.pk, now=later(minutes=minutes))
    swept(later(minutes=32))
    assert failing_jobs() == []


def test_readiness_reports_mail(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    from games.clocks.models import Heartbeat

    now = timezone.now()
    Heartbeat.objects.create(pk=1, at=now)
    MailServer.objects.create(pk=1, failing_since=now - timedelta(hours=1), failures=9, is_down=True)
    swept(now)
    assert missing_parts(now=now) == {"mail": "The mail server accepts no mail. See the alarms."}


@pytest.mark.django_db(transaction=True)
def test_a_real_worker_sends_a_mail_from_a_page(
    start_worker: Callable[..., Worker], mailbox: Mailbox, client: Client
) -> None:
    mailbox.refusal = "451 4.3.0 Later"
    start_worker(beat=True)
    form = {"username": "Bob", "email": "bob@example.org", "password1": "bob-likes-robots"}
    assert client.post("/accounts/signup/", form).status_code == 302
    end = threading.Event()
    for _ in range(200):
        if AccountMail.objects.exclude(last_error="").exists():
            break
        end.wait(0.1)
    mailbox.refusal = ""
    AccountMail.objects.update(lease_until=timezone.now())  # as if the minute had passed
    (mail,) = mailbox.wait_for(1, to="bob@example.org")
    body = mail.get_body(("plain",))
    assert body and "confirm-email" in body.get_content()
    for _ in range(100):
        if not AccountMail.objects.exists():
            break
        end.wait(0.1)
    assert not AccountMail.objects.exists()
    assert delivery.LONGEST_BACK_OFF < account_mail.RETRY_PERIOD


def test_autoresponders_ignore_all_mail_about_accounts(
    client: Client, alice: User, mailoutbox: list[Any]
) -> None:
    """The emails have the header of RFC 3834. They are about a reset, a sign-up and a new password."""
    client.post("/accounts/password/reset/", {"email": alice.email})
    new = {"username": "Newcomer", "email": "new@example.org", "password1": "a sentence works well"}
    client.post("/accounts/signup/", new)
    own = Client()
    own.force_login(alice)
    words = dict.fromkeys(("password1", "password2"), "another sentence")
    own.post("/accounts/password/change/", {"oldpassword": password_of("Alice"), **words})
    assert [mail.to for mail in mailoutbox] == [[alice.email], ["new@example.org"], [alice.email]]
    assert {mail.extra_headers["Auto-Submitted"] for mail in mailoutbox} == {"auto-generated"}


PROJECT = Path(__file__).parents[4]

WRITERS = {
    "games/news/channels/mail.py",  # notifications, and the test mail for staff
    "games/news/delivery.py",  # the outbox of account mail, and its sending
    "games/staff/operator.py",  # alarms to the operator, which also go out without workers
    "roborunner/providers.py",  # replaces the mail server
}
"""The only modules that may create an email."""

SENDS = re.compile(
    r"""django\.core\.mail(\..+)? | anymail\.(backends|message)(\..+)? | smtplib(\..+)?
    | (.+\.)?(email_user | mail_admins | mail_managers | send_mass_mail | AdminEmailHandler)
    | django\.contrib\.auth\.forms\.PasswordResetForm""",
    re.VERBOSE,
)
"""Matches names that can send mail, except for errors of `smtplib`.

Some are complete dotted names, and some are names of methods.
"""


ABOUT = re.compile(rb"mail|smtplib|PasswordResetForm", re.IGNORECASE)
"""Matches words. Every name that `SENDS` matches contains one of them.

A module without these words needs no parsing.
"""


def used_names(tree: ast.AST) -> Iterator[str]:
    """Yield the dotted names that a module imports, and the attributes that it uses."""
    for node in ast.walk(tree):
        match node:
            case ast.Import():
                yield from (alias.name for alias in node.names)
            case ast.ImportFrom():
                yield from (f"{node.module}.{alias.name}" for alias in node.names)
            case ast.Attribute(attr=name):
                yield name


def is_error(name: str) -> bool:
    found = getattr(smtplib, name.removeprefix("smtplib."), None)
    return isinstance(found, type) and issubclass(found, Exception)


def test_all_mail_is_sent_through_an_outbox() -> None:
    """Only the modules in `WRITERS` can create emails, and only two of them send emails."""
    found, senders = set(), set()
    for room in ("accounts", "games", "roborunner"):
        for path in (PROJECT / room).rglob("*.py"):
            if not ABOUT.search(source := path.read_bytes()):
                continue
            tree, module = ast.parse(source), str(path.relative_to(PROJECT))
            if not any(SENDS.fullmatch(name) and not is_error(name) for name in used_names(tree)):
                continue
            found.add(module)
            calls = [ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)]
            if any(receiver_slot.endswith(".send") for receiver_slot in calls):
                senders.add(module)
    assert found == WRITERS
    assert senders == {"games/news/delivery.py", "games/staff/operator.py"}
    assert not site_settings.ADMINS and not site_settings.MANAGERS, "Django would mail errors to them"
