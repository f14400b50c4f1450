"""Faults that pass by themselves: a full disk, a database that restarts, a Redis that is away.

What they prevent is tried again until it succeeds, and they never count as a failed attempt. Only what fails
by its own data is left to staff in the end.
"""

import errno
import logging
import time
from collections.abc import Callable
from typing import Final

import psycopg
import redis
from django.db import DatabaseError, InterfaceError, OperationalError, close_old_connections, connection
from kombu.exceptions import OperationalError as BrokerError

logger = logging.getLogger(__name__)

OF_THE_MACHINE: Final = frozenset(
    {
        errno.ENOSPC,
        errno.EDQUOT,
        errno.EROFS,
        errno.EIO,
        errno.ENOMEM,
        errno.EMFILE,
        errno.ENFILE,
        errno.ENOBUFS,
    }
)
"""The errors of the operating system where the machine has a fault, or too little of something."""

OF_THE_STATEMENT: Final = "54"
"""The class of SQLSTATE whose errors come from the statement, although Postgres calls them operational."""

OF_THE_SERVER: Final = frozenset({"25006", "25P03"})
"""Other errors that pass: a server that only reads after a switch, a session that was idle for too long."""

PAUSES: Final = (0.2, 0.5, 1.0, 2.0)
"""Seconds between tries to note something while the database is away; the last pause repeats."""


def passes(error: BaseException) -> bool:
    """Return whether a fault passes by itself: one of the database, of Redis or of the machine."""
    if isinstance(error, DatabaseError | InterfaceError | psycopg.Error):
        state = _state_of(error)
        if state:
            return state in OF_THE_SERVER or (
                _is_operational(error) and not state.startswith(OF_THE_STATEMENT)
            )
        return _is_operational(error)
    if isinstance(error, redis.RedisError | BrokerError | MemoryError):
        return True
    return isinstance(error, OSError) and error.errno in OF_THE_MACHINE


def note(write: Callable[[], object], what: str, *, seconds: float | None = None) -> bool:
    """Write something to the database, again and again while it is away; return whether that succeeded.

    After a number of ``seconds``, where given, it is given up. ``what`` has happened is logged meanwhile.
    """
    begun, tries = time.monotonic(), 0
    while True:
        if not connection.in_atomic_block:
            close_old_connections()
        try:
            write()
            return True
        except (DatabaseError, InterfaceError) as error:
            if connection.in_atomic_block or not passes(error):
                raise
            if tries == 0:
                logger.warning("%s, and waits to be noted so: %s", what, error)
            if seconds is not None and time.monotonic() - begun > seconds:
                logger.warning("%s, and that could not be noted", what)
                return False
            connection.close()
            time.sleep(PAUSES[min(tries, len(PAUSES) - 1)])
            tries += 1


def _is_operational(error: BaseException) -> bool:
    kinds = (OperationalError, InterfaceError, psycopg.OperationalError, psycopg.InterfaceError)
    return isinstance(error, kinds)


def _state_of(error: BaseException) -> str:
    """Return the SQLSTATE of an error of the database, Django's or the driver's; empty where it has none."""
    for each in (error, error.__cause__):
        if state := getattr(each, "sqlstate", None):
            return str(state)
    return ""
