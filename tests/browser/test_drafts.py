"""Drafts of orders, in several windows or with a broken connection."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import User
from games.play.models import Game, Program
from tests.browser.programming import (
    PHONE,
    OpenPage,
    chips_in_registers,
    draft_of,
    hand,
    is_in,
    key,
    programs,
    register,
)
from tests.browser.signing_in import sign_in
from tests.games.play.services.test_drafts import save
from tests.games.support import Table, hand_of, open_turn
from tests.support.site import Site


@pytest.fixture
def alices(open_page: OpenPage, people: tuple[User, User], game: Game, site: Site) -> Callable[..., Page]:
    """A function that opens the game's page for Alice. A ``deaf`` page gets no events."""

    def open_one(*, deaf: bool = False, **options: object) -> Page:
        page = open_page(**options)
        if deaf:
            page.context.route(re.compile("/pulse/|/events/"), lambda route: route.abort())
        sign_in(page, people[0], site)
        page.goto(game.get_absolute_url())
        return page

    return open_one


def press(page: Page, keys: str) -> None:
    for each in keys:
        page.keyboard.press(each)


def is_kept(page: Page) -> None:
    """Wait until the page shows that the draft is saved."""
    expect(page.locator("[data-draft]")).to_contain_text(
        re.compile(r"Draft, saved \d\d:\d\d: not submitted\.")
    )


def test_a_draft_from_the_phone_is_finished_on_the_desktop(
    alices: OpenPage, game: Game, people: tuple[User, User]
) -> None:
    phone = alices(**PHONE)
    chips = hand(phone)
    key(phone, 3).tap()
    key(phone, 7).tap()
    is_kept(phone)
    assert draft_of(game, people[0]) == [int(chips[2]), int(chips[6]), None, None, None]
    assert programs(game) == []
    desk = alices()
    expect(desk.locator("#panel-title")).to_have_text(re.compile("Your move"))
    is_kept(desk)
    assert chips_in_registers(desk) == [chips[2], chips[6], "", "", ""]
    press(desk, "124")
    desk.keyboard.press("Enter")
    is_in(desk, 1)
    assert programs(game) == [[int(chips[index]) for index in (2, 6, 0, 1, 3)]]
    assert draft_of(game, people[0]) is None
    expect(desk.locator("[data-draft]")).to_be_hidden()


def test_drafts_are_discarded_and_updated_and_their_faults_marked(
    alices: OpenPage, game: Game, people: tuple[User, User]
) -> None:
    page = alices()
    chips = hand(page)

    # Discarding a draft.
    press(page, "12")
    is_kept(page)
    page.get_by_role("button", name="Delete draft").click()
    expect(page.locator("[data-draft]")).to_be_hidden()
    assert chips_in_registers(page) == [""] * 5
    assert draft_of(game, people[0]) is None

    # A focused window shows the newest draft.
    save(game, people[0], {"registers": [int(chips[5]), None, None, None, None]})
    page.evaluate("dispatchEvent(new Event('focus'))")
    is_kept(page)
    assert chips_in_registers(page) == [chips[5], "", "", "", ""]

    # Faults are in the notice and marked at their registers.
    page.locator("[data-clear]").click()
    press(page, "12345")
    page.locator("[data-register='3'] select").evaluate("(list, chip) => { list.value = chip }", chips[0])
    page.get_by_role("button", name="Run").click()
    expect(page.locator("[data-notice]")).to_contain_text("These orders are not allowed.")
    expect(page.locator("[data-notice]")).to_contain_text("in register 3 is used twice")
    expect(register(page, 3)).to_have_class(re.compile("is-wrong"))
    page.locator("[data-clear]").click()
    expect(register(page, 3)).not_to_have_class(re.compile("is-wrong"))
    expect(page.locator("[data-notice]")).to_be_hidden()
    assert programs(game) == []


def test_changes_after_submitting_are_a_draft_beside_the_submitted_program(
    alices: OpenPage, game: Game, people: tuple[User, User]
) -> None:
    page = alices()
    chips = hand(page)
    press(page, "12345")
    page.keyboard.press("Enter")
    is_in(page, 1)
    expect(page.locator("[data-waits]")).to_have_text("Bob")
    page.keyboard.press("Backspace")
    page.keyboard.press("9")
    expect(page.locator("[data-draft]")).to_contain_text("not submitted. Your submitted orders still count.")
    page.reload()
    expect(page.locator(".counting-chips li")).to_have_count(5)
    assert chips_in_registers(page) == [*chips[:4], chips[8]]
    assert programs(game) == [[int(chip) for chip in chips[:5]]]
    page.get_by_role("button", name="Back to submitted orders").click()
    expect(page.locator("[data-draft]")).to_be_hidden()
    assert chips_in_registers(page) == chips[:5]
    page.keyboard.press("Backspace")
    page.keyboard.press("8")
    with page.expect_response("**/orders"):
        page.get_by_role("button", name="Change it").click()
    expect(page.locator("[data-draft]")).to_be_hidden()
    assert programs(game) == [[int(chip) for chip in (*chips[:4], chips[7])]]


def test_a_draft_is_saved_without_a_script(alices: OpenPage, game: Game, people: tuple[User, User]) -> None:
    page = alices(java_script_enabled=False)
    lists = page.get_by_role("combobox", name=re.compile("Register"))
    lists.nth(1).select_option(index=3)
    page.get_by_role("button", name="Save as a draft").click()
    expect(page.get_by_text(re.compile("Draft, saved .*: not submitted")).first).to_be_visible()
    kept = draft_of(game, people[0])
    assert kept is not None
    assert lists.nth(1).input_value() == str(kept[1])
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("If no other robot gets in the way:")).to_be_visible()
    page.goto(game.get_absolute_url())
    page.get_by_role("button", name="Delete draft").click()
    expect(page.locator("[data-draft]")).to_be_hidden()
    assert programs(game) == []


def test_a_double_click_sends_once(alices: OpenPage, game: Game) -> None:
    page = alices()
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.url.endswith("/orders") else None)
    press(page, "12345")
    page.get_by_role("button", name="Run").dblclick()
    is_in(page, 1)
    page.wait_for_timeout(300)
    assert len(sent) == 1
    assert len(programs(game)) == 1


def test_a_lost_connection_loses_nothing(alices: OpenPage, game: Game) -> None:
    page = alices()
    chips = hand(page)
    page.context.set_offline(True)
    press(page, "12345")
    page.keyboard.press("Enter")
    expect(page.locator("[data-notice]")).to_contain_text("Your chips are unchanged.")
    assert chips_in_registers(page) == chips[:5]
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("[data-notice]")).to_contain_text("Not submitted")
    assert programs(game) == []
    page.context.set_offline(False)  # the browser notices it and sends
    is_in(page, 1)
    assert programs(game) == [[int(chip) for chip in chips[:5]]]


def test_chips_laid_offline_are_saved_once_online(
    alices: OpenPage, game: Game, people: tuple[User, User]
) -> None:
    page = alices()
    chips = hand(page)
    page.context.set_offline(True)
    press(page, "31")
    expect(page.locator("[data-draft]")).to_contain_text("Your draft is only in this window")
    page.context.set_offline(False)
    is_kept(page)
    assert draft_of(game, people[0]) == [int(chips[2]), int(chips[0]), None, None, None]


def test_unsent_chips_survive_a_reload(alices: OpenPage, game: Game) -> None:
    page = alices()
    chips = hand(page)
    page.route("**/draft", lambda route: route.abort())
    press(page, "62")
    expect(page.locator("[data-draft]")).to_contain_text("Your draft is only in this window")
    page.unroute("**/draft")
    page.reload()
    assert chips_in_registers(page) == [chips[5], chips[1], "", "", ""]
    is_kept(page)


def test_a_page_left_open_for_three_turns_is_correct(
    alices: OpenPage, game: Game, table: Table, people: tuple[User, User]
) -> None:
    page = alices(deaf=True)
    names = [page.locator("[data-chip]").nth(number).get_attribute("data-name") for number in range(5)]
    page.route("**/draft", lambda route: route.abort())
    press(page, "12345")
    for _ in range(3):
        table.play(game, *people, now=timezone.now())
    page.keyboard.press("Enter")
    notice = page.locator("[data-notice]")
    expect(notice).to_contain_text(
        "Not submitted: The game is in turn 4, so you cannot give orders for turn 1."
    )
    expect(notice).to_contain_text(f"Your chips were: {names[0]}")
    expect(page.locator("form[data-orders]")).to_have_attribute("data-turn", "4")
    expect(page.get_by_role("heading", name="Your move")).to_be_visible()
    assert chips_in_registers(page) == [""] * 5
    assert programs(game) == []


def test_chips_laid_for_a_past_turn_are_reported(
    alices: OpenPage, game: Game, table: Table, people: tuple[User, User]
) -> None:
    page = alices(deaf=True)  # otherwise news may arrive before the reload
    page.route("**/draft", lambda route: route.abort())
    press(page, "12")
    expect(page.locator("[data-draft]")).to_contain_text("Your draft is only in this window")
    table.play(game, *people, now=timezone.now())
    page.reload()
    expect(page.locator("[data-notice]").first).to_contain_text("Your chips for turn 1 were not submitted")


def test_only_the_first_of_two_windows_submits_and_both_are_correct(alices: OpenPage, game: Game) -> None:
    first = alices(deaf=True)
    chips = hand(first)
    second = first.context.new_page()
    second.goto(game.get_absolute_url())
    press(first, "12345")
    press(second, "98765")
    for page in (first, second):
        is_kept(page)
    first.keyboard.press("Enter")
    is_in(first, 1)
    second.get_by_role("button", name="Run").or_(second.get_by_role("button", name="Change it")).click()
    expect(second.locator("[data-notice]")).to_contain_text("another window")
    assert chips_in_registers(second) == [*reversed(chips[4:])]
    assert programs(game) == [[int(chip) for chip in chips[:5]]]
    second.get_by_role("button", name="Show submitted orders").click()
    is_in(second, 1)
    assert chips_in_registers(second) == chips[:5]


def test_a_window_shows_the_program_submitted_in_another(alices: OpenPage, game: Game, table: Table) -> None:
    page = alices()
    chips = hand(page)
    press(page, "9")
    is_kept(page)
    alice = hand_of_alice(game)
    table.move(game, alice, now=timezone.now())
    page.evaluate("dispatchEvent(new Event('focus'))")
    is_in(page, 1)
    assert len(programs(game)) == 1
    assert chips[8] in chips


def hand_of_alice(game: Game) -> User:
    user = game.players.get(number=1).user
    assert user
    return user


def test_late_orders_are_not_shown_as_submitted(
    alices: OpenPage, game: Game, people: tuple[User, User]
) -> None:
    page = alices()
    press(page, "12345")
    turn = open_turn(game)
    turn.deadline = timezone.now() - timedelta(seconds=1)
    turn.save()
    turn.hands.update(deadline=turn.deadline)
    page.keyboard.press("Enter")
    expect(page.locator("[data-notice]")).to_contain_text("Not submitted: Your time for turn 1 has run out.")
    expect(page.get_by_role("heading", name="Your time for this turn has run out")).to_be_visible()
    assert not Program.objects.filter(hand=hand_of(game, people[0])).exists()
