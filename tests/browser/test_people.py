"""Players' pages in a real browser: achievements, and the cards of robots."""

from collections.abc import Callable
from itertools import product

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import User
from games.people.models import Achievement
from games.play.models import Game
from games.play.orders import submit_orders
from games.play.resolution import resolve_turn
from tests import cast
from tests.browser.signing_in import sign_in
from tests.browser.widths import too_wide
from tests.games.support import HALL, LANE, Table, open_turn
from tests.games.together import wait_until
from tests.support.site import Site

OpenPage = Callable[..., Page]


@pytest.fixture
def alice(site: Site) -> User:
    return cast.alice()


@pytest.fixture
def mission(alice: User) -> Game:
    """A mission of Alice. Her robot is at the edge of the board, on its last life."""
    game = Table(LANE.saved()).game(alice, name="First mission", options={"lives": 1}, now=timezone.now())
    turn = open_turn(game)
    submit_orders(user=alice, game_id=game.pk, turn_number=0, document={"heading": "S"}, now=timezone.now())
    resolve_turn(turn_id=turn.pk, now=timezone.now())
    return game


def finish(page: Page, game: Game) -> None:
    """Submit the first five chips of each hand until the mission is over."""
    for _ in range(20):
        page.goto(game.get_absolute_url())
        turn = open_turn(game)
        for number in range(5):
            page.locator(".chip-key").nth(number).click()
        page.get_by_role("button", name="Run").click()
        expect(page.get_by_text("All orders are in:")).to_be_visible()
        resolve_turn(turn_id=turn.pk, now=timezone.now())
        game.refresh_from_db()
        if game.status == Game.Status.OVER:
            return
    pytest.fail("nobody stays on so short a board for so long")


@pytest.mark.parametrize("script", [True, False])
def test_achievements_of_a_mission_are_shown_dismissed_and_kept(
    open_page: OpenPage, site: Site, alice: User, mission: Game, script: bool
) -> None:
    with_script = open_page()
    sign_in(with_script, alice, site)
    finish(with_script, mission)
    page = open_page(java_script_enabled=script)
    sign_in(page, alice, site)
    page.goto(mission.get_absolute_url())
    note = page.locator(".earned")
    expect(note).to_contain_text("For the Greater Good")
    expect(page.get_by_role("heading", name="What the robots did")).to_be_visible()
    note.get_by_role("button", name="Close").click()
    expect(note).to_have_count(0)
    expect(page).to_have_url(site.url + mission.get_absolute_url())
    page.reload()
    expect(note).to_have_count(0)
    assert not Achievement.objects.filter(seen_at=None).exists()
    page.goto("/players/alice/")
    medal = page.locator("#deaths-1")
    expect(medal).to_contain_text("First mission")
    expect(medal.locator("svg")).to_be_visible()
    expect(page.locator("#deaths-5 progress")).to_have_js_property("value", 1)
    history = page.get_by_role("region", name="History")
    expect(history.get_by_role("link", name="First mission")).to_be_visible()


def test_achievements_move_no_part_of_the_page(
    open_page: OpenPage, site: Site, alice: User, mission: Game
) -> None:
    page = open_page()
    sign_in(page, alice, site)
    finish(page, mission)
    sizes = [{"width": 1440, "height": 900}, {"width": 390, "height": 844}]
    pages = [(mission.get_absolute_url(), ".starship"), ("/", ".title-block")]
    for size, (path, part) in product(sizes, pages):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        page.goto(path)
        card, shown = page.locator(".earned"), page.locator(part).first
        expect(card.get_by_role("listitem").first).to_be_visible()
        assert card.get_by_role("listitem").count() <= 5
        before = shown.bounding_box()
        card.get_by_role("button", name="Close").click()
        expect(card).to_have_count(0)
        assert before and shown.bounding_box() == before
        Achievement.objects.update(seen_at=None)


def test_achievements_go_with_the_next_page_and_cover_no_button_on_a_phone(
    open_page: OpenPage, site: Site, alice: User, mission: Game
) -> None:
    page = open_page(viewport={"width": 390, "height": 844})
    sign_in(page, alice, site)
    finish(page, mission)
    page.goto("/games/find/")
    card, button = page.locator(".earned"), page.locator("main form.form .button").last
    expect(card.get_by_role("listitem").first).to_be_visible()
    assert (box := card.bounding_box()) and box["height"] <= 64
    button.scroll_into_view_if_needed()
    shown = button.bounding_box()
    assert shown and shown["y"] + shown["height"] <= box["y"]
    wait_until(lambda: not Achievement.objects.filter(seen_at=None).exists(), 10)
    page.goto("/")
    expect(card).to_have_count(0)


@pytest.fixture
def duel(site: Site, alice: User) -> Game:
    """A game of Alice and Bob after one turn."""
    table, bob = Table(HALL.saved()), cast.bob()
    game = table.game(alice, bob, now=timezone.now())
    for _ in range(2):
        table.play(game, alice, bob, now=timezone.now())
    return game


def test_a_click_on_a_robot_shows_its_card(open_page: OpenPage, duel: Game) -> None:
    page = open_page()
    page.goto(duel.get_absolute_url())
    page.get_by_role("link", name="Bob", exact=True).click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Next checkpoint")
    expect(dialog.get_by_role("link", name="Bob", exact=True)).to_have_attribute("href", "/players/Bob/")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    page.locator(".starship .robot[data-robot='Alice']").click()
    expect(dialog.get_by_role("heading", name="Alice")).to_be_visible()
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)
    assert page.url.endswith(duel.get_absolute_url())


def test_without_a_script_a_robot_has_a_page(open_page: OpenPage, duel: Game) -> None:
    page = open_page(java_script_enabled=False)
    page.goto(duel.get_absolute_url())
    page.get_by_role("link", name="Bob", exact=True).click()
    expect(page.get_by_role("heading", name="Bob", level=1)).to_be_visible()
    page.get_by_role("link", name=duel.name).click()
    expect(page.get_by_role("heading", name=duel.name)).to_be_visible()


def test_no_page_of_people_scrolls_sideways(open_page: OpenPage, site: Site, alice: User, duel: Game) -> None:
    Achievement.objects.create(user=alice, key="damage-taken-50", game=duel, turn=1, earned_at=timezone.now())
    page = open_page()
    sign_in(page, alice, site)
    paths = ("/players/Alice/", "/players/Bob/", "/settings/profile/", f"{duel.get_absolute_url()}robots/2/")
    assert not too_wide(page, paths)


def test_a_favourite_robot_is_chosen_by_keyboard(open_page: OpenPage, site: Site, alice: User) -> None:
    page = open_page()
    sign_in(page, alice, site)
    page.goto("/settings/profile/")
    page.get_by_role("radio", name="any").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="disc")).to_be_checked()
    page.get_by_role("group", name="History").get_by_role("radio", name="Only me").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Your profile is saved.")).to_be_visible()
    alice.refresh_from_db()
    assert (alice.look, alice.shows_history, alice.shows_games) == (2, "nobody", "everybody")
