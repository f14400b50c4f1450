"""Read from one snapshot or a replica, and lists in which a bad row hides no other.

A turn is played between any two statements. A page or answer about a game reads one snapshot, that of a
read-only transaction (REPEATABLE READ). It waits for nobody, never fails because of writers, and takes two
messages to the database, BEGIN and COMMIT.

Data that may be some seconds old comes from a replica, if the settings name one. The first server answers
while the replica is away or behind, or lacks something. It also answers people who have just written, and
always says who is logged in.
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

from accounts.limits import SAFE, who
from games.kept import answering, leaving_blanks

logger = logging.getLogger(__name__)

Row = TypeVar("Row")
Told = TypeVar("Told")


def read_safely(read: Callable[[], Told], topic: Model | int) -> Told | None:
    """Return the result of a read, None if it fails. The log has the reason, and the game or starship.

    If the database is away, raises that instead.
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
    things: Iterable[Row], read: Callable[[Row], Told], game_of: Callable[[Row], Any]
) -> tuple[list[Told], list[dict[str, Any]]]:
    """Return the results of reading things, and the number and name of each game that fails."""
    told, unreadable = [], {}
    for thing in things:
        found = read_safely(lambda thing=thing: read(thing), game := game_of(thing))  # type: ignore[misc]
        if found is None:
            unreadable[game.pk] = game.name
        else:
            told.append(found)
    return told, [{"id": number, "name": name} for number, name in unreadable.items()]


GAME: Final = "game_id"
"""What an address names that is about a game."""

STAFF_PAGES: Final = frozenset({"admin:games_game_change", "admin:games_game_history"})
"""Pages of a game in the admin, whose addresses name any object."""


@contextmanager
def snapshot(using: str = DEFAULT_DB_ALIAS) -> Iterator[None]:
    """Read one state of the database in the block, and write nothing.

    Within a transaction this changes nothing: its state was settled when it began.
    """
    database: Any = connections[using]
    with leaving_blanks():
        if database.in_atomic_block:
            yield
            return
        with database.reading_one_state(), transaction.atomic(using):
            yield


def shows_a_game(request: HttpRequest, place: dict[str, Any]) -> bool:
    """Return whether a request only reads, and its address names a game."""
    match = request.resolver_match
    return request.method in SAFE and (GAME in place or bool(match and match.view_name in STAFF_PAGES))


class SnapshotMiddleware:
    """Answers each page and fragment of a game from one snapshot; calls of the API see to it themselves.

    It is the last middleware, so the view is called here.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer a request, and make what its answer left out while it read a snapshot."""
        with answering() as answer:
            response = self.get_response(request)
        answer.fill_in(response)
        return response

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: Any, more: dict[str, Any]
    ) -> HttpResponse | None:
        """Call the view of a game within a snapshot. The API does that itself, after the login."""
        match = request.resolver_match
        if not shows_a_game(request, more) or (match and match.app_name == "api"):
            return None
        with snapshot():
            try:
                response = view(request, *args, **more)
                return response.render() if isinstance(response, SimpleTemplateResponse) else response
            except Http404 as missing:  # its page shows the menu, which counts games
                return response_for_exception(request, missing)


Work = TypeVar("Work", bound=Callable[..., Any])

REPLICA: Final = "replica"

OLDEST_SECONDS: Final = 5.0
"""Seconds for which the replica may be behind."""

LOOK_EVERY: Final = 1.0
"""Seconds between two looks how far it is."""

REMEMBERED: Final = 10
"""Seconds for which those who have written something read from the first server: longer than ``OLDEST``."""

_reading: ContextVar[bool] = ContextVar("reads the replica", default=False)


class WritesError(Exception):
    """Something was to be written that would be written again on the first server."""


class Router:
    """Sends to the replica what is read by a function that `may_be_old`, and all else to the first server."""

    def db_for_read(self, model: Any, **hints: Any) -> str:
        """Return the server to read from. Rows from one server lead to the same."""
        return REPLICA if _reading.get() else DEFAULT_DB_ALIAS

    def db_for_write(self, model: Any, **hints: Any) -> str:
        """Return the server to write to. Raises WritesError in a block that may be old."""
        if _reading.get():
            raise WritesError("what may be old only reads")
        return DEFAULT_DB_ALIAS

    def allow_relation(self, one: Any, other: Any, **hints: Any) -> bool:
        """Let rows of both servers refer to each other: they are the same."""
        return True

    def allow_migrate(self, database: str, *args: Any, **hints: Any) -> bool:
        """Migrate only the first server."""
        return database == DEFAULT_DB_ALIAS


def _is_found(answer: Any) -> bool:
    return getattr(answer, "status_code", 200) < 400


def may_be_old(fine: Callable[[Any], bool] = _is_found) -> Callable[[Work], Work]:
    """Read what a function needs for a request from the replica, if possible.

    If it fails there, or its result is not ``fine``, it runs again on the first server, since the replica may
    lack the last moments. A request that writes does not use the replica.
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
                    watch.distrust()
                except Exception:  # noqa: S110 - the first server says it, if there is anything to say
                    pass
                finally:
                    _reading.reset(token)
            return work(request, *args, **more)

        return cast("Work", answer)

    return declare


def _is_of_use(request: Any) -> bool:
    if REPLICA not in settings.DATABASES or request.method not in SAFE or not watch.fresh():
        return False
    # While Redis is away, processes do not know of each other who has written.
    return not cache.get(_mark(request)) and not getattr(cache, "away", False)


def remember_writes(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[..., HttpResponse]:
    """Remember people who have just written something, as a middleware: they see it at once."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if request.method not in SAFE:
            cache.set(_mark(request), 1, timeout=REMEMBERED)
        return response

    return answer


def _mark(request: Any) -> str:
    return f"wrote:{who(request)}"


class Watch:
    """Knows the delay of the replica: a thread compares both servers, from its first use on."""

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
        return time.monotonic() - self._as_of <= OLDEST_SECONDS

    def distrust(self) -> None:
        """Stop asking it until it has answered here again."""
        self._as_of = float("-inf")

    def _look(self) -> None:
        while True:
            with (
                suppress(psycopg.Error),
                _connected(DEFAULT_DB_ALIAS) as first,
                _connected(REPLICA) as replica,
            ):
                self._compare(first, replica)
            time.sleep(LOOK_EVERY)

    def _compare(self, first: psycopg.Connection[TupleRow], replica: psycopg.Connection[TupleRow]) -> None:
        """Compare the servers while both answer."""
        written: deque[tuple[float, Decimal]] = deque(maxlen=int(OLDEST_SECONDS / LOOK_EVERY) + 1)
        while True:
            now = time.monotonic()
            written.append((now, _number(first, _WRITTEN)))
            has = _number(replica, _REPLAYED)
            while written and written[0][1] <= has:
                self._as_of = written.popleft()[0]
            time.sleep(LOOK_EVERY)


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
