"""Before they see the hand, players decide whether a robot that was off is switched on."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from games.play import stored
from games.play.models import Game
from games.play.orders import redeal_hand, submit_orders
from games.play.resolution import resolve_turn
from tests.browser.programming import PHONE, hand
from tests.browser.test_whole_film import quick
from tests.browser.widths import SCROLLS
from tests.games.support import Table, hand_of, open_turn, orders_for

OpenPage = Callable[..., Page]
QUESTION = "Stay off or switch on?"


@pytest.fixture
def asleep(table: Table, people: tuple[User, User]) -> Game:
    """A game in turn 3. Alice's robot was off in turn 2, so she must decide now."""
    alice, bob = people
    game = table.game(alice, bob, ruleset="amigo-1999", options={"power_down": True})
    for off in (True, False):
        turn = open_turn(game)
        if off:
            submit(game, alice, {**orders_for(game, alice), "power_down": True})
        submit(game, bob, orders_for(game, bob))
        assert resolve_turn(turn_id=turn.pk, now=turn.opened_at)
        game.refresh_from_db()
    return game


def submit(game: Game, player: User, document: dict[str, Any]) -> None:
    turn = open_turn(game)
    submit_orders(
        user=player, game_id=game.pk, turn_number=turn.number, document=document, now=turn.opened_at
    )


def test_switching_on_shows_the_hand(alices: OpenPage, people: tuple[User, User], asleep: Game) -> None:
    page = alices(**PHONE)
    page.goto(asleep.get_absolute_url())
    expect(page.get_by_role("heading", name=QUESTION)).to_be_visible()
    assert hand(page) == []
    expect(page.get_by_role("list", name="Your hand, face down: 9 chips")).to_be_visible()
    expect(page.get_by_text("You can’t undo this.")).to_be_visible()
    assert not page.evaluate(SCROLLS)
    page.get_by_role("button", name="Switch on").click()
    expect(page.get_by_text("Your robot is on. Here is your hand.")).to_be_visible()
    expect(page.get_by_role("heading", name="Your move")).to_be_visible()
    numbers = [str(chip.number) for chip in stored.chips_of(hand_of(asleep, people[0]))]
    assert len(numbers) == 9
    assert sorted(hand(page)) == sorted(numbers)


def test_staying_off_works_by_keyboard_and_shows_no_hand(
    alices: OpenPage, people: tuple[User, User], asleep: Game
) -> None:
    page = alices()
    page.goto(asleep.get_absolute_url())
    page.get_by_role("button", name="Stay off").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Your robot stays off")).to_be_visible()
    expect(page.get_by_role("button", name="Switch on")).to_have_count(0)
    assert hand_of(asleep, people[0]).program.orders["stay_down"] is True
    assert hand(page) == []


def test_an_open_page_asks_again_when_the_next_turn_begins(
    alices: OpenPage, people: tuple[User, User], asleep: Game
) -> None:
    page = alices()
    page.goto(asleep.get_absolute_url())
    quick(page)
    page.get_by_role("button", name="Stay off").click()
    expect(page.get_by_role("heading", name="Your robot stays off")).to_be_visible()
    turn = open_turn(asleep)
    submit(asleep, people[1], orders_for(asleep, people[1]))
    assert resolve_turn(turn_id=turn.pk, now=turn.opened_at)
    expect(page.get_by_role("heading", name=QUESTION)).to_be_visible()
    expect(page.locator("form[action$='/turns/4/wake/']")).to_have_count(1)


def test_a_hand_of_only_turning_chips_is_redrawn_and_shown_to_the_other_player(
    alices: OpenPage, people: tuple[User, User], table: Table
) -> None:
    alice, bob = people
    game = table.game(alice, bob, ruleset="amigo-1999")
    table.play(game, alice, bob)
    theirs = set(hand_of(game, alice).chips["chips"])
    turning = hand_of(game, bob)
    turning.chips["chips"] = [number for number in range(70, 421, 10) if number not in theirs][:9]
    turning.save()
    page = alices()
    page.goto(game.get_absolute_url())
    redeal_hand(user=bob, game_id=game.pk, turn_number=2, now=open_turn(game).opened_at)
    aside = page.get_by_role("list", name="Bob put these chips aside")
    expect(aside.locator(".chip")).to_have_count(9)
