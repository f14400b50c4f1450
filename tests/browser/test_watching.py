"""Watching films of turns: of new turns, of missed turns, and of past turns."""

import re
from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import User
from games.play.models import Game, Seat
from games.play.resolution import resolve_turn
from tests.browser.signing_in import sign_in
from tests.browser.waiting import comes_true
from tests.games.support import Table, open_turn
from tests.games.together import wait_until
from tests.support.site import Site

OpenPage = Callable[..., Page]


@pytest.fixture
def game(table: Table, people: tuple[User, User]) -> Game:
    """A game of Alice and Bob in turn 2. Alice has seen turn 1."""
    return after(table, people, turns=2)


def after(table: Table, people: tuple[User, User], *, turns: int, seen: int | None = 1) -> Game:
    """Return a game after ``turns`` turns, counting turn 0.

    All players have seen the turns up to number ``seen``, or no turns if ``seen`` is None.
    """
    game = table.game(*people, now=timezone.now())
    for _ in range(turns):
        table.play(game, *people, now=timezone.now())
    Seat.objects.filter(game=game).update(seen_turn=seen)
    return game


@pytest.fixture
def watcher(open_page: OpenPage, people: tuple[User, User], site: Site) -> Callable[..., Page]:
    """A function that opens pages for Alice, or for another person."""

    def open_one(person: User | None = None, **options: object) -> Page:
        page = open_page(**options)
        sign_in(page, person or people[0], site)
        return page

    return open_one


def position(page: Page) -> int:
    """Return the position in the film, as a number of instants."""
    return int(page.locator("[data-position]").input_value())


def end_of(page: Page) -> int:
    """Return the length of the film, as a number of instants."""
    return int(page.locator("[data-position]").get_attribute("max") or 0)


def faster(page: Page) -> None:
    """Play films at four times the normal speed."""
    page.locator("[data-speed]").select_option("400")


def robots(page: Page) -> list[tuple[str, ...]]:
    """Return the number, column, row and heading of each robot on the board."""
    found: list[list[str]] = page.locator("[data-board] .robots > .robot:not([display])").evaluate_all(
        "all => all.map(({ dataset: { robot, x, y, heading } }) => [robot, x, y, heading])"
    )
    return sorted(tuple(each) for each in found)


NOTED = """() => {
  window.noted = [];
  for (const name of ["film:start", "film:watched", "film:end"]) {
    document.addEventListener(name, ({ detail }) => noted.push(`${name} ${detail.turn}`));
  }
}"""
"""A script that records the events of films: start, watched and end."""


def test_a_turn_is_played_to_its_end_or_paused(watcher: OpenPage, game: Game) -> None:
    page = watcher(viewport={"width": 1280, "height": 700})
    page.goto(game.get_absolute_url())

    # A turn plays to its end.
    there = robots(page)
    page.evaluate(NOTED)
    page.get_by_role("button", name="Play turn 1").click()
    expect(page.locator("main")).to_have_class(re.compile("is-watching"))
    expect(page.locator("[data-log] .is-now").first).to_be_visible()
    expect(page.locator(".trail").first).to_be_attached()
    expect(page.locator("[data-grid] [data-row]")).to_have_count(2)
    expect(page.locator(".panel")).to_be_hidden()
    faster(page)
    expect(page.get_by_role("button", name="Play turn 1")).to_be_visible(timeout=30_000)
    expect(page.locator("main")).not_to_have_class(re.compile("is-watching"))
    assert page.evaluate("noted") == ["film:start 1", "film:watched 1", "film:end 1"]
    assert robots(page) == there
    expect(page.locator(".panel")).to_be_visible()

    # It pauses and continues.
    page.get_by_role("button", name="Play turn 1").click()
    page.get_by_role("button", name="Pause").click()
    here = position(page)
    page.wait_for_timeout(900)
    assert position(page) == here
    page.get_by_role("button", name="Play turn 1").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    comes_true(page, "here => document.querySelector('[data-position]').value > here", arg=here)


def test_a_turn_is_stepped_through_by_buttons_keys_and_its_text(watcher: OpenPage, game: Game) -> None:
    page = watcher(viewport={"width": 1280, "height": 700})
    page.goto(game.get_absolute_url())

    # Buttons step by instants and by phases, in both directions.
    there = robots(page)
    page.get_by_role("button", name="One step back").click()
    expect(page.locator("[data-caption]")).to_contain_text("End of the turn")
    assert position(page) == end_of(page) - 1
    page.get_by_role("button", name="One phase back").click()
    page.get_by_role("button", name="One phase back").click()
    expect(page.locator(".player-mark.is-now")).to_have_text(["4"])
    here = position(page)
    for _ in range(5):
        page.get_by_role("button", name="One phase back").click()
    assert position(page) == 0
    before = robots(page)
    page.get_by_role("button", name="One step back").click()
    assert (position(page), robots(page)) == (0, before)
    for _ in range(4):
        page.get_by_role("button", name="One phase forward").click()
    assert 0 < position(page) <= here
    page.get_by_role("button", name="Phase 5").click()
    expect(page.locator("[data-caption]")).to_contain_text("Phase 5")
    page.locator("[data-log] [data-frame]").last.click()
    page.get_by_role("button", name="One step forward").click()
    assert robots(page) == there
    page.get_by_role("button", name="Done").click()
    expect(page.get_by_role("button", name="Done")).to_be_hidden()

    # Keys work except while the reader is writing.
    last = end_of(page)
    page.keyboard.press(",")
    expect(page.get_by_role("button", name="Done")).to_be_visible()
    assert position(page) == last - 1
    page.keyboard.press("[")
    page.keyboard.press("[")
    expect(page.locator("[data-caption]")).to_contain_text("Phase 4")
    here = position(page)
    page.keyboard.press(".")
    assert position(page) == here + 1
    page.keyboard.press("]")
    assert position(page) > here + 1
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play turn 1")).to_be_visible()
    here = position(page)
    page.locator("[data-turns]").focus()
    page.keyboard.press(",")
    assert position(page) == here

    # The text leads to any instant and stays in sight.
    page.get_by_role("button", name="One phase back").click()
    lines = page.locator("[data-log] [data-frame]")
    last = lines.last
    last.click()
    expect(last).to_have_class("is-now")
    expect(last).to_have_attribute("aria-current", "true")
    assert position(page) == int(last.get_attribute("data-frame") or 0) + 1
    page.get_by_role("button", name="Phase 1").click()
    page.locator("[data-step='1']").click()
    inside = """line => {
      const [box, here] = [line.closest("[data-log]"), line].map((each) => each.getBoundingClientRect());
      return here.top >= box.top && here.bottom <= box.bottom;
    }"""
    now = page.locator("[data-log] .is-now")
    expect(now).to_have_count(1)
    comes_true(page, inside, arg=now.element_handle())  # the text scrolls to it


MOVING = "document.getAnimations().filter((each) => each.effect.target?.closest('[data-board]')).length"
"""A script that returns the number of moving elements on the board."""


def test_reduced_motion_stops_animations_and_the_speed_is_remembered(
    watcher: OpenPage, game: Game, people: tuple[User, User]
) -> None:
    page = watcher(reduced_motion="reduce")
    page.goto(game.get_absolute_url())

    # Nothing moves with reduced motion.
    page.get_by_role("button", name="Play turn 1").click()
    expect(page.locator(".robot.is-acting").first).to_be_attached()
    for _ in range(5):
        assert page.evaluate(MOVING) == 0
        assert page.locator(".trail").count() == 0
        page.wait_for_timeout(150)

    # The speed is remembered.
    with page.expect_response("**/settings/"):
        page.locator("[data-speed]").select_option("200")
    page.reload()
    expect(page.locator("[data-speed]")).to_have_value("200")
    people[0].refresh_from_db()
    assert people[0].speed == 200


def test_any_turn_of_a_long_game_is_a_step_away(
    watcher: OpenPage, table: Table, people: tuple[User, User]
) -> None:

    game = after(table, people, turns=5, seen=4)
    page = watcher()
    page.goto(game.get_absolute_url())
    there = robots(page)
    page.evaluate("window.same = true")
    expect(page.locator("[data-turns] option")).to_have_count(5)
    page.locator("[data-turns]").select_option("1")
    expect(page.get_by_role("heading", name="What happened in turn 1", exact=True)).to_be_visible()
    expect(page).to_have_url(re.compile("#turn-1$"))
    assert robots(page) != there
    page.get_by_role("button", name="Next turn").click()
    expect(page.get_by_role("heading", name="What happened in turn 2", exact=True)).to_be_visible()
    expect(page).to_have_url(re.compile("#turn-2$"))
    page.go_back()
    expect(page.get_by_role("heading", name="What happened in turn 4")).to_be_attached()
    assert robots(page) == there
    assert page.evaluate("window.same")  # without a reload
    page.goto(f"{game.get_absolute_url()}#turn-3")
    page.reload()
    expect(page.get_by_role("heading", name="What happened in turn 3", exact=True)).to_be_visible()

    # A turn's page leads to its neighbours without a reload.
    address = game.get_absolute_url()
    page.goto(f"{address}turns/2/")
    page.evaluate("window.same = true")
    page.get_by_role("button", name="Next turn").click()
    expect(page).to_have_url(re.compile("/turns/3/$"))
    expect(page.get_by_role("heading", name="Turn 3", exact=True)).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="Turn 2", exact=True)).to_be_visible()
    expect(page.get_by_role("heading", name="What happened in turn 2")).to_be_visible()
    assert page.evaluate("window.same")


def test_turns_are_readable_without_script(
    open_page: OpenPage, table: Table, people: tuple[User, User], site: Site
) -> None:
    game = after(table, people, turns=4, seen=1)
    page = open_page(java_script_enabled=False)
    sign_in(page, people[0], site)
    page.goto(game.get_absolute_url())
    expect(page.get_by_text("Turns 2 to 3 were played while you were away.")).to_be_visible()
    expect(page.locator("[data-player]")).to_be_hidden()
    page.get_by_role("link", name="Watch them").click()
    expect(page.get_by_role("heading", name="Turn 2", exact=True)).to_be_visible()
    expect(page.get_by_role("heading", name="Phase 5")).to_be_visible()
    page.get_by_role("link", name="Turn 3").click()
    expect(page.get_by_role("heading", name="Turn 3", exact=True)).to_be_visible()
    page.goto(game.get_absolute_url())
    page.get_by_role("button", name="Skip").click()
    expect(page.get_by_text("were played while you were away")).to_be_hidden()
    wait_until(lambda: game.players.get(user=people[0]).seen_turn == 3)  # noted in the background


def test_missed_turns_are_offered_first_and_played_one_after_another(
    watcher: OpenPage, table: Table, people: tuple[User, User]
) -> None:
    game = after(table, people, turns=4, seen=1)
    page = watcher()
    page.goto(game.get_absolute_url())
    faster(page)
    page.evaluate(NOTED)
    page.get_by_role("link", name="Watch them").click()
    expect(page.get_by_role("button", name="Skip")).to_be_visible()
    expect(page.get_by_role("heading", name="What happened in turn 2")).to_be_visible()
    expect(page.get_by_role("heading", name="What happened in turn 3")).to_be_visible(timeout=30_000)
    comes_true(page, "noted.includes('film:end 3')", seconds=40)
    expect(page.locator("main")).not_to_have_class(re.compile("is-watching"))
    watched = ["film:start 2", "film:watched 2", "film:start 3", "film:watched 3", "film:end 3"]
    assert page.evaluate("noted") == watched
    expect(page.get_by_text("were played while you were away")).to_have_count(0)
    wait_until(lambda: game.players.get(user=people[0]).seen_turn == 3)  # noted in the background


def test_missed_turns_can_be_skipped(watcher: OpenPage, table: Table, people: tuple[User, User]) -> None:
    game = after(table, people, turns=4, seen=1)
    page = watcher()
    page.goto(game.get_absolute_url())
    page.get_by_role("link", name="Watch them").click()
    page.get_by_role("button", name="Pause").wait_for()
    page.get_by_role("button", name="Skip").click()
    expect(page.locator(".panel")).to_be_visible()
    expect(page.get_by_text("were played while you were away")).to_have_count(0)
    page.reload()
    expect(page.locator(".panel")).to_be_visible()
    expect(page.get_by_text("were played while you were away")).to_have_count(0)
    wait_until(lambda: game.players.get(user=people[0]).seen_turn == 3)  # noted in the background


def test_a_resolved_turn_plays_at_once_on_all_open_pages(
    watcher: OpenPage, table: Table, people: tuple[User, User], game: Game
) -> None:
    pages = [watcher(person) for person in people]
    for page in pages:
        page.goto(game.get_absolute_url())
        faster(page)
        page.evaluate(NOTED)
    table.move(game, *people, now=timezone.now())
    assert resolve_turn(turn_id=open_turn(game).pk, now=timezone.now())
    for page in pages:
        expect(page.get_by_role("heading", name="What happened in turn 2")).to_be_visible()
        comes_true(page, "noted.includes('film:end 2')", seconds=40)
        expect(page.locator(".status-word")).to_have_text("Turn 3")
        expect(page.locator("main")).not_to_have_class(re.compile("is-watching"))
        assert page.evaluate("noted") == ["film:start 2", "film:watched 2", "film:end 2"]
        expect(page.get_by_role("heading", name="Your move")).to_be_visible()
        expect(page.get_by_role("button", name="Play turn 2")).to_be_visible()
    wait_until(lambda: {seat.seen_turn for seat in game.players.all()} == {2})


def test_the_film_after_run_ends_at_its_recap(
    watcher: OpenPage, table: Table, people: tuple[User, User], game: Game
) -> None:
    alices, bobs = [watcher(person) for person in people]
    for page in (alices, bobs):
        page.goto(game.get_absolute_url())
        faster(page)
    bobs.get_by_role("button", name="Menu").focus()
    for page in (alices, bobs):
        expect(page.locator("[data-recap] details")).not_to_have_attribute("open", "")
    table.move(game, *people, now=timezone.now())
    assert resolve_turn(turn_id=open_turn(game).pk, now=timezone.now())
    for page in (alices, bobs):
        expect(page.get_by_role("heading", name=re.compile("^Turn 2 You "))).to_be_visible(timeout=40_000)
        expect(page.locator(".recap-more")).to_contain_text("Move order next turn:")
    # Only a reader who was nowhere is led there. Others hear it.
    expect(alices.locator("#recap-title")).to_be_focused()
    expect(bobs.get_by_role("button", name="Menu")).to_be_focused()
    expect(bobs.locator("[data-announce]")).to_have_text(re.compile("^Turn 2 You "))


def test_a_reader_of_another_turn_is_not_disturbed(
    watcher: OpenPage, table: Table, people: tuple[User, User], game: Game
) -> None:
    page = watcher()
    page.goto(game.get_absolute_url())
    page.locator("[data-turns]").select_option("0")
    expect(page.get_by_role("heading", name="What happened in turn 0")).to_be_visible()
    table.play(game, *people, now=timezone.now())
    expect(page.locator(".status-word")).to_have_text("Turn 3")
    expect(page.get_by_role("heading", name="What happened in turn 0")).to_be_visible()
    page.get_by_role("button", name="Done").click()
    expect(page.get_by_text("Turn 2 was played while you were away.")).to_be_visible()


def test_no_page_is_wider_than_a_phone_while_a_film_runs(watcher: OpenPage, game: Game) -> None:
    page = watcher(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.goto(game.get_absolute_url())
    page.get_by_role("button", name="Play turn 1").tap()
    page.locator("[data-log] .is-now").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    for button in page.locator(".player-step:visible").all():
        box = button.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 44
