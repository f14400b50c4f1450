"""Games against computers, and rematches, start with one click."""

import pytest

from accounts.models import User
from games.fleet.models import Starship
from games.play.models import Game
from tests.games.reader import ReaderOf
from tests.games.support import Table, open_turn


def test_without_a_starship_the_page_says_so(alice: User, read: ReaderOf) -> None:
    page = read(alice).post("/games/quick/")
    assert page.status == 404
    assert "No starship suits Robo Runner. Ask staff to add one." in page


def test_every_page_about_finding_games_links_to_it(starship: Starship, alice: User, read: ReaderOf) -> None:
    for room in ("/", "/games/", "/my-room/"):
        assert "/games/quick/" in read(alice).get(room).links
    assert "/games/quick/" in read(None).get("/").actions, "one click starts a stranger's usual game"


@pytest.fixture
def over(lane: Table, alice: User, bob: User) -> Game:
    game = lane.game(alice, bob, options={"lives": 1})
    while game.status == Game.Status.RUNNING:
        waiting = {hand.robot for hand in open_turn(game).hands.filter(seat__isnull=False)}
        lane.play(game, *(person for robot, person in ((1, alice), (2, bob)) if robot in waiting))
    return game


def test_alice_requests_a_rematch_and_bob_is_invited(
    over: Game, alice: User, bob: User, dave: User, read: ReaderOf
) -> None:
    assert f"{over.get_absolute_url()}rematch/" in read(alice).get(over.get_absolute_url()).actions
    page = read(alice).post(f"{over.get_absolute_url()}rematch/")
    game = Game.objects.exclude(pk=over.pk).get()
    assert page.address == game.get_absolute_url()
    assert "Your rematch is open. The other players are invited." in page
    assert "You are invited" in read(bob).get("/my-room/")
    after = read(bob).get(over.get_absolute_url())
    assert game.get_absolute_url() in after.links
    assert f"{over.get_absolute_url()}rematch/" not in after.actions
    assert f"{over.get_absolute_url()}rematch/" not in read(dave).get(over.get_absolute_url()).actions


def test_a_rematch_starts_once_both_request_it(over: Game, alice: User, bob: User, read: ReaderOf) -> None:
    read(alice).post(f"{over.get_absolute_url()}rematch/")
    page = read(bob).post(f"{over.get_absolute_url()}rematch/")
    assert "Which way does your robot face?" in page
