"""Find pages that scroll sideways, in windows of every usual width."""

from collections.abc import Iterable

from playwright.sync_api import Page

WIDTHS = (320, 390, 768, 1440)
"""Widths of windows in pixels: small and usual phones, tablets and desktops."""

SCROLLS = "document.documentElement.scrollWidth > innerWidth"


def too_wide(page: Page, paths: Iterable[str], widths: Iterable[int] = WIDTHS) -> list[tuple[str, int]]:
    """Return the pages that scroll sideways in windows of the given widths.

    Each page is loaded once, and its folded parts are opened first.
    """
    found = []
    for path in paths:
        answer = page.goto(path)
        assert answer
        assert answer.ok or path == "/nowhere/", (path, answer.status)
        page.evaluate("for (const part of document.querySelectorAll('main details')) part.open = true")
        for width in widths:
            page.set_viewport_size({"width": width, "height": 800})
            if page.evaluate(SCROLLS):
                found.append((path, width))
    return found
