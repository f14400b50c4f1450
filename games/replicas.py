"""What may be some seconds old is read from a replica of the database, where the settings name one.

The first server answers whatever the replica cannot: while it is away, or behind, or lacks what is asked for.
It also answers those who have just written something. Only who asks is always read from the first.
"""

import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar
from decimal import Decimal
from functools import wraps
from typing import Any, Final, LiteralString, TypeVar, cast

import psycopg
from django.conf import settings
from django.core.cache import cache
from django.db import DEFAULT_DB_ALIAS, Error, connections
from django.http import HttpRequest, HttpResponse
from psycopg.rows import TupleRow

from accounts.limits import SAFE, who
from games.snapshots import snapshot

Work = TypeVar("Work", bound=Callable[..., Any])

ALIAS: Final = "replica"

OLDEST: Final = 5.0
"""Seconds for which the replica may be behind."""

EVERY: Final = 1.0
"""Seconds between two looks how far it is."""

REMEMBERED: Final = 10
"""Seconds for which those who have written something read from the first server: longer than ``OLDEST``."""

_reading: ContextVar[bool] = ContextVar("reads the replica", default=False)


class WritesError(Exception):
    """Something was to be written that would be written again on the first server."""


class Router:
    """Sends to the replica what is read by a function that `may_be_old`, and all else to the first server."""

    def db_for_read(self, model: Any, **hints: Any) -> str:
        """Return where to read; what was read from one server leads to the other, too."""
        return ALIAS if _reading.get() else DEFAULT_DB_ALIAS

    def db_for_write(self, model: Any, **hints: Any) -> str:
        """Return where to write, and to read what is then written; raises WritesError where it may be old."""
        if _reading.get():
            raise WritesError("what may be old only reads")
        return DEFAULT_DB_ALIAS

    def allow_relation(self, one: Any, other: Any, **hints: Any) -> bool:
        """Let rows of both servers refer to each other: they are the same."""
        return True

    def allow_migrate(self, database: str, *args: Any, **hints: Any) -> bool:
        """Change tables on the first server alone."""
        return database == DEFAULT_DB_ALIAS


def _is_found(answer: Any) -> bool:
    return getattr(answer, "status_code", 200) < 400


def may_be_old(fine: Callable[[Any], bool] = _is_found) -> Callable[[Work], Work]:
    """Have what a function reads for a request come from the replica, if that is of use.

    Where it fails, or what it returns is not ``fine``, it runs again on the first server: what happened a
    moment ago may not have come to the replica yet. Nor is the replica of use to what writes.
    """

    def declare(work: Work) -> Work:
        @wraps(work)
        def answer(request: Any, *args: Any, **more: Any) -> Any:
            if _is_of_use(request):
                token = _reading.set(True)
                try:
                    with snapshot(ALIAS):
                        found = work(request, *args, **more)
                    if fine(found):
                        return found
                except Error:
                    watch.distrust()
                except Exception:  # noqa: S110 - the first server says it, if there is anything to say
                    pass
                finally:
                    _reading.reset(token)
            return work(request, *args, **more)

        return cast("Work", answer)

    return declare


def _is_of_use(request: Any) -> bool:
    if ALIAS not in settings.DATABASES or request.method not in SAFE or not watch.fresh():
        return False
    # While Redis is away, processes do not know of each other who has written.
    return not cache.get(_mark(request)) and not getattr(cache, "away", False)


def remember_writes(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[..., HttpResponse]:
    """Remember, as a middleware, who has written something: they see it at once."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if request.method not in SAFE:
            cache.set(_mark(request), 1, timeout=REMEMBERED)
        return response

    return answer


def _mark(request: Any) -> str:
    return f"wrote:{who(request)}"


class Watch:
    """Knows how far behind the replica is: a thread compares both servers, from its first use on."""

    def __init__(self) -> None:
        self._as_of = float("-inf")
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    def fresh(self) -> bool:
        """Return whether the replica has all that was written until ``OLDEST`` seconds ago."""
        if self._thread is None:
            with self._lock:
                if self._thread is None:
                    self._thread = threading.Thread(target=self._look, name="replica", daemon=True)
                    self._thread.start()
        return time.monotonic() - self._as_of <= OLDEST

    def distrust(self) -> None:
        """Have no one ask it before it has answered here again."""
        self._as_of = float("-inf")

    def _look(self) -> None:
        while True:
            with suppress(psycopg.Error), _connected(DEFAULT_DB_ALIAS) as first, _connected(ALIAS) as replica:
                self._compare(first, replica)
            time.sleep(EVERY)

    def _compare(self, first: psycopg.Connection[TupleRow], replica: psycopg.Connection[TupleRow]) -> None:
        """Compare for as long as both answer."""
        written: deque[tuple[float, Decimal]] = deque(maxlen=int(OLDEST / EVERY) + 1)
        while True:
            now = time.monotonic()
            written.append((now, _number(first, _WRITTEN)))
            has = _number(replica, _REPLAYED)
            while written and written[0][1] <= has:
                self._as_of = written.popleft()[0]
            time.sleep(EVERY)


_WRITTEN: Final = "SELECT pg_current_wal_lsn() - '0/0'"
_REPLAYED: Final = "SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() - '0/0' ELSE -1 END"
"""How many bytes of changes each has; -1 of a server that follows no other."""


def _connected(alias: str) -> psycopg.Connection[TupleRow]:
    return psycopg.connect(**connections[alias].get_connection_params(), autocommit=True)


def _number(connection: psycopg.Connection[TupleRow], question: LiteralString) -> Decimal:
    row = connection.execute(question).fetchone()
    assert row
    return Decimal(row[0])


watch: Final = Watch()
