"""The page to set up a position in a real browser: robots placed by mouse and by keyboard."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from games.play.models import Game
from tests import cast
from tests.browser.signing_in import sign_in
from tests.games.support import HALL
from tests.support.site import Site


def test_robots_are_placed_by_click_and_by_keyboard(open_page: Callable[..., Page], site: Site) -> None:
    ship = HALL.saved()
    page = open_page()
    sign_in(page, cast.alice(), site)
    page.goto(f"/games/set-up/?ruleset=robo-runner&starship={ship.pk}&next=1")
    board, said = page.locator("[data-board]"), page.locator("[data-part=said]")
    expect(page.get_by_role("button", name="Show the board")).to_be_hidden()
    page.get_by_role("button", name="Place on the board (Robot 2)").click()
    expect(page.locator(".is-chosen")).to_contain_text("Robot 2")
    cell = board.locator("svg .cell-cursor")
    page.keyboard.press("ArrowUp")
    expect(cell).to_be_visible()
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    expect(said).to_contain_text("Robot 2: column 1, row")
    expect(page.locator("[name=robot-2-column]")).to_have_value("1")
    page.keyboard.press("E")
    expect(page.locator("[name=robot-2-heading]")).to_have_value("E")
    page.keyboard.press("1")
    expect(page.locator(".is-chosen")).to_contain_text("Robot 1")
    box = board.locator("svg.starship").bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] * 0.55, box["y"] + box["height"] * 0.5)
    expect(said).to_contain_text("Robot 1: column")
    expect(said).to_contain_text("A game can begin here.")
    page.locator("[name=robot-1-damage]").fill("99")
    page.locator("[name=robot-1-damage]").press("Tab")
    expect(said).to_contain_text("1 problem to fix")
    page.locator("[name=robot-1-damage]").fill("3")
    page.get_by_label("Robots", exact=True).select_option("3")
    expect(page.get_by_role("group", name="Robot 3")).to_be_visible()
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url("**/games/*/")
    game = Game.objects.get()
    first, second, _third = game.position["robots"]
    assert (first["damage"], second["at"][0], second["heading"]) == (3, 0, "E")
