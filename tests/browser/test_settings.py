"""Settings apply to a person's devices, and to a stranger's browser."""

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from accounts.models import User
from accounts.settings import change_settings
from tests import cast
from tests.browser.signing_in import sign_in
from tests.browser.waiting import comes_true
from tests.browser.widths import too_wide
from tests.support.site import Site

OpenPage = Callable[..., Page]

PATH = "/settings/"
SAID = "[data-settings-said]"
DARK = "rgb(8, 13, 25)"
GROUND = "getComputedStyle(document.querySelector('.site-header')).backgroundColor"
AT_FIRST = """
    new MutationObserver(() => {
        if (document.body && !('atFirst' in window)) window.atFirst = {...document.documentElement.dataset};
    }).observe(document, { childList: true, subtree: true });
"""
"""A script that records the attributes of <html> before the first paint."""


@pytest.fixture
def alice(site: Site) -> User:
    """Return Alice, with the settings of a new account."""
    return cast.alice()


@pytest.fixture
def alices(open_page: OpenPage, alice: User, site: Site) -> OpenPage:
    """A function that opens pages for Alice, each on another device."""

    def open_one(**options: object) -> Page:
        page = open_page(**options)
        sign_in(page, alice, site)
        return page

    return open_one


def choose(page: Page, group: str, word: str) -> None:
    """Choose an option in a group of the settings form, by its label."""
    form = page.locator("[data-settings-form]")
    form.get_by_role("group", name=group, exact=True).get_by_role("radio", name=word, exact=True).check()


def await_setting(alice: User, name: str, value: object) -> None:
    """Wait until the server has stored the given value of Alice's setting."""
    end = time.monotonic() + 60
    while True:
        alice.refresh_from_db()
        if getattr(alice, name) == value:
            return
        assert time.monotonic() < end, f"{name} is {getattr(alice, name)!r}"
        time.sleep(0.05)


def holds(page: Page, name: str) -> object:
    """Return a setting as the page's scripts read it."""
    return page.evaluate(f"import('/static/site/settings.js').then((module) => module.settings.{name})")


def test_a_setting_applies_on_all_devices(alices: OpenPage, alice: User) -> None:
    desk, phone = alices(), alices(viewport={"width": 390, "height": 844})
    desk.goto(PATH)
    expect(desk.get_by_role("button", name="Save")).to_have_count(0)
    choose(desk, "Light", "Night")
    choose(desk, "Animation speed", "2×")
    desk.get_by_label("Programming aid").uncheck()
    desk.get_by_label("Master volume").fill("30")
    expect(desk.locator(SAID)).to_have_text("Saved for all your devices.")
    await_setting(alice, "volume", 30)
    phone.goto(PATH)
    assert phone.evaluate(GROUND) == DARK
    expect(phone.get_by_role("radio", name="2×")).to_be_checked()
    expect(phone.get_by_label("Programming aid")).not_to_be_checked()
    assert (holds(phone, "speed"), holds(phone, "aid"), holds(phone, "volume")) == (200, False, 30)


def test_the_switch_in_the_footer_changes_the_setting(alices: OpenPage, alice: User) -> None:
    page = alices()
    page.goto(PATH)
    page.get_by_role("button", name="Night").click()
    expect(page.get_by_role("radio", name="Night")).to_be_checked()
    await_setting(alice, "theme", "dark")
    choose(page, "Light", "Day")
    expect(page.get_by_role("button", name="Day")).to_have_attribute("aria-pressed", "true")
    await_setting(alice, "theme", "light")


def test_another_tab_follows_at_once(alices: OpenPage) -> None:
    page = alices()
    page.goto(PATH)
    other = page.context.new_page()
    other.goto("/nowhere/")
    choose(page, "Light", "Night")
    expect(other.locator("html")).to_have_attribute("data-theme", "dark")


def test_a_stranger_s_settings_stay_in_the_browser(open_page: OpenPage) -> None:
    page, other = open_page(), open_page()
    page.goto(PATH)
    choose(page, "Light", "Night")
    choose(page, "Animation speed", "4×")
    expect(page.locator(SAID)).to_have_text("Saved in this browser.")
    page.goto("/accounts/login/")
    assert page.evaluate(GROUND) == DARK
    page.goto(PATH)
    expect(page.get_by_role("radio", name="4×")).to_be_checked()
    other.goto(PATH)
    expect(other.get_by_role("radio", name="1×")).to_be_checked()


def test_a_new_account_keeps_the_stranger_s_settings(open_page: OpenPage, alice: User, site: Site) -> None:
    page = open_page()
    page.goto(PATH)
    choose(page, "Light", "Night")
    sign_in(page, alice, site)
    page.add_init_script(AT_FIRST)
    page.goto("/nowhere/")
    assert page.evaluate("atFirst.theme") == "dark", "nor does it flash"
    await_setting(alice, "theme", "dark")
    comes_true(page, "Object.keys(localStorage).length === 0")


def test_a_stranger_s_settings_do_not_touch_those_of_a_person(
    open_page: OpenPage, alice: User, site: Site
) -> None:
    change_settings(user=alice, chosen={"speed": 200})
    page = open_page()
    page.goto(PATH)
    choose(page, "Light", "Night")
    sign_in(page, alice, site)
    page.goto("/nowhere/")
    expect(page.locator("html")).not_to_have_attribute("data-theme", "dark")
    page.context.clear_cookies()
    page.goto("/nowhere/")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_the_first_paint_has_the_person_s_settings(alices: OpenPage, alice: User) -> None:
    change_settings(user=alice, chosen={"theme": "dark", "motion": "reduced", "cell_size": "large"})
    page = alices()
    page.add_init_script(AT_FIRST)
    page.goto(PATH)
    first = page.evaluate("atFirst")
    assert (first["theme"], first["motion"], first["cell"]) == ("dark", "reduced", "large")


def test_the_first_paint_has_a_stranger_s_settings(open_page: OpenPage) -> None:
    page = open_page()
    page.add_init_script(AT_FIRST)
    page.goto(PATH)
    choose(page, "Light", "Night")
    page.goto("/accounts/login/")
    assert page.evaluate("atFirst.theme") == "dark"


def test_the_colour_of_the_browser_follows_the_theme(open_page: OpenPage) -> None:
    page = open_page(color_scheme="light")
    page.goto(PATH)
    colour = """[...document.querySelectorAll('meta[name=theme-color]')]
        .find((meta) => matchMedia(meta.media).matches).content"""
    assert page.evaluate(colour) == "#f6f0e2"
    choose(page, "Light", "Night")
    assert page.evaluate(colour) == "#080d19"
    choose(page, "Light", "System")
    assert page.evaluate(colour) == "#f6f0e2"


def test_settings_work_without_a_script(alices: OpenPage, alice: User) -> None:
    page = alices(java_script_enabled=False, color_scheme="light")
    page.goto(PATH)
    choose(page, "Light", "Night")
    choose(page, "Cell size", "Medium")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Your settings are saved for all your devices.")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.locator("html")).to_have_attribute("data-cell", "medium")
    expect(page.locator(".site-header")).to_have_css("background-color", DARK)
    await_setting(alice, "cell_size", "medium")


def test_motion_is_reduced_if_the_system_asks_for_it(open_page: OpenPage) -> None:
    page = open_page(reduced_motion="reduce")
    page.goto(PATH)
    swift = "getComputedStyle(document.documentElement).getPropertyValue('--swift')"
    assert (holds(page, "motion"), page.evaluate(swift)) == ("reduced", "0s")
    choose(page, "Motion", "Full")
    assert holds(page, "motion") == "full", "the reader knows better"
    assert page.evaluate(swift) != "0s"
    choose(page, "Motion", "System")
    page.evaluate("addEventListener('settings:change', ({ detail }) => { window.told = detail; }, true)")
    page.emulate_media(reduced_motion="no-preference")
    told = "new Promise((done) => setInterval(() => window.told && done(window.told), 20))"
    assert page.evaluate(told) == {"name": "motion", "value": "full", "chosen": "auto"}
    choose(page, "Motion", "No animation")
    assert (holds(page, "motion"), page.evaluate(swift)) == ("reduced", "0s")


def test_an_offline_change_is_sent_later(alices: OpenPage, alice: User) -> None:
    page = alices()
    page.goto(PATH)
    page.context.set_offline(True)
    choose(page, "Animation speed", "4×")
    choose(page, "Light", "Night")
    expect(page.locator(SAID)).to_have_text(
        "You are offline. Saved in this browser until you are back online."
    )
    assert page.evaluate(GROUND) == DARK, "it holds at once all the same"
    page.context.set_offline(False)
    await_setting(alice, "speed", 400)
    await_setting(alice, "theme", "dark")
    expect(page.locator(SAID)).to_have_text("Saved for all your devices.")


def test_an_unsent_change_is_sent_by_the_next_page(alices: OpenPage, alice: User) -> None:
    page = alices()

    def refuse(route: Route) -> None:
        if route.request.method == "POST":
            route.abort()
        else:
            route.continue_()

    page.route(f"**{PATH}", refuse)
    page.goto(PATH)
    choose(page, "Light", "Night")
    expect(page.locator(SAID)).to_contain_text("until you are back online")
    page.unroute(f"**{PATH}")
    page.add_init_script(AT_FIRST)
    page.goto("/nowhere/")
    assert page.evaluate("atFirst.theme") == "dark"
    await_setting(alice, "theme", "dark")
    comes_true(page, "Object.keys(localStorage).length === 0")


def test_quick_changes_all_arrive(alices: OpenPage, alice: User) -> None:
    page = alices()
    page.goto(PATH)
    page.evaluate(
        """import('/static/site/settings.js').then(({ change }) => {
            for (let volume = 0; volume <= 55; volume += 5) change({ volume });
            change({ speed: 50 });
        })"""
    )
    await_setting(alice, "volume", 55)
    await_setting(alice, "speed", 50)


def test_a_person_logged_out_elsewhere_sees_a_message(alices: OpenPage, alice: User) -> None:
    page = alices()
    page.goto(PATH)
    page.context.clear_cookies()
    choose(page, "Light", "Night")
    expect(page.locator(SAID)).to_contain_text("because you are logged out")
    await_setting(alice, "theme", "auto")


def test_a_refused_change_is_undone(alices: OpenPage, alice: User) -> None:
    page = alices()
    page.goto(PATH)
    page.evaluate("import('/static/site/settings.js').then(({ change }) => change({ speed: 300 }))")
    expect(page.locator(SAID)).to_have_text("The animation speed must be 50, 100, 200 or 400 per cent.")
    expect(page.get_by_role("radio", name="1×")).to_be_checked()
    assert holds(page, "speed") == 100


def test_the_page_of_settings_fits_every_screen(alices: OpenPage) -> None:
    assert not too_wide(alices(), [PATH])
