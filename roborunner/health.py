"""Checks of the parts that the service needs: Redis, the tables of the database, and the web processes."""

from functools import cache
from http.client import HTTPException
from typing import Final
from urllib.error import URLError
from urllib.request import Request, urlopen

import redis
from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

REDIS_SECONDS: Final = 2.0
"""Seconds to wait for an answer from Redis."""

WEB_SECONDS: Final = 5.0
"""Seconds to wait for an answer from a web process."""


def redis_answers() -> bool:
    """Return whether Redis answers within `REDIS_SECONDS`."""
    try:
        with redis.from_url(
            settings.REDIS_URL, socket_timeout=REDIS_SECONDS, socket_connect_timeout=REDIS_SECONDS
        ) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False


def all_migrated() -> bool:
    """Return whether the database has all migrations of this release."""
    return _newest_migrations() <= MigrationRecorder(connection).applied_migrations().keys()


@cache
def _newest_migrations() -> frozenset[tuple[str, str]]:
    """Return the last migration of each application in this release. The result is cached."""
    return frozenset(MigrationLoader(None).graph.leaf_nodes())


def web_failure(url: str) -> str:
    """Return the reason why a web process does not answer at an address, or "" if it answers with 200."""
    try:
        with urlopen(Request(url), timeout=WEB_SECONDS) as response:  # noqa: S310 - from the settings
            return "" if response.status == 200 else f"status {response.status}"
    except URLError as error:  # an HTTPError is one too
        return str(error.reason)
    except (HTTPException, OSError, ValueError) as error:
        return str(error) or type(error).__name__
