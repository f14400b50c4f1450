"""Fixtures for tests of the search for starships."""

import pytest

from rules.design import search


@pytest.fixture
def fewer_flights(monkeypatch: pytest.MonkeyPatch) -> None:
    """Judge each ship by two flights, and then by two more, to save time."""
    monkeypatch.setattr(search, "FIRST_FLIGHTS", 2)
    monkeypatch.setattr(search, "EXTRA_FLIGHTS", 2)
