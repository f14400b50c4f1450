"""Wait for changes on open pages."""

from typing import Any

from playwright.sync_api import Page, expect

from tests.games.together import wait_until

AT_ONCE = 10_000
"""Milliseconds within which an open page must show an event.

This allows for a busy machine. It is shorter than the interval at which streams look for missed changes
(`roborunner.streams.LOOK_INTERVAL`).
"""


def hears(page: Page) -> None:
    """Wait until a page is connected to its event stream."""
    expect(page.locator("[data-stream]")).to_have_attribute("data-state", "live")


def comes_true(page: Page, expression: str, arg: Any = None, *, seconds: float = 60.0) -> None:
    """Wait until a JavaScript expression is true on a page.

    Playwright's own ``wait_for_function`` evaluates a string inside the page when it retries, and the pages'
    Content-Security-Policy refuses that.
    """
    wait_until(lambda: bool(page.evaluate(expression, arg)), seconds)
