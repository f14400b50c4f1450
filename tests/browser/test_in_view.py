"""The board and the next button to press stay in view, most of all on a phone."""

import random
import re
import time
from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

import rules
from accounts.models import User
from games.absence.seats import resign_game
from games.fleet.missions import load_missions, save_mission
from games.lobby.practice import start_mission
from games.people.models import Achievement
from games.play.models import Game, Seat
from games.play.orders import submit_orders
from games.play.resolution import resolve_turn
from tests.browser.programming import PHONE, deal, key, register
from tests.browser.signing_in import sign_in
from tests.browser.test_watching import after
from tests.browser.test_whole_film import quick
from tests.games.at_random import new_game, person, play_turn
from tests.games.fleet.test_missions import FIXTURES, LESSON
from tests.games.support import HALL, LANE, Table, open_turn
from tests.support import fleet
from tests.support.loaded import ForkedWorker
from tests.support.site import Site
from tests.support.worlds import once

BOARD, HAND, RUN, PAUSE = "[data-board]", ".hand", "[data-run]", "[data-play]"
ARROWS, COMPASS = ".compass[data-headings]", ".compass[data-compass]"

HIDDEN = """parts => parts.flatMap((selector) => {
  const all = [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility());
  if (!all.length) return [`${selector} is not there`];
  const part = all[0], box = part.getBoundingClientRect();
  if (box.top < -1 || box.bottom > innerHeight + 1 || box.left < -1 || box.right > innerWidth + 1)
    return [`${selector} is at ${Math.round(box.top)} to ${Math.round(box.bottom)}, scrolled by ${scrollY}`];
  const covered = [0.02, 0.5, 0.98].some((down) => {
    const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height * down);
    return hit && !part.contains(hit) && !hit.contains(part);
  });
  return covered ? [`${selector} is covered, scrolled by ${scrollY}`] : [];
})"""
"""A script that returns the parts of a page that are covered or out of view."""

SETTLING = 3.0
"""Seconds within which a page must scroll its parts into view."""

MESSAGE = """() => {
  const message = document.createElement("p");
  message.className = "messages";
  const refusal = document.createElement("p");
  refusal.dataset.refusal = "";
  document.querySelector("main").append(message, refusal);
  document.querySelector("[data-announce]").textContent = "An earlier turn";
}"""
"""A script that adds a message, a refusal and an announcement of an earlier turn to the page."""


def in_view(page: Page, after: str, *parts: str) -> None:
    """Check that the board and the given parts are in view."""
    in_view_of_page(page, after, BOARD, *parts)


def in_view_of_page(page: Page, after: str, *parts: str) -> None:
    """Check that the given parts of the page are in view. The board may be out of view."""
    for part in parts:  # a new part may still be on its way
        expect(page.locator(part).locator("visible=true").first).to_be_visible(timeout=60_000)
    end = time.monotonic() + SETTLING
    while True:
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        hidden = page.evaluate(HIDDEN, [*parts])
        if not hidden:
            return
        assert time.monotonic() < end, (after, hidden)


def press(page: Page, what: Locator) -> None:
    """Tap or click at an element's position, without scrolling as Playwright would."""
    box = what.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    height = (page.viewport_size or {})["height"]
    assert 0 <= y <= height, what
    if page.evaluate("navigator.maxTouchPoints"):
        page.touchscreen.tap(x, y)
    else:
        page.mouse.click(x, y)


def program(page: Page) -> None:
    """Fill the empty registers one by one.

    Check after each that all parts are in view.
    """
    while (empty := page.locator("[data-register].is-empty").count()) > 0:
        press(page, page.locator("[data-chip]:not(:has(.is-chosen)) .chip-key").first)
        expect(page.locator("[data-register].is-empty")).to_have_count(empty - 1)
        in_view(page, f"a chip, with {empty - 1} registers to fill", HAND, RUN)


def film(page: Page) -> None:
    """Watch a film from its start to its end."""
    expect(page.locator("main")).to_have_class(re.compile("is-watching"), timeout=60_000)
    in_view(page, "a film has begun", PAUSE)
    expect(page.locator("main")).not_to_have_class(re.compile("is-watching"), timeout=60_000)


def test_a_mission_stays_in_view_until_its_third_turn(
    open_page: Callable[..., Page], worker: ForkedWorker
) -> None:
    page = open_page(**PHONE)
    save_mission(
        slug="hall",
        number=1,
        title="Hall",
        starship=HALL.saved(),
        options={},
        lesson={**LESSON, "goal": "Reach all checkpoints."},
    )
    page.goto("/missions/hall/")
    page.get_by_role("button", name="Fly this mission").click()
    page.wait_for_url("**/games/*/")
    expect(page.get_by_role("button", name="East")).to_be_visible()
    quick(page, 400)
    in_view(page, "it was opened", ARROWS, ".lesson-hints")
    press(page, page.get_by_role("button", name="East"))
    expect(page.locator("[data-hand]")).to_be_visible(timeout=60_000)
    expect(page.locator("[data-player]")).to_be_hidden()  # no turn to play back yet
    in_view(page, "the heading", HAND, RUN)
    for turn in (1, 2):
        program(page)
        press(page, page.locator(RUN))
        film(page)
        expect(page.locator(".status-word")).to_have_text(f"Turn {turn + 1}", timeout=60_000)
        expect(page.locator("[data-run]")).to_be_visible()
        in_view(page, f"the film of turn {turn}", HAND, RUN)


def test_hints_of_a_mission_are_in_view_beside_its_first_hand(
    open_page: Callable[..., Page], site: Site, worker: ForkedWorker
) -> None:
    once(fleet.launch)
    once(load_missions, directory=FIXTURES)
    page = open_page(**PHONE)
    page.goto("/")
    page.get_by_role("button", name="Fly mission 1").tap()
    page.get_by_role("button", name="East").tap()
    expect(page.locator("[data-hand]")).to_be_visible(timeout=60_000)
    in_view(page, "the heading", ".lesson-hints", HAND, RUN)
    page.reload()
    in_view(page, "it was opened", ".lesson-hints", HAND, RUN)
    page.set_viewport_size({"width": 390, "height": 664})
    page.goto(page.url)
    in_view_of_page(page, "it was opened, 664 px high", ".lesson-hints", HAND, RUN)


def test_a_game_of_two_stays_in_view_on_a_scrolled_page(
    alices: Callable[..., Page],
    table: Table,
    people: tuple[User, User],
    worker: ForkedWorker,
) -> None:
    game, bob = table.game(*people, now=timezone.now()), people[1]
    page = alices(**PHONE)
    page.goto(game.get_absolute_url())
    quick(page, 400)
    page.evaluate("scrollTo(0, 150)")
    in_view(page, "it was opened", ARROWS)
    press(page, page.get_by_role("button", name="East"))
    expect(page.get_by_role("heading", name="Your heading is in")).to_be_visible()
    in_view(page, "the heading", ARROWS)
    table.move(game, bob, now=timezone.now())
    expect(page.locator("[data-hand]")).to_be_visible(timeout=60_000)
    in_view(page, "the first hand has come", HAND, RUN)
    program(page)
    press(page, page.locator(RUN))
    expect(page.get_by_role("heading", name="Your program is submitted")).to_be_visible()
    in_view(page, "Run", RUN)
    page.evaluate(MESSAGE)
    table.move(game, bob, now=timezone.now())
    film(page)
    expect(page.locator(".status-word")).to_have_text("Turn 2", timeout=60_000)
    expect(page.get_by_role("heading", name="Your move")).to_be_visible()
    expect(page.locator(".messages, [data-refusal]")).to_have_count(0)
    expect(page.locator("[data-recap] details")).not_to_have_attribute("open", "")
    expect(page.locator("[data-announce]")).not_to_contain_text(re.compile("An earlier turn|Phase|Playing"))
    in_view(page, "the film", HAND, RUN)


def won_duel(alice: User, bob: User) -> Game:
    """Return a game that Alice won, because Bob resigned after turn 1."""
    game = after(Table(HALL.saved()), (alice, bob), turns=2, seen=0)
    return resign_game(user=bob, game_id=game.pk, now=timezone.now())


def lost_mission(alice: User, _bob: User) -> Game:
    """Return a mission that ends in the next turn: one life, and the edge ahead."""
    table = Table(LANE.saved())
    save_mission(
        slug="lane",
        number=1,
        title="Lane",
        starship=table.starship,
        options={"lives": 1},
        lesson={**LESSON, "goal": "Go east.", "notes": [{"cells": [[4, 0]], "text": "Here."}]},
    )
    game = start_mission(user=alice, slug="lane", now=timezone.now())
    submit_orders(user=alice, game_id=game.pk, turn_number=0, document={"heading": "S"}, now=timezone.now())
    resolve_turn(turn_id=open_turn(game).pk, now=timezone.now())
    game.refresh_from_db()
    while game.status == Game.Status.RUNNING:
        table.play(game, alice, now=timezone.now())
    Seat.objects.filter(game=game).update(seen_turn=(game.last_played or 0) - 1)
    return game


@pytest.mark.parametrize(
    ("made", "button"), [(won_duel, ".result .button"), (lost_mission, ".lesson .button")]
)
def test_the_card_of_achievements_leaves_room_after_the_last_film(
    made: Callable[[User, User], Game], button: str, alices: Callable[..., Page], people: tuple[User, User]
) -> None:
    game = made(*people)
    earned = {"game": game, "turn": 1, "earned_at": timezone.now()}
    for achievement in ("deaths-1", "turns-5", "walked-10", "destroyed-1", "repaired-1", "pushed-10"):
        Achievement.objects.get_or_create(user=people[0], key=achievement, defaults=earned)
    page = alices(**PHONE)
    page.goto(game.get_absolute_url())
    quick(page, 400)
    in_view_of_page(page, "it was opened", "[data-offer-watch]", ".earned .button")
    press(page, page.locator("[data-offer-watch]"))
    film(page)
    in_view(page, "the last film", ".result-line", button, ".earned .button")
    press(page, page.locator(".earned .button"))
    expect(page.locator(".earned")).to_have_count(0)


@pytest.mark.parametrize("key", ["robo-runner", "amigo-1999", "group-11"])
def test_a_film_stays_in_view_and_leads_back_to_the_board(
    key: str, open_page: Callable[..., Page], site: Site
) -> None:
    chance = random.Random(f"telephones, {key}")
    game = new_game(rules.ruleset(key), chance)
    while game.status == Game.Status.RUNNING and (game.turn or 0) < 3:
        play_turn(game, chance)
    Seat.objects.filter(game=game).update(seen_turn=game.turns.filter(status="resolved").count() - 1)
    page = open_page(**PHONE)
    sign_in(page, person("Alice"), site)
    page.goto(game.get_absolute_url())
    page.evaluate("scrollTo(0, 200)")
    page.keyboard.press(",")
    expect(page.locator("main")).to_have_class(re.compile("is-watching"))
    in_view(page, "a film has begun", PAUSE, "[data-done]")
    press(page, page.locator("[data-done]"))
    expect(page.locator("main")).not_to_have_class(re.compile("is-watching"))
    # At random, Alice may be out, the game over, or a heading needed first.
    runs = page.locator(RUN).locator("visible=true").count()
    in_view(page, "the film", *([RUN] if runs else []))


def test_on_a_desk_run_and_the_grid_of_a_film_need_no_scrolling(
    alices: Callable[..., Page], table: Table, people: tuple[User, User]
) -> None:
    page = alices(viewport={"width": 1440, "height": 760})
    page.goto(after(table, people, turns=2).get_absolute_url())
    page.locator("[data-recap] details").evaluate("details => { details.open = true; }")
    in_view(page, "a turn was told", RUN)
    page.evaluate("scrollTo(0, 200)")
    assert page.evaluate("scrollY") == 200
    page.keyboard.press(",")
    expect(page.locator("main")).to_have_class(re.compile("is-watching"))
    in_view(page, "a film has begun", "[data-grid]", PAUSE)


def test_on_a_desk_run_needs_no_scrolling_where_a_heading_is_asked(
    open_page: Callable[..., Page], site: Site
) -> None:
    game = new_game(rules.ruleset("group-11"), random.Random("desks"))
    page = open_page(viewport={"width": 1440, "height": 760})
    sign_in(page, person("Alice"), site)
    page.goto(game.get_absolute_url())
    expect(page.locator(f"form.is-live {COMPASS}")).to_be_visible()
    in_view(page, "it was opened", RUN)


def test_a_heading_a_refused_program_and_its_correction_stay_in_view(
    open_page: Callable[..., Page], site: Site
) -> None:
    game = new_game(rules.ruleset("amigo-1999"), random.Random("telephones"))
    deal(game, person("Alice"), *"1231")
    page = open_page(**PHONE)
    sign_in(page, person("Alice"), site)
    page.goto(game.get_absolute_url())
    expect(page.locator(f"form.is-live {COMPASS}")).to_be_visible()
    for height in (664, 844):
        page.set_viewport_size({"width": 390, "height": height})
        in_view(page, f"it was opened, {height} px high", COMPASS, f"{COMPASS} legend")
        box = page.locator(COMPASS).bounding_box()
        assert box
        assert box["height"] <= 200
    press(page, page.locator(".way-E"))
    expect(page.locator(".way-E input")).to_be_checked()
    expect(page.locator(COMPASS)).to_be_hidden()
    in_view(page, "the heading", HAND, RUN)
    press(page, page.get_by_role("button", name="Heading: East"))
    in_view(page, "it was asked again", COMPASS)
    press(page, page.locator(".way-E"))

    for number in (5, 1, 2, 3, 4):
        key(page, number).tap()
    glyph = register(page, 2).locator(".chip-glyph").bounding_box()
    assert glyph
    assert glyph["width"] >= 24
    reason = "Register 1 needs a chip that moves your robot."
    hint, notice, clear = (page.locator(f"[data-{name}]") for name in ("hint", "notice", "clear"))
    expect(hint).to_have_text(reason)  # before it is sent
    before = register(page, 1).bounding_box()
    press(page, page.locator(RUN))
    expect(notice).to_contain_text("These orders are not allowed. Nothing was submitted.")
    expect(notice).to_contain_text(reason)
    expect(hint).to_have_text("Not submitted")
    expect(register(page, 1)).to_have_class(re.compile("is-wrong"))
    assert register(page, 1).bounding_box() == before
    in_view_of_page(page, "it was refused", "[data-notice]", HAND, RUN)
    press(page, clear)
    expect(notice).to_be_hidden()
    expect(page.locator(".is-wrong")).to_have_count(0)
    for number in (1, 2, 3, 4, 5):
        key(page, number).tap()
    expect(hint).to_have_text("Ready to run")
    expect(notice).to_be_hidden()
    press(page, page.locator(RUN))
    expect(hint).to_have_text("Your program is submitted")
    expect(clear).to_be_hidden()
    expect(page.locator("[data-counting]")).to_be_hidden()
    register(page, 5).tap()
    expect(hint).to_have_text("1 register to fill")
    expect(clear).to_be_visible()
    expect(page.locator("[data-counting] .chip")).to_have_count(5)
    expect(page.locator("[data-counting]")).to_be_visible()
