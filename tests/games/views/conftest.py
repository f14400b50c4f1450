"""Readers of the pages, at the time of the tests of the service."""

from collections.abc import Iterator

import pytest
import time_machine

from tests.games.support import NOW
from tests.games.views.reader import ReaderOf, reader


@pytest.fixture(autouse=True)
def _now() -> Iterator[None]:
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def read(db: None) -> ReaderOf:
    """Makes a reader: ``read(alice)``, or ``read(None)`` for somebody who has not signed in."""
    return reader
