"""The benchmark of a large library, in a short run on a separate database."""

from collections.abc import Iterator

import pytest
from pytest_django import DjangoDbBlocker

from bench import library
from games.fleet.models import Starship
from games.play.models import Game
from tests.support import fleet, schema


@pytest.fixture
def launched(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Use a separate database with the built-in starships."""
    with django_db_blocker.unblock(), schema.fresh():
        fleet.launch()
        yield


@pytest.mark.usefixtures("launched")
def test_each_page_is_answered_and_its_queries_do_not_grow_with_the_library(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(library, "ROUNDS", 1)
    monkeypatch.setattr(library, "PEOPLE", 20)
    user = library.fill(ships=60, games=40)
    assert (Starship.objects.filter(owner__isnull=False).count(), Game.objects.count()) == (62, 41)
    measured = library.measure(user, ships=60)
    assert len(measured) > 25
    assert max(each.queries for each in measured) <= 20
