"""Run calls at the same moment, in threads with separate database connections."""

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
    """Run calls at the same moment. Return each call's result, or the exception it raised."""
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
    """Start a call in a thread, and return its future."""
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
    """The results or exceptions of two calls, and whether the first was interrupted."""

    first: Any
    second: Any
    interrupted: bool


def interleave(first: Call, second: Call, *, at: int) -> Interleaved:
    """Run the first call, and run the second call before the first's statement ``at``.

    SQL statements count from 0. Each call has its own transaction, and the last possible place is just before
    the commit. If the second call waits for a lock of the first, the first continues, so that both can end.
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
    """Interleave two calls at every SQL statement of the first.

    ``prepare`` creates new data and two calls for each statement, and ``check`` gets the results. ``stride``
    is the step from one statement to the next. Return the number of statements.
    """
    for at in itertools.count(step=stride):
        done = interleave(*prepare(), at=at)
        check(done)
        if not done.interrupted:
            return at
    raise AssertionError


def deleted(game: Game) -> None:
    """Delete a game as with its guest: the row is locked first."""
    list(Game.objects.select_for_update().filter(pk=game.pk))
    Game.objects.filter(pk=game.pk).delete()


def is_waited_for(backend: int) -> bool:
    """Return whether another connection waits for a lock of this database process."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT EXISTS (SELECT FROM pg_stat_activity"
            " WHERE datname = current_database() AND %s = ANY(pg_blocking_pids(pid)))",
            [backend],
        )
        return bool(cursor.fetchone()[0])


class Hold:
    """A transaction on its own connection that blocks other transactions."""

    def __init__(self) -> None:
        self._connection = connection.copy()
        self._connection.set_autocommit(False)
        with self._connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            (self.backend,) = cursor.fetchone()

    def execute(self, sql: str, *parameters: object) -> None:
        """Run an SQL statement whose locks block other transactions."""
        with self._connection.cursor() as cursor:
            cursor.execute(sql, parameters)

    def release(self) -> None:
        """Roll the transaction back, so that other transactions continue."""
        if self._connection.connection is not None:
            self._connection.rollback()
            self._connection.close()


@contextmanager
def hold() -> Iterator[Hold]:
    """Yield a transaction that blocks others until it is released or the block ends."""
    holding = Hold()
    try:
        yield holding
    finally:
        holding.release()


def hold_up_resolution(hold: Hold, game: Game) -> None:
    """Block a worker halfway through the resolution of the open turn.

    Both insert the next turn. The worker does so after it has filled in missing orders.
    """
    columns = "game_id, number, status, record, first_seq, last_seq, opened_at, resolved_at, attempts, error"
    hold.execute(
        f"INSERT INTO games_turn ({columns}) VALUES (%s, %s, 'resolved', '', 1, 0, now(), now(), 0, '')",
        game.pk,
        (game.turn or 0) + 1,
    )


def wait_for_waiter(backend: int, seconds: float = 60.0) -> int:
    """Wait until another connection waits for a lock of this process. Return its process ID."""
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
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it does not come true"
        time.sleep(0.05)
