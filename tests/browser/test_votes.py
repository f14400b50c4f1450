"""Open pages show votes, and players who leave or join."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from accounts.models import User
from games.absence.models import Replacement
from games.absence.seats import replace_by_computer
from games.play.models import Game, Seat
from games.play.services import locked_game
from games.votes.models import Vote
from games.votes.services import call_vote
from tests import cast
from tests.browser.signing_in import sign_in
from tests.browser.waiting import hears
from tests.games.support import Table
from tests.support.site import Site

OpenAs = Callable[..., Page]


@pytest.fixture
def trio(site: Site) -> tuple[User, User, User]:
    return cast.alice(), cast.bob(), cast.carol()


@pytest.fixture
def game(table: Table, trio: tuple[User, User, User]) -> Game:
    """A game of three people after one turn."""
    game = table.game(*trio, now=timezone.now())
    table.play(game, *trio, now=timezone.now())
    Seat.objects.filter(game=game).update(seen_turn=0)
    return game


@pytest.fixture
def open_as(open_page: OpenAs, site: Site, game: Game) -> OpenAs:
    """A function that opens the game's page and waits for its event stream."""

    def open_one(person: User | None = None, **options: object) -> Page:
        page = open_page(**options)
        if person:
            sign_in(page, person, site)
        page.goto(game.get_absolute_url())
        hears(page)
        return page

    return open_one


def vote_on(page: Page, question: str) -> Locator:
    """Return the card of the vote with the given question."""
    return page.get_by_role("article", name=question)


def fact(card: Locator, name: str) -> Locator:
    """Return the value beside a term in the list on a card."""
    return card.locator("dl div", has=card.page.get_by_text(re.compile(rf"^{name}\b"))).locator("dd")


def leave(game: Game, seat: Seat) -> None:
    """Replace the player of a seat with a computer, as after too many missed turns."""
    with transaction.atomic():
        replace_by_computer(
            game=locked_game(game.pk), seat=seat, reason=Replacement.Reason.MISSED, now=timezone.now()
        )


QUESTION = "Should the game pause for 3 days?"


def test_an_answer_to_a_vote_appears_on_all_pages(
    open_as: OpenAs, game: Game, trio: tuple[User, User, User]
) -> None:
    alices, bobs, strangers = open_as(trio[0]), open_as(trio[1]), open_as()
    asking = alices.context.new_page()
    asking.goto(f"{game.get_absolute_url()}votes/")
    asking.get_by_label("Days").fill("3")
    asking.get_by_role("listitem").filter(has_text="Pause the game").get_by_role(
        "button", name="Start a vote"
    ).click()
    expect(vote_on(asking, QUESTION)).to_contain_text("You voted yes")
    for page in (alices, bobs, strangers):
        expect(fact(vote_on(page, QUESTION), "Yes")).to_have_text("Alice")
        expect(fact(vote_on(page, QUESTION), "Yet to vote")).to_have_text("Bob, Carol")
    expect(vote_on(strangers, QUESTION).get_by_role("button")).to_have_count(0)
    # The card is the same on a live page as after a reload.
    reloaded = open_as(trio[1])
    for each in ("padding-top", "border-top-color"):
        shown = [
            vote_on(page, QUESTION).evaluate("(card, name) => getComputedStyle(card)[name]", each)
            for page in (bobs, reloaded)
        ]
        assert shown[0] == shown[1], each

    vote_on(bobs, QUESTION).get_by_role("button", name="No").click()
    expect(vote_on(bobs, QUESTION)).to_contain_text("You voted no")
    for page in (alices, strangers):
        expect(fact(vote_on(page, QUESTION), "No")).to_have_text("Bob")
    assert Vote.objects.get().status == Vote.Status.OPEN


def test_an_agreed_pause_stops_the_clocks_on_all_pages(
    open_as: OpenAs, game: Game, trio: tuple[User, User, User]
) -> None:
    call_vote(user=trio[0], game_id=game.pk, kind="pause", days=3, now=timezone.now())
    alices, bobs, strangers = open_as(trio[0]), open_as(trio[1]), open_as()
    for page in (alices, bobs, strangers):
        expect(page.locator("[data-part=status]")).not_to_contain_text("paused")
    before = alices.locator(".deadline time[data-clock]").get_attribute("datetime")
    vote_on(bobs, QUESTION).get_by_role("button", name="Yes").click()
    for page in (bobs, alices, strangers):
        expect(page.locator("[data-part=status]")).to_contain_text("paused until")
        expect(vote_on(page, QUESTION)).to_have_count(0)
    after = alices.locator(".deadline time[data-clock]").get_attribute("datetime")
    assert before
    assert after
    assert after > before
    game.refresh_from_db()
    assert game.paused_until
    assert timedelta(days=2) < game.paused_until - timezone.now() <= timedelta(days=3)
    # Players may still play, and resume the clocks early.
    expect(alices.get_by_role("button", name="Run")).to_be_visible()
    call_vote(user=trio[1], game_id=game.pk, kind="resume", now=timezone.now())
    vote_on(alices, "Should the pause end now?").get_by_role("button", name="Yes").click()
    for page in (alices, bobs, strangers):
        expect(page.locator("[data-part=status]")).not_to_contain_text("paused")


def test_open_pages_offer_an_open_seat_until_it_is_taken(
    open_as: OpenAs, game: Game, trio: tuple[User, User, User]
) -> None:
    dave = cast.dave()
    alices, carols, daves, strangers = (open_as(each) for each in (trio[0], trio[2], dave, None))
    expect(daves.get_by_text("You are watching.")).to_be_visible()
    leave(game, game.players.select_related("user").get(user=trio[2]))
    expect(carols.get_by_role("heading", name="A computer plays for you")).to_be_visible()
    expect(carols.get_by_role("button", name="Come back")).to_be_visible()
    expect(strangers.get_by_role("button", name="Take over Carol")).to_be_visible()
    expect(alices.get_by_role("button", name="Take over Carol")).to_have_count(0)

    daves.get_by_role("button", name="Take over Carol").click()
    expect(daves.get_by_text("You took over the seat. Its robot is yours now.")).to_be_visible()
    expect(daves.get_by_role("heading", name="Your move")).to_be_visible()
    for page in (carols, strangers):
        expect(page.get_by_text("You are watching.")).to_be_visible()
        expect(page.get_by_role("button", name="Take over Carol")).to_have_count(0)
    for page in (alices, carols, strangers):
        expect(page.locator("[data-part=crew]")).to_contain_text("Dave")


def test_a_seat_is_taken_over_from_the_list_and_played_at_once(
    open_page: OpenAs, site: Site, game: Game, trio: tuple[User, User, User]
) -> None:
    leave(game, game.players.select_related("user").get(user=trio[2]))
    page = open_page()
    sign_in(page, cast.dave(), site)
    page.goto("/seats/")
    page.get_by_role("button", name="Take over Carol").click()
    expect(page.get_by_text("You took over the seat. Its robot is yours now.")).to_be_visible()
    for number in range(5):
        page.locator(".chip-key").nth(number).click()
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_role("heading", name="Your program is submitted")).to_be_visible()
    assert game.players.get(number=3).user == cast.User.objects.get(robo_name="Dave")
