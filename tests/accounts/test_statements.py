"""Prepared queries find the same rows as Django's own queries, for any values."""

from datetime import date, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.clocks.models import Vacation
from games.play.models import Game, Seat
from roborunner.postgres.queries import PreparedQuery
from tests import cast
from tests.games.support import HALL, NOW, Table

pytestmark = pytest.mark.django_db

SEATS = PreparedQuery(
    lambda game, name: (
        Seat.objects.select_related("user__reliability", "game")
        .filter(game=game, user__robo_name=name)
        .order_by("number")
    ),
    int,
    str,
)


@pytest.fixture
def alice() -> User:
    return cast.alice()


@pytest.fixture
def games(alice: User) -> tuple[Game, Game]:
    table, bob = Table(HALL.saved()), cast.bob()
    return table.game(alice, bob), table.game(bob, alice)


@pytest.mark.usefixtures("planning")
def test_each_use_finds_the_rows_for_its_own_values(games: tuple[Game, Game]) -> None:
    for game in games:
        for name in ("Alice", "Bob"):
            (found,) = SEATS(game.pk, name)
            assert found == Seat.objects.get(game=game, user__robo_name=name)
    assert SEATS(games[0].pk, "Carol") == []
    assert SEATS.first(games[0].pk, "Carol") is None


def test_rows_include_all_joined_tables(games: tuple[Game, Game], alice: User) -> None:
    (found,) = SEATS(games[1].pk, "Alice")
    with CaptureQueriesContext(connection) as further:
        assert (found.game.pace, found.user) == (games[1].pace, alice)
    assert further.captured_queries == []


@pytest.mark.usefixtures("planning")
def test_a_value_may_be_a_day(alice: User) -> None:
    today = NOW.date()
    Vacation.objects.create(user=alice, first=today, last=today, planned_at=NOW)
    away = PreparedQuery(
        lambda day: Vacation.objects.filter(first__lte=day, last__gte=day).order_by("pk"), date
    )
    found = [len(away(today + timedelta(days=days))) for days in (-1, 0, 1)]
    assert found == [0, 1, 0]


def test_a_query_that_transforms_its_values_is_refused() -> None:
    looked_at = PreparedQuery(lambda name: User.objects.filter(robo_name=name.upper()), str)
    with pytest.raises(AssertionError, match="not in the query as they are"):
        looked_at("Alice")
