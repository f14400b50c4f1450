"""An uncounted result, created once for all tests in this folder."""

import pytest

from accounts.models import User
from games.play.models import Game
from tests.games.standings.rated import ended
from tests.games.support import Table


@pytest.fixture
def win(table: Table, alice: User, bob: User) -> Game:
    """A game won by Alice against Bob, neither rated nor counted."""
    return ended(table, alice, bob)
