"""Three players who vote."""

import pytest

from accounts.models import User
from games.play.models import Game
from tests.games.support import Table


@pytest.fixture
def trio(table: Table, alice: User, bob: User, carol: User) -> Game:
    """A game of Alice, Bob and Carol, on seats 1 to 3, of which a turn was played."""
    game = table.game(alice, bob, carol)
    table.play(game, alice, bob, carol)
    return game
