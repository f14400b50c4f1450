"""Fixtures for tests in a real browser on the real site."""

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

from accounts.models import User
from games.play.models import Game
from tests import cast
from tests.browser.opening import Kept
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
    "--force-gpu-mem-available-mb=0",  # nothing is painted, since no test looks at pixels
]
_PATIENCE = 60_000
"""The maximum milliseconds to wait for an expectation. They are enough on busy machines."""
_WHOLE = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_WITHOUT_WINDOWS = ("chromium-headless-shell", *_WHOLE)
"""Browsers to try, in this order.

The headless shell comes first: it has no window, not even an invisible one, so it is faster.
"""


@pytest.fixture(scope="session")
def _playwright() -> Iterator[Playwright]:
    expect.set_options(timeout=_PATIENCE)
    with sync_playwright() as playwright:
        yield playwright


@contextmanager
def _launched(playwright: Playwright, names: Sequence[str]) -> Iterator[Browser]:
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if not path:
        reason = "no Chromium here: install the package chromium, or name the program in CHROMIUM"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    browser = playwright.chromium.launch(executable_path=path, args=_ARGUMENTS, chromium_sandbox=False)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def chromium(_playwright: Playwright) -> Iterator[Browser]:
    """A headless browser. Without one, tests are skipped, or fail in CI."""
    with _launched(_playwright, _WITHOUT_WINDOWS) as browser:
        yield browser


@pytest.fixture(scope="session")
def whole_chromium(_playwright: Playwright) -> Iterator[Browser]:
    """A browser with all desktop features, such as notifications."""
    with _launched(_playwright, _WHOLE) as browser:
        yield browser


@pytest.fixture(scope="session")
def _kept(chromium: Browser, _site: Site) -> Iterator[Kept]:
    kept = Kept(chromium, _site.url)
    yield kept
    kept.close()


@pytest.fixture
def open_page(_kept: Kept, site: Site) -> Iterator[Callable[..., Page]]:
    """A function that opens pages, each with its own cookies.

    Faults on these pages fail the test (see `opening`).
    """
    with _kept.opening() as open_one:
        yield open_one


@pytest.fixture
def page(open_page: Callable[..., Page]) -> Page:
    return open_page()


@pytest.fixture
def people(site: Site) -> tuple[User, User]:
    return cast.alice(), cast.bob()


@pytest.fixture
def table(site: Site) -> Table:
    """Return a `Table` on a small ship, to create and play games."""
    return Table(HALL.saved())


@pytest.fixture
def game(table: Table, people: tuple[User, User]) -> Game:
    """A game of Alice and Bob in turn 1, with chips dealt."""
    game = table.game(*people, now=timezone.now())
    table.play(game, *people, now=timezone.now())
    return game


@pytest.fixture
def alices(open_page: Callable[..., Page], people: tuple[User, User], site: Site) -> Callable[..., Page]:
    """A function that opens pages on which Alice is logged in."""

    def open_one(**options: object) -> Page:
        page = open_page(**options)
        sign_in(page, people[0], site)
        return page

    return open_one
