"""A newcomer needs few clicks to play a first turn and to get an account."""

import re
from collections.abc import Callable
from time import monotonic

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from accounts.models import User
from games.fleet.missions import load_missions
from games.fleet.models import Starship
from games.fleet.services import save_starship
from games.play.models import Game, Seat, Turn
from tests.browser.test_missions import PHONE
from tests.browser.test_whole_film import quick
from tests.browser.test_whole_game import link_in
from tests.browser.widths import too_wide
from tests.cast import address_of, password_of
from tests.games.fleet.test_missions import FIXTURES
from tests.games.support import HALL, record_of
from tests.games.together import wait_until
from tests.support import fleet
from tests.support.loaded import ForkedWorker
from tests.support.mailbox import Mailbox
from tests.support.site import Site
from tests.support.worlds import once

CHIPS = 5

MOST = 5
"""The maximum number of clicks from the front page to the end of turn 1."""

SECONDS = 60
"""The maximum time from the front page to the end of turn 1, in seconds."""

FILLED = 3
"""The number of registers that the instructor of mission 1 fills."""

DESK = {"viewport": {"width": 1440, "height": 900}}
both = pytest.mark.parametrize("screen", [DESK, PHONE], ids=["desk", "phone"])


class Clicks:
    """Clicks elements, and counts the clicks."""

    def __init__(self) -> None:
        self.count = 0

    def on(self, what: Locator) -> None:
        what.click()
        self.count += 1


@pytest.fixture
def hall(site: Site) -> Starship:
    """The starship for games against computers."""
    return HALL.saved()


@pytest.fixture
def mission(site: Site) -> None:
    """Load the built-in starships and missions."""
    once(fleet.launch)
    once(load_missions, directory=FIXTURES)


def fly_a_turn(page: Page, clicks: Clicks, *, filled: int = 0) -> Turn:
    """Face east, fill the empty registers, press Run, and watch the turn."""
    clicks.on(page.get_by_role("button", name="East"))
    expect(page.locator(".status-word")).to_have_text("Turn 1", timeout=60_000)
    expect(page.locator("[data-chip]:has(.is-chosen)")).to_have_count(filled)
    for _ in range(CHIPS - filled):
        clicks.on(page.locator("[data-chip]:not(:has(.is-chosen)) .chip-key").first)
    clicks.on(page.get_by_role("button", name=re.compile("^Run")))
    expect(page.locator(".status-word")).to_have_text(re.compile("Turn 2|Over"), timeout=60_000)
    expect(page.get_by_role("heading", name="What happened in turn 1")).to_be_visible()
    flown = Turn.objects.get(number=1)
    assert flown.status == Turn.Status.RESOLVED
    return flown


@both
def test_from_the_front_page_the_first_turn_of_mission_1_takes_five_clicks(
    screen: dict[str, object], open_page: Callable[..., Page], mission: None, worker: ForkedWorker
) -> None:
    page, clicks, begun = open_page(**screen), Clicks(), monotonic()
    page.goto("/")
    clicks.on(page.get_by_role("button", name="Fly mission 1"))
    flown = fly_a_turn(page, clicks, filled=FILLED)
    assert clicks.count <= MOST
    assert monotonic() - begun <= SECONDS
    assert flown.game.host.is_guest


def test_by_keyboard_the_focus_goes_to_my_move_then_to_the_film_then_to_the_outcome(
    open_page: Callable[..., Page], mission: None, worker: ForkedWorker
) -> None:
    page = open_page(**DESK)
    page.goto("/")
    page.get_by_role("button", name="Fly mission 1").press("Enter")
    page.get_by_role("button", name="East").press("Enter")
    move = page.get_by_role("heading", name="Your move")
    expect(move).to_be_focused(timeout=60_000)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".register-socket").first).to_be_focused()
    for laid in range(FILLED, CHIPS):
        page.locator("[data-chip]:not(:has(.is-chosen)) .chip-key").first.press("Enter")
        expect(page.locator("[data-chip]:has(.is-chosen)")).to_have_count(laid + 1)
    page.get_by_role("button", name=re.compile("^Run")).press("Enter")
    expect(page.locator("main")).to_have_class(re.compile("is-watching"), timeout=60_000)
    expect(page.get_by_role("button", name="Pause")).to_be_focused()
    expect(page.locator("#recap-title")).to_be_focused(timeout=60_000)


def test_the_instructor_s_chips_can_be_changed_and_discarded(
    open_page: Callable[..., Page], mission: None, worker: ForkedWorker
) -> None:
    page = open_page(**DESK)
    page.goto("/")
    page.get_by_role("button", name="Fly mission 1").click()
    page.get_by_role("button", name="East").click()
    told = page.get_by_text(f"Your instructor has filled registers 1 to {FILLED}.")
    expect(told).to_be_visible(timeout=60_000)
    expect(page.locator("[data-chip]:has(.is-chosen)")).to_have_count(FILLED)
    page.get_by_role("button", name=re.compile("^Register 1: .* Take it back")).click()
    expect(page.locator("[data-chip]:has(.is-chosen)")).to_have_count(FILLED - 1)
    page.get_by_role("button", name="Delete draft").click()
    expect(page.locator("[data-chip]:has(.is-chosen)")).to_have_count(0)
    page.reload()
    expect(page.locator(".lesson-hints")).to_be_visible()
    expect(told).to_have_count(0)


def test_a_race_against_a_computer_takes_three_clicks_and_five_chips(
    open_page: Callable[..., Page], hall: Starship, worker: ForkedWorker
) -> None:
    page, clicks = open_page(**PHONE), Clicks()
    page.goto("/")
    clicks.on(page.get_by_role("button", name="Play against computers"))
    turn = fly_a_turn(page, clicks)
    assert clicks.count - CHIPS == 3
    assert turn.game.host.is_guest


def test_without_a_script_two_chips_are_added_to_the_instructors_three(
    open_page: Callable[..., Page], mission: None, worker: ForkedWorker
) -> None:
    page = open_page(**DESK, java_script_enabled=False)
    page.goto("/")
    page.get_by_role("button", name="Fly mission 1").click()
    page.get_by_role("button", name="East").click()
    lists = page.locator("[data-register] select")
    expect(page.get_by_role("heading", name="Which way does your robot face?")).to_have_count(0)
    for _ in range(60):
        page.wait_for_timeout(500)
        page.reload()
        if lists.count():
            break
    filled = [lists.nth(number).input_value() for number in range(CHIPS)]
    assert all(filled[:FILLED])
    assert not any(filled[FILLED:])
    hand = page.locator("[data-chip]").evaluate_all("items => items.map(item => item.dataset.chip)")
    for number, chip in zip(
        range(FILLED, CHIPS), [chip for chip in hand if chip not in filled], strict=False
    ):
        lists.nth(number).select_option(chip)
    page.get_by_role("button", name="Run").click()
    if page.get_by_text(
        "Nothing is submitted yet"
    ).count():  # these chips destroy the robot, and a warning appeared
        page.get_by_role("button", name="Run").click()
    game = Game.objects.get()
    wait_until(lambda: game.turns.filter(number=1, status=Turn.Status.RESOLVED).exists())
    [hand] = [hand for hand in record_of(game).hands if hand.program]
    assert hand.program
    assert [str(number) for number in hand.program.orders["registers"][:FILLED]] == filled[:FILLED]


def test_the_film_and_the_way_in_are_in_view_on_a_phone(
    open_page: Callable[..., Page], mission: None, hall: Starship
) -> None:
    page = open_page(**PHONE)
    page.goto("/")
    box = page.get_by_role("button", name="Fly mission 1").bounding_box()
    assert box and box["y"] + box["height"] <= 844
    film, title = page.locator("[data-showcase] svg").first.bounding_box(), page.locator("h1").bounding_box()
    assert film and title and film["y"] + film["height"] <= title["y"], "the film comes before the text"
    page.goto("/games/quick/")
    box = page.get_by_role("button", name="Play", exact=True).bounding_box()
    assert box and box["y"] + box["height"] <= 844
    assert not too_wide(page, ("/", "/games/quick/"))


def test_starships_follow_ruleset_and_number_and_the_focus_stays(
    open_page: Callable[..., Page], hall: Starship
) -> None:
    save_starship(
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
    expect(page.get_by_role("button", name="Show starships")).to_have_count(0)


def test_without_a_script_a_guest_chooses_two_aces_and_a_starship(
    open_page: Callable[..., Page], hall: Starship
) -> None:
    page = open_page(**DESK, java_script_enabled=False)
    page.goto("/games/quick/")
    page.get_by_role("radio", name="Ace").check()
    page.get_by_role("radio", name="2", exact=True).check()
    page.get_by_role("button", name="Show starships").click()
    expect(page.get_by_role("radio", name="Ace")).to_be_checked()
    page.get_by_role("radio", name="Hall").check()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("heading", name="Which way does your robot face?")).to_be_visible()
    assert list(Seat.objects.order_by("number").values_list("computer", flat=True)) == ["", "ace", "ace"]


def test_a_guest_signs_up_with_a_mistyped_address_and_keeps_the_game(
    open_page: Callable[..., Page],
    hall: Starship,
    mailbox: Mailbox,
    worker: ForkedWorker,
) -> None:
    page = open_page(**PHONE)
    page.goto("/")
    page.get_by_role("button", name="Play against computers").click()
    expect(page.get_by_role("button", name="East")).to_be_visible()
    quick(page)
    fly_a_turn(page, Clicks())
    game = Game.objects.get()
    page.locator(".site-account").get_by_role("link", name="Sign up").click()
    page.get_by_label("Robo Name").fill("Alice")
    page.get_by_label("Email").fill("alice@exmaple.org")
    page.get_by_label("Password").fill(password_of("Alice"))
    page.get_by_role("button", name="Sign up").click()
    expect(page.get_by_text("We sent an email to alice@exmaple.org.")).to_be_visible()

    page.get_by_role("link", name="Back to your games").click()  # plays on meanwhile
    page.get_by_role("link", name=game.name).click()
    expect(page.locator(".status-word")).to_be_visible()
    page.locator(".site-account").get_by_role("link", name="Confirm").click()

    address = page.get_by_label("Your email address")
    expect(address).to_have_value("alice@exmaple.org")
    address.fill(address_of("Alice"))
    page.get_by_role("button", name="Correct the address").click()
    expect(page.get_by_text(f"We sent an email to {address_of('Alice')}.")).to_be_visible()
    page.get_by_role("button", name="Send the email again").click()
    expect(page.get_by_text("We just sent an email to this address.")).to_be_visible()

    body = mailbox.wait_for(1, to=address_of("Alice"))[-1].get_body(("plain",))
    assert body
    page.goto(link_in(str(body.get_content()), "confirm"))
    page.get_by_role("button", name="Yes, confirm").click()
    expect(page.locator(".site-account summary")).to_have_text("Alice")
    page.goto("/my-room/")
    page.get_by_role("link", name=game.name).first.click()
    expect(page.locator(".status-word")).to_be_visible()
    alice = User.objects.get()
    game.refresh_from_db()
    assert (alice.robo_name, alice.email, game.host) == ("Alice", address_of("Alice"), alice)
