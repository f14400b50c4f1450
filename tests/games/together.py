"""Calls at the same time, each in a thread with a database connection of its own."""

import itertools
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, NamedTuple

from django.db import connection, transaction

from games.play.models import Game

Call = Callable[[], Any]


def together(*calls: Call) -> list[Any]:
    """Run the calls at the same time; return what each returned, or the exception it raised."""
    start = threading.Barrier(len(calls))

    def run(call: Call) -> Any:
        start.wait(10)
        try:
            return call()
        except Exception as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls, timeout=60))


def meanwhile(call: Call) -> "Future[Any]":
    """Run a call in a thread, and go on."""
    future: Future[Any] = Future()

    def run() -> None:
        try:
            future.set_result(call())
        except Exception as error:
            future.set_exception(error)
        finally:
            connection.close()

    threading.Thread(target=run, daemon=True).start()
    return future


class Interleaved(NamedTuple):
    """What two calls returned, or the exceptions they raised, and whether the first one was interrupted."""

    first: Any
    second: Any
    interrupted: bool


def interleave(first: Call, second: Call, *, at: int) -> Interleaved:
    """Run a call, and another one before its statement number ``at``, from 0; each in a transaction.

    The last place is right before the commit. If the second call waits for a lock of the first one, the first
    one goes on, so that both end.
    """
    arrived, released = threading.Event(), threading.Event()
    backend = interrupted = 0

    def interrupt() -> None:
        nonlocal interrupted
        interrupted = 1
        arrived.set()
        assert released.wait(30)

    def run() -> Any:
        nonlocal backend
        left = at

        def count(execute: Any, *args: Any) -> Any:
            nonlocal left
            left -= 1
            if left == -1:
                interrupt()
            return execute(*args)

        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_backend_pid()")
                (backend,) = cursor.fetchone()
            with transaction.atomic(), connection.execute_wrapper(count):
                returned = first()
                if left == 0:
                    interrupt()
            return returned
        finally:
            arrived.set()

    one = meanwhile(run)
    assert arrived.wait(30)
    other = meanwhile(transaction.atomic(second))
    while not other.done() and not is_waited_for(backend):
        time.sleep(0.002)
    released.set()
    both = [call.exception(30) or call.result() for call in (one, other)]
    return Interleaved(*both, interrupted=bool(interrupted))


def interleave_everywhere(
    prepare: Callable[[], tuple[Call, Call]], check: Callable[[Interleaved], None], *, stride: int = 1
) -> int:
    """Interleave two calls at each statement of the first one, or each ``stride`` statements.

    ``prepare`` makes what they work on, fresh for each place. Return how many places there were.
    """
    for at in itertools.count(step=stride):
        done = interleave(*prepare(), at=at)
        check(done)
        if not done.interrupted:
            return at
    raise AssertionError


def is_waited_for(backend: int) -> bool:
    """Return whether a call waits for a lock of that database backend."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT EXISTS (SELECT FROM pg_stat_activity"
            " WHERE datname = current_database() AND %s = ANY(pg_blocking_pids(pid)))",
            [backend],
        )
        return bool(cursor.fetchone()[0])


class Hold:
    """A transaction of its own that is in the way of others until it is released."""

    def __init__(self) -> None:
        self._connection = connection.copy()
        self._connection.set_autocommit(False)
        with self._connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            (self.backend,) = cursor.fetchone()

    def execute(self, sql: str, *parameters: object) -> None:
        """Do something that others come to wait for."""
        with self._connection.cursor() as cursor:
            cursor.execute(sql, parameters)

    def release(self) -> None:
        """Undo it, and let the others go on."""
        if self._connection.connection is not None:
            self._connection.rollback()
            self._connection.close()


@contextmanager
def hold() -> Iterator[Hold]:
    """Hold something up until it is released, at the latest at the end of the block."""
    holding = Hold()
    try:
        yield holding
    finally:
        holding.release()


def hold_up_resolution(hold: Hold, game: Game) -> None:
    """Make a worker that resolves the turn under way wait in the middle of it.

    Both open the next turn, and the worker comes to it after all missing orders are made up.
    """
    columns = "game_id, number, status, record, first_seq, last_seq, opened_at, resolved_at, attempts, error"
    hold.execute(
        f"INSERT INTO games_turn ({columns}) VALUES (%s, %s, 'resolved', '', 1, 0, now(), now(), 0, '')",
        game.pk,
        (game.turn or 0) + 1,
    )


def wait_for_waiter(backend: int, seconds: float = 60.0) -> int:
    """Wait until somebody waits for a lock of that database backend, and return whose backend it is."""
    end = time.monotonic() + seconds
    while True:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pid FROM pg_stat_activity"
                " WHERE datname = current_database() AND %s = ANY(pg_blocking_pids(pid))",
                [backend],
            )
            if found := cursor.fetchone():
                return int(found[0])
        assert time.monotonic() < end, "nobody waits"
        time.sleep(0.01)


def wait_until(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    """Wait until something has come true."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it does not come true"
        time.sleep(0.05)
