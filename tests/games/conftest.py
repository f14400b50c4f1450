"""People, a small starship and games on it, for the tests of the service."""

import pytest

from accounts.models import User
from games.models import Game, Starship
from tests import cast
from tests.games.support import HALL, Table


@pytest.fixture
def alice(db: None) -> User:
    return cast.alice()


@pytest.fixture
def bob(db: None) -> User:
    return cast.bob()


@pytest.fixture
def carol(db: None) -> User:
    return cast.carol()


@pytest.fixture
def dave(db: None) -> User:
    return cast.dave()


@pytest.fixture
def erin(db: None) -> User:
    return cast.erin()


@pytest.fixture
def starship(db: None) -> Starship:
    """A place in the library with a hall."""
    return HALL.saved()


@pytest.fixture
def table(starship: Starship) -> Table:
    """Makes games on the hall, and moves in them."""
    return Table(starship)


@pytest.fixture
def duel(table: Table, alice: User, bob: User) -> Game:
    """A game of Alice and Bob that has started: both choose their headings."""
    return table.game(alice, bob)
