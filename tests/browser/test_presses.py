"""Presses on buttons take effect even while modules load or the page changes."""

import pytest
from playwright.sync_api import Page, Route, expect

from accounts.models import User
from games.play.models import Game
from tests.browser.programming import OpenPage, chips_in_registers, hand
from tests.browser.signing_in import sign_in
from tests.browser.waiting import comes_true
from tests.support.site import Site


@pytest.fixture
def page(open_page: OpenPage, people: tuple[User, User], site: Site) -> Page:
    """A page on which Alice is logged in."""
    page = open_page()
    sign_in(page, people[0], site)
    return page


def test_presses_before_the_modules_load_take_effect_afterwards(page: Page, game: Game) -> None:
    held: list[Route] = []
    page.route("**/play/game.js", lambda route: held.append(route))
    page.goto(game.get_absolute_url(), wait_until="commit")
    chips = page.locator("[data-chip]")
    expect(chips).to_have_count(9)
    page.keyboard.press("1")
    chips.nth(2).locator(".chip").click()
    page.get_by_label("Reboot afterwards").check()
    assert len(held) == 1, "the module is still under way"
    numbers = hand(page)
    held[0].continue_()
    expect(page.locator("[data-hint]")).to_have_text("3 registers to fill")
    assert chips_in_registers(page) == [numbers[0], numbers[2], "", "", ""]
    expect(page.get_by_label("Reboot afterwards")).to_be_checked()


def test_a_press_becomes_a_click_even_if_the_panel_changes_meanwhile(page: Page, game: Game) -> None:
    page.goto(game.get_absolute_url())
    tick = page.get_by_label("Reboot afterwards")
    tick.hover()
    page.mouse.down()
    page.evaluate("""() => import('/static/play/parts.js').then(({ refresh }) => {
        document.querySelector('[data-part=panel]').dataset.version = 'old';
        refresh().then(() => { window.drawn = true; });
    })""")
    page.wait_for_timeout(700)
    page.mouse.up()
    comes_true(page, "window.drawn")
    expect(tick).to_be_checked()


def test_an_endless_press_does_not_block_the_page(page: Page, game: Game) -> None:
    page.goto(game.get_absolute_url())
    page.get_by_label("Reboot afterwards").hover()
    page.mouse.down()
    assert page.evaluate("import('/static/play/parts.js').then(({ refresh }) => refresh())")
