"""Every page in a real browser: its width, theme, keyboard use and scripts."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.widths import too_wide

PATHS = ("/accounts/login/", "/accounts/signup/", "/accounts/password/reset/", "/nowhere/", "/docs/fairness/")


def test_no_page_scrolls_sideways(page: Page) -> None:
    assert not too_wide(page, PATHS)


def test_the_page_follows_the_system_until_the_reader_chooses(open_page: Callable[..., Page]) -> None:
    page = open_page(color_scheme="dark")
    page.goto("/accounts/login/")
    night = "getComputedStyle(document.documentElement).getPropertyValue('color-scheme')"
    paper = "getComputedStyle(document.querySelector('.site-header')).backgroundColor"
    dark = page.evaluate(paper)
    page.get_by_role("button", name="Day").click()
    light = page.evaluate(paper)
    assert light != dark
    page.goto("/accounts/signup/")
    assert page.evaluate(night) == "light"
    assert page.evaluate(paper) == light, "the choice outlasts the page"
    page.get_by_role("button", name="System").click()
    page.reload()
    assert page.evaluate(paper) == dark


def test_a_keyboard_reaches_the_page_past_the_menu(page: Page) -> None:
    page.goto("/accounts/login/")
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to the page")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('main') !== null")


def test_sign_up_knows_the_time_zone_of_the_browser(open_page: Callable[..., Page]) -> None:
    page = open_page(timezone_id="Asia/Tokyo")
    page.goto("/accounts/signup/")
    expect(page.locator("[name=time_zone]")).to_have_value("Asia/Tokyo")


def test_the_pages_work_without_script(open_page: Callable[..., Page]) -> None:
    page = open_page(java_script_enabled=False)
    page.goto("/accounts/login/")
    expect(page.get_by_role("heading", name="Log in")).to_be_visible()
    expect(page.get_by_role("button", name="Night")).to_be_hidden()
