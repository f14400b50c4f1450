"""Joining and leaving a lobby."""

import pytest

from accounts.models import User
from games.errors import Conflict, Forbidden, NotFound
from games.lobby.seats import join_game, leave_game
from games.lobby.services import cancel_game
from games.play.models import Game
from tests.games.support import NOW, Table, later


def seats(game: Game) -> dict[int, str]:
    return {seat.number: seat.user.robo_name for seat in game.players.select_related("user")}


def test_players_take_the_first_open_seat(
    table: Table, alice: User, bob: User, carol: User, dave: User
) -> None:
    game = table.game(alice, bob, carol, seats=4)
    leave_game(user=bob, game_id=game.pk, now=NOW)
    join_game(user=dave, game_id=game.pk, now=NOW)
    assert seats(game) == {1: "Alice", 2: "Dave", 3: "Carol"}


def test_the_last_seat_starts_the_game(table: Table, alice: User, bob: User) -> None:
    game = table.game(alice, seats=2)
    join_game(user=bob, game_id=game.pk, now=later(hours=1))
    game.refresh_from_db()
    assert (game.status, game.turn, game.started_at) == (Game.Status.RUNNING, 0, later(hours=1))
    assert game.turns.get().deadline == later(hours=25)
    assert set(game.notices.values_list("user__robo_name", "kind", "turn")) == {
        ("Alice", "turn", 0),
        ("Bob", "turn", 0),
    }


def test_joining_a_full_or_cancelled_game_or_joining_twice_is_refused(
    duel: Game, carol: User, table: Table, alice: User, bob: User
) -> None:
    with pytest.raises(Conflict) as refused:
        join_game(user=carol, game_id=duel.pk, now=NOW)
    assert refused.value.code == "full"
    game = table.game(alice, bob, seats=3)
    for user in (alice, bob):
        with pytest.raises(Conflict) as refused:
            join_game(user=user, game_id=game.pk, now=NOW)
        assert refused.value.code == "already-joined"
    game = table.game(alice, seats=2)
    cancel_game(user=alice, game_id=game.pk, now=NOW)
    with pytest.raises(Conflict) as refused:
        join_game(user=bob, game_id=game.pk, now=NOW)
    assert refused.value.code == "cancelled"


def test_a_private_game_is_joined_only_by_its_link(table: Table, alice: User, bob: User) -> None:
    game = table.game(alice, seats=2, private=True)
    for link in ("", "guessed"):
        with pytest.raises(NotFound):
            join_game(user=bob, game_id=game.pk, link=link, now=NOW)
    join_game(user=bob, game_id=game.pk, link=game.link_token, now=NOW)
    assert seats(game) == {1: "Alice", 2: "Bob"}


def test_the_next_player_hosts_when_the_host_leaves_and_the_last_cancels_the_game(
    table: Table, alice: User, bob: User
) -> None:
    game = table.game(alice, bob, seats=3)
    leave_game(user=alice, game_id=game.pk, now=NOW)
    game.refresh_from_db()
    assert (game.host, game.status, seats(game)) == (bob, Game.Status.OPEN, {2: "Bob"})
    leave_game(user=bob, game_id=game.pk, now=NOW)
    game.refresh_from_db()
    assert (game.status, game.ended_at) == (Game.Status.CANCELLED, NOW)


def test_leaving_a_started_game_or_without_a_seat_is_refused(
    duel: Game, alice: User, table: Table, dave: User
) -> None:
    with pytest.raises(Conflict) as refused:
        leave_game(user=alice, game_id=duel.pk, now=NOW)
    assert refused.value.code == "started"
    game = table.game(alice, seats=2)
    with pytest.raises(Forbidden):
        leave_game(user=dave, game_id=game.pk, now=NOW)
