"""A real browser on the real site."""

import os
import shutil
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

from accounts.models import User
from tests import cast
from tests.browser.signing_in import sign_in
from tests.games.support import HALL, Table
from tests.support.site import Site

_ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
_PATIENCE = 20_000
"""Milliseconds that a page has for what is expected of it, on a machine with other things to do."""
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The browser; without one the tests are left out, but on CI that is a failure."""
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, _NAMES)), None)
    if not path:
        reason = "no Chromium here: install the package chromium, or name the program in CHROMIUM"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    expect.set_options(timeout=_PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=_ARGUMENTS, chromium_sandbox=False)
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium: Browser, site: Site) -> Iterator[Callable[..., Page]]:
    """Opens pages, each as a person of its own: cookies are not shared.

    What the call is given goes to Playwright's ``new_context``: ``open_page(java_script_enabled=False)``.
    Errors in scripts and breaches of the content security policy fail the test.
    """
    contexts = []
    problems: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type == "error" and "Content Security Policy" in message.text:
            problems.append(message.text)

    def open_one(**options: object) -> Page:
        context = chromium.new_context(base_url=site.url, **options)  # type: ignore[arg-type]
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", note)
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert not problems, problems


@pytest.fixture
def page(open_page: Callable[..., Page]) -> Page:
    """One page of one person."""
    return open_page()


@pytest.fixture
def people(site: Site) -> tuple[User, User]:
    """Alice and Bob."""
    return cast.alice(), cast.bob()


@pytest.fixture
def table(site: Site) -> Table:
    """Makes games on the hall, and moves in them."""
    return Table(HALL.saved())


@pytest.fixture
def alices(open_page: Callable[..., Page], people: tuple[User, User], site: Site) -> Callable[..., Page]:
    """Opens pages for Alice."""

    def open_one(**options: object) -> Page:
        page = open_page(**options)
        sign_in(page, people[0], site)
        return page

    return open_one
