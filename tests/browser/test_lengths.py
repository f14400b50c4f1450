"""The lengths of pages on a phone, with the built-in starships and the history of an active player."""

from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import User
from games.fleet.missions import load_missions
from games.fleet.models import Starship
from games.people.models import Achievement, Tally
from games.people.selectors.records import ACHIEVEMENTS
from games.play.models import Game
from tests.games.support import Table
from tests.support import fleet

FIRST = next(iter(ACHIEVEMENTS))
LONG = 3500
"""The maximum height of a page in pixels at first sight, about four screens."""

PHONE = {"width": 390, "height": 844}
HEIGHT = "document.documentElement.scrollHeight"


@pytest.fixture
def active(people: tuple[User, User]) -> User:
    """Alice with 25 games and all achievements. The built-in starships and missions are loaded."""
    fleet.launch()
    load_missions(directory=fleet.FIXTURES)
    table = Table(Starship.objects.get(name="Tin Canoe"))
    for number in range(25):
        game = table.game(*people, name=f"Race {number}", now=timezone.now())
        ended = {"status": Game.Status.OVER, "ended_at": timezone.now()} if number < 22 else {}
        Game.objects.filter(pk=game.pk).update(**ended)
        Tally.objects.update_or_create(seat=game.players.get(user=people[0]), defaults={"game": game})
    for key in ACHIEVEMENTS:
        Achievement.objects.create(user=people[0], key=key, game=game, turn=1, earned_at=timezone.now())
    return people[0]


@pytest.mark.parametrize(
    "path",
    ["/starships/", "/starships/?section=fleet", "/missions/", "/players/Alice/", "/rules/quick-reference/"],
)
def test_long_pages_have_a_short_form_on_a_phone(
    open_page: Callable[..., Page], active: User, path: str
) -> None:
    page = open_page(viewport=PHONE, java_script_enabled=False)
    page.goto(path)
    assert page.evaluate(HEIGHT) < LONG
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_everything_in_a_short_form_is_one_press_away(open_page: Callable[..., Page], active: User) -> None:
    page = open_page(viewport=PHONE, java_script_enabled=False)
    page.goto("/starships/")
    page.get_by_role("link", name="Show all 60").click()
    page.get_by_role("link", name="Next").click()
    assert page.url.endswith("/starships/?section=fleet&page=2")
    page.goto("/players/Alice/")
    last = page.locator(f"#{FIRST}")
    expect(last).to_be_hidden()
    page.get_by_text("Show 29 more achievements").click()
    expect(last).to_be_visible()
    page.goto(f"/players/Alice/#{FIRST}")
    expect(last).to_be_in_viewport()
