"""The form for a tournament, and the boards on its open page."""

from collections.abc import Callable

from django.utils import timezone
from playwright.sync_api import Page, expect

from games.competitions.models import Tournament
from tests import cast
from tests.browser.signing_in import sign_in
from tests.browser.widths import too_wide
from tests.games.competitions.hosting import START, games_of, last_round, opened, step
from tests.games.support import Table
from tests.support import fleet
from tests.support.site import Site

QUICK = "const real = setTimeout; setTimeout = (run, wait, ...all) => real(run, Math.min(wait, 300), ...all);"
"""A script that shortens all timeouts to at most 0.3 seconds."""


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


def test_the_form_follows_the_choices(site: Site, open_page: Callable[..., Page]) -> None:
    fleet.launch()
    page = open_page(viewport={"width": 1440, "height": 900})
    sign_in(page, cast.erin(), site)
    page.goto("/tournaments/new/")
    page.get_by_role("button", name="Quick cup").click()
    picks, plan = page.locator(".picked-ships li"), page.locator("[data-part=plan]")
    expect(picks).to_have_count(3)
    expect(page.get_by_role("button", name="Preview")).to_be_hidden()
    page.get_by_text("Choose up to 12").click()
    page.get_by_role("checkbox", name="Clover").check()
    expect(picks.nth(3)).to_contain_text("Clover")
    page.get_by_label("Players in the preview").fill("9")
    page.get_by_label("Players in the preview").press("Tab")
    expect(plan).to_contain_text("3 tables of 3")
    page.locator("summary", has_text="Players").click()
    page.get_by_label("Maximum entrants").fill("4")
    page.get_by_label("Maximum entrants").press("Tab")
    expect(page.get_by_label("Players in the preview")).to_have_value("4")
    expect(page.locator("[data-part=plan-said]")).to_contain_text("With 4 players: 1 round")
    page.locator("summary", has_text="Rules").click()
    page.get_by_label("Ruleset").select_option("group-11")
    expect(picks.first).to_contain_text("no start cell a1")
    expect(page.locator("[data-part=plan-said]")).to_contain_text("Choose starships that fit")
    page.get_by_label("Name", exact=True).fill("Night Cup")
    page.get_by_role("button", name="Save as a draft").last.click()
    expect(page).to_have_title("Error: New tournament · Robo Runner")
    expect(page.locator(".error-summary")).to_be_focused()
    page.get_by_role("link", name="Clover doesn’t fit").click()
    expect(page.locator("#id_starships_0")).to_be_focused()
    assert too_wide(page, ["/tournaments/new/"], [320]) == []
    assert not Tournament.objects.exists()


def test_the_only_starship_and_the_start_have_room(site: Site, open_page: Callable[..., Page]) -> None:
    fleet.launch()
    page = open_page(viewport={"width": 1440, "height": 900})
    sign_in(page, cast.erin(), site)
    page.goto("/tournaments/new/")
    for width in (1440, 1024, 390):
        page.set_viewport_size({"width": width, "height": 900})
        said = page.locator(".picked-ships p").bounding_box()
        assert said and said["width"] >= 150, width
        start = page.locator("[name=starts_at]")
        spare = start.evaluate(
            "field => { const room = field.getBoundingClientRect().width; field.style.width = 'max-content';"
            " return room - field.getBoundingClientRect().width; }"
        )
        start.evaluate("field => field.removeAttribute('style')")
        assert spare >= 0, width


def test_a_draft_is_made_and_changed_without_scripts(site: Site, open_page: Callable[..., Page]) -> None:
    fleet.launch()
    page = open_page(java_script_enabled=False, viewport={"width": 390, "height": 844})
    sign_in(page, cast.erin(), site)
    page.goto("/tournaments/new/")
    page.get_by_role("button", name="Swiss cup").click()
    page.get_by_label("Name", exact=True).fill("Night Cup")
    page.get_by_role("button", name="Play Slide Rule one round earlier").click()
    expect(page.locator(".picked-ships li").first).to_contain_text("Slide Rule")
    page.get_by_label("Players in the preview").fill("17")
    page.get_by_role("button", name="Preview").click()
    expect(page.locator("[data-part=plan]")).to_contain_text("2 tables of 4, 3 tables of 3")
    page.get_by_role("button", name="Save as a draft").last.click()
    page.get_by_role("link", name="Edit the draft").click()
    page.get_by_label("Name", exact=True).fill("Day Cup")
    page.get_by_role("button", name="Save as a draft").last.click()
    expect(page.get_by_role("heading", name="Day Cup")).to_be_visible()
    cup = Tournament.objects.get()
    assert [ship.starship.name for ship in cup.ships.all()][:2] == ["Slide Rule", "Ferry Crossing"]


def test_the_address_of_an_open_tournament_is_copied(
    site: Site, open_page: Callable[..., Page], table: Table
) -> None:
    cup = opened(table, cast.erin(), cast.alice())
    page = open_page(viewport={"width": 390, "height": 844}, permissions=["clipboard-write"])
    page.goto(f"/tournaments/{cup.pk}/")
    expect(page.get_by_label("Link to this tournament")).to_have_value(page.url)
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
