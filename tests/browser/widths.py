"""Pages in windows of every width: none scrolls sideways."""

from collections.abc import Iterable

from playwright.sync_api import Page

WIDTHS = (320, 390, 768, 1440)
"""Pixels: of small telephones and usual ones, of tablets, and of what stands on desks."""

SCROLLS = "document.documentElement.scrollWidth > innerWidth"


def too_wide(page: Page, paths: Iterable[str], widths: Iterable[int] = WIDTHS) -> list[tuple[str, int]]:
    """Load pages once each, and show them in windows of these widths; return where they scroll sideways.

    What can be unfolded on them is unfolded first.
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
