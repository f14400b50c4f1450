"""The console on a game's page: live changes, tabs, times and small screens."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import User
from games.lobby.seats import join_game
from games.play.models import Game, Hand, Turn
from tests.browser.test_whole_film import quick
from tests.browser.waiting import AT_ONCE, hears
from tests.games.support import Table

OpenPage = Callable[..., Page]


@pytest.fixture
def game(table: Table, people: tuple[User, User]) -> Game:
    """A game of Alice and Bob in turn 2."""
    game = table.game(*people, now=timezone.now())
    for _ in range(2):
        table.play(game, *people, now=timezone.now())
    return game


def test_live_changes_keep_the_laid_chips(
    alices: OpenPage, game: Game, table: Table, people: tuple[User, User]
) -> None:
    alice, bob = people
    page = alices()
    page.goto(game.get_absolute_url())
    expect(page.locator("[data-ready]")).to_have_text("0 of 2 ready")
    hears(page)
    quick(page)
    page.keyboard.press("1")
    laid = page.locator("select[name=register-1]")
    expect(laid).not_to_have_value("")
    chip = laid.input_value()
    page.evaluate("window.untouched = true")
    table.move(game, bob, now=timezone.now())
    lamp = page.locator("[data-mate='Bob'] [data-lamp]")
    expect(lamp).to_have_class(re.compile("is-ready"), timeout=AT_ONCE)
    expect(page.locator("[data-ready]")).to_have_text("1 of 2 ready")
    page.wait_for_timeout(500)
    expect(laid).to_have_value(chip)
    assert page.evaluate("window.untouched"), "the page was loaded anew"
    table.play(game, alice, now=timezone.now())
    expect(page.get_by_role("heading", name="What happened in turn 2")).to_be_attached(timeout=AT_ONCE)
    expect(page.locator(".status-word")).to_have_text("Turn 3")


def test_the_deadline_is_in_the_readers_zone_and_counts_down(open_page: OpenPage, game: Game) -> None:
    deadline = timezone.now().replace(microsecond=0) + timedelta(minutes=9, seconds=30)
    Turn.objects.filter(game=game, number=game.turn).update(deadline=deadline)
    Hand.objects.filter(turn__game=game, turn__number=game.turn).update(deadline=deadline)
    page = open_page(timezone_id="Asia/Tokyo")
    page.goto(game.get_absolute_url())
    there = (deadline + timedelta(hours=9)).strftime("%H:%M")
    expect(page.locator("time[data-clock]")).to_contain_text(there)
    left = page.locator("[data-part=status] time[data-until]")
    expect(left).to_have_text(re.compile(r"^9:\d\d left$"))
    before = left.text_content()
    expect(left).not_to_have_text(before or "")
    expect(left).not_to_have_attribute("aria-live", re.compile("."))


def test_only_one_text_says_that_time_is_up(open_page: OpenPage, game: Game) -> None:
    deadline = timezone.now() + timedelta(seconds=4)
    Turn.objects.filter(game=game, number=game.turn).update(deadline=deadline)
    Hand.objects.filter(turn__game=game, turn__number=game.turn).update(deadline=deadline)
    page = open_page()
    page.goto(game.get_absolute_url())
    status = page.locator("[data-part=status]")
    expect(status.locator("time[data-clock]")).to_be_visible()
    expect(status.locator("time[data-until]")).to_have_text("time is up", timeout=10_000)
    expect(status.locator("time[data-clock]")).to_be_hidden()


def test_an_address_leads_to_a_tab(alices: OpenPage, game: Game) -> None:
    page = alices()
    page.goto(f"{game.get_absolute_url()}#terms")
    expect(page.get_by_role("tab", name="This game")).to_have_attribute("aria-selected", "true")
    expect(page.locator("#log")).to_be_hidden()


@pytest.mark.parametrize("width", [390, 1440])
def test_a_long_name_of_the_next_game_fits_and_n_leads_to_it(
    alices: OpenPage, game: Game, table: Table, people: tuple[User, User], width: int
) -> None:
    following = table.game(*people, name="A name as long as it may be, " * 2, now=timezone.now())
    page = alices(viewport={"width": width, "height": 900})
    page.goto(game.get_absolute_url())
    title = page.locator(".console-head h1").bounding_box()
    assert title and title["height"] < 40
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.keyboard.press("1")
    page.keyboard.press("n")
    page.wait_for_url(f"**{following.get_absolute_url()}")
    page.keyboard.press("n")
    page.wait_for_url(f"**{game.get_absolute_url()}")
    expect(page.locator("[data-draft]")).to_contain_text("Draft, saved")


def test_without_a_script_all_parts_are_in_one_column(alices: OpenPage, game: Game) -> None:
    page = alices(java_script_enabled=False, viewport={"width": 390, "height": 844})
    page.goto(game.get_absolute_url())
    for name in ("Your move", "Robots", "This game"):
        expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()
    expect(page.get_by_role("heading", name=re.compile("What happened in turn"))).to_be_visible()
    page.get_by_role("navigation", name="More about this game").get_by_role("link", name="This game").click()
    expect(page.get_by_role("heading", name="This game")).to_be_in_viewport()


def test_on_a_phone_the_panel_is_below_the_board(alices: OpenPage, game: Game) -> None:
    page = alices(viewport={"width": 390, "height": 844})
    page.goto(game.get_absolute_url())
    tops = []
    for part in ("[data-board]", ".panel", ".crew", "[data-tabs]"):
        box = page.locator(part).bounding_box()
        assert box, part
        assert box["x"] >= 0, part
        assert box["x"] + box["width"] <= 390, part
        tops.append(box["y"])
    assert tops == sorted(tops)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_wide_screen_shows_board_and_panel_and_tabs_follow_keys_and_address(
    alices: OpenPage, game: Game
) -> None:
    page = alices(viewport={"width": 1440, "height": 900})
    page.goto(game.get_absolute_url())

    board, panel = page.locator("[data-board]"), page.locator(".panel-title")
    expect(board).to_be_in_viewport(ratio=0.99)
    expect(panel).to_be_in_viewport()
    page.locator("[data-tabs]").scroll_into_view_if_needed()
    expect(board).to_be_in_viewport(ratio=0.9)

    # Keys change tabs.
    tabs = page.get_by_role("tablist", name="More about this game").get_by_role("tab")
    expect(tabs.first).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("tabpanel")).to_have_count(1)
    tabs.first.focus()
    page.keyboard.press("End")
    last = page.get_by_role("tab", name="This game")
    expect(last).to_be_focused()
    expect(last).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("tabpanel")).to_contain_text("Pace")
    page.keyboard.press("ArrowRight")
    expect(tabs.first).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("tabpanel")).to_be_focused()


def test_a_lobby_becomes_a_console_without_a_reload(
    alices: OpenPage, table: Table, people: tuple[User, User]
) -> None:
    alice, bob = people
    game = table.game(alice, seats=2, now=timezone.now())
    page = alices()
    page.goto(game.get_absolute_url())
    hears(page)
    page.evaluate("window.untouched = true")
    join_game(user=bob, game_id=game.pk, now=timezone.now())
    expect(page.get_by_role("heading", name="Which way does your robot face?")).to_be_visible(timeout=10_000)
    expect(page.get_by_role("heading", name="Robots", exact=True)).to_be_visible()
    expect(page.get_by_role("heading", name="Seats")).to_have_count(0)
    assert page.evaluate("window.untouched"), "the page was loaded anew"
