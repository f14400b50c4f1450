"""Branches in a real browser, by keyboard, from the page of a turn to a branch and its film."""

import re
from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import User
from games.branches.models import Branch
from games.play.models import Game
from tests.browser.programming import PHONE
from tests.games.sharing.conftest import end
from tests.games.support import Table


@pytest.fixture
def finished(game: Game, table: Table, people: tuple[User, User]) -> Game:
    """A public game: the headings and two turns were played."""
    for _ in range(2):
        table.play(game, *people, now=timezone.now())
    end(game)
    return game


def test_a_branch_is_made_watched_and_deleted_by_keyboard(
    alices: Callable[..., Page], finished: Game
) -> None:
    page = alices(**PHONE)
    page.goto(f"{finished.get_absolute_url()}turns/1/")
    page.get_by_role("link", name="What if?").press("Enter")
    expect(page.get_by_role("heading", name="What if?")).to_be_visible()
    alice = page.get_by_role("group", name="Alice", exact=True)
    first, second = (alice.get_by_label(f"Register {number}") for number in (1, 2))
    chips = first.input_value(), second.input_value()
    for register, chip in ((first, chips[1]), (second, chips[0])):
        register.focus()
        name = register.locator(f"option[value='{chip}']").text_content()
        assert name
        page.keyboard.type(name)
        expect(register).to_have_value(chip)
    page.get_by_label("Name").fill("Other way round")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Other way round")).to_be_visible()
    assert [str(chip) for chip in Branch.objects.get().document["orders"]["1"]["registers"][:2]] == [
        *reversed(chips)
    ]
    rows = page.get_by_role("rowheader")
    expect(rows).to_have_text(["In the game", re.compile(r"^Other way round\s+shown$")])
    play = page.locator("[data-play]")
    page.keyboard.press("Space")
    expect(play).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Space")
    expect(play).to_have_attribute("aria-pressed", "false")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Done").press("Enter")
    page.get_by_role("button", name="Delete branch").press("Enter")
    expect(page.get_by_text("Branch deleted.")).to_be_visible()
    assert not Branch.objects.exists()
