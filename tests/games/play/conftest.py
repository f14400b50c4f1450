"""The duel of Alice and Bob in its first turns."""

import pytest

from accounts.models import User
from games.play.models import Game
from tests.games.support import Table


@pytest.fixture
def dealt(table: Table, duel: Game, alice: User, bob: User) -> Game:
    """The duel in turn 1: headings are chosen and chips are dealt."""
    table.play(duel, alice, bob)
    return duel


@pytest.fixture
def played(table: Table, dealt: Game, alice: User, bob: User) -> Game:
    """The duel after its turns 0 and 1."""
    table.play(dealt, alice, bob)
    return dealt
