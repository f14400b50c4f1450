"""Lists survive extreme times that Postgres can store and Python cannot represent."""

from datetime import date, timedelta

import pytest
from django.db import connection
from django.test import Client

from roborunner.postgres.connections import EARLIEST, LATEST, LONGEST_INTERVAL
from tests import cast
from tests.games.support import HALL, Table


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("'infinity'::timestamptz", LATEST),
        ("'-infinity'::timestamptz", EARLIEST),
        ("'20000-01-01'::timestamptz", LATEST),
        ("'0044-03-15 BC'::timestamptz", EARLIEST),
        ("'infinity'::date", LATEST.date()),
        ("'0044-03-15 BC'::date", EARLIEST.date()),
        ("'1000000000 days'::interval", LONGEST_INTERVAL),
        ("'-1000000000 days'::interval", -LONGEST_INTERVAL),
        ("'2026-11-21'::date", date(2026, 11, 21)),
        ("'90 minutes'::interval", timedelta(minutes=90)),
    ],
)
def test_a_time_out_of_range_becomes_the_nearest_one(db: None, written: str, read: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {written}")
        assert cursor.fetchone() == (read,)


def test_an_extreme_time_hides_no_game(client: Client, db: None) -> None:
    alice = cast.alice()
    Table(HALL.saved()).game(alice, cast.bob())
    with connection.cursor() as cursor:
        cursor.execute("UPDATE games_game SET created_at = 'infinity', moved_at = '-infinity'")
    client.force_login(alice)
    assert "First flight" in client.get("/my-room/").content.decode()
