"""Readers of the pages."""

import pytest

from tests.games.views.reader import ReaderOf, reader


@pytest.fixture
def read(db: None) -> ReaderOf:
    """Makes a reader: ``read(alice)``, or ``read(None)`` for somebody who has not signed in."""
    return reader
