"""Clients of the API for the cast, at the time of the tests of the service."""

from collections.abc import Callable, Iterator

import pytest
import time_machine

from accounts.models import User
from tests.games.api.client import Api
from tests.games.support import NOW

ApiOf = Callable[[User | None], Api]


@pytest.fixture(autouse=True)
def _now() -> Iterator[None]:
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def api() -> ApiOf:
    """Makes a client for a person, or for nobody."""
    return Api
