"""The costs of the sweeper and My Room do not grow with the site's size."""

import pytest
from pytest_django import DjangoDbBlocker

from bench.load import flat
from bench.load.villages import Shape
from tests.games.support import NOW
from tests.support import fleet, schema


def test_sweeper_and_my_room_cost_the_same_on_a_larger_site(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The test counts blocks that Postgres reads. Other programs do not change them."""
    monkeypatch.setattr(flat, "ROUNDS", 1)  # the test ignores times
    shape = Shape(people=3, running=1, against=1, over=1, open=1, seats=2, past=False)
    with django_db_blocker.unblock(), schema.fresh():
        fleet.launch()
        small, large = flat.run([400, 2000], NOW, shape=shape)["sites"]
    assert large["games"] == 5 * small["games"] == 2000
    for work in ("a sweep with nothing due", "a sweep", "My Room"):
        assert large[work]["read from end to end"] == [], work
        assert large[work]["queries"] == small[work]["queries"], work
        assert large[work]["blocks"] <= 1.5 * small[work]["blocks"] + 20, work
    assert large["a sweep with nothing due"]["blocks"] < 60
