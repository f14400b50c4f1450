"""The game's page in a real browser, with all input devices, screens and themes."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Literal

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from accounts.models import User
from games.play.models import Game, Program, Turn
from games.play.orders import submit_orders
from games.play.resolution import resolve_turn
from tests.browser.programming import chips_in_registers, hand, programs
from tests.browser.widths import too_wide
from tests.games.support import Board, Table, open_turn, orders_for

OpenPage = Callable[..., Page]

SCHEMES: tuple[Literal["light"], Literal["dark"]] = ("light", "dark")
GROUND = "[document.documentElement, document.body].map((each) => getComputedStyle(each).background).join()"

LARGE = Board(
    "Large",
    tuple(" ".join({(9, 9): "a", (0, 0): ".+i1"}.get((x, y), ".") for x in range(20)) for y in range(20)),
)


@pytest.fixture
def game(table: Table, people: tuple[User, User]) -> Game:
    """A game of Alice and Bob in turn 2, with chips dealt."""
    game = table.game(*people, now=timezone.now())
    for _ in range(2):
        table.play(game, *people, now=timezone.now())
    return game


def test_chips_go_into_registers_by_clicks_and_come_back(alices: OpenPage, game: Game) -> None:
    page = alices()
    page.goto(game.get_absolute_url())
    keys = page.locator(".chip-key")
    sockets = page.locator(".register-socket")
    chips = hand(page)
    keys.nth(0).click()
    keys.nth(3).click()
    assert chips_in_registers(page) == [chips[0], chips[3], "", "", ""]
    expect(keys.nth(0)).to_have_attribute("aria-pressed", "true")
    expect(page.locator("[data-hint]")).to_have_text("3 registers to fill")
    sockets.nth(0).click()  # takes its chip out
    sockets.nth(4).click()  # chooses the next register
    keys.nth(1).click()
    keys.nth(3).click()  # a used chip also returns
    assert chips_in_registers(page) == ["", "", "", "", chips[1]]
    page.get_by_role("button", name="Clear").click()
    assert chips_in_registers(page) == [""] * 5
    for number in (5, 4, 3, 2, 1):
        keys.nth(number).click()
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_role("heading", name="Your program is submitted")).to_be_visible()
    assert programs(game) == [[int(chips[number]) for number in (5, 4, 3, 2, 1)]]


def test_a_program_is_submitted_only_by_keyboard(alices: OpenPage, game: Game) -> None:
    page = alices()
    page.goto(game.get_absolute_url())
    chips = hand(page)
    for key in "12345":
        page.keyboard.press(key)
    page.keyboard.press("Backspace")
    page.keyboard.press("9")
    page.keyboard.press("1")  # again: the chip returns
    assert chips_in_registers(page) == ["", chips[1], chips[2], chips[3], chips[8]]
    page.locator(".chip-key").nth(6).focus()
    page.keyboard.press("Enter")
    assert chips_in_registers(page)[0] == chips[6]
    tab_to(page, page.get_by_label("Reboot afterwards"))
    page.keyboard.press("Space")
    page.keyboard.press("Enter")  # Enter in any box sends a form
    expect(page.get_by_role("heading", name="Your program is submitted")).to_be_visible()
    assert Program.objects.get(hand__turn=open_turn(game)).orders["power_down"] is True


def tab_to(page: Page, target: Locator) -> None:
    for _ in range(30):
        if target.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    pytest.fail(f"Tab does not lead to {target}")


def test_run_names_missing_chips_and_a_submitted_program_may_be_changed(alices: OpenPage, game: Game) -> None:

    # Run names the registers to fill, and sends nothing.
    page = alices()
    page.goto(game.get_absolute_url())
    chips = hand(page)
    page.keyboard.press("1")
    page.keyboard.press("2")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.url.endswith("/orders") else None)
    page.get_by_role("button", name="Run").click()
    expect(page.locator("[data-hint]")).to_have_text("First fill registers 3, 4 and 5.")
    expect(page.locator("[data-told]")).to_have_text("First fill registers 3, 4 and 5.")
    expect(page.locator(".register.is-wanted")).to_have_count(3)
    expect(page.locator("[data-notice]")).to_be_hidden()
    assert chips_in_registers(page) == [chips[0], chips[1], "", "", ""]
    page.keyboard.press("3")
    expect(page.locator("[data-hint]")).to_contain_text("2 registers to fill")
    page.keyboard.press("4")
    page.keyboard.press("Enter")
    expect(page.locator("[data-hint]")).to_contain_text("First fill register 5.")
    assert sent == []

    # The submitted program is in the registers and may be changed.
    page.keyboard.press("5")
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_role("heading", name="Your program is submitted")).to_be_visible()
    expect(page.locator("[data-register] > .chip")).to_have_count(5)
    page.keyboard.press("Backspace")
    page.keyboard.press("6")
    with page.expect_response("**/orders"):
        page.get_by_role("button", name="Change it").click()
    expect(page.locator("form.is-changed")).to_have_count(0)
    assert programs(game) == [[int(chip) for chip in (*chips[:4], chips[5])]]


def test_without_script_robots_show_their_names(alices: OpenPage, game: Game) -> None:
    page = alices(java_script_enabled=False)
    page.goto(game.get_absolute_url())
    assert set(page.locator("[data-board] .robot title").all_text_contents()) == {"Alice", "Bob"}


def test_the_form_works_without_script(alices: OpenPage, table: Table, people: tuple[User, User]) -> None:
    alice, bob = people
    game = table.game(alice, bob, now=timezone.now())
    page = alices(java_script_enabled=False)
    page.goto(game.get_absolute_url())
    page.get_by_role("button", name="South").click()
    expect(page.get_by_text("Your choice of heading is in.")).to_be_visible()
    table.play(game, bob, now=timezone.now())
    page.goto(game.get_absolute_url())
    expect(page.locator("[data-player]")).to_be_hidden()
    expect(page.get_by_role("button", name="Clear")).to_be_hidden()
    lists = page.get_by_role("combobox", name=re.compile("Register"))
    expect(lists).to_have_count(5)
    for number in range(4):
        lists.nth(number).select_option(index=number + 1)
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_text("Register 5 needs a chip.")).to_be_visible()
    lists.nth(4).select_option(index=5)
    page.get_by_label("Reboot afterwards").check()
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_text("Your program for turn 1 is in.")).to_be_visible()
    expect(page.get_by_label("Reboot afterwards")).to_be_checked()
    assert len(programs(game)[0]) == 5


def test_the_last_player_to_submit_sees_the_turn_at_once(
    alices: OpenPage, game: Game, table: Table, people: tuple[User, User]
) -> None:
    _, bob = people
    table.move(game, bob, now=timezone.now())
    page = alices()
    page.goto(game.get_absolute_url())
    for key in "12345":
        page.keyboard.press(key)
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_text("All orders are in: the turn is about to be played.")).to_be_visible()
    page.evaluate(
        """() => {
          const refusal = document.createElement("p");
          Object.assign(refusal, { textContent: "Too late", tabIndex: -1 }).dataset.refusal = "";
          document.querySelector("main").prepend(refusal);
          refusal.focus();
        }"""
    )
    resolve_turn(turn_id=open_turn(game).pk, now=timezone.now())
    expect(page.get_by_role("button", name="Pause")).to_be_visible(timeout=10_000)
    expect(page.get_by_text("All orders are in: the turn is about to be played.")).to_have_count(0)
    expect(page.get_by_role("heading", name="What happened in turn 2")).to_be_visible()
    expect(page.locator(".status-word")).to_have_text("Turn 3", timeout=60_000)
    expect(page.get_by_text("Too late")).to_be_focused()  # its reader may not have read it yet


@pytest.fixture
def everywhere(game: Game, table: Table, people: tuple[User, User]) -> list[str]:
    """Return addresses of games in all states, with long texts and large boards."""
    alice, bob = people
    now = timezone.now()
    lobby = table.game(alice, seats=8, private=True, name="A name as long as names may be, " * 2, now=now)
    large = Table(Board("Large", LARGE.rows).saved()).game(alice, options={"equipment": True}, now=now)
    Turn.objects.filter(game=game, number=2).update(deadline=now + timedelta(hours=5))
    submit_orders(user=bob, game_id=game.pk, turn_number=2, document=orders_for(game, bob), now=now)
    address = game.get_absolute_url()
    return [address, f"{address}turns/1/", lobby.get_absolute_url(), large.get_absolute_url()]


def test_no_page_of_the_game_scrolls_sideways(alices: OpenPage, everywhere: list[str]) -> None:
    assert not too_wide(alices(), everywhere, (320, 768))


def test_pages_are_drawn_in_light_and_dark(alices: OpenPage, everywhere: list[str]) -> None:
    page = alices()
    for path in everywhere:
        page.goto(path)
        grounds = set()
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            grounds.add(page.evaluate(GROUND))
        assert len(grounds) == 2, path


def test_thumbnails_follow_the_readers_theme(alices: OpenPage, everywhere: list[str]) -> None:
    for scheme, shown, hidden in (("light", "day", "night"), ("dark", "night", "day")):
        page = alices(color_scheme=scheme)
        page.goto("/starships/")
        expect(page.locator(f".plate .by-{shown}").first).to_be_visible()
        expect(page.locator(f".plate .by-{hidden}").first).to_be_hidden()
