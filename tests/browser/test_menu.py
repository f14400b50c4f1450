"""The menu of a game's console: keys, taps, and the setting for the size of cells."""

import re
from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import User
from games.play.models import Game
from tests.browser.signing_in import sign_in
from tests.browser.test_watching import after
from tests.browser.waiting import comes_true
from tests.games.support import HALL, Board, Table
from tests.support.site import Site

OpenPage = Callable[..., Page]

LARGE = Board(
    "Large",
    tuple(" ".join({(19, 19): "a", (0, 0): ".+i1"}.get((x, y), ".") for x in range(20)) for y in range(20)),
)
FOCUSED = "document.activeElement.textContent.trim() || document.activeElement.name"


@pytest.fixture
def game(people: tuple[User, User]) -> Game:
    """A game of Alice and Bob with their first hands."""
    return game_on(HALL, people)


def game_on(board: Board, people: tuple[User, User]) -> Game:
    """Start a game on the given board, and play turn 0."""
    table = Table(board.saved())
    game = table.game(*people, now=timezone.now())
    table.play(game, *people, now=timezone.now())
    return game


@pytest.fixture
def console(open_page: OpenPage, people: tuple[User, User], site: Site) -> Callable[..., Page]:
    """A function that opens a game's page for Alice."""

    def open_one(game: Game, **options: object) -> Page:
        page = open_page(**options)
        sign_in(page, people[0], site)
        page.goto(f"/games/{game.pk}/")
        return page

    return open_one


def test_keys_and_clicks_open_the_menu_and_close_it(console: Callable[..., Page], game: Game) -> None:
    page = console(game, viewport={"width": 1440, "height": 900})
    menu = page.get_by_role("dialog", name="Menu")

    # Escape opens and closes the menu.
    button = page.get_by_role("button", name="Menu")
    button.focus()
    page.keyboard.press("Escape")
    expect(menu).to_be_visible()
    expect(menu.get_by_role("button", name="Close")).to_be_focused()
    page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    expect(button).to_be_focused()
    page.keyboard.press("Enter")
    expect(menu).to_be_visible()
    page.keyboard.press("Enter")
    expect(menu).to_be_hidden()
    expect(button).to_be_focused()

    # Escape closes other open parts first.
    page.get_by_text("Alice", exact=True).first.click()
    expect(page.get_by_role("link", name="Settings").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("details.menu[open]")).to_have_count(0)
    expect(page.get_by_role("dialog", name="Menu")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Menu")).to_be_visible()

    # Escape leaves a text field first.
    page.keyboard.press("Escape")
    page.evaluate("document.querySelector('main').append(document.createElement('textarea'))")
    page.locator("main > textarea").focus()
    page.keyboard.type("What now?")
    expect(page.get_by_role("dialog", name="Menu")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Menu")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Menu")).to_be_visible()

    # A click beside the menu closes it.
    menu.get_by_role("heading", name="Settings").click()
    expect(menu).to_be_visible()
    page.mouse.click(20, 450)
    expect(menu).to_be_hidden()

    # A question mark shows the keys.
    page.keyboard.press("?")
    keys = page.get_by_role("region", name="Keys")
    expect(keys).to_be_focused()
    expect(keys).to_be_in_viewport()
    expect(keys.get_by_text("run: submit your orders")).to_be_visible()


def test_the_menu_keeps_the_focus_and_has_facts_and_links_of_the_game(
    console: Callable[..., Page], game: Game, people: tuple[User, User]
) -> None:
    page = console(game, viewport={"width": 1440, "height": 900})
    menu = page.get_by_role("dialog", name="Menu")

    # The focus stays in the menu.
    page.keyboard.press("Escape")
    for _ in range(40):
        page.keyboard.press("Tab")
        assert page.evaluate(
            "document.activeElement === document.body || document.activeElement.closest('dialog') !== null"
        )

    # A setting changes by keyboard.
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.name") == "speed":
            break
    page.keyboard.press("ArrowRight")
    expect(menu.get_by_role("radio", name="2×")).to_be_checked()
    expect(menu.get_by_role("status")).to_have_text("Saved for all your devices.")
    people[0].refresh_from_db()
    assert people[0].speed == 200

    # The board fills the screen, and the menu explains the way back.
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Menu").click()
    menu.get_by_role("button", name="Full screen", exact=True).click()
    comes_true(page, "document.fullscreenElement === document.documentElement")
    expect(menu).to_be_hidden()
    page.get_by_role("button", name="Menu").click()
    menu.get_by_role("button", name="Exit full screen").click()
    comes_true(page, "document.fullscreenElement === null")
    page.get_by_role("button", name="Menu").click()
    expect(menu.get_by_role("button", name="Full screen", exact=True)).to_be_visible()

    # The menu names the game and has links.
    expect(menu.get_by_role("heading", name=game.name)).to_be_visible()
    expect(menu.get_by_role("link", name="Rulebook")).to_be_visible()
    menu.get_by_role("link", name="My Room").click()
    expect(page.get_by_role("heading", name="My Room")).to_be_visible()


def test_on_a_phone_the_menu_shows_exits_votes_settings_and_the_time(
    console: Callable[..., Page], game: Game
) -> None:
    page = console(game, viewport={"width": 390, "height": 844}, has_touch=True)
    page.get_by_role("button", name="Menu").tap()
    menu = page.get_by_role("dialog", name="Menu")
    box = menu.bounding_box()
    assert box
    assert (box["width"], box["height"]) == (390, 844), "on a phone it fills the screen"
    for name in ("Resign or leave", "Votes", "Settings"):
        expect(menu.get_by_role("link", name=name)).to_be_in_viewport(ratio=1)
    expect(menu.get_by_role("heading", name="Settings")).to_be_in_viewport(ratio=1)
    expect(menu.locator("time[data-until]")).to_have_text(re.compile(r"^23 h \d+ min left$"))
    assert menu.evaluate("menu => menu.scrollWidth <= menu.clientWidth")
    menu.get_by_role("link", name="Settings").click()
    expect(menu.get_by_role("heading", name="Settings")).to_be_focused()
    menu.get_by_role("link", name="Resign or leave").click()
    expect(page.get_by_role("button", name="Resign")).to_be_visible()


def test_a_browser_without_full_screen_shows_no_button_for_it(
    console: Callable[..., Page], game: Game
) -> None:
    page = console(game)
    page.add_init_script("Object.defineProperty(document, 'fullscreenEnabled', { value: false })")
    page.reload()
    page.get_by_role("button", name="Menu").click()
    menu = page.get_by_role("dialog", name="Menu")
    expect(menu.get_by_role("button", name="Close")).to_be_visible()
    expect(menu.get_by_role("button", name="Full screen")).to_have_count(0)


def test_cells_have_the_size_of_the_setting(console: Callable[..., Page], people: tuple[User, User]) -> None:
    page = console(game_on(LARGE, people), viewport={"width": 390, "height": 844})
    wide = page.evaluate("document.documentElement.scrollWidth")
    menu, board = page.get_by_role("dialog", name="Menu"), page.locator("[data-board]")
    for size, pixels in (("Small", 32), ("Medium", 48), ("Large", 64)):
        page.get_by_role("button", name="Menu").click()
        menu.get_by_role("radio", name=size).check()
        page.keyboard.press("Escape")
        assert board.locator("> svg").evaluate("svg => svg.getBoundingClientRect().width") == 21 * pixels
        assert page.evaluate("document.documentElement.scrollWidth") == wide, "not the page scrolls"
        assert board.evaluate("view => view.scrollWidth > view.clientWidth"), "but the board in its frame"
        board.focus()
        expect(board).to_be_focused()


def test_signs_at_the_edge_of_a_large_board_lead_to_what_is_out_of_sight(
    console: Callable[..., Page], people: tuple[User, User]
) -> None:
    page = console(game_on(LARGE, people), viewport={"width": 390, "height": 844})
    robot = page.get_by_role("button", name="Show your robot")
    checkpoint = page.get_by_role("button", name="Show your next checkpoint")
    for sign, other in ((checkpoint, robot), (robot, checkpoint)):
        expect(sign).to_be_visible()
        expect(other).to_be_hidden()
        expect(sign.locator("svg > *")).to_have_count(1)  # an arrow, without a picture of the cell
        sign.focus()
        page.keyboard.press("Enter")
    expect(checkpoint).to_be_visible()
    expect(page.locator("[data-board]")).to_be_focused()
    page.set_viewport_size({"width": 1440, "height": 900})
    expect(checkpoint).to_be_hidden()


def test_a_film_on_a_large_board_begins_where_my_robot_is(
    console: Callable[..., Page], people: tuple[User, User]
) -> None:
    page = console(
        after(Table(LARGE.saved()), people, turns=2, seen=0), viewport={"width": 390, "height": 844}
    )
    page.locator("[data-board]").evaluate("view => view.scrollTo(view.scrollWidth, 0)")
    robot = page.get_by_role("button", name="Show your robot")
    expect(robot).to_be_visible()
    page.keyboard.press(",")
    expect(page.locator("main")).to_have_class(re.compile("is-watching"))
    expect(robot).to_be_hidden()


def test_a_game_that_waits_again_plays_a_call(console: Callable[..., Page], game: Game) -> None:
    page = console(game)
    page.keyboard.press("Escape")
    page.get_by_role("dialog", name="Menu").get_by_label("Sound", exact=True).check()
    page.keyboard.press("Escape")
    page.wait_for_timeout(600)
    page.evaluate(
        """() => {
            const start = OscillatorNode.prototype.start;
            window.notes = 0;
            OscillatorNode.prototype.start = function (...when) {
                notes += 1;
                return start.apply(this, when);
            };
            const event = { detail: { names: [] } };
            window.fresh = () => document.dispatchEvent(new CustomEvent("parts:fresh", event));
            fresh();
            window.form = document.querySelector("form[data-orders]");
        }"""
    )
    assert page.evaluate("notes") == 0, "it is the same turn still"
    page.evaluate("form.action = form.action.replace('/turns/1/', '/turns/2/'); fresh()")
    assert page.evaluate("notes") == 3


@pytest.mark.parametrize("script", [True, False])
def test_the_menu_of_the_site_opens_by_keyboard_with_and_without_script(
    open_page: OpenPage, site: Site, script: bool
) -> None:
    page = open_page(viewport={"width": 390, "height": 844}, java_script_enabled=script)
    page.goto("/games/")
    menu = page.get_by_role("navigation", name="Site")
    play, community = (menu.locator("summary", has_text=text) for text in ("Play", "Community"))
    play.focus()
    page.keyboard.press("Enter")
    expect(menu.get_by_role("link", name="Game Room")).to_have_attribute("aria-current", "page")
    expect(menu.get_by_role("link", name="Missions")).to_be_in_viewport(ratio=1)
    community.focus()
    page.keyboard.press("Space")
    expect(menu.get_by_role("link", name="Awards")).to_be_in_viewport(ratio=1)
    expect(menu.get_by_role("link", name="Missions")).to_be_hidden()
    if script:
        page.keyboard.press("Escape")
        expect(menu.get_by_role("link", name="Awards")).to_be_hidden()
        expect(community).to_be_focused()
        return
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Find a player")).to_be_visible()
