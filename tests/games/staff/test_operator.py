"""Messages reach the operator by push, webhook, mail and browser."""

import json
from base64 import b64decode
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from accounts.models import User
from games.news.channels import browser
from games.news.models import Device
from games.staff import operator
from games.staff.operator import Message
from tests.games.support import NOW
from tests.support.mailbox import Mailbox
from tests.support.receiver import Receiver

MESSAGE = Message(
    state="problem",
    title="[robo.example.org] Redis does not answer",
    text="New: Redis does not answer.\nWhat to do: Start Redis.",
    url="https://robo.example.org/admin/games/incident/",
)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    receiver = Receiver()
    receiver.start()
    yield receiver
    receiver.stop()


def test_ntfy_gets_a_title_a_priority_and_a_link(db: None, receiver: Receiver, settings: Any) -> None:
    settings.OPERATOR_PUSH = f"http://me:s%40me@127.0.0.1:{receiver.port}/topic"
    assert operator.send(MESSAGE, now=NOW).sent == ["push"]
    (posted,) = receiver.posted
    assert posted.path == "/topic" and posted.body.decode() == MESSAGE.text
    assert (posted.headers["title"], posted.headers["priority"]) == (MESSAGE.title, "high")
    assert posted.headers["click"] == MESSAGE.url
    assert b64decode(posted.headers["authorization"].removeprefix("Basic ")) == b"me:s@me"


def test_gotify_gets_json(db: None, receiver: Receiver, settings: Any) -> None:
    settings.OPERATOR_PUSH = f"http://127.0.0.1:{receiver.port}/message?token=abc"
    operator.send(MESSAGE._replace(state="passed"), now=NOW)
    (posted,) = receiver.posted
    document = json.loads(posted.body)
    assert posted.path == "/message?token=abc"
    assert (document["title"], document["message"]) == (MESSAGE.title, MESSAGE.text)
    assert document["priority"] == 4


def test_mail_goes_straight_to_the_server(db: None, mailbox: Mailbox, settings: Any) -> None:
    settings.OPERATOR_MAIL = ["one@example.org", "two@example.org"]
    assert operator.send(MESSAGE, now=NOW).sent == ["mail"]
    (mail,) = mailbox.mails
    assert mail["To"] == "one@example.org, two@example.org" and mail["Subject"] == MESSAGE.title
    assert "What to do: Start Redis." in mail.get_content() and MESSAGE.url in mail.get_content()


def test_superusers_get_it_in_their_browsers(
    erin: User, alice: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[tuple[str, str]] = []

    def note(device: Device, *, title: str, **message: Any) -> None:
        told.append((device.endpoint, title))

    monkeypatch.setattr(browser, "send_message", note)
    User.objects.filter(pk=erin.pk).update(is_superuser=True)
    for user in (erin, alice):
        Device.objects.create(user=user, endpoint=f"https://push.example.org/{user.robo_name}", made_at=NOW)
    assert operator.send(MESSAGE, now=NOW).sent == ["browsers"]
    assert told == [("https://push.example.org/Erin", MESSAGE.title)]
    assert operator.send(MESSAGE, now=NOW, database=False).sent == []


def test_a_failure_names_the_reason_and_no_secret(db: None, receiver: Receiver, settings: Any) -> None:
    settings.OPERATOR_PUSH = f"http://127.0.0.1:{receiver.port}/message?token=abcdefgh"
    receiver.status = 403
    outcome = operator.send(MESSAGE, now=NOW)
    assert outcome.sent == [] and "403" in outcome.failed["push"] and "abcdefgh" not in str(outcome)


def test_the_monitor_is_called(receiver: Receiver, settings: Any) -> None:
    assert operator.call_monitor() == "" and receiver.posted == []
    settings.MONITOR_URL = f"http://127.0.0.1:{receiver.port}/ping"
    assert operator.call_monitor() == ""
    assert [posted.path for posted in receiver.posted] == ["/ping"]
    receiver.status = 404
    assert "404" in operator.call_monitor()


def test_a_command_tests_every_way(
    db: None, receiver: Receiver, settings: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(CommandError, match="Set OPERATOR_MAIL"):
        call_command("watch", "--test")
    settings.OPERATOR_WEBHOOK = receiver.url
    call_command("watch", "--test")
    assert capsys.readouterr().out == "webhook: sent.\n"
    assert json.loads(receiver.posted[0].body)["state"] == "test"
    receiver.status = 500
    with pytest.raises(CommandError, match="Failed ways: 1"):
        call_command("watch", "--test")
