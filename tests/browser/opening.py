"""Opening pages in a browser, and hearing what goes wrong on them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, ConsoleMessage, Page

from tests.support import clock


@contextmanager
def opening(browser: Browser, url: str) -> Iterator[Callable[..., Page]]:
    """Give what opens pages of a site, each as a person of its own: cookies are not shared.

    What the call is given goes to Playwright's ``new_context``: ``open_page(java_script_enabled=False)``.
    In the end errors in scripts and breaches of the content security policy raise AssertionError.
    """
    contexts = []
    problems: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type == "error" and "Content Security Policy" in message.text:
            problems.append(message.text)

    def open_one(**options: object) -> Page:
        context = browser.new_context(base_url=url, **options)  # type: ignore[arg-type]
        context.add_init_script(clock.BROWSER % round(clock.ahead() * 1000))
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", note)
        return page

    try:
        yield open_one
    finally:
        for context in contexts:
            context.close()
    assert not problems, problems
