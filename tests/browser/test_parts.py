"""An open page requests only the parts that an event changed, and only once."""

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Request, expect

from accounts.models import User
from games.play.models import Game
from tests.browser.programming import OpenPage
from tests.browser.signing_in import sign_in
from tests.browser.waiting import AT_ONCE, hears
from tests.games.support import Table
from tests.support.site import Site

PARTS = "/parts/"

COUNT = """() => {
    window.asked = [];
    const asked = ({ name }) => name.includes("/parts/");
    const count = () => performance.getEntriesByType("resource").filter(asked).length;
    document.addEventListener("stream:ready", () => window.asked.push(count()));
}"""
"""A script that records how many parts were requested at each stream:ready event.

The event tells a page which players are ready.
"""


class Asked:
    """The addresses within a game that a page has requested."""

    def __init__(self, page: Page) -> None:
        self.paths: list[str] = []
        page.on("request", self._note)

    def _note(self, request: Request) -> None:
        path = request.url.partition("?")[0]
        if "/games/" in path and "/static/" not in path:
            self.paths.append(path.partition("/games/")[2].partition("/")[2])


@pytest.fixture
def pages(open_page: OpenPage, people: tuple[User, User], site: Site, game: Game) -> tuple[Page, Page]:
    """The game's page, opened by Alice and by Bob."""
    opened = []
    for person in people:
        page = open_page()
        sign_in(page, person, site)
        page.goto(game.get_absolute_url())
        hears(page)
        opened.append(page)
    return opened[0], opened[1]


def submit(page: Page) -> None:
    for chip in "12345":
        page.keyboard.press(chip)
    page.keyboard.press("Enter")


def test_only_the_page_that_submits_requests_parts_once(
    pages: tuple[Page, Page], table: Table, people: tuple[User, User], game: Game
) -> None:
    mine, other = pages
    for page in pages:
        page.evaluate(COUNT)
    submit(mine)
    expect(mine.locator("#panel-title")).to_have_text("Your program is submitted", timeout=AT_ONCE)
    expect(mine.locator("#panel-title")).to_be_focused()
    expect(other.locator("[data-ready]")).to_have_text("1 of 2 ready", timeout=AT_ONCE)
    # This later event shows that the stream has delivered everything before.
    table.move(game, people[1], now=timezone.now())
    for page in pages:
        expect(page.locator("[data-ready]")).to_have_text("2 of 2 ready", timeout=AT_ONCE)
    assert [page.evaluate("window.asked")[-1] for page in pages] == [1, 0]


def test_a_page_shows_that_it_waits_for_a_turn(
    pages: tuple[Page, Page], table: Table, people: tuple[User, User], game: Game
) -> None:
    page = pages[0]
    asked = Asked(page)
    table.move(game, *people, now=timezone.now())
    expect(page.locator(".news")).to_contain_text("the turn is about to be played", timeout=AT_ONCE)
    assert "parts/" in asked.paths
    assert "" not in asked.paths, "the page itself is not fetched"


def test_a_background_page_requests_parts_when_it_is_shown(
    pages: tuple[Page, Page], table: Table, people: tuple[User, User], game: Game
) -> None:
    page = pages[0]
    asked = Asked(page)
    page.evaluate("""() => {
        Object.defineProperty(document, "hidden", { configurable: true, get: () => window.away });
        window.away = true;
        document.dispatchEvent(new Event("visibilitychange"));
    }""")
    assert page.evaluate("import('/static/play/parts.js').then(({ refresh }) => refresh())")
    assert "parts/" not in asked.paths
    page.evaluate("""() => { window.away = false; document.dispatchEvent(new Event("visibilitychange")); }""")
    page.wait_for_request(lambda request: PARTS in request.url) if "parts/" not in asked.paths else None
    assert asked.paths.count("parts/") == 1


def test_unchanged_parts_are_not_sent_again(pages: tuple[Page, Page]) -> None:
    page = pages[0]
    again = "import('/static/play/parts.js').then(({ refresh }) => refresh())"
    with page.expect_response(lambda response: PARTS in response.url) as first:
        page.evaluate(again)
    assert first.value.status == 200
    with page.expect_response(lambda response: PARTS in response.url) as second:
        page.evaluate(again)
    assert second.value.status == 304
    expect(page.locator("[data-chip]")).to_have_count(9)
