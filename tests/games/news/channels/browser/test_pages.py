"""The page of browsers that show notifications, and its script."""

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.test import Client

from accounts.models import User
from games.news.channels import browser
from games.news.models import Device

PATH = "/settings/news/browsers/"


@pytest.fixture
def subscription() -> dict[str, str]:
    """A subscription, as a browser sends it."""
    key = ec.generate_private_key(ec.SECP256R1()).public_key()
    point = key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return {
        "endpoint": "https://push.example.org/1",
        "p256dh": browser._encoded(point),
        "auth": browser._encoded(b"sixteen letters."),
    }


def test_a_player_adds_and_removes_a_browser(
    client: Client, alice: User, subscription: dict[str, str]
) -> None:
    client.force_login(alice)
    assert browser.application_key() in client.get("/settings/news/").content.decode()
    agent = {"User-Agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/142.0"}
    page = client.post(PATH, subscription, follow=True, headers=agent).content.decode()
    assert "This browser now shows your notifications." in page
    assert "Firefox on Linux" in page
    device = Device.objects.get(user=alice)
    page = client.post(PATH, {"drop": str(device.pk)}, follow=True).content.decode()
    assert "That browser no longer shows notifications." in page and "Firefox on Linux" not in page
    assert not Device.objects.exists()


def test_invalid_subscriptions_are_refused(client: Client, alice: User) -> None:
    client.force_login(alice)
    for form, sentence in (
        ({}, "This browser’s subscription doesn’t work."),
        ({"drop": "x"}, "This browser is not on your list."),
        ({"drop": "9" * 30}, "This browser is not on your list."),
    ):
        assert sentence in client.post(PATH, form, follow=True).content.decode()


def test_an_invalid_key_is_refused_without_a_server_error(
    client: Client, alice: User, subscription: dict[str, str]
) -> None:
    client.force_login(alice)
    for junk in ("!" * 3000, "\0"):
        page = client.post(PATH, subscription | {"auth": junk + subscription["auth"]}, follow=True)
        assert "This browser’s subscription doesn’t work." in page.content.decode()
    assert not Device.objects.exists()
    client.post(
        PATH, subscription | {"auth": subscription["auth"] + "==", "p256dh": subscription["p256dh"] + "="}
    )
    assert Device.objects.get().auth == subscription["auth"]


def test_the_script_has_site_wide_scope_and_is_always_current(client: Client, db: None) -> None:
    answer = client.get("/worker.js")
    assert answer.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-cache"
    assert b"showNotification" in answer.content
