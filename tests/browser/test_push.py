"""Push notifications in a real browser: permission, failures and display."""

import json
from collections.abc import Callable, Iterator

import pytest
from django.conf import LazySettings
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from accounts.models import User
from games.news.channels import browser
from games.news.models import Device, Notice
from games.play.reminders import reminder_url
from tests import cast
from tests.browser.opening import opening
from tests.browser.signing_in import sign_in
from tests.games.support import Table
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


SHOWN = """async () => {
  const worker = await navigator.serviceWorker.ready;
  const notifications = await worker.getNotifications();
  return notifications.map(({ title, body, tag, data, actions }) => (
    { title, body, tag, url: data.url, buttons: actions.map((action) => action.action) }
  ));
}"""

CLICKED = """async ([action, tag]) => {
  const opened = [];
  self.clients.openWindow = async (url) => opened.push(url);
  WindowClient.prototype.focus = async function () { opened.push(`focus ${this.url}`); };
  const [notification] = await self.registration.getNotifications({ tag });
  const event = new NotificationEvent("notificationclick", { notification, action });
  const waits = [];
  event.waitUntil = (promise) => waits.push(promise);
  self.dispatchEvent(event);
  await Promise.all(waits);
  return opened;
}"""
"""A script that clicks a notification, or one of its buttons, and returns the pages it opens.

No browser without a screen draws notifications, and only a person's click may open a window.
"""


def deliver(page: Page, site: Site, message: dict[str, object]) -> None:
    """Send a message to the browser as a push service does, until the browser shows it."""
    session = page.context.new_cdp_session(page)
    ready: list[str] = []
    session.on(
        "ServiceWorker.workerVersionUpdated",
        lambda event: ready.extend(
            each["registrationId"] for each in event["versions"] if each["status"] == "activated"
        ),
    )
    session.send("ServiceWorker.enable")
    page.evaluate("() => void navigator.serviceWorker.register('/worker.js')")
    # A message is lost if the worker is not active yet.
    wait_until(lambda: bool(page.evaluate("true") and ready))
    sent = {"origin": site.url, "registrationId": ready[-1], "data": json.dumps(message)}

    def comes() -> bool:
        """Send the message. Return whether the browser shows it.

        Browsers drop messages that arrive too early, so the test sends the message repeatedly.
        """
        session.send("ServiceWorker.deliverPushMessage", sent)
        return bool(page.evaluate(SHOWN))

    wait_until(comes)


def click(page: Page, *, action: str = "", tag: str) -> list[str]:
    """Click a notification, or the button with an action. Return the addresses that it opens."""
    (worker,) = page.context.service_workers
    opened: list[str] = worker.evaluate(CLICKED, [action, tag])
    return opened


def test_an_incoming_notification_is_shown(news: Page, site: Site) -> None:
    message = {
        "title": "First flight, turn 7: your move",
        "body": "Bob falls.",
        "tag": "game-1",
        "url": site.url,
    }
    news.goto("/settings/news/")
    deliver(news, site, message)
    assert news.evaluate(SHOWN) == [message | {"buttons": []}]


def test_the_buttons_of_a_turn_open_the_console_and_set_a_reminder(
    news: Page, alice: User, site: Site, table: Table, settings: LazySettings
) -> None:
    settings.BASE_URL = site.url
    game = table.game(alice, cast.bob(), pace={"hours": 72}, now=timezone.now())
    Device.objects.create(
        user=alice, endpoint="https://push.example.org/1", p256dh="", auth="", made_at=timezone.now()
    )
    notice = Notice(user=alice, game=game, turn=0, channel="push")
    tag, url = f"game-{game.pk}", f"{site.url}{game.get_absolute_url()}move/"
    buttons = [{"action": "open", "title": "Open"}, {"action": "remind", "title": "Remind me in 3 hours"}]
    message = {"title": "Your move", "body": "", "tag": tag, "url": url, "actions": buttons}
    news.goto("/settings/news/")
    deliver(news, site, message | {"reminder": reminder_url(notice)})
    assert news.evaluate(SHOWN)[0]["buttons"] == ["open", "remind"]
    assert click(news, action="remind", tag=tag) == []
    (shown,) = news.evaluate(SHOWN)
    assert "We’ll remind you at" in shown["body"]
    assert Notice.objects.get(user=alice, kind="later", status="held").channel == "push"
    assert click(news, tag=tag) == [url]
    deliver(news, site, message | {"reminder": f"{site.url}/remind/nonsense/"})
    assert click(news, action="remind", tag=tag) == [f"{site.url}/remind/nonsense/"]
    news.goto(game.get_absolute_url())
    deliver(news, site, message)
    assert click(news, action="open", tag=tag) == [f"focus {news.url}"]
