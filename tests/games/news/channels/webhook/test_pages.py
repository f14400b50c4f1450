"""The webhook in the notification settings."""

import pytest
from django.test import Client

from accounts.models import User
from games.news.channels.webhook import set_webhook
from games.news.models import Webhook
from tests.games.support import NOW, later
from tests.support.receiver import Receiver

PATH = "/settings/news/webhook/"


@pytest.fixture
def receiver(private_webhooks: None, receiver: Receiver) -> Receiver:
    return receiver


def test_a_player_sets_tests_and_removes_a_webhook(client: Client, alice: User, receiver: Receiver) -> None:
    client.force_login(alice)
    page = client.post(PATH, {"do": "set", "url": receiver.url}, follow=True).content.decode()
    hook = Webhook.objects.get(user=alice)
    assert "Send a test to check that notifications arrive." in page
    assert hook.secret in page
    assert b"The test arrived." in client.post(PATH, {"do": "test"}, follow=True).content
    assert len(receiver.posted) == 1
    client.post(PATH, {"do": "renew"})
    assert hook.secret not in client.get("/settings/news/").content.decode()
    assert b"Your webhook was removed" in client.post(PATH, {"do": "drop"}, follow=True).content
    assert not Webhook.objects.exists()


def test_a_refusal_is_shown_and_the_input_stays(client: Client, alice: User) -> None:
    client.force_login(alice)
    page = client.post(PATH, {"do": "set", "url": "https://10.0.0.1/hook?a=<b>"})
    assert page.status_code == 422
    assert "The address leads to a private network. Use a public one." in page.content.decode()
    assert "https://10.0.0.1/hook?a=&lt;b&gt;" in page.content.decode()
    assert client.post(PATH, {"do": "test"}).status_code == 404


def test_a_failed_test_gives_the_reason(client: Client, alice: User, receiver: Receiver) -> None:
    set_webhook(user=alice, url=receiver.url, now=NOW)
    client.force_login(alice)
    receiver.status = 500
    page = client.post(PATH, {"do": "test"})
    assert page.status_code == 422
    assert "The test failed. It answered 500." in page.content.decode()
    assert receiver.url in page.content.decode()
    assert client.post(PATH, {"do": "test"}).status_code == 429


def test_the_page_shows_failures_and_that_it_was_turned_off(client: Client, alice: User) -> None:
    set_webhook(user=alice, url="https://robots.example.org/", now=NOW)
    client.force_login(alice)
    Webhook.objects.update(failing_since=NOW, failure="status: 500")
    page = client.get("/settings/news/").content.decode()
    assert "Nothing has arrived since 21 November 2026, 12:00. It answered 500." in page
    Webhook.objects.update(switched_off_at=later(days=3))
    page = client.get("/settings/news/").content.decode()
    assert "Turned off on 24 November 2026, 12:00, because" in page
    assert "It answered 500." in page
