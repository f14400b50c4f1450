"""The part of a person's page on news that is about their browsers, and the script that shows it there."""

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
    """What a browser gives when it is asked to show messages."""
    key = ec.generate_private_key(ec.SECP256R1()).public_key()
    point = key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return {
        "endpoint": "https://push.example.org/1",
        "p256dh": browser._encoded(point),
        "auth": browser._encoded(b"sixteen letters."),
    }


def test_one_adds_and_removes_a_browser(client: Client, alice: User, subscription: dict[str, str]) -> None:
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


def test_what_makes_no_sense_is_told(client: Client, alice: User) -> None:
    client.force_login(alice)
    for form, sentence in (
        ({}, "This browser’s subscription doesn’t work."),
        ({"drop": "x"}, "This browser is not on your list."),
        ({"drop": "9" * 30}, "This browser is not on your list."),
    ):
        assert sentence in client.post(PATH, form, follow=True).content.decode()


def test_a_key_with_what_belongs_in_none_is_refused_and_not_a_server_error(
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


def test_the_script_is_there_for_the_whole_site_and_always_the_newest(client: Client, db: None) -> None:
    answer = client.get("/worker.js")
    assert answer.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-cache"
    assert b"showNotification" in answer.content
