"""Read from one snapshot or from a replica, and read lists despite a bad row.

A turn may be played between any two statements. A page or response about a game therefore reads one snapshot,
in a read-only transaction (REPEATABLE READ). It does not wait for writers or fail because of them. It costs
two messages to the database, BEGIN and COMMIT.

Data that may be a few seconds old comes from a replica, if the settings name one. The first server answers if
the replica is away, behind or incomplete. It also answers people who have just written, and always checks who
is logged in.
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
    """Return the result of a read, None if it fails.

    Logs the error with the game or starship. If the database is away, raises the error.
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
    """Read things. Return the results, and the number and name of each failed game."""
    told, unreadable = [], {}
    for thing in things:
        found = read_safely(lambda thing=thing: read(thing), game := game_of(thing))  # type: ignore[misc]
        if found is None:
            unreadable[game.pk] = game.name
        else:
            told.append(found)
    return told, [{"id": number, "name": name} for number, name in unreadable.items()]


GAME_ARGUMENT: Final = "game_id"
"""The URL argument with a game's number."""

STAFF_PAGES: Final = frozenset({"admin:games_game_change", "admin:games_game_history"})
"""Pages of a game in the admin. Their URLs do not use the argument `GAME_ARGUMENT`."""


@contextmanager
def snapshot(using: str = DEFAULT_DB_ALIAS) -> Iterator[None]:
    """Read one state of the database in the block, without writes.

    A transaction in progress keeps its state.
    """
    database: Any = connections[using]
    with leaving_blanks():
        if database.in_atomic_block:
            yield
            return
        with database.reading_one_state(), transaction.atomic(using):
            yield


def reads_game(request: HttpRequest, place: dict[str, Any]) -> bool:
    """Return whether a request only reads, and its URL is about a game."""
    match = request.resolver_match
    return request.method in SAFE_METHODS and (
        GAME_ARGUMENT in place or bool(match and match.view_name in STAFF_PAGES)
    )


class SnapshotMiddleware:
    """Answers each page and fragment of a game from one snapshot.

    It comes last, so it calls the view itself. API calls use snapshots themselves.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer a request, then fill in the blanks from its snapshot."""
        with pending_response() as answer:
            response = self.get_response(request)
        answer.fill_in(response)
        return response

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: Any, more: dict[str, Any]
    ) -> HttpResponse | None:
        """Call the view of a game in a snapshot. API calls do so after authentication."""
        match = request.resolver_match
        if not reads_game(request, more) or (match and match.app_name == "api"):
            return None
        with snapshot():
            try:
                response = view(request, *args, **more)
                return response.render() if isinstance(response, SimpleTemplateResponse) else response
            except Http404 as missing:  # its page shows the menu, which counts games
                return response_for_exception(request, missing)


Work = TypeVar("Work", bound=Callable[..., Any])

REPLICA: Final = "replica"

MAX_DELAY_SECONDS: Final = 5.0
"""Seconds of delay allowed for the replica."""

CHECK_SECONDS: Final = 1.0
"""Seconds between two checks of the replica's delay."""

SECONDS_AFTER_WRITE: Final = 10
"""Seconds of reads from the first server after a write: over `MAX_DELAY_SECONDS`."""

_reading: ContextVar[bool] = ContextVar("reads the replica", default=False)


class WritesError(Exception):
    """A write during a read from the replica. The code runs again on the first server."""


class Router:
    """Sends reads in `allow_replica` functions to the replica, all else to the first."""

    def db_for_read(self, model: Any, **hints: Any) -> str:
        """Return the server to read from. It is the same for related rows."""
        return REPLICA if _reading.get() else DEFAULT_DB_ALIAS

    def db_for_write(self, model: Any, **hints: Any) -> str:
        """Return the first server. Raises WritesError during a read from the replica."""
        if _reading.get():
            raise WritesError("what may be old only reads")
        return DEFAULT_DB_ALIAS

    def allow_relation(self, one: Any, other: Any, **hints: Any) -> bool:
        """Allow relations between rows of both servers: they are the same rows."""
        return True

    def allow_migrate(self, database: str, *args: Any, **hints: Any) -> bool:
        return database == DEFAULT_DB_ALIAS


def _is_found(answer: Any) -> bool:
    return getattr(answer, "status_code", 200) < 400


def allow_replica(fine: Callable[[Any], bool] = _is_found) -> Callable[[Work], Work]:
    """Run a view or API call on the replica, if possible.

    If it fails there, or its result is not ``fine``, it runs again on the first server, since the replica may
    lack the latest changes. A request that writes does not use the replica.
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
                except Exception:  # noqa: S110 - a real error happens again on the first server
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
    """Middleware: let a person read from the first server just after a write."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if request.method not in SAFE_METHODS:
            cache.set(_mark(request), 1, timeout=SECONDS_AFTER_WRITE)
        return response

    return answer


def _mark(request: Any) -> str:
    return f"wrote:{requester_of(request)}"


class ReplicaMonitor:
    """Measures the delay of the replica, in a thread started on first use."""

    def __init__(self) -> None:
        self._as_of = float("-inf")
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    def fresh(self) -> bool:
        """Return whether the replica has everything older than `MAX_DELAY_SECONDS`."""
        if self._thread is None:
            with self._lock:
                if self._thread is None:
                    self._thread = threading.Thread(target=self._look, name="replica", daemon=True)
                    self._thread.start()
        return time.monotonic() - self._as_of <= MAX_DELAY_SECONDS

    def distrust(self) -> None:
        """Stop using the replica until it has answered the thread again."""
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
        """Compare the servers while both answer."""
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
"""Bytes of changes on each server. -1 if the second server is not a replica."""


def _connected(alias: str) -> psycopg.Connection[TupleRow]:
    return psycopg.connect(**connections[alias].get_connection_params(), autocommit=True)


def _number(connection: psycopg.Connection[TupleRow], question: LiteralString) -> Decimal:
    row = connection.execute(question).fetchone()
    assert row
    return Decimal(row[0])


replica_monitor: Final = ReplicaMonitor()
