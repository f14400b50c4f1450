"""How long tests wait for what open pages are told, and for pages that are to hear of something."""

from typing import Any

from playwright.sync_api import Page, expect

from tests.games.together import wait_until

AT_ONCE = 10_000
"""Milliseconds within which an open page shows what has happened: as long as a busy machine may take, and
less than it takes a stream to look by itself (`roborunner.streams.LOOK`).
"""


def hears(page: Page) -> None:
    """Wait until a page is told at once of what is new."""
    expect(page.locator("[data-stream]")).to_have_attribute("data-state", "live")


def comes_true(page: Page, expression: str, arg: Any = None, *, seconds: float = 60.0) -> None:
    """Wait until an expression is true on a page.

    Playwright's own ``wait_for_function`` evaluates a string inside the page when it asks again, and the
    pages' Content-Security-Policy refuses that.
    """
    wait_until(lambda: bool(page.evaluate(expression, arg)), seconds)
