"""A game whose result is to be counted, made once for all tests of this room."""

import pytest

from accounts.models import User
from games.play.models import Game
from tests.games.standings.rated import ended
from tests.games.support import Table


@pytest.fixture
def win(table: Table, alice: User, bob: User) -> Game:
    """A game that Alice has won against Bob, and that nothing has rated or counted yet."""
    return ended(table, alice, bob)
