"""The page for a new game in a real browser, with and without scripts."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from games.play.models import Game
from tests import cast
from tests.browser.signing_in import sign_in
from tests.browser.widths import too_wide
from tests.support import fleet
from tests.support.site import Site

DESK = {"width": 1440, "height": 900}

OpenAs = Callable[..., Page]


@pytest.fixture
def alice(site: Site) -> User:
    """Return Alice, the host. The built-in starships are loaded."""
    fleet.launch()
    return cast.alice()


@pytest.fixture
def open_as(open_page: Callable[..., Page], site: Site) -> OpenAs:
    """A function that opens a page for a person: ``open_as(alice)``."""

    def open_one(person: User, **options: object) -> Page:
        page = open_page(**options)
        sign_in(page, person, site)
        return page

    return open_one


def test_new_game_fits_on_one_screen(open_as: OpenAs, alice: User) -> None:
    page = open_as(alice, viewport=DESK)
    for query in ("", "?ruleset=group-11", "?ruleset=amigo-1999", "?preset=weekend-race"):
        page.goto(f"/games/new/{query}")
        assert page.evaluate("document.documentElement.scrollHeight") <= DESK["height"], query
        box = page.get_by_role("button", name="Create game").last.bounding_box()
        assert box and box["y"] + box["height"] <= DESK["height"], query


def test_new_game_is_as_wide_as_a_phone(open_as: OpenAs, alice: User) -> None:
    assert not too_wide(open_as(alice), ["/games/new/?preset=weekend-race&ruleset=group-11"])


def test_two_clicks_make_a_game_without_scripts(open_as: OpenAs, alice: User) -> None:
    page = open_as(alice, java_script_enabled=False, viewport=DESK)
    page.goto("/games/new/")
    page.get_by_role("button", name="Weekend race").click()
    page.get_by_role("button", name="Create game").last.click()
    expect(page.get_by_role("heading", name="Alice’s game")).to_be_visible()
    game = Game.objects.get()
    assert (game.seats, game.revision.starship.name) == (4, "Ferry Crossing")
    assert (game.pace["bank"], game.pace["increment"]) == (12, 1)


def test_a_summary_follows_the_choices(open_as: OpenAs, alice: User) -> None:
    page = open_as(alice, viewport=DESK)
    page.goto("/games/new/?ruleset=group-11")
    expect(page.locator(".pick")).to_contain_text("Oil Change Frigate, 12 × 12")
    expect(page.get_by_role("button", name="Show starships for this number")).to_be_hidden()
    page.get_by_text("Choose another").click()
    page.get_by_role("radio", name="Gangway Dash").check(force=True)
    expect(page.locator(".pick")).to_contain_text("Gangway Dash Frigate, 12 × 12")
    page.get_by_label("Players", exact=True).fill("8")
    page.get_by_label("Players", exact=True).press("Tab")
    why = "The starship has start cells for 6 robots, not for 8."
    expect(page.locator(".pick")).to_contain_text(why)
    expect(page.locator(".ship", has_text="Slow Burn")).to_contain_text(why)
    expect(page.get_by_role("radio", name="Gangway Dash")).to_be_checked()
    page.get_by_text("Time", exact=True).click()
    page.get_by_label("Pace").select_option("0")
    expect(page.locator("[data-part=said-time]")).to_have_text("No time limit.")
    page.get_by_role("button", name="Create game").last.click()
    expect(page.locator(".field-errors")).to_contain_text("Choose another starship or fewer players")
    assert not Game.objects.exists()


def test_typing_finds_a_starship_and_changes_nothing_else(open_as: OpenAs, alice: User) -> None:
    page = open_as(alice, viewport=DESK)
    page.goto("/games/new/")
    page.get_by_label("Game name").fill("Search party")
    page.get_by_text("Choose another").click()
    ships = page.get_by_role("group", name="Starship")
    before = ships.get_by_role("radio").count()
    page.get_by_label("Find a starship").press_sequentially("leviathan")
    expect(ships.get_by_text("Leviathan")).to_be_visible()
    expect(ships.get_by_role("radio")).to_have_count(2)  # beside the chosen one
    ships.get_by_text("Leviathan").click()
    expect(page.locator(".pick-name")).to_contain_text("Leviathan")
    search = page.get_by_label("Find a starship")
    search.fill("zzz")
    search.press("Enter")
    expect(page.get_by_text("No other starship for Robo Runner matches “zzz”.")).to_be_visible()
    expect(ships.get_by_role("radio")).to_have_count(1)
    assert not Game.objects.exists()
    search.fill("")
    expect(ships.get_by_role("radio")).to_have_count(before)
    page.get_by_role("button", name="Create game").last.click()
    expect(page).not_to_have_url("/games/new/")
    [game] = Game.objects.all()
    assert (game.name, game.revision and game.revision.starship.name) == ("Search party", "Leviathan")


def test_a_starship_is_found_without_scripts(open_as: OpenAs, alice: User) -> None:
    page = open_as(alice, java_script_enabled=False, viewport=DESK)
    page.goto("/games/quick/")
    page.get_by_label("Find a starship").fill("leviathan")
    page.get_by_label("Find a starship").press("Enter")
    expect(page.get_by_label("Find a starship")).to_have_value("leviathan")
    assert not Game.objects.exists()
    expect(page.get_by_text("Leviathan")).to_be_visible()


def test_typing_finds_a_starship_for_a_game_against_computers(open_as: OpenAs, alice: User) -> None:
    page = open_as(alice, viewport=DESK)
    page.goto("/games/quick/")
    page.get_by_label("Find a starship").fill("canoe")
    ships = page.get_by_role("group", name="Starship")
    expect(ships.get_by_role("radio")).to_have_count(1)
    expect(ships.get_by_text("Tin Canoe")).to_be_visible()


def test_typing_finds_a_board_to_join(open_as: OpenAs, alice: User) -> None:
    page = open_as(alice, viewport=DESK)
    page.goto("/games/new/?ruleset=amigo-1999")
    page.get_by_text("Choose boards, join them, set checkpoints").click()
    page.get_by_label("Find a board").fill("elbow")
    boards = page.get_by_role("group", name="Join another board").get_by_role("button")
    expect(boards).to_have_count(2)  # beside the first board
    page.get_by_role("button", name="Elbow Room").click()
    expect(page.get_by_label("Board 2").locator("option:checked")).to_contain_text("Elbow Room")
    expect(page.get_by_label("Find a board")).to_have_value("elbow")
