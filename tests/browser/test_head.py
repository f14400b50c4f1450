"""A game's head (its hash) on the game page: shortened, and in full after a click."""

from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import User
from tests.browser.widths import too_wide
from tests.games.support import Table


@pytest.mark.parametrize("scripts", [True, False])
def test_the_whole_head_is_shown_on_a_click(
    open_page: Callable[..., Page], table: Table, people: tuple[User, User], scripts: bool
) -> None:
    game = table.game(*people, now=timezone.now())
    head = table.play(game, *people, now=timezone.now()).head
    narrow = {"width": 320, "height": 700}
    page = open_page(java_script_enabled=scripts, viewport=narrow)
    page.goto(f"{game.get_absolute_url()}#terms")
    whole = page.get_by_text(head, exact=True)
    expect(whole).not_to_be_visible()
    page.get_by_text(f"{head[:12]}…").click()
    expect(whole).to_be_visible()
    if scripts:
        assert too_wide(page, [game.get_absolute_url()], [320]) == []
