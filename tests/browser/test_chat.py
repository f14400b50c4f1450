"""The chat in real browsers: players see each line, and no typed text is lost."""

import re
from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from accounts.models import User
from games.chat.models import ChatLine
from games.chat.services import post_line
from games.fleet.services import save_starship
from games.lobby.seats import join_game
from games.lobby.services import create_game
from games.play.models import Game, Seat
from games.play.terms import Terms
from tests import cast
from tests.browser.signing_in import sign_in
from tests.browser.waiting import AT_ONCE, hears
from tests.games.support import HALL
from tests.support.site import Site

OpenAs = Callable[..., Page]


@pytest.fixture
def alice(site: Site) -> User:
    return cast.alice()


@pytest.fixture
def bob(site: Site) -> User:
    return cast.bob()


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    now = timezone.now()
    hall = save_starship(document=HALL.document, section="fleet", slug="hall", now=now)
    game = create_game(host=alice, terms=Terms(name="Night shift", starship=hall.pk), now=now)
    join_game(user=bob, game_id=game.pk, now=now)
    return game


@pytest.fixture
def open_as(open_page: Callable[..., Page], site: Site, game: Game) -> OpenAs:
    """A function that opens the game's page for a person: ``open_as(alice)``."""

    def open_one(person: User, part: str = "", **options: object) -> Page:
        page = open_page(**options)
        sign_in(page, person, site)
        page.goto(f"{game.get_absolute_url()}{part}")
        return page

    return open_one


def write(page: Page, text: str) -> None:
    page.locator("#chat-text").fill(text)
    page.locator("#chat-text").press("Enter")


def test_a_line_appears_on_the_other_page_at_once(
    open_as: OpenAs, alice: User, bob: User, game: Game
) -> None:
    one, other = open_as(alice, "#chat"), open_as(bob, "#chat")
    for page in (one, other):
        hears(page)
    write(one, "Hello, <b>Bob</b>!\nReady?")
    expect(one.locator(".chat-text")).to_have_text("Hello, <b>Bob</b>!\nReady?")
    expect(one.locator("#chat-text")).to_have_value("")
    expect(other.locator(".chat-text")).to_have_text("Hello, <b>Bob</b>!\nReady?", timeout=AT_ONCE)
    write(other, "Ready.")
    expect(one.locator(".chat-text").last).to_have_text("Ready.", timeout=AT_ONCE)
    assert ChatLine.objects.filter(game=game).count() == 2


def test_new_lines_are_counted_until_they_are_seen(
    open_as: OpenAs, alice: User, bob: User, game: Game
) -> None:
    page = open_as(bob, viewport={"width": 390, "height": 844})
    hears(page)
    for text in ("One.", "Two."):
        last = post_line(user=alice, game_id=game.pk, text=text, now=timezone.now())
    tab, head = (page.locator(f"{place} [data-chat-mark]") for place in (".tabs", ".console-head"))
    for mark in (tab, head):
        expect(mark).to_have_text(re.compile("^2"), timeout=AT_ONCE)
    expect(page.get_by_role("status").filter(has_text=re.compile("Two|2 new chat messages"))).to_have_count(1)
    assert Seat.objects.get(game=game, user=bob).read_chat == 0
    expect(tab).not_to_be_in_viewport()
    expect(head).to_be_in_viewport()
    with page.expect_response(re.compile("/chat/read/")):
        head.click()
    expect(page.locator("#chat-text")).to_be_in_viewport()
    for mark in (tab, head):
        expect(mark).to_be_hidden()
    expect(page.locator("body > [role=status]")).to_have_text("")
    expect(page.locator("[data-chat-new]")).to_have_count(1)
    assert Seat.objects.get(game=game, user=bob).read_chat == last.pk


def test_an_unsent_line_stays_with_a_message(open_as: OpenAs, alice: User, game: Game) -> None:
    page = open_as(alice, "#chat")
    page.context.set_offline(True)
    write(page, "Is anybody there?")
    expect(page.locator("[data-chat-says]")).to_contain_text("Not sent")
    expect(page.locator("#chat-text")).to_have_value("Is anybody there?")
    page.locator("#chat-text").press("Backspace")
    expect(page.locator("[data-chat-says]")).to_have_text("")
    page.locator("#chat-text").press_sequentially("?")
    page.context.set_offline(False)
    page.reload()
    expect(page.locator("#chat-text")).to_have_value("Is anybody there?")
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".chat-text")).to_have_text("Is anybody there?")
    expect(page.locator("#chat-text")).to_have_value("")

    page.locator("#chat-text").fill("x" * 503)
    expect(page.locator("[data-chat-left]")).to_have_text("3 too many")
    page.get_by_role("button", name="Send").click()
    expect(page.locator("[data-chat-says]")).to_contain_text("The limit is 500")
    expect(page.locator("#chat-text")).to_have_value("x" * 503)
    assert ChatLine.objects.filter(game=game).count() == 1


def test_a_line_with_a_lost_answer_is_not_sent_twice(open_as: OpenAs, alice: User, game: Game) -> None:
    page = open_as(alice, "#chat")

    def lose_the_answer(route: Route) -> None:
        request = route.request
        if request.method != "POST":
            route.continue_()
            return
        route.fetch()
        route.abort()

    page.route("**/chat/", lose_the_answer)
    write(page, "Once.")
    expect(page.locator(".chat-text")).to_have_text("Once.")
    expect(page.locator("#chat-text")).to_have_value("")
    expect(page.locator("[data-chat-says]")).to_be_empty()
    assert ChatLine.objects.filter(game=game).count() == 1


def test_a_line_that_arrives_before_its_lost_answer_is_not_unsent(
    open_as: OpenAs, alice: User, game: Game
) -> None:
    page, held = open_as(alice, "#chat"), []

    def hold_the_answer(route: Route) -> None:
        if route.request.method != "POST":
            route.continue_()
            return
        route.fetch()
        held.append(route)

    page.route("**/chat/", hold_the_answer)
    write(page, "Once.")
    expect(page.locator(".chat-text")).to_have_text("Once.")
    expect(page.locator("#chat-text")).to_have_value("")
    held[0].abort()
    page.unroute("**/chat/")
    write(page, "Twice.")
    expect(page.locator(".chat-text")).to_have_text(["Once.", "Twice."])
    expect(page.locator("[data-chat-says]")).to_be_empty()
    assert ChatLine.objects.filter(game=game).count() == 2


def test_without_a_script_it_is_a_form(open_as: OpenAs, alice: User, bob: User, game: Game) -> None:
    post_line(user=alice, game_id=game.pk, text="Hello.", now=timezone.now())
    page = open_as(bob, java_script_enabled=False, viewport={"width": 390, "height": 844})
    page.get_by_role("button", name="Mark as read").click()
    expect(page.locator(".tabs [data-chat-mark]")).to_be_hidden()
    page.get_by_label("Message to everyone").fill("Hello, Alice.")
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".chat-text")).to_have_text(["Hello.", "Hello, Alice."])
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_game_room_has_filters_without_a_script(
    open_as: OpenAs, alice: User, bob: User, game: Game
) -> None:
    create_game(
        host=alice,
        terms=Terms(name="Room for five", starship=game.revision.starship_id, seats=6),
        now=timezone.now(),
    )
    page = open_as(bob, java_script_enabled=False, viewport={"width": 390, "height": 844})
    page.goto("/games/")
    page.get_by_label("Players").select_option("3 or 4")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.get_by_text("match these filters.").first).to_be_visible()
    page.get_by_label("Players").select_option("5 to 8")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.get_by_role("link", name="Room for five")).to_be_visible()
    assert page.url.endswith("/games/?seats=5-8")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_rude_line_is_folded_and_can_be_opened(open_as: OpenAs, alice: User, bob: User, game: Game) -> None:
    page = open_as(bob, "#chat")
    hears(page)
    post_line(user=alice, game_id=game.pk, text="What a bullshit move.", now=timezone.now())
    text = page.get_by_text("What a bullshit move.")
    folded = page.locator(".chat-filtered > summary")
    expect(folded).to_have_text("Hidden by your chat filter", timeout=AT_ONCE)
    expect(text).to_be_hidden()
    folded.click()
    expect(text).to_be_visible()


def test_a_stranger_switches_the_filter_off_in_their_browser(
    open_page: Callable[..., Page], site: Site, alice: User, game: Game
) -> None:
    post_line(user=alice, game_id=game.pk, text="What a bullshit move.", now=timezone.now())
    page = open_page()
    text = page.get_by_text("What a bullshit move.")
    page.goto(f"{game.get_absolute_url()}chat/")
    expect(text).to_be_hidden()
    page.goto("/settings/")
    page.get_by_label("Hide rude words in chat").click()
    expect(page.locator("[data-settings-said]")).to_have_text("Saved in this browser.")
    for part in ("chat/", "#chat"):
        page.goto(f"{game.get_absolute_url()}{part}")
        expect(text).to_be_visible()
