"""``manage.py send_test`` tries each notification channel, and explains failures."""

import io
import json
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.core.management import CommandError, call_command
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts import mail as account_mail
from accounts.models import ClosedAddress, User
from games import live
from games.news.channels.browser import add_device
from games.news.channels.webhook import set_webhook
from tests.support.mailbox import Mailbox
from tests.support.postbox import Postbox
from tests.support.receiver import Receiver


@pytest.fixture(autouse=True)
def smtp(settings: Settings, private_webhooks: None) -> Iterator[None]:
    """Send mail by SMTP, and allow receivers on this machine."""
    settings.MAIL_DIRECTORY = None
    live._client.cache_clear()
    yield
    live._client.cache_clear()


@pytest.fixture
def postbox() -> Iterator[Postbox]:
    postbox = Postbox("bounces", "hush")
    postbox.start()
    yield postbox
    postbox.stop()


def send(to: str) -> tuple[dict[str, str], str]:
    """Run the command. Return a line for each channel, and the error at the end or ""."""
    said, complaint = io.StringIO(), ""
    try:
        call_command("send_test", to, stdout=said)
    except CommandError as error:
        complaint = str(error)
    return dict(line.split(": ", 1) for line in said.getvalue().splitlines()), complaint


def add_browser(user: User, receiver: Receiver) -> None:
    key = ec.generate_private_key(ec.SECP256R1()).public_key()
    point = key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    add_device(
        user=user,
        endpoint=receiver.url,
        p256dh=urlsafe_b64encode(point).rstrip(b"=").decode(),
        auth=urlsafe_b64encode(b"0" * 16).rstrip(b"=").decode(),
        agent="Firefox/142.0 (Linux)",
        now=timezone.now(),
    )


def test_a_test_is_sent_by_every_channel(
    alice: User, mailbox: Mailbox, receiver: Receiver, postbox: Postbox, settings: Settings
) -> None:
    set_webhook(user=alice, url=receiver.url, now=timezone.now())
    add_browser(alice, receiver)
    postbox.mails.append(b"Subject: It came back\r\n\r\nTo you.")
    settings.BOUNCE_MAILBOX = postbox.url
    said, complaint = send("alice")
    assert complaint == ""
    assert said == {
        "mail": f"sent. 127.0.0.1:{mailbox.port} accepted it for {alice.email}.",
        "webhook": f"sent. {receiver.url} accepted it.",
        "push": "sent. The push service of Firefox on Linux accepted it.",
        "streams": "sent. Redis accepted it. Web processes with open pages that received it: 0.",
        "bounce mailbox": "sent. The mailbox works. Messages in it: 1.",
    }
    [mail] = mailbox.to(alice.email or "")
    assert mail["Subject"] == "A test from Robo Runner"
    assert json.loads(receiver.posted[0].body)["kind"] == "test"
    assert receiver.posted[1].headers["content-encoding"] == "aes128gcm"
    assert len(postbox.mails) == 1  # it is left in the queue


def test_each_failing_channel_gives_its_reason_and_stops_no_other(
    alice: User, receiver: Receiver, settings: Settings
) -> None:
    set_webhook(user=alice, url=receiver.url, now=timezone.now())
    add_browser(alice, receiver)
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    receiver.status = 503
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    settings.BOUNCE_MAILBOX = "pop3://bounces:hush@127.0.0.1:1"
    said, complaint = send("Alice")
    assert complaint == "Failed channels: 5."
    assert said["mail"].startswith("failed. ConnectionRefusedError: ")
    assert said["webhook"] == f"failed. {receiver.url}: The test failed. It answered 503."
    assert said["push"] == "failed. Firefox on Linux: It answered 503."
    assert said["streams"].startswith("failed. Redis cannot be reached: ")
    assert said["bounce mailbox"].startswith("failed. Can't open the mailbox: ConnectionRefusedError: ")


def test_a_channel_that_is_not_set_up_is_no_failure(alice: User, settings: Settings, tmp_path: Path) -> None:
    settings.MAIL_DIRECTORY = tmp_path
    said, complaint = send(alice.email or "")
    assert complaint == ""
    assert said["mail"] == f"not set up. EMAIL_URL names no mail server, so the mail was saved in {tmp_path}."
    assert said["webhook"] == "not set up. This account has no webhook."
    assert said["push"] == "not set up. This account has no browsers for notifications."
    assert said["bounce mailbox"] == "not set up. BOUNCE_MAILBOX names no mailbox."


def test_an_address_without_an_account_gets_a_mail(db: None, mailbox: Mailbox) -> None:
    said, _ = send("dave@example.org")
    assert said.keys() == {"mail", "streams", "bounce mailbox"}
    assert len(mailbox.to("dave@example.org")) == 1


def test_an_address_that_opted_out_of_game_mail_is_reported(alice: User, mailbox: Mailbox) -> None:
    digest = account_mail.digest_of(alice.email or "")
    account_mail.close_address(digest=digest, cause=ClosedAddress.Cause.CAME_BACK, now=timezone.now())
    assert "Mail about games is off for it: " in send("Alice")[0]["mail"]


def test_an_unknown_name_is_refused(db: None) -> None:
    assert send("Dave") == ({}, "There is no account Dave. Give a Robo Name or an email address.")
