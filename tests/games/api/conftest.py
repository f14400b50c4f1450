"""Clients of the API for the cast."""

from collections.abc import Callable

import pytest

from accounts.models import User
from tests.games.api.client import Api

ApiOf = Callable[[User | None], Api]


@pytest.fixture
def api() -> ApiOf:
    """Makes a client for a person, or for nobody."""
    return Api
