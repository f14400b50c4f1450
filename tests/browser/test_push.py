"""News shown by a real browser: asking for it, saying why it does not work, and showing what comes."""

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
"""A push service that answers: the browser's own is out in the world."""


@pytest.fixture
def open_page(whole_chromium: Browser, site: Site) -> Iterator[Callable[..., Page]]:
    """Opens pages in a browser that shows notifications."""
    with opening(whole_chromium, site.url) as open_one:
        yield open_one


@pytest.fixture
def alice(transactional_db: None) -> User:
    return cast.alice()


@pytest.fixture
def news(open_page: Callable[..., Page], alice: User, site: Site) -> Page:
    """Alice's page on news, in a browser that lets the site show messages."""
    page = open_page(permissions=["notifications"])
    sign_in(page, alice, site)
    return page


def test_a_browser_is_asked_and_shows_news_from_then_on(news: Page, alice: User) -> None:
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


def test_a_push_service_that_cannot_be_reached_is_told(news: Page) -> None:
    news.goto("/settings/news/")
    news.get_by_role("button", name="Show notifications in this browser").click()
    expect(news.get_by_text("the browser’s push service didn’t answer")).to_be_visible()
    assert not Device.objects.exists()


def test_a_browser_that_may_show_nothing_says_so(
    open_page: Callable[..., Page], alice: User, site: Site
) -> None:
    page = open_page()
    sign_in(page, alice, site)
    page.add_init_script("Notification.requestPermission = async () => 'denied';")
    page.goto("/settings/news/")
    page.get_by_role("button", name="Show notifications in this browser").click()
    expect(page.get_by_text("This browser blocks notifications from this site.")).to_be_visible()


def test_without_a_script_the_page_says_what_it_takes(
    open_page: Callable[..., Page], alice: User, site: Site
) -> None:
    page = open_page(java_script_enabled=False)
    sign_in(page, alice, site)
    page.goto("/settings/news/")
    expect(page.get_by_text("This needs JavaScript.")).to_be_visible()
    expect(page.get_by_role("button", name="Show notifications in this browser")).to_be_hidden()


def test_what_comes_is_shown(news: Page, site: Site) -> None:
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
    # A message for a worker that is only about to be active is lost.
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
        """Whether it is shown. Sent until it is: the browser drops what comes before it is ready."""
        session.send("ServiceWorker.deliverPushMessage", sent)
        return bool(news.evaluate(shown))

    wait_until(comes)
    assert news.evaluate(shown) == [message]
