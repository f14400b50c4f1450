"""A stranger starts at the front page, flies two missions, and gets an account."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from games.fleet.missions import save_mission
from games.fleet.models import Mission
from games.play.models import Game
from tests.browser.test_whole_film import quick
from tests.browser.test_whole_game import link_in
from tests.cast import address_of, password_of
from tests.games.fleet.test_missions import LESSON
from tests.games.lobby.services.test_missions import best_orders
from tests.games.support import LANE, Board
from tests.support.loaded import ForkedWorker
from tests.support.mailbox import Mailbox
from tests.support.site import Site
from tests.support.worlds import once

YARD = Board("Back Yard", (".+wNW .+wN .+wNE", "a+wW . .+i1+wE", ".+wSW .+wS .+wSE"))
"""A ship with one checkpoint, and rails all around so that no robot is destroyed."""

LONGEST = 12
"""The maximum number of turns that a mission takes."""

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "color_scheme": "dark"}


@pytest.fixture
def missions(site: Site) -> list[Mission]:
    """Save two short missions."""
    notes = [
        {"cells": [[0, 0]], "text": "You start here."},
        {"cells": [[4, 0]], "text": "This is where to go."},
    ]
    lane = {**LESSON, "goal": "Go east.", "notes": notes, "closing": "You know how to go straight on."}
    yard = {**LESSON, "goal": "Look about.", "notes": [{"cells": [[2, 1]], "text": "There it is."}]}
    return [
        once(
            save_mission,
            slug=slug,
            number=number,
            title=board.name,
            starship=board.saved(),
            options={},
            lesson=lesson,
        )
        for number, (slug, board, lesson) in enumerate((("lane", LANE, lane), ("yard", YARD, yard)), 1)
    ]


def face(page: Page) -> None:
    page.get_by_role("button", name="East").click()


def fly(page: Page) -> Game:
    """Play the mission on the page to its end, and watch each turn."""
    expect(page.get_by_role("button", name="East")).to_be_visible()
    quick(page)
    face(page)
    game = Game.objects.latest("pk")
    for turn in range(1, LONGEST + 1):
        expect(page.locator(".status-word")).to_have_text(
            re.compile(rf"^(Turn {turn}|Over)$"), timeout=30_000
        )
        game.refresh_from_db()
        if game.status == Game.Status.OVER:
            return game
        for number in best_orders(game)["registers"]:
            page.locator(f"[data-chip='{number}'] .chip-key").click()
        page.get_by_role("button", name="Run").click()
    pytest.fail(f"the mission is not done after {LONGEST} turns")


def test_from_the_front_page_to_an_account(
    open_page: Callable[..., Page], missions: list[Mission], mailbox: Mailbox, worker: ForkedWorker
) -> None:
    page = open_page()
    page.goto("/")
    page.get_by_role("button", name="Fly mission 1").click()
    expect(page.locator(".lesson-title")).to_have_text("Go east.")
    expect(page.locator(".site-guest")).to_have_text("Guest")
    first = fly(page)
    expect(page.get_by_role("heading", name="Mission done")).to_be_visible(timeout=20_000)
    expect(page.get_by_text("You know how to go straight on.")).to_be_visible()

    page.get_by_role("button", name="Next: Back Yard").click()
    expect(page.locator(".lesson-title")).to_have_text("Look about.")
    second = fly(page)
    expect(page.get_by_role("heading", name="Mission done")).to_be_visible(timeout=20_000)
    assert first.host == second.host

    page.locator(".site-account").get_by_role("link", name="Sign up").click()
    page.get_by_label("Robo Name").fill("Alice")
    page.get_by_label("Email").fill(address_of("Alice"))
    page.get_by_label("Password").fill(password_of("Alice"))
    page.get_by_role("button", name="Sign up").click()
    expect(page.get_by_role("heading", name="Check your email")).to_be_visible()
    page.goto("/my-room/")
    # She has no access before confirming the address.
    expect(page.get_by_role("heading", name="You need an account for this")).to_be_visible()

    body = mailbox.wait_for(1, to=address_of("Alice"))[-1].get_body(("plain",))
    assert body
    page.goto(link_in(str(body.get_content()), "confirm"))
    page.get_by_role("button", name="Yes, confirm").click()
    expect(page.locator(".site-account summary")).to_have_text("Alice")

    page.goto("/missions/")
    expect(page.get_by_text("All 2 missions done.")).to_be_visible()
    page.goto(f"/games/{first.pk}/")
    expect(page.get_by_text("You have inspected every checkpoint and win!").first).to_be_visible()
    alice = User.objects.get()
    assert {game.host for game in Game.objects.all()} == {alice}
    assert {game.winner for game in Game.objects.all()} == {"Alice"}
    assert len(mailbox.to(address_of("Alice"))) == 1  # missions send no mail


def test_a_note_and_its_pins_light_up_together(
    open_page: Callable[..., Page], missions: list[Mission]
) -> None:
    page = open_page()
    page.goto("/missions/lane/")
    page.get_by_role("button", name="Fly this mission").click()
    page.wait_for_url("**/games/*/")  # and its scripts are loaded
    note, pin = page.locator("[data-note='b']"), page.locator(".pins [data-letter='b']")
    note.hover()
    expect(pin).to_have_class(re.compile("is-lit"))
    page.locator(".pins [data-letter='a']").hover()
    expect(pin).not_to_have_class(re.compile("is-lit"))
    expect(page.locator("[data-note='a']")).to_have_class(re.compile("is-lit"))
    expect(page.get_by_role("tooltip")).to_contain_text(
        page.locator("[data-note='a'] [data-note-text]").inner_text()
    )
    page.mouse.move(0, 0)
    note.focus()
    expect(pin).to_have_class(re.compile("is-lit"))


def test_on_a_phone_in_the_dark_it_fits(open_page: Callable[..., Page], missions: list[Mission]) -> None:
    page = open_page(**PHONE)
    for path in ("/", "/missions/", "/missions/lane/"):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, path
    page.get_by_role("button", name="Fly this mission").tap()
    expect(page.locator(".lesson-title")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.wait_for_load_state()
    from_above = [".lesson-title", "[data-board]", ".lesson-hints", ".panel", ".lesson-notes"]
    tops = [(page.locator(part).bounding_box() or {"y": -1.0})["y"] for part in from_above]
    assert tops == sorted(tops)
    assert tops[0] >= 0


def test_a_mission_can_be_played_without_a_script(
    open_page: Callable[..., Page], missions: list[Mission], worker: ForkedWorker
) -> None:
    page = open_page(java_script_enabled=False)
    page.goto("/")
    page.get_by_role("button", name="Fly mission 1").click()
    expect(page.locator(".pins .pin")).to_have_count(2)
    with page.expect_navigation():  # Chromium refuses to reload a page that is about to be replaced
        face(page)
    game = Game.objects.get()
    for turn in range(1, LONGEST + 1):
        for _ in range(60):
            page.reload()
            if re.search(rf"Turn {turn}|Over", page.locator(".status-word").inner_text()):
                break
            page.wait_for_timeout(250)
        game.refresh_from_db()
        if game.status == Game.Status.OVER:
            break
        for register, number in enumerate(best_orders(game)["registers"], 1):
            if number is not None:
                page.select_option(f"[name=register-{register}]", str(number))
        with page.expect_navigation():
            page.get_by_role("button", name="Run").click()
    expect(page.get_by_role("heading", name="Mission done")).to_be_visible()
    expect(page.get_by_role("button", name="Next: Back Yard")).to_be_visible()
