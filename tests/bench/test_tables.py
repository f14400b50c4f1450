"""The costs of pages that list players do not grow with the number of players."""

import pytest
from pytest_django import DjangoDbBlocker

from accounts.models import User
from bench.load import flat, listings, tables
from games.competitions.models import Entrant
from games.competitions.selectors.ladders import size_of
from tests.games.support import NOW
from tests.support import fleet, schema


def test_pages_that_list_players_cost_the_same_with_more_of_them(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The test counts blocks that Postgres reads. Other programs do not change them."""
    monkeypatch.setattr(flat, "ROUNDS", 1)  # the test ignores times
    with django_db_blocker.unblock(), schema.fresh():
        fleet.launch()
        report = tables.run([400, 2000], NOW)
        assert User.objects.count() == size_of(listings.RULESET) == 2000
        assert Entrant.objects.filter(tournament=listings.LARGE + 1).count() == listings.ENTRANTS
    assert report["breaches"] == []
    small, large = (site["visits"] for site in report["sites"])
    assert {name: cost["queries"] for name, cost in large.items()} == {
        name: cost["queries"] for name, cost in small.items()
    }


def test_a_cost_that_grows_with_the_site_is_a_breach() -> None:
    def site(blocks: int, *read: str) -> dict[str, dict[str, object]]:
        return {"visits": {"clubs": {"blocks": blocks, "read from end to end": list(read)}}}

    most = tables.TIMES * 50 + tables.EXTRA_BLOCKS
    assert tables.breaches(site(50), site(most)) == []
    assert tables.breaches(site(50), site(most + 1)) == [f"clubs: {most + 1} blocks, of 50 on a small site"]
    assert tables.breaches(site(50), site(50, "games_club")) == ["clubs: reads games_club from end to end"]
