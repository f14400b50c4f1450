"""Whether the clocks of this process and of the database agree.

A clock that jumps makes everything look old: sign-ups, guests, lobbies, sessions and deadlines. So the
sweeper does nothing until both clocks agree. If both say that days have passed, the service was away.
"""

from datetime import datetime, timedelta
from typing import Final

from django.db import connection

from games.reasons import Explained

BOUND: Final = timedelta(minutes=1)
"""How far the clocks of two machines may differ."""


def database_time() -> datetime:
    """Return the time by the database's clock."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        found: datetime = cursor.fetchone()[0]
    return found


def agree(*, process: datetime, database: datetime) -> bool:
    """Return whether two clocks show the same time, but for a minute.

    >>> noon = datetime(2026, 11, 21, 12)
    >>> agree(process=noon, database=noon + BOUND), agree(process=noon, database=noon - 2 * BOUND)
    (True, False)
    """
    return abs(process - database) <= BOUND


def compare(*, process: datetime, database: datetime) -> None:
    """Raise an error for an alarm if the clocks disagree."""
    if not agree(process=process, database=database):
        raise Explained("clocks", f"{process:%Y-%m-%d %H:%M:%S}, {database:%Y-%m-%d %H:%M:%S}")
