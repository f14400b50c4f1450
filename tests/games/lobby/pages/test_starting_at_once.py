"""One click: a game against computers, and a rematch."""

import pytest

from accounts.models import User
from games.play.models import Game
from tests.games.reader import ReaderOf
from tests.games.support import HALL, NOW, Table, open_turn


@pytest.fixture
def canoe(db: None) -> None:
    """The starship on which games against computers take place."""
    from games.fleet.services import save_starship

    save_starship(document=HALL.document, section="fleet", slug="tin-canoe", now=NOW)


@pytest.mark.usefixtures("canoe")
def test_one_click_and_a_game_against_computers_begins(alice: User, read: ReaderOf) -> None:
    page = read(alice).post("/games/quick/")
    game = Game.objects.get()
    assert page.address == game.get_absolute_url()
    assert "Your robot and the computers are ready to start." in page
    assert "Which way does your robot face?" in page
    assert game.status == Game.Status.RUNNING


@pytest.mark.usefixtures("canoe")
def test_how_many_and_how_well_they_play_is_asked(alice: User, read: ReaderOf) -> None:
    page = read(alice).get("/games/quick/")
    assert (page.chosen("strength"), page.chosen("computers")) == ("rookie", "1")
    read(alice).post("/games/quick/", strength="ace", computers="3")
    computers = Game.objects.get().players.exclude(computer="")
    assert [seat.computer for seat in computers] == ["ace"] * 3


@pytest.mark.usefixtures("canoe")
@pytest.mark.parametrize("fields", [{"strength": "wizard"}, {"computers": "9"}, {"computers": "many"}])
def test_what_there_is_not_is_told(fields: dict[str, str], alice: User, read: ReaderOf) -> None:
    page = read(alice).post("/games/quick/", **fields)
    assert page.status == 422
    assert 'class="field-errors' in page.html
    assert not Game.objects.exists()


def test_without_a_starship_it_says_so(alice: User, read: ReaderOf) -> None:
    page = read(alice).post("/games/quick/")
    assert page.status == 404
    assert "No starship fits Robo Runner. Ask the staff to add one." in page


@pytest.mark.parametrize("room", ["/games/", "/my-room/"])
def test_the_page_is_offered_wherever_one_looks_for_a_game(room: str, alice: User, read: ReaderOf) -> None:
    assert "/games/quick/" in read(alice).get(room).links


@pytest.mark.usefixtures("canoe")
def test_the_front_page_starts_the_usual_game_with_one_click(alice: User, read: ReaderOf) -> None:
    assert "/games/quick/" in read(alice).get("/").actions


@pytest.fixture
def over(lane: Table, alice: User, bob: User) -> Game:
    """A game of Alice and Bob that is over."""
    game = lane.game(alice, bob, options={"lives": 1})
    while game.status == Game.Status.RUNNING:
        waiting = {hand.robot for hand in open_turn(game).hands.filter(seat__isnull=False)}
        lane.play(game, *(person for robot, person in ((1, alice), (2, bob)) if robot in waiting))
    return game


def test_alice_asks_for_a_rematch_and_bob_is_invited(
    over: Game, alice: User, bob: User, dave: User, read: ReaderOf
) -> None:
    assert f"{over.get_absolute_url()}rematch/" in read(alice).get(over.get_absolute_url()).actions
    page = read(alice).post(f"{over.get_absolute_url()}rematch/")
    game = Game.objects.exclude(pk=over.pk).get()
    assert page.address == game.get_absolute_url()
    assert "Your rematch is ready. The others are invited." in page
    assert "You are invited" in read(bob).get("/my-room/")
    after = read(bob).get(over.get_absolute_url())
    assert game.get_absolute_url() in after.links
    assert f"{over.get_absolute_url()}rematch/" not in after.actions
    assert f"{over.get_absolute_url()}rematch/" not in read(dave).get(over.get_absolute_url()).actions


def test_both_ask_for_a_rematch_and_play_at_once(over: Game, alice: User, bob: User, read: ReaderOf) -> None:
    read(alice).post(f"{over.get_absolute_url()}rematch/")
    page = read(bob).post(f"{over.get_absolute_url()}rematch/")
    assert "Which way does your robot face?" in page


def test_a_rematch_is_for_players_of_a_game_that_is_over(
    over: Game, duel: Game, alice: User, dave: User, read: ReaderOf
) -> None:
    early = read(alice).post(f"{duel.get_absolute_url()}rematch/")
    assert (early.status, "once the game is over" in early) == (409, True)
    stranger = read(dave).post(f"{over.get_absolute_url()}rematch/")
    assert (stranger.status, "Only players of the game may ask for a rematch." in stranger) == (403, True)
