"""A game from the invitation to its end, by services."""

from accounts.models import User
from games import selectors, services
from games.models import Game, Turn
from tests.games.support import NOW, Table, open_turn


def test_a_game_starts_when_the_last_seat_is_taken(table: Table, alice: User, bob: User) -> None:
    game = table.game(alice, seats=2)
    assert game.status == Game.Status.OPEN
    services.join_game(user=bob, game_id=game.pk, now=NOW)
    game.refresh_from_db()
    assert (game.status, game.turn) == (Game.Status.RUNNING, 0)


def test_a_turn_is_resolved_when_all_orders_are_in(table: Table, duel: Game, alice: User, bob: User) -> None:
    turn = table.play(duel, alice, bob)
    assert turn.status == Turn.Status.RESOLVED
    assert open_turn(duel).number == 1
    view = selectors.game_view(viewer=alice, game=duel)
    assert view["waiting_for"] == ["Alice", "Bob"]
    assert len(view["me"]["hand"]) == 9
