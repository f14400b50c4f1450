"""The lobby in a real browser: players join, settings change, and the game starts."""

import re
from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts import guests
from accounts.models import User
from games.fleet.models import Starship
from games.fleet.services import save_starship
from games.lobby.invitations import invite
from games.lobby.seats import join_game
from games.lobby.services import create_game
from games.play.models import Game, Turn
from games.play.terms import Terms
from tests import cast
from tests.browser.programming import PHONE
from tests.browser.signing_in import sign_in
from tests.browser.widths import too_wide
from tests.games.support import HALL
from tests.support.loaded import ForkedWorker
from tests.support.site import Site

OpenPage = Callable[..., Page]


@pytest.fixture
def hall(site: Site) -> Starship:
    """The starship for games against computers."""
    return save_starship(document=HALL.document, section="fleet", slug="tin-canoe", now=timezone.now())


@pytest.fixture
def game(hall: Starship, alice: User) -> Game:
    """A game of Alice that waits for two more players."""
    return create_game(
        host=alice, terms=Terms(name="Night shift", starship=hall.pk, seats=3), now=timezone.now()
    )


@pytest.fixture
def alice(site: Site) -> User:
    return cast.alice()


@pytest.fixture
def bob(site: Site) -> User:
    return cast.bob()


@pytest.fixture
def open_as(open_page: OpenPage, site: Site) -> Callable[..., Page]:
    """A function that opens a page for a person: ``open_as(alice)``."""

    def open_one(person: User, **options: object) -> Page:
        page = open_page(**options)
        sign_in(page, person, site)
        return page

    return open_one


def test_a_lobby_from_its_creation_to_its_start(
    open_as: Callable[..., Page], hall: Starship, alice: User, bob: User
) -> None:
    host, guest = open_as(alice), open_as(bob, **PHONE)
    host.goto(f"/games/new/?ruleset=robo-runner&starship={hall.pk}")
    host.get_by_label("Game name").fill("Night shift")
    host.get_by_label("Players", exact=True).fill("3")
    host.get_by_text("Joining", exact=True).click()
    host.get_by_label("Private").check()
    host.get_by_role("button", name="Create game").last.click()
    expect(host.get_by_text("Send its link to the players you want to play with.")).to_be_visible()

    host.get_by_text("Add computers", exact=True).click()
    host.get_by_label("Ace").check(force=True)
    host.locator("#computer_look").get_by_label("crab").check(force=True)
    host.get_by_role("button", name="Add computer").click()
    computer = host.locator(".seat", has_text="computer, Ace")
    expect(computer).to_be_visible()
    expect(host.get_by_text("2 of 3 taken")).to_be_visible()

    guest.goto(host.get_by_label("Secret link").input_value())
    for next_step in (guest.get_by_role("button", name="Join this game"), guest.locator("[data-board]")):
        expect(next_step).to_be_in_viewport()
    guest.get_by_text("Choose your robot", exact=True).click()
    expect(guest.locator("[name=look][value='4']")).to_be_disabled()
    guest.get_by_label("spider").check(force=True)
    guest.get_by_label("I am not ready yet").check()
    guest.get_by_role("button", name="Join this game").click()
    expect(guest.get_by_role("heading", name="Are you ready?")).to_be_visible()
    expect(guest.get_by_role("button", name="I am ready")).to_be_in_viewport()
    expect(host.locator(".seat", has_text="Bob")).to_contain_text("not ready yet")
    expect(host.get_by_role("button", name="Start the game")).to_have_count(0)

    host.get_by_role("link", name="Change the settings").click()
    host.get_by_text("Joining", exact=True).click()
    host.get_by_label("When you start it").check()
    host.get_by_role("button", name="Save settings").last.click()
    expect(guest.locator("[data-part=ready]")).to_contain_text("The host can start the game")
    guest.get_by_role("button", name="I am ready").click()
    expect(guest.get_by_role("heading", name="Everyone is ready")).to_be_visible()

    host.get_by_role("link", name="Change the settings").click()
    host.get_by_text("Options", exact=True).click()
    host.get_by_label("Lives").fill("5")
    host.get_by_role("button", name="Save settings").last.click()
    expect(host.get_by_text("Bob is not ready yet.").first).to_be_visible()
    expect(guest.get_by_role("heading", name="Are you ready?")).to_be_visible()
    expect(guest.locator("[data-part=ready]")).to_contain_text("The settings have changed")
    expect(guest.locator(".changes")).to_contain_text("from 3 to 5")
    expect(guest.locator("[data-part=terms]")).to_contain_text("5 lives")

    guest.get_by_role("button", name="I am ready").click()
    start = host.get_by_role("button", name="Start the game")
    expect(start).to_be_enabled()
    start.click()
    for page in (host, guest):
        expect(page.get_by_role("heading", name="Which way does your robot face?")).to_be_visible()


def test_a_half_filled_form_stays_while_the_lobby_changes(
    open_as: Callable[..., Page], game: Game, alice: User, bob: User
) -> None:
    host = open_as(alice)
    host.goto(game.get_absolute_url())
    host.get_by_text("Add computers", exact=True).click()
    host.get_by_label("Rookie").check(force=True)
    join_game(user=bob, game_id=game.pk, ready=False, now=timezone.now())
    expect(host.locator(".seat", has_text="Bob")).to_be_visible()
    expect(host.get_by_label("Rookie")).to_be_checked()


def test_a_lobby_works_without_scripts(
    open_as: Callable[..., Page], game: Game, alice: User, bob: User
) -> None:
    host, guest = (open_as(person, java_script_enabled=False) for person in (alice, bob))
    host.goto(game.get_absolute_url())
    host.get_by_label("Robo Name or email address").fill("Bob")
    host.get_by_role("button", name="Invite").click()
    expect(host.get_by_text("You invited Bob.")).to_be_visible()
    expect(host.get_by_role("button", name="Copy link")).to_be_hidden()
    guest.goto("/my-room/")
    guest.get_by_role("button", name="Accept").click()
    expect(guest.get_by_text("You joined and are ready.")).to_be_visible()
    host.reload()
    host.locator("summary", has_text="Add computers").click()
    host.get_by_role("button", name="Add computer").click()
    expect(host.get_by_role("heading", name="Which way does your robot face?")).to_be_visible()


def test_a_newcomer_clicks_once_and_plays_a_turn_against_a_computer(
    page: Page, hall: Starship, worker: ForkedWorker
) -> None:
    page.goto("/")
    page.get_by_role("button", name="Play against computers").click()
    expect(page.get_by_role("heading", name="Which way does your robot face?")).to_be_visible()
    game = Game.objects.get()
    page.get_by_role("button", name="East").click()
    expect(page.locator(".status-word")).to_have_text("Turn 1", timeout=60_000)
    for _ in range(5):
        page.locator("[data-chip]:not(:has(.is-chosen)) .chip-key").first.click()
    page.get_by_role("button", name="Run").click()
    expect(page.locator(".status-word")).to_have_text("Turn 2", timeout=60_000)
    assert game.turns.get(number=1).status == Turn.Status.RESOLVED


def test_no_page_of_a_lobby_scrolls_sideways(
    open_as: Callable[..., Page], hall: Starship, alice: User, bob: User
) -> None:
    game = create_game(
        host=alice,
        terms=Terms(name="A" * 80, starship=hall.pk, seats=8, computers=["ace"] * 6),
        now=timezone.now(),
    )
    invite(user=alice, game_id=game.pk, email=f"{'a' * 60}@example.org", now=timezone.now())
    invite(user=alice, game_id=game.pk, robo_name="Bob", now=timezone.now())
    path = game.get_absolute_url()
    assert not too_wide(open_as(alice), (path, f"{path}settings/", f"{path}computers/2/", "/games/quick/"))
    assert not too_wide(open_as(bob), (path, "/my-room/", "/games/"))


def test_a_guest_is_invited_to_log_in_and_sees_why_a_form_is_refused(
    open_as: Callable[..., Page], game: Game, bob: User
) -> None:
    page = open_as(guests.make_guest())
    page.goto(game.get_absolute_url())
    expect(page.get_by_role("link", name="Sign up to join")).to_be_visible()
    # An old tab still has the form.
    page.evaluate("""() => {
        const form = document.querySelector("form[method=post]").cloneNode(true);
        form.action = `${location.pathname}join/`;
        document.body.append(form);
        HTMLFormElement.prototype.submit.call(form);
    }""")
    refusal = page.get_by_role("alert").filter(has_text="You need an account for this")
    expect(refusal).to_be_in_viewport()
    join_game(user=bob, game_id=game.pk, now=timezone.now())
    expect(page.locator(".seat", has_text="Bob")).to_be_visible()
    expect(refusal).to_be_in_viewport()
    page.get_by_role("link", name="Sign up to join").click()
    expect(page).to_have_url(re.compile(rf"/accounts/signup/\?next=%2Fgames%2F{game.pk}%2F$"))
