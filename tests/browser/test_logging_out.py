"""After logging out, a browser shows no pages of the person."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from games.play.models import Game
from roborunner import streams
from tests.browser.signing_in import sign_in
from tests.browser.waiting import hears
from tests.support.site import Site

pytestmark = pytest.mark.browser

OpenPage = Callable[..., Page]

WRITE = """text => {
    const field = document.querySelector("[data-chat] textarea");
    field.value = text;
    field.dispatchEvent(new Event("input"));
}"""


def test_other_tabs_and_back_show_a_strangers_page(
    open_page: OpenPage, people: tuple[User, User], site: Site, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "RIGHTS_INTERVAL", 0.3)
    alice, _bob = people
    page = open_page()
    sign_in(page, alice, site)
    other, elsewhere = page.context.new_page(), page.context.new_page()
    other.goto(game.get_absolute_url())
    hears(other)
    kept = "() => JSON.stringify({ ...sessionStorage, ...localStorage })"
    other.evaluate(WRITE, "A secret that is not sent")
    assert "A secret" in other.evaluate(kept)
    elsewhere.goto("/my-room/")
    page.goto("/games/")
    page.get_by_role("banner").get_by_text("Alice").click()
    page.get_by_role("button", name="Log out").click()
    for each in (page, other):
        expect(each.get_by_role("banner").get_by_role("link", name="Log in")).to_be_visible()
    expect(elsewhere.get_by_role("heading", name="Log in", exact=True)).to_be_visible()
    assert "A secret" not in str(page.evaluate(kept)) + str(other.evaluate(kept))
    page.go_back()
    expect(page.get_by_role("banner").get_by_role("link", name="Log in")).to_be_visible()
    expect(page.get_by_role("banner").get_by_text("Alice")).to_have_count(0)
