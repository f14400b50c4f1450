"""A result that is not yet rated, created once for all tests in this folder."""

import pytest

from accounts.models import User
from games.play.models import Game
from tests.games.standings.rated import ended
from tests.games.support import Table


@pytest.fixture
def win(table: Table, alice: User, bob: User) -> Game:
    """A game that Alice won against Bob. It has not been rated or counted yet."""
    return ended(table, alice, bob)
