"""Passing faults: errors that may disappear if the work is tried again."""

import errno
import time

import psycopg
import pytest
import redis
from django.db import (
    DataError,
    IntegrityError,
    InterfaceError,
    OperationalError,
    ProgrammingError,
    connection,
)
from kombu.exceptions import OperationalError as BrokerError

from roborunner import faults

PASSING = ["53100", "53200", "53300", "57014", "57P01", "40001", "40P01", "55P03", "58030", "25006", "08006"]
"""SQLSTATEs of passing faults: full disks, time limits, conflicts, shutdowns."""

OWN = ["23505", "22001", "22012", "42P01", "54000", "54001", "XX000", "P0001"]
"""SQLSTATEs of lasting errors, caused by the data or the statement."""


def raised(state: str) -> Exception:
    """Return the exception that Django raises for the given SQLSTATE."""
    try:
        with connection.wrap_database_errors:
            raise psycopg.errors.lookup(state)("so it is")
    except Exception as error:
        return error


@pytest.mark.parametrize("state", PASSING)
def test_a_fault_of_the_database_passes(state: str) -> None:
    assert faults.is_temporary(raised(state))


@pytest.mark.parametrize("state", OWN)
def test_an_error_caused_by_data_does_not_pass(state: str) -> None:
    assert not faults.is_temporary(raised(state))


@pytest.mark.parametrize(
    "error",
    [
        OperationalError("server closed the connection unexpectedly"),
        InterfaceError("the connection is closed"),
        redis.ConnectionError("away"),
        redis.exceptions.OutOfMemoryError("OOM command not allowed"),
        BrokerError("away"),
        MemoryError(),
        OSError(errno.ENOSPC, "No space left on device"),
        OSError(errno.EMFILE, "Too many open files"),
    ],
    ids=repr,
)
def test_a_fault_of_the_connection_of_redis_or_of_the_machine_passes(error: Exception) -> None:
    assert faults.is_temporary(error)


@pytest.mark.parametrize(
    "error",
    [
        ValueError("a loose screw"),
        KeyError("hand"),
        TimeoutError("it thought for longer than 20 s"),
        ConnectionRefusedError(errno.ECONNREFUSED, "a mail server's affair"),
        FileNotFoundError(errno.ENOENT, "cannot be played on"),
        DataError("no number"),
        IntegrityError("twice"),
        ProgrammingError("no such column"),
    ],
    ids=repr,
)
def test_any_other_error_does_not_pass(error: Exception) -> None:
    assert not faults.is_temporary(error)


@pytest.mark.django_db(transaction=True)
def test_a_note_waits_for_the_database(caplog: pytest.LogCaptureFixture) -> None:
    answers = iter([OperationalError("away"), OperationalError("away"), None])

    def write() -> None:
        if error := next(answers):
            raise error

    assert faults.write_despite_outage(write, "Notice 7 was sent")
    assert caplog.text.count("Notice 7 was sent, and waits to be noted so: away") == 1


@pytest.mark.django_db(transaction=True)
def test_a_note_is_given_up_after_the_time_limit(caplog: pytest.LogCaptureFixture) -> None:
    def write() -> None:
        raise OperationalError("away")

    begun = time.monotonic()
    assert not faults.write_despite_outage(write, "Turn 7 failed", seconds=0.1)
    assert time.monotonic() - begun < 5
    assert "Turn 7 failed, and that could not be noted" in caplog.text
