"""The page for resigning from a game or leaving it. It explains the consequences."""

import pytest

from accounts.models import User
from games.absence.models import Replacement
from games.absence.seats import give_up_seat
from games.play.computers import play_computers
from games.play.models import Game
from tests.games.api_client import Api
from tests.games.reader import ReaderOf
from tests.games.support import HALL, NOW, WORKSHOP, Board, Table, open_turn


def path(game: Game) -> str:
    return f"/games/{game.pk}/resign/"


def test_it_explains_resigning_and_leaving(trio: Game, bob: User, read: ReaderOf) -> None:
    page = read(bob).get(path(trio))
    for words in (
        "A Rookie takes over Bob immediately.",
        "Until then, you can come back",
        "A Rookie plays Bob until the game ends.",
        "You cannot come back",
        "The game counts as lost. Your reliability does not change.",
        "Ask the others to pause the game",
    ):
        assert words in page.text
    assert trio.players.get(number=2).user == bob, "looking changes nothing"


def test_it_names_the_winner_of_a_duel(
    table: Table, duel: Game, alice: User, bob: User, read: ReaderOf
) -> None:
    assert "You lose, and Bob wins." in read(alice).get(path(duel)).text, "before the first turn too"
    table.play(duel, alice, bob)
    page = read(alice).get(path(duel))
    assert "The game ends immediately." in page.text
    assert "You lose, and Bob wins." in page.text
    page = read(alice).post(path(duel), how="resign", ends="yes")
    assert page.address == duel.get_absolute_url()
    assert "The game ended by resignation: Bob wins." in page.text


@pytest.mark.parametrize(("ruleset", "board"), [("robo-runner", HALL), ("group-11", WORKSHOP)])
def test_a_game_resigned_before_its_first_turn_is_shown_everywhere(
    ruleset: str, board: Board, alice: User, bob: User, read: ReaderOf
) -> None:
    game = Table(board.saved()).game(alice, bob, ruleset=ruleset)
    read(alice).post(path(game), how="resign", ends="yes")
    for viewer in (alice, bob, None):
        page = read(viewer).get(game.get_absolute_url())
        assert "The game ended by resignation: Bob wins." in page.text
        assert "Nothing: the game ended before its first turn." in page.text
    assert "First flight" in read(bob).get("/players/Bob/").text
    api = Api(bob)
    assert api.get(f"games/{game.pk}").body["winner"] == "Bob"
    assert api.get(f"games/{game.pk}/file").status == 409


def test_the_last_person_among_computers_is_warned_of_a_loss(
    table: Table, alice: User, read: ReaderOf
) -> None:
    game = table.game(alice, seats=3, computers=["ace", "ace"])
    play_computers(turn_id=open_turn(game).pk, now=NOW)
    table.play(game, alice)
    page = read(alice).get(path(game))
    assert "No other person plays in this game, so it ends immediately." in page.text
    assert "You lose. The game counts as lost." in page.text
    assert "Leave this game" not in page.text, "both come to the same"
    page = read(alice).post(path(game), how="resign", ends="yes")
    assert "The last player resigned, so the game is lost." in page.text


def test_the_game_s_page_tells_players_that_they_resigned(trio: Game, bob: User, read: ReaderOf) -> None:
    page = read(bob).post(path(trio), how="resign", ends="no")
    assert "You resigned. A Rookie plays your robot." in page.text
    assert "You resigned, so you cannot come back to this game." in page.text
    again = read(bob).post(path(trio), how="resign", ends="no")
    assert again.status == 409
    assert "You have already resigned from this game." in again.text
    assert Replacement.objects.count() == 1


def test_a_player_who_left_comes_back_from_the_game_or_my_room(trio: Game, bob: User, read: ReaderOf) -> None:
    page = read(bob).post(path(trio), how="leave", ends="no")
    assert "You left. A Rookie plays your robot." in page.text
    assert f"/games/{trio.pk}/seats/2/take/" in page.actions
    assert "Come back" in read(bob).get("/my-room/").text


def test_an_outdated_page_does_nothing_and_shows_the_change(
    trio: Game, alice: User, bob: User, carol: User, read: ReaderOf
) -> None:
    for user in (bob, carol):
        give_up_seat(user=user, game_id=trio.pk, now=NOW)
    page = read(alice).post(path(trio), how="leave", ends="no")
    assert page.status == 409
    assert "The game has changed" in page.text
    assert "so it ends immediately" in page.text
    trio.refresh_from_db()
    assert trio.status == Game.Status.RUNNING


def test_it_requires_a_choice(trio: Game, bob: User, read: ReaderOf) -> None:
    page = read(bob).post(path(trio), how="both")
    assert (page.status, "Choose to resign or to leave." in page.text) == (400, True)


def test_a_lobby_is_left_on_its_own_page(table: Table, alice: User, read: ReaderOf) -> None:
    page = read(alice).get(path(table.game(alice, seats=2)))
    assert "This game has not started, so there is nothing to resign." in page.text
    assert 'name="how"' not in page.html
