"""A newcomer's first minutes: how few clicks it takes to fly, without an account, and then to get one."""

import re
from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from accounts.models import User
from games import services
from games.models import Game, Seat, Starship, Turn
from tests.browser.test_missions import PHONE
from tests.browser.test_whole_game import link_in
from tests.browser.widths import too_wide
from tests.cast import address_of, password_of
from tests.games.services.test_instructing import LESSON
from tests.games.support import HALL, LANE
from tests.support.mailbox import Mailbox
from tests.support.site import Site
from tests.support.worker import Worker

CHIPS = 5
"""Clicks that no page can save: a turn is five chips."""

MOST = 5
"""Clicks from the front page to the first turn flown, besides the chips."""

DESK = {"viewport": {"width": 1440, "height": 900}}
both = pytest.mark.parametrize("screen", [DESK, PHONE], ids=["desk", "phone"])


class Clicks:
    """Clicks on what is in view or can be scrolled to, and counts."""

    def __init__(self) -> None:
        self.count = 0

    def on(self, what: Locator) -> None:
        """Click once."""
        what.click()
        self.count += 1


@pytest.fixture
def hall(site: Site) -> Starship:
    """A starship to race on."""
    return services.save_starship(document=HALL.document, section="fleet", now=timezone.now())


@pytest.fixture
def mission(hall: Starship) -> None:
    """Mission 1."""
    lesson = {**LESSON, "notes": [{"cells": [[4, 0]], "text": "There."}]}
    services.save_mission(
        slug="lane", number=1, title="A lane", starship=LANE.saved(), options={"lives": 2}, lesson=lesson
    )


def fly_a_turn(page: Page, clicks: Clicks) -> Turn:
    """Face east, lay the first five chips, run, and see the turn flown."""
    clicks.on(page.get_by_role("button", name="East"))
    expect(page.locator(".status-word")).to_have_text("Turn 1", timeout=60_000)
    for _ in range(CHIPS):
        clicks.on(page.locator("[data-chip]:not(:has(.is-chosen)) .chip-key").first)
    clicks.on(page.get_by_role("button", name=re.compile("^Run")))
    expect(page.locator(".status-word")).to_have_text(re.compile("Turn 2|Over"), timeout=60_000)
    flown = Turn.objects.get(number=1)
    assert flown.status == Turn.Status.RESOLVED
    return flown


@both
def test_mission_1_is_flown_with_three_clicks_and_five_chips(
    screen: dict[str, object], open_page: Callable[..., Page], mission: None, worker: Worker
) -> None:
    page, clicks = open_page(**screen), Clicks()
    page.goto("/")
    clicks.on(page.get_by_role("button", name="Fly mission 1"))
    fly_a_turn(page, clicks)
    assert clicks.count - CHIPS == 3 <= MOST


@both
def test_a_computer_is_raced_with_three_clicks_and_five_chips(
    screen: dict[str, object], open_page: Callable[..., Page], hall: Starship, worker: Worker
) -> None:
    page, clicks = open_page(**screen), Clicks()
    page.goto("/")
    clicks.on(page.get_by_role("button", name="Play against computers"))
    turn = fly_a_turn(page, clicks)
    assert clicks.count - CHIPS == 3 <= MOST
    assert turn.game.host.is_guest


def test_the_ways_in_are_in_view_on_a_phone(
    open_page: Callable[..., Page], mission: None, hall: Starship
) -> None:
    page = open_page(**PHONE)
    page.goto("/")
    for name in ("Fly mission 1", "Play against computers"):
        box = page.get_by_role("button", name=name).bounding_box()
        assert box and box["y"] + box["height"] <= 844, name
    page.goto("/games/quick/")
    box = page.get_by_role("button", name="Play", exact=True).bounding_box()
    assert box and box["y"] + box["height"] <= 844
    assert not too_wide(page, ("/", "/games/quick/"))


def test_starships_follow_ruleset_and_number_and_the_focus_stays(
    open_page: Callable[..., Page], hall: Starship
) -> None:
    services.save_starship(
        document={**HALL.document, "name": "Canoe"}, section="fleet", seats_most=2, now=timezone.now()
    )
    Starship.objects.filter(pk=hall.pk).update(seats_least=3)
    page = open_page(**DESK)
    page.goto("/games/quick/")
    expect(page.get_by_role("radio", name="Canoe")).to_be_checked()
    page.get_by_role("radio", name="3", exact=True).check()
    expect(page.get_by_role("radio", name="Hall")).to_be_checked()
    expect(page.get_by_role("radio", name="Canoe")).to_have_count(0)
    expect(page.get_by_role("radio", name="3", exact=True)).to_be_focused()
    page.get_by_label("Ruleset").focus()
    page.get_by_label("Ruleset").select_option("robo-recon")
    expect(page.get_by_role("radio", name="2", exact=True)).to_have_count(0)
    expect(page.get_by_label("Ruleset")).to_be_focused()
    expect(page.get_by_role("button", name="Show the starships")).to_have_count(0)


def test_without_a_script_a_guest_chooses_two_aces_and_a_starship(
    open_page: Callable[..., Page], hall: Starship
) -> None:
    page = open_page(**DESK, java_script_enabled=False)
    page.goto("/games/quick/")
    page.get_by_role("radio", name="Ace").check()
    page.get_by_role("radio", name="2", exact=True).check()
    page.get_by_role("button", name="Show the starships").click()
    expect(page.get_by_role("radio", name="Ace")).to_be_checked()
    page.get_by_role("radio", name="Hall").check()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("heading", name="Which way does your robot face?")).to_be_visible()
    assert list(Seat.objects.order_by("number").values_list("computer", flat=True)) == ["", "ace", "ace"]


@both
def test_a_guest_signs_up_with_a_mistyped_address_and_keeps_the_game(
    screen: dict[str, object],
    open_page: Callable[..., Page],
    hall: Starship,
    mailbox: Mailbox,
    worker: Worker,
) -> None:
    page = open_page(**screen)
    page.goto("/")
    page.get_by_role("button", name="Play against computers").click()
    fly_a_turn(page, Clicks())
    game = Game.objects.get()
    page.locator(".site-account").get_by_role("link", name="Sign up").click()
    page.get_by_label("Robo Name").fill("Alice")
    page.get_by_label("Email").fill("alice@exmaple.org")
    page.get_by_label("Password").fill(password_of("Alice"))
    page.get_by_role("button", name="Sign up").click()
    expect(page.get_by_text("We sent a mail to alice@exmaple.org.")).to_be_visible()

    page.get_by_role("link", name="Back to your games").click()  # and plays on meanwhile
    page.get_by_role("link", name=game.name).click()
    expect(page.locator(".status-word")).to_be_visible()
    page.locator(".site-account").get_by_role("link", name="Confirm").click()

    address = page.get_by_label("Your email address")
    expect(address).to_have_value("alice@exmaple.org")
    address.fill(address_of("Alice"))
    page.get_by_role("button", name="Correct the address").click()
    expect(page.get_by_text(f"We sent a mail to {address_of('Alice')}.")).to_be_visible()
    page.get_by_role("button", name="Send the mail again").click()
    expect(page.get_by_text("A mail has just gone there.")).to_be_visible()

    body = mailbox.wait_for(1, to=address_of("Alice"))[-1].get_body(("plain",))
    assert body
    page.goto(link_in(str(body.get_content()), "confirm"))
    page.get_by_role("button", name="Yes, it is mine").click()
    expect(page.locator(".site-account summary")).to_have_text("Alice")
    page.goto("/my-room/")
    page.get_by_role("link", name=game.name).first.click()
    expect(page.locator(".status-word")).to_be_visible()
    alice = User.objects.get()
    game.refresh_from_db()
    assert (alice.robo_name, alice.email, game.host) == ("Alice", address_of("Alice"), alice)
