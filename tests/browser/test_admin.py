"""The admin in a real browser: its look, and the live drawing of starships."""

import json
from collections.abc import Callable

import pytest
from django.test import Client
from playwright.sync_api import Page, expect

from games.fleet.models import Starship
from games.play.models import Game
from tests import cast
from tests.browser.widths import too_wide
from tests.games.admin_pages import STARSHIPS, address, permit
from tests.games.support import HALL, Table

GOOD = {"format": "starship/1", "name": "Longboat", "rows": ["a . .+i1", ". b1:E ."]}


@pytest.fixture
def starship(transactional_db: None) -> Starship:
    return HALL.saved()


@pytest.fixture
def duel(starship: Starship) -> Game:
    """A running game on the ship `starship`."""
    return Table(starship).game(cast.alice(), cast.bob())


@pytest.fixture
def erin(open_page: Callable[..., Page], transactional_db: None) -> Callable[..., Page]:
    """A function that opens pages for Erin, with all rights in games."""
    person = cast.erin()
    permit(person)

    def open_one(**options: object) -> Page:
        client = Client()
        client.force_login(person)
        page = open_page(**options)
        cookie = {"name": "robo-runner-session", "value": client.cookies["robo-runner-session"].value}
        page.context.add_cookies([{**cookie, "domain": "localhost", "path": "/"}])
        return page

    return open_one


def test_no_page_breaks_the_policy_or_scrolls_sideways(
    erin: Callable[..., Page], duel: Game, starship: Starship
) -> None:
    page = erin()
    turn = duel.turns.get()
    for path in ("/admin/", STARSHIPS, f"{STARSHIPS}add/", address(starship), address(duel), address(turn)):
        assert not too_wide(page, [path], (390, 1440))
        expect(page.get_by_role("img", name="Robo Runner")).to_be_visible()


def test_it_follows_the_system_and_the_theme_switch_of_the_site(erin: Callable[..., Page]) -> None:
    page = erin(color_scheme="dark")
    paper = "getComputedStyle(document.querySelector('header')).backgroundColor"
    page.goto("/admin/")
    dark = page.evaluate(paper)
    page.goto("/games/")
    with page.expect_response("**/settings/"):
        page.get_by_role("button", name="Day").click()
    light = page.evaluate(paper)
    page.goto("/admin/")
    assert page.evaluate(paper) == light != dark


def test_the_proof_is_drawn_while_the_document_is_typed(
    erin: Callable[..., Page], starship: Starship
) -> None:
    page = erin(viewport={"width": 1440, "height": 900})
    page.goto(address(starship))
    text = page.locator("textarea.starship-document")
    text.fill(json.dumps({**GOOD, "rows": ["a . .+i1", ". qq ."]}))
    problem = page.get_by_role("button", name="row 2, column 2")
    expect(problem).to_contain_text("the floor “qq” is unknown")
    expect(page.locator(".proof-drawing.is-stale")).to_be_visible()
    problem.click()
    assert text.evaluate("field => field.value.slice(field.selectionStart, field.selectionEnd)") == "qq"
    page.keyboard.type("b1:E")
    expect(page.get_by_text("Playable, without errors or warnings.")).to_be_visible()
    expect(page.locator(".proof-drawing:not(.is-stale) svg")).to_contain_text("Longboat")
    assert Starship.objects.get().name == "Hall", "nothing was saved"


def test_a_starship_is_made_without_script(erin: Callable[..., Page]) -> None:
    page = erin(java_script_enabled=False)
    page.goto(f"{STARSHIPS}add/")
    page.get_by_label("Section").select_option("Fleet")
    text = page.locator("textarea.starship-document")
    text.fill(json.dumps({**GOOD, "rows": ["a ."]})[:-1])
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("not JSON").first).to_be_visible()
    text.fill(json.dumps(GOOD))
    page.get_by_role("button", name="Preview").click()
    expect(page.locator(".proof-drawing svg")).to_be_visible()
    expect(page.get_by_label("Section")).to_have_value("fleet")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("was added successfully")).to_be_visible()
    assert Starship.objects.get().name == "Longboat"


def test_a_chosen_file_is_shown_at_once(erin: Callable[..., Page]) -> None:
    page = erin()
    page.goto(f"{STARSHIPS}add/")
    contents = json.dumps({**GOOD, "rows": ["a t:red .+i1"]}).encode()
    page.get_by_label("Upload").set_input_files(
        {"name": "ship.json", "mimeType": "application/json", "buffer": contents}
    )
    expect(page.get_by_role("button", name="row 1, column 2")).to_be_visible()
    assert '"name": "Longboat"' in page.locator("textarea.starship-document").input_value()
