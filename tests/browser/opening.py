"""Open pages in a browser, report their faults, and reuse them in later tests."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Dialog, Error, Page

from tests.support import clock

MOST = 4
"""The maximum number of idle pages to keep for later tests."""

BLANK = "/static/site/theme.js"
"""The address of idle pages. It is on the site, so that the browser keeps the site's compiled scripts."""

_STORES = "local_storage,indexeddb,service_workers,cache_storage,file_systems"
_MARKS = (
    *("on", "once", "route", "add_init_script", "expose_function", "expose_binding", "add_locator_handler"),
    *("set_default_timeout", "set_default_navigation_timeout", "set_extra_http_headers", "emulate_media"),
    *("close", "new_page", "new_cdp_session", "set_offline", "set_geolocation", "grant_permissions"),
)
"""Methods of a page or context with lasting effects. After a call of one, the page is not reused."""


class Opened:
    """A page in its own context, so that pages share no cookies."""

    def __init__(self, browser: Browser, url: str, options: dict[str, Any]) -> None:
        self.kind = repr(sorted(options.items()))
        self.problems: list[str] = []
        self.context = browser.new_context(base_url=url, **options)
        self.page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("console", self._note)
        self._url = url
        self._size = self.page.viewport_size
        self._session = self.context.new_cdp_session(self.page)
        self._add_script = self.context.add_init_script
        self._once = self.page.once
        self._marked = False
        self._time: Any = None
        for part in (self.page, self.context):
            for name in filter(part.__class__.__dict__.__contains__, _MARKS):
                setattr(part, name, self._marking(getattr(part, name)))

    def begin(self) -> None:
        """Set the page's clock to the test's time."""
        self._time = self._add_script(clock.BROWSER % round(clock.ahead() * 1000))

    def clear(self) -> bool:
        """Make the page like a new one. Return False if that is impossible."""
        page = self.page
        if self._marked or self.context.pages != [page] or not page.url.startswith((self._url, "about:")):
            return False
        self.context.clear_cookies()  # the old page must not act for a person while leaving
        self._time.close()
        self._once("dialog", _leave)
        page.goto(BLANK)
        page.remove_listener("dialog", _leave)
        page.evaluate("() => { sessionStorage.clear(); name = ''; }")
        self._session.send("Storage.clearDataForOrigin", {"origin": self._url, "storageTypes": _STORES})
        self._session.send("Network.clearBrowserCache")
        self.context.clear_cookies()
        page.mouse.up()
        page.mouse.move(-10, -10)
        if self._size and page.viewport_size != self._size:
            page.set_viewport_size(self._size)
        self.problems.clear()
        return True

    def close(self) -> None:
        self.context.__class__.close(self.context)

    def _note(self, message: ConsoleMessage) -> None:
        if message.type == "error" and "Content Security Policy" in message.text:
            self.problems.append(message.text)

    def _marking(self, method: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(method)
        def marked(*arguments: Any, **options: Any) -> Any:
            self._marked = True
            return method(*arguments, **options)

        return marked


def _leave(dialog: Dialog) -> None:
    dialog.accept()


class Kept:
    """Pages of one browser and site that several tests use, to save time."""

    def __init__(self, browser: Browser, url: str) -> None:
        self._browser, self._url = browser, url
        self._idle: list[Opened] = []

    def take(self, options: dict[str, Any]) -> Opened:
        """Return a clean page. ``options`` are arguments of Playwright's ``new_context``."""
        kind = repr(sorted(options.items()))
        opened = next((each for each in self._idle if each.kind == kind), None)
        if opened:
            self._idle.remove(opened)
        else:
            opened = Opened(self._browser, self._url, options)
        opened.begin()
        return opened

    def give_back(self, opened: Opened) -> None:
        """Keep a page for a later test, or close it if it cannot be cleaned."""
        try:
            cleared = opened.clear()
        except Error:
            cleared = False
        if not cleared:
            opened.close()
            return
        self._idle.append(opened)
        if len(self._idle) > MOST:
            self._idle.pop(0).close()

    @contextmanager
    def opening(self) -> Iterator[Callable[..., Page]]:
        """Yield a function that opens pages, each with its own cookies.

        It takes options of a page, as in ``open_page(java_script_enabled=False)``. At the end, errors in
        scripts and breaches of the content security policy raise AssertionError.
        """
        taken: list[Opened] = []

        def open_one(**options: object) -> Page:
            taken.append(self.take(options))
            return taken[-1].page

        problems: list[str] = []
        try:
            yield open_one
        finally:
            for opened in taken:
                problems += opened.problems
                self.give_back(opened)
        assert not problems, problems

    def close(self) -> None:
        for opened in self._idle:
            opened.close()
        self._idle.clear()


@contextmanager
def opening(browser: Browser, url: str) -> Iterator[Callable[..., Page]]:
    """Yield a function that opens pages, and close the pages afterwards."""
    kept = Kept(browser, url)
    try:
        with kept.opening() as open_one:
            yield open_one
    finally:
        kept.close()
