"""A finished public game of Alice and Bob."""

import pytest

from accounts.models import User
from games.play.models import Game
from tests.games.support import Table, later


@pytest.fixture
def finished(table: Table, duel: Game, alice: User, bob: User) -> Game:
    """A public game that Alice has won: the headings and two turns were played."""
    for _ in range(3):
        table.play(duel, alice, bob)
    end(duel, winner="Alice")
    return duel


def end(game: Game, *, winner: str = "") -> None:
    """End a game as if its last turn had ended it."""
    game.turns.filter(status="open").delete()
    game.status, game.turn, game.winner, game.ended_at = Game.Status.OVER, 2, winner, later(days=1)
    game.save()
    game.players.filter(user__robo_name=winner).update(place=1)
    game.refresh_from_db()
