"""A finished game in a page of another site."""

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Request, expect

from accounts.models import User
from bench.sharing import foreign_page
from games.play.models import Game
from tests.games.sharing.conftest import end
from tests.games.sharing.test_pages import MOST_EMBED_BYTES
from tests.games.support import Table
from tests.games.together import wait_until
from tests.support.site import Site


@pytest.fixture
def finished(game: Game, table: Table, people: tuple[User, User]) -> Game:
    """A public game: the headings and two turns were played."""
    for _ in range(2):
        table.play(game, *people, now=timezone.now())
    end(game)
    return game


def test_another_site_shows_the_player_and_no_other_page(
    chromium: Browser, site: Site, finished: Game
) -> None:
    requests: list[Request] = []
    embed = f"{site.url}/embed/game/{finished.pk}/"
    with (
        foreign_page(embed, f"{site.url}{finished.get_absolute_url()}") as blog,
        chromium.new_context() as ours,
    ):
        ours.on("requestfinished", lambda request: requests.append(request))
        page = ours.new_page()
        page.goto(blog)
        player, whole = (page.frame_locator(f"iframe >> nth={index}") for index in range(2))
        player.locator("[data-play]").click()
        expect(player.locator("[data-play]")).to_have_attribute("aria-pressed", "true")
        expect(player.locator("[data-caption]")).to_contain_text("Phase 1")
        wait_until(lambda: page.frames[2].url.startswith("chrome-error:"))
        expect(whole.locator("h1")).to_have_count(0)
        sizes = [each.sizes() for each in requests if each.url.startswith((embed, f"{site.url}/static/"))]
        assert len(sizes) > 5
        assert (
            sum(each["responseBodySize"] + each["responseHeadersSize"] for each in sizes) < MOST_EMBED_BYTES
        )
        assert not ours.cookies()
