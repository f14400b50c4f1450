"""A real browser on the real site."""

import os
import shutil
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from accounts.models import User
from tests import cast
from tests.browser.opening import opening
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
    """Opens pages, each as a person of its own; what goes wrong on them fails the test (see `opening`)."""
    with opening(chromium, site.url) as open_one:
        yield open_one


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
