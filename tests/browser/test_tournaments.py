"""The page of a tournament while its games are played."""

from collections.abc import Callable

from django.utils import timezone
from playwright.sync_api import Page, expect

from tests import cast
from tests.browser.signing_in import sign_in
from tests.games.competitions.hosting import START, games_of, last_round, opened, step
from tests.games.support import Table
from tests.support.site import Site

QUICK = "const real = setTimeout; setTimeout = (run, wait, ...all) => real(run, Math.min(wait, 300), ...all);"
"""Shortens a minute to 0.3 s."""


def test_boards_follow_their_games(site: Site, open_page: Callable[..., Page], table: Table) -> None:
    alice, bob = cast.alice(), cast.bob()
    cup = opened(table, cast.erin(), alice, bob)
    step(START)
    (game,) = games_of(last_round(cup))
    page = open_page()
    page.add_init_script(QUICK)
    sign_in(page, alice, site)
    page.goto(f"/tournaments/{cup.pk}/")
    board = page.locator("[data-live] img.by-day")
    for _ in range(2):
        turn = table.play(game, alice, bob, now=timezone.now())
        expect(board).to_have_attribute("src", f"/games/{game.pk}/turns/{turn.number}/board-light.png")
    expect(page.locator(".live-board")).to_contain_text("turn 2")
