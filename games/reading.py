"""Read from one database snapshot or from a replica, and read lists with unreadable rows.

A turn may be played between any two SQL statements. A page or response about a game therefore reads one
snapshot, in a read-only transaction (REPEATABLE READ). Such a read does not wait for writers or fail because
of them. It costs two more messages to the database, BEGIN and COMMIT.

Data that may be a few seconds old comes from a replica, if the settings name one. The primary database server
answers if the replica is unavailable or too far behind, or if it lacks the data. It also answers people who
have just changed something, and always checks who is logged in.
"""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from decimal import Decimal
from functools import wraps
from typing import Any, Final, LiteralString, TypeVar, cast

import psycopg
from django.conf import settings
from django.core.cache import cache
from django.core.handlers.exception import response_for_exception
from django.db import DEFAULT_DB_ALIAS, Error, InterfaceError, OperationalError, connections, transaction
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import SimpleTemplateResponse
from psycopg.rows import TupleRow

from accounts.limits import SAFE_METHODS, requester_of
from games.content_cache import leaving_blanks, pending_response

logger = logging.getLogger(__name__)

Row = TypeVar("Row")
Result = TypeVar("Result")


def read_safely(read: Callable[[], Result], topic: Model | int) -> Result | None:
    """Return the result of a read, or None if the read fails.

    Logs an error that names the game or starship, ``topic``. Raises the error if the database is unavailable.
    """
    try:
        return read()
    except (OperationalError, InterfaceError):
        raise
    except Exception:
        number, what = (topic, "game") if isinstance(topic, int) else (topic.pk, str(topic._meta.model_name))
        logger.exception("The %s %d cannot be shown in a list", what, number, extra={what: number})
        return None


def read_each_safely(
    things: Iterable[Row], read: Callable[[Row], Result], game_of: Callable[[Row], Any]
) -> tuple[list[Result], list[dict[str, Any]]]:
    """Read each item. Return the results, and the ID and name of each game with an unreadable item.

    ``game_of`` returns the game of an item.
    """
    results, unreadable = [], {}
    for thing in things:
        found = read_safely(lambda thing=thing: read(thing), game := game_of(thing))  # type: ignore[misc]
        if found is None:
            unreadable[game.pk] = game.name
        else:
            results.append(found)
    return results, [{"id": number, "name": name} for number, name in unreadable.items()]


GAME_ARGUMENT: Final = "game_id"
"""The URL argument with the ID of a game."""

STAFF_PAGES: Final = frozenset({"admin:games_game_change", "admin:games_game_history"})
"""The admin pages about a game. Their URLs do not use the argument `GAME_ARGUMENT`."""


@contextmanager
def snapshot(using: str = DEFAULT_DB_ALIAS) -> Iterator[None]:
    """Within the block, read from a single snapshot of the database, and forbid writes.

    If a transaction is already in progress, the block reads in this transaction.
    """
    database: Any = connections[using]
    with leaving_blanks():
        if database.in_atomic_block:
            yield
            return
        with database.reading_one_state(), transaction.atomic(using):
            yield


def reads_game(request: HttpRequest, place: dict[str, Any]) -> bool:
    """Return whether a request has a safe method and a URL about a game."""
    match = request.resolver_match
    return request.method in SAFE_METHODS and (
        GAME_ARGUMENT in place or bool(match and match.view_name in STAFF_PAGES)
    )


class SnapshotMiddleware:
    """Answers each page and fragment of a game from one snapshot.

    This middleware comes last, and calls the view itself. API calls open their own snapshots.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer a request. Then replace placeholders in the response (see `games.content_cache`)."""
        with pending_response() as answer:
            response = self.get_response(request)
        answer.fill_in(response)
        return response

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: Any, more: dict[str, Any]
    ) -> HttpResponse | None:
        """Call a view of a game in a snapshot. API calls open their own snapshot after authentication."""
        match = request.resolver_match
        if not reads_game(request, more) or (match and match.app_name == "api"):
            return None
        with snapshot():
            try:
                response = view(request, *args, **more)
                return response.render() if isinstance(response, SimpleTemplateResponse) else response
            except Http404 as missing:  # the 404 page also reads games, to count them for its menu
                return response_for_exception(request, missing)


Work = TypeVar("Work", bound=Callable[..., Any])

REPLICA: Final = "replica"

MAX_DELAY_SECONDS: Final = 5.0
"""The maximum delay of the replica, in seconds. If it lags more, the primary server answers instead."""

CHECK_SECONDS: Final = 1.0
"""The time between two checks of the replica's delay, in seconds."""

SECONDS_AFTER_WRITE: Final = 10
"""The number of seconds after a person's write during which the person's reads go to the primary server.

It is longer than `MAX_DELAY_SECONDS`, so that people see their own changes.
"""

_reading: ContextVar[bool] = ContextVar("reads the replica", default=False)


class WritesError(Exception):
    """An attempt to write during a read from the replica. The code then runs again on the primary server."""


class Router:
    """Sends reads in `allow_replica` functions to the replica, and all other queries to the primary."""

    def db_for_read(self, model: Any, **hints: Any) -> str:
        """Return the server to read from: the replica or the primary."""
        return REPLICA if _reading.get() else DEFAULT_DB_ALIAS

    def db_for_write(self, model: Any, **hints: Any) -> str:
        """Return the primary server, for writes. Raises WritesError during a read from the replica."""
        if _reading.get():
            raise WritesError("what may be old only reads")
        return DEFAULT_DB_ALIAS

    def allow_relation(self, one: Any, other: Any, **hints: Any) -> bool:
        """Allow relations between rows from the primary and the replica, because both have the same rows."""
        return True

    def allow_migrate(self, database: str, *args: Any, **hints: Any) -> bool:
        return database == DEFAULT_DB_ALIAS


def _is_found(answer: Any) -> bool:
    return getattr(answer, "status_code", 200) < 400


def allow_replica(fine: Callable[[Any], bool] = _is_found) -> Callable[[Work], Work]:
    """Make a view or API call run on the replica, if possible.

    If it fails there, or the function ``fine`` returns False for its result, it runs again on the primary
    server, since the replica may lack the latest changes. A request that writes does not use the replica.
    """

    def declare(work: Work) -> Work:
        @wraps(work)
        def answer(request: Any, *args: Any, **more: Any) -> Any:
            if _is_of_use(request):
                token = _reading.set(True)
                try:
                    with snapshot(REPLICA):
                        found = work(request, *args, **more)
                    if fine(found):
                        return found
                except Error:
                    replica_monitor.distrust()
                except Exception:  # noqa: S110 - a real error happens again on the primary server
                    pass
                finally:
                    _reading.reset(token)
            return work(request, *args, **more)

        return cast("Work", answer)

    return declare


def _is_of_use(request: Any) -> bool:
    if REPLICA not in settings.DATABASES or request.method not in SAFE_METHODS or not replica_monitor.fresh():
        return False
    # Without Redis, a process does not know who has written in another one.
    return not cache.get(_mark(request)) and not getattr(cache, "away", False)


def remember_writes(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[..., HttpResponse]:
    """Middleware: send a person's reads to the primary server for `SECONDS_AFTER_WRITE` after a write."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if request.method not in SAFE_METHODS:
            cache.set(_mark(request), 1, timeout=SECONDS_AFTER_WRITE)
        return response

    return answer


def _mark(request: Any) -> str:
    return f"wrote:{requester_of(request)}"


class ReplicaMonitor:
    """Measures the delay of the replica, in a thread that starts on first use."""

    def __init__(self) -> None:
        self._as_of = float("-inf")
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    def fresh(self) -> bool:
        """Return whether the replica has all changes older than `MAX_DELAY_SECONDS`."""
        if self._thread is None:
            with self._lock:
                if self._thread is None:
                    self._thread = threading.Thread(target=self._look, name="replica", daemon=True)
                    self._thread.start()
        return time.monotonic() - self._as_of <= MAX_DELAY_SECONDS

    def distrust(self) -> None:
        """Stop using the replica until the monitoring thread has measured its delay again."""
        self._as_of = float("-inf")

    def _look(self) -> None:
        while True:
            with (
                suppress(psycopg.Error),
                _connected(DEFAULT_DB_ALIAS) as first,
                _connected(REPLICA) as replica,
            ):
                self._compare(first, replica)
            time.sleep(CHECK_SECONDS)

    def _compare(self, first: psycopg.Connection[TupleRow], replica: psycopg.Connection[TupleRow]) -> None:
        """Compare the positions of the primary server and the replica in the log of changes, repeatedly.

        This ends with an error when one of the two servers fails to answer.
        """
        written: deque[tuple[float, Decimal]] = deque(maxlen=int(MAX_DELAY_SECONDS / CHECK_SECONDS) + 1)
        while True:
            now = time.monotonic()
            written.append((now, _number(first, _WRITTEN)))
            has = _number(replica, _REPLAYED)
            while written and written[0][1] <= has:
                self._as_of = written.popleft()[0]
            time.sleep(CHECK_SECONDS)


_WRITTEN: Final = "SELECT pg_current_wal_lsn() - '0/0'"
_REPLAYED: Final = "SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() - '0/0' ELSE -1 END"
"""The query for the replica's position in the database's log of changes, in bytes.

It returns -1 if the server is not a replica. `_WRITTEN` is the query for the position of the primary server.
"""


def _connected(alias: str) -> psycopg.Connection[TupleRow]:
    return psycopg.connect(**connections[alias].get_connection_params(), autocommit=True)


def _number(connection: psycopg.Connection[TupleRow], question: LiteralString) -> Decimal:
    row = connection.execute(question).fetchone()
    assert row
    return Decimal(row[0])


replica_monitor: Final = ReplicaMonitor()
