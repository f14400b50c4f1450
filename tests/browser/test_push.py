"""Push notifications in a real browser: permission, failures and display."""

import json
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from accounts.models import User
from games.news.channels import browser
from games.news.models import Device
from tests import cast
from tests.browser.opening import opening
from tests.browser.signing_in import sign_in
from tests.games.together import wait_until
from tests.support.site import Site

SUBSCRIBED = """
PushManager.prototype.subscribe = async function ({ applicationServerKey }) {
  const pair = await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"]);
  const p256dh = await crypto.subtle.exportKey("raw", pair.publicKey);
  const keys = { p256dh, auth: new Uint8Array(16).buffer };
  return { endpoint: `https://push.example.org/${applicationServerKey}`, getKey: (name) => keys[name] };
};
"""
"""A script that fakes the push service, since the real one is on the internet."""


@pytest.fixture
def open_page(whole_chromium: Browser, site: Site) -> Iterator[Callable[..., Page]]:
    """A function that opens pages in a browser that supports notifications."""
    with opening(whole_chromium, site.url) as open_one:
        yield open_one


@pytest.fixture
def alice(transactional_db: None) -> User:
    return cast.alice()


@pytest.fixture
def news(open_page: Callable[..., Page], alice: User, site: Site) -> Page:
    """Alice's notification settings, in a browser that permits notifications."""
    page = open_page(permissions=["notifications"])
    sign_in(page, alice, site)
    return page


def test_a_browser_shows_notifications_after_permission(news: Page, alice: User) -> None:
    news.add_init_script(SUBSCRIBED)
    news.goto("/settings/news/")
    news.get_by_role("button", name="Show notifications in this browser").click()
    expect(news.get_by_text("This browser now shows your notifications.")).to_be_visible()
    expect(news.get_by_text("Chrome on Linux").first).to_be_visible()
    device = Device.objects.get(user=alice)
    assert device.endpoint == f"https://push.example.org/{browser.application_key()}"
    assert browser.public_key_of(device.p256dh)
    news.get_by_role("button", name="Remove Chrome on Linux").click()
    expect(news.get_by_text("That browser no longer shows notifications.")).to_be_visible()


def test_an_unreachable_push_service_is_reported(news: Page) -> None:
    news.goto("/settings/news/")
    news.get_by_role("button", name="Show notifications in this browser").click()
    expect(news.get_by_text("the browser’s push service didn’t answer")).to_be_visible()
    assert not Device.objects.exists()


def test_a_missing_permission_is_reported(open_page: Callable[..., Page], alice: User, site: Site) -> None:
    page = open_page()
    sign_in(page, alice, site)
    page.add_init_script("Notification.requestPermission = async () => 'denied';")
    page.goto("/settings/news/")
    page.get_by_role("button", name="Show notifications in this browser").click()
    expect(page.get_by_text("This browser blocks notifications from this site.")).to_be_visible()


def test_without_a_script_the_page_explains_the_requirements(
    open_page: Callable[..., Page], alice: User, site: Site
) -> None:
    page = open_page(java_script_enabled=False)
    sign_in(page, alice, site)
    page.goto("/settings/news/")
    expect(page.get_by_text("This needs JavaScript.")).to_be_visible()
    expect(page.get_by_role("button", name="Show notifications in this browser")).to_be_hidden()


def test_an_incoming_notification_is_shown(news: Page, site: Site) -> None:
    news.goto("/settings/news/")
    session = news.context.new_cdp_session(news)
    ready: list[str] = []
    session.on(
        "ServiceWorker.workerVersionUpdated",
        lambda event: ready.extend(
            each["registrationId"] for each in event["versions"] if each["status"] == "activated"
        ),
    )
    session.send("ServiceWorker.enable")
    news.evaluate("() => void navigator.serviceWorker.register('/worker.js')")
    # A message is lost if the worker is not active yet.
    wait_until(lambda: bool(news.evaluate("true") and ready))
    message = {
        "title": "First flight, turn 7: your move",
        "body": "Bob falls.",
        "tag": "game-1",
        "url": site.url,
    }
    sent = {"origin": site.url, "registrationId": ready[-1], "data": json.dumps(message)}
    shown = """async () => {
      const worker = await navigator.serviceWorker.ready;
      const notifications = await worker.getNotifications();
      return notifications.map(({ title, body, tag, data }) => ({ title, body, tag, url: data.url }));
    }"""

    def comes() -> bool:
        """Send the message. Return whether the browser shows it.

        Browsers drop messages that arrive too early, so the test sends the message repeatedly.
        """
        session.send("ServiceWorker.deliverPushMessage", sent)
        return bool(news.evaluate(shown))

    wait_until(comes)
    assert news.evaluate(shown) == [message]
