"""Choosing the first heading in a real browser takes one press."""

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import User
from games.play.models import Game, Program
from tests.browser.programming import PHONE, middle
from tests.games.support import Table


@pytest.fixture
def game(table: Table, people: tuple[User, User]) -> Game:
    """A game of Alice and Bob in turn 0."""
    return table.game(*people, now=timezone.now())


@pytest.fixture
def page_of(alices: Callable[..., Page], game: Game) -> Callable[..., Page]:
    """A function that opens the game's page for Alice."""

    def open_one(**options: Any) -> Page:
        page = alices(**options)
        page.goto(game.get_absolute_url())
        expect(page.get_by_role("heading", name="Which way does your robot face?")).to_be_visible()
        return page

    return open_one


def heading() -> str:
    return str(Program.objects.get().orders["heading"])


def test_an_arrow_on_the_board_also_submits_the_heading(page_of: Callable[..., Page]) -> None:
    page = page_of(**PHONE)
    for number, way in enumerate("NESW"):
        arrow = page.locator(".board-way").nth(number)
        robot = middle(page.locator("[data-board] .robot[data-robot=Alice]"))
        aside, below = (one - other for one, other in zip(middle(arrow), robot, strict=True))
        assert way == (
            ("E" if aside > 0 else "W") if abs(aside) > abs(below) else ("S" if below > 0 else "N")
        )
        box, drawn, board = (
            each.bounding_box() or {}
            for each in (arrow, arrow.locator("circle"), page.locator("[data-board] > svg"))
        )
        assert min(box["width"], box["height"]) >= 24
        assert board["x"] <= drawn["x"] <= board["x"] + board["width"] - drawn["width"]
        assert board["y"] <= drawn["y"] <= board["y"] + board["height"] - drawn["height"]
    arrow.scroll_into_view_if_needed()
    page.touchscreen.tap(*middle(arrow))
    expect(page.get_by_role("heading", name="Your heading is in")).to_be_visible()
    assert heading() == "W"


def test_arrow_keys_and_presses_submit_and_change_the_heading(
    page_of: Callable[..., Page],
) -> None:
    page = page_of()

    # Arrow keys choose an arrow, and Enter submits it.
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("button", name="West")).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("button", name="North")).to_be_focused()
    assert not Program.objects.exists()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Your heading is in")).to_be_visible()
    assert heading() == "N"

    # One press on an arrow submits the heading, and another changes it.
    with page.expect_response("**/orders"):
        page.get_by_role("button", name="East").click()
    expect(page.get_by_role("button", name="East")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".board-way")).to_have_count(0)
    assert heading() == "E"
    with page.expect_response("**/orders"):
        page.get_by_role("button", name="South").click()
    expect(page.get_by_role("button", name="South")).to_have_attribute("aria-pressed", "true")
    assert heading() == "S"


def test_a_heading_without_a_connection_is_sent_later(page_of: Callable[..., Page]) -> None:
    page = page_of()
    page.context.set_offline(True)
    page.get_by_role("button", name="West").click()
    expect(page.get_by_text("Not submitted: no connection.")).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_role("heading", name="Your heading is in")).to_be_visible()
    assert heading() == "W"
