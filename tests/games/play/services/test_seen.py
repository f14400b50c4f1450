"""Marking turns as seen by a player."""

import pytest

from accounts.models import User
from games.errors import Forbidden, NotFound
from games.play.models import Game
from games.play.orders import mark_turn_seen
from tests.games.support import Table


@pytest.fixture
def played(duel: Game, table: Table, alice: User, bob: User) -> Game:
    for _ in range(3):
        table.play(duel, alice, bob)
    duel.players.update(seen_turn=None)
    return duel


def test_the_mark_never_moves_back(played: Game, alice: User, bob: User) -> None:
    assert mark_turn_seen(user=alice, game=played, turn_number=1).seen_turn == 1
    assert mark_turn_seen(user=alice, game=played, turn_number=2).seen_turn == 2
    assert mark_turn_seen(user=alice, game=played, turn_number=0).seen_turn == 2
    assert played.players.get(user=bob).seen_turn is None


def test_only_players_mark_turns_and_only_resolved_ones(played: Game, alice: User, dave: User) -> None:
    with pytest.raises(NotFound):
        mark_turn_seen(user=alice, game=played, turn_number=3)
    with pytest.raises(Forbidden):
        mark_turn_seen(user=dave, game=played, turn_number=1)
    assert played.players.get(user=alice).seen_turn is None


def test_submitting_orders_marks_earlier_turns_as_seen(
    played: Game, table: Table, alice: User, bob: User
) -> None:
    table.move(played, alice)
    assert played.players.get(user=alice).seen_turn == 2
    assert played.players.get(user=bob).seen_turn is None
