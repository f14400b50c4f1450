"""How long tests wait for what open pages are told, and for pages that are to hear of something."""

from playwright.sync_api import Page, expect

AT_ONCE = 10_000
"""Milliseconds within which an open page shows what has happened: as long as a busy machine may take, and
less than it takes a stream to look by itself (`roborunner.streams.hub.LOOK`).
"""


def hears(page: Page) -> None:
    """Wait until a page is told at once of what is new."""
    expect(page.locator("[data-stream]")).to_have_attribute("data-state", "live")
