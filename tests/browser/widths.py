"""Pages in windows of every width: none scrolls sideways."""

from collections.abc import Iterable

from playwright.sync_api import Page

WIDTHS = (320, 390, 768, 1440)
"""Widths in pixels: small and usual phones, tablets and desktops."""

SCROLLS = "document.documentElement.scrollWidth > innerWidth"


def too_wide(page: Page, paths: Iterable[str], widths: Iterable[int] = WIDTHS) -> list[tuple[str, int]]:
    """Return the pages that scroll sideways in windows of these widths.

    Loads each page once and opens its folded parts first.
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
