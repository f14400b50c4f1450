"""The servers that a test run stands on."""

import pytest
from django.conf import settings
from django.db import connection
from redis import Redis


@pytest.mark.django_db
def test_the_database_is_a_real_postgres() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('server_version_num')::int, current_database()")
        version, name = cursor.fetchone()
    assert version >= 140000
    assert name.startswith("test_roborunner")


def test_redis_answers() -> None:
    with Redis.from_url(settings.REDIS_URL) as redis:
        assert redis.ping()
