"""Temporary faults, such as a full disk or an unreachable database or Redis.

This module also limits the duration of a block of code, and refuses to start a process without a database.
"""

import errno
import logging
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

import psycopg
import redis
from django.db import DatabaseError, InterfaceError, OperationalError, close_old_connections, connection
from kombu.exceptions import OperationalError as BrokerError

logger = logging.getLogger(__name__)

MACHINE_ERRNOS: Final = frozenset(
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
"""The system's error numbers for a faulty machine, or for a lack of disk space, memory or file handles."""

STATEMENT_STATES: Final = "54"
"""The SQLSTATE class of errors for statements that exceed a limit, such as the number of columns.

These errors are not temporary, although they are operational errors for psycopg.
"""

SERVER_STATES: Final = frozenset({"25006", "25P03"})
"""The SQLSTATEs of temporary errors that are not operational errors for psycopg.

25006 is a write to a read-only server, such as after the primary and a replica have switched roles. 25P03 is
the timeout of an idle transaction.
"""

RETRY_PAUSES: Final = (0.2, 0.5, 1.0, 2.0)
"""Seconds between tries to write during an outage. The last pause repeats."""


def is_temporary(error: BaseException) -> bool:
    """Return whether an error is a temporary fault of the database, Redis or the machine."""
    if isinstance(error, DatabaseError | InterfaceError | psycopg.Error):
        state = _sqlstate_of(error)
        if state:
            return state in SERVER_STATES or (
                _is_operational(error) and not state.startswith(STATEMENT_STATES)
            )
        return _is_operational(error)
    if isinstance(error, redis.RedisError | BrokerError | MemoryError):
        return True
    return isinstance(error, OSError) and error.errno in MACHINE_ERRNOS


def write_despite_outage(write: Callable[[], object], what: str, *, seconds: float | None = None) -> bool:
    """Write to the database, retrying in an outage. Return whether the write succeeded.

    Gives up after ``seconds``, or never if that is None. In a transaction, raises the error instead of
    retrying. ``what`` describes the event in the log.
    """
    begun, tries = time.monotonic(), 0
    while True:
        if not connection.in_atomic_block:
            close_old_connections()
        try:
            write()
            return True
        except (DatabaseError, InterfaceError) as error:
            if connection.in_atomic_block or not is_temporary(error):
                raise
            if tries == 0:
                logger.warning("%s, and waits to be noted so: %s", what, error)
            if seconds is not None and time.monotonic() - begun > seconds:
                logger.warning("%s, and that could not be noted", what)
                return False
            connection.close()
            time.sleep(RETRY_PAUSES[min(tries, len(RETRY_PAUSES) - 1)])
            tries += 1


def _is_operational(error: BaseException) -> bool:
    kinds = (OperationalError, InterfaceError, psycopg.OperationalError, psycopg.InterfaceError)
    return isinstance(error, kinds)


def _sqlstate_of(error: BaseException) -> str:
    """Return the SQLSTATE of an error from Django or the driver, or an empty string."""
    for each in (error, error.__cause__):
        if state := getattr(each, "sqlstate", None):
            return str(state)
    return ""


@contextmanager
def time_limit(seconds: float, otherwise: str) -> Iterator[None]:
    """Raise TimeoutError with the text ``otherwise`` if the block takes longer than ``seconds``.

    The limit works only in the main thread, as in workers. Other threads have no limit.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(signal_number: int, frame: FrameType | None) -> None:
        raise TimeoutError(otherwise)

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def require_database() -> None:
    """Exit with a message if the database does not answer, before any request arrives."""
    try:
        psycopg.connect(**connection.get_connection_params()).close()
    except psycopg.OperationalError as error:
        raise SystemExit(unreachable(error)) from None


def unreachable(error: OperationalError | psycopg.OperationalError) -> str:
    """Return a sentence to say that a database is unreachable, without the database's password."""
    reason = " ".join(str(error).split())
    return f"Can't connect to the database ({reason}). Check DATABASE_URL, and that the server is running."
