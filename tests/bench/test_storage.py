"""The benchmark of storage reports the disk space of turns."""

from collections.abc import Iterator

import pytest
from pytest_django import DjangoDbBlocker

from bench import storage
from tests.support import fleet, schema


@pytest.fixture
def launched(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Use a separate database with the built-in starships. It allows VACUUM."""
    with django_db_blocker.unblock(), schema.fresh():
        fleet.launch()
        yield


@pytest.mark.usefixtures("launched")
def test_it_reports_the_growth_of_each_table_with_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "GAMES", 2)
    report = storage.report(24)
    assert report["turns"] == 24
    assert report["events a turn"] > 3
    tables = report["bytes a turn by table"]
    assert tables["games_turn"] > 0
    assert sum(tables.values()) == report["bytes a turn, all tables"]
    of_turns = sum(tables.get(table, 0) for table in storage.TURN)
    assert of_turns == report["bytes a turn, log, hands and programs"]
