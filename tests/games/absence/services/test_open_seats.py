"""Open seats: taking a seat over, coming back to a seat, and the list of open seats."""

import pytest
from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games.absence.models import Replacement
from games.absence.seats import take_seat
from games.absence.selectors import seat_to_return_to
from games.errors import Conflict, Forbidden, NotFound
from games.lobby.lists import games_to_take_over
from games.play.computers import play_computers
from games.play.models import Game, Program, Seat
from games.play.viewers import game_for
from games.staff.services import cancel_as_staff
from tests.games.support import NOW, Table, code_of, game_seen, history_of, leave_to_computer, open_turn

Reason = Replacement.Reason


@pytest.fixture
def game(trio: Game, bob: User) -> Game:
    """A game of three players in turn 1, after Bob left."""
    return leave_to_computer(trio, bob)


def take(game: Game, user: User, number: int = 2, link: str = "") -> Seat:
    take_seat(user=user, game_id=game.pk, seat=number, link=link, now=NOW)
    return game.players.select_related("user").get(number=number)


def test_anyone_takes_a_seat_over_and_plays(table: Table, game: Game, dave: User) -> None:
    play_computers(turn_id=open_turn(game).pk, now=NOW)
    seat = take(game, dave)
    assert (seat.user, seat.computer, seat.name, seat.robo_name) == (dave, "", "", "Bob")
    assert (seat.steered_by, seat.offered_at) == ("Dave", None)
    seen = game_seen(viewer=dave, game=game)
    assert (seen["seats"][1]["name"], seen["seats"][1]["steered_by"]) == ("Bob", "Dave")
    assert seen["me"]["seat"] == 2 and len(seen["me"]["hand"]) == 9
    assert Replacement.objects.last().reason == Reason.TAKEN_OVER  # type: ignore[union-attr]
    table.move(game, dave)
    assert Program.objects.get(hand__seat=seat, hand__turn=open_turn(game)).by == Program.Author.PLAYER
    assert history_of(game)[-1] == "Dave plays Bob now."


def test_the_former_player_comes_back(game: Game, bob: User) -> None:
    assert seat_to_return_to(user=bob, game=game) == game.players.get(number=2)
    seat = take(game, bob)
    assert (seat.user, seat.robot) == (bob, "")
    assert Replacement.objects.last().reason == Reason.CAME_BACK  # type: ignore[union-attr]


def test_no_one_comes_back_to_a_seat_taken_over_by_another_player(game: Game, bob: User, dave: User) -> None:
    take(game, dave)
    assert seat_to_return_to(user=bob, game=game) is None
    assert code_of(Conflict, take, game, bob) == "not-offered"
    leave_to_computer(game, dave)
    assert seat_to_return_to(user=bob, game=game) is None
    seat = take(game, bob)  # the seat is open to all now
    assert (seat.robo_name, seat.steered_by) == ("Bob", "")


@pytest.mark.parametrize("reason", [Reason.VOTED, Reason.STAFF])
def test_players_removed_by_others_do_not_come_back(
    table: Table, alice: User, bob: User, reason: Replacement.Reason
) -> None:
    game = leave_to_computer(table.game(alice, bob), bob, reason=reason)
    assert seat_to_return_to(user=bob, game=game) is None
    assert code_of(Forbidden, take, game, bob) == "sent-away"


def test_seats_that_are_not_open_are_refused(game: Game, alice: User, dave: User, erin: User) -> None:
    for user, number, error, code in (
        (alice, 2, Conflict, "already-joined"),
        (dave, 1, Conflict, "not-offered"),
        (dave, 9, NotFound, "no-such-seat"),
    ):
        assert code_of(error, take, game, user, number) == code
    Seat.objects.filter(game=game, number=2).update(out=True)
    assert code_of(Conflict, take, game, dave) == "not-offered"
    cancel_as_staff(user=erin, game_id=game.pk, reason="So.", now=NOW)
    assert code_of(Conflict, take, game, dave) == "not-running"
    assert not Seat.objects.filter(offered_at__isnull=False).exists()


def test_computers_that_play_from_the_start_keep_their_seats(table: Table, alice: User, dave: User) -> None:
    game = table.game(alice, seats=2, computers=["rookie"])
    assert code_of(Conflict, take, game, dave) == "not-offered"


def test_a_private_game_is_joined_by_its_link_and_visible_to_former_players(
    table: Table, alice: User, bob: User, dave: User
) -> None:
    game = leave_to_computer(table.game(alice, bob, private=True), bob)
    assert not games_to_take_over(viewer=dave).exists()
    with pytest.raises(NotFound):
        take(game, dave)
    assert game_for(viewer=bob, game_id=game.pk) == game
    assert take(game, dave, link=game.link_token).user == dave


def test_the_list_contains_games_with_open_seats(
    table: Table, game: Game, alice: User, bob: User, dave: User
) -> None:
    table.game(alice, bob)
    for viewer in (bob, dave, AnonymousUser()):
        assert list(games_to_take_over(viewer=viewer)) == [game]
    assert not games_to_take_over(viewer=alice).exists()
    take(game, dave)
    assert not games_to_take_over(viewer=bob).exists()
