"""Connections to Postgres: their configuration, and limits that Postgres lacks.

A page waits a few seconds for the database, a worker's task longer, and a command without limit. Postgres
itself ends a statement that takes too long (`statement_timeout`), but not while a hanging disk, a suspended
machine or a signal has frozen Postgres. The limits of this module apply on our side of the connection.

Statements sent together use the pipeline of the Postgres protocol. Poolers that support prepared statements
also support the pipeline.
"""

import select
from collections.abc import Awaitable, Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from math import inf
from time import monotonic
from typing import Any, Final

import psycopg
from psycopg import DataError, errors, generators
from psycopg.abc import AdaptContext, Buffer
from psycopg.adapt import AdaptersMap, Loader, PyFormat, Transformer
from psycopg.pq import ExecStatus, Format, TransactionStatus
from psycopg.rows import TupleRow
from psycopg_pool import ConnectionPool

# --- Statements in one message ------------------------------------------------------------------------------


Statement = tuple[str, Sequence[Any]]
"""The SQL of a statement, with ``%s`` for each value, and the values."""

Row = tuple[Any, ...]

MAX_PLANS: Final = 250
"""The maximum number of plans that a connection keeps for statements sent together (`run_together`)."""


class Plans:
    """The names of a connection's plans, and the number of uses of each statement without a plan."""

    def __init__(self) -> None:
        self._names: dict[str, bytes] = {}
        self._uses: dict[str, int] = {}
        self._last = 0

    def name(self, text: str) -> bytes | None:
        return self._names.get(text)

    def new_name(self, text: str, after: int) -> bytes | None:
        """Count a use of a statement without a plan. Return a name for its plan if it should get one now.

        A statement should get a plan when it has more than ``after`` uses and the connection has fewer than
        `MAX_PLANS` plans. Otherwise, returns None.
        """
        uses = self._uses[text] = self._uses.get(text, 0) + 1
        if uses <= after or len(self._names) >= MAX_PLANS:
            if len(self._uses) > 2 * MAX_PLANS:
                self._uses.clear()
            return None
        self._last += 1
        return b"together_%d" % self._last

    def keep(self, text: str, name: bytes) -> None:
        self._names[text] = name
        self._uses.pop(text, None)

    def forget(self) -> None:
        self._names.clear()


def run_together(connection: Any, statements: Sequence[Statement]) -> list[list[Row]]:
    """Run statements in the current or a new transaction. Return the rows of each statement."""
    with connection.lock:
        return _Message(connection).run(statements)


class _Message:
    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._plans: Plans = connection.plans
        self._known = Transformer(connection)
        self._acts: list[Callable[[], object] | None] = []
        """For each command, the function to call after its success, or None if the command returns rows."""

    def run(self, statements: Sequence[Statement]) -> list[list[Row]]:
        given = [(text, *self._given(values)) for text, values in statements]
        pgconn = self._connection.pgconn
        try:
            pgconn.enter_pipeline_mode()
            self._begin(pgconn)
            for text, values, formats in given:
                self._add(pgconn, text, values, formats)
            pgconn.pipeline_sync()
            results = self._connection.wait(_exchange(pgconn, len(self._acts)))
            pgconn.exit_pipeline_mode()
        except BaseException:
            pgconn.finish()  # later statements would get the remaining answers
            raise
        return self._read(results)

    def _given(self, values: Sequence[Any]) -> tuple[list[Any], list[int] | None]:
        """Return the values encoded for Postgres, and their format codes (None if all values are text)."""
        formats = [int(isinstance(value, bytes)) for value in values]
        return [self._written(value) for value in values], formats if any(formats) else None

    def _written(self, value: Any) -> Any:
        if value is None or isinstance(value, bytes):
            return value
        if isinstance(value, str):
            if "\0" in value:
                raise psycopg.DataError("PostgreSQL text fields cannot contain NUL (0x00) bytes")
            return value.encode()
        if isinstance(value, bool):
            return b"t" if value else b"f"
        if isinstance(value, int):
            return b"%d" % value
        if type(value) is datetime:
            return str(value).encode()
        return self._known.get_dumper(value, PyFormat.TEXT).dump(value)

    def _begin(self, pgconn: Any) -> None:
        if not self._connection.autocommit and pgconn.transaction_status == TransactionStatus.IDLE:
            pgconn.send_query_params(self._connection._get_tx_start_command(), None)
            self._acts.append(_nothing)

    def _add(self, pgconn: Any, text: str, values: list[Any], formats: list[int] | None) -> None:
        name = self._plans.name(text)
        if name is None and (new := self._plans.new_name(text, self._connection.prepare_threshold)):
            pgconn.send_prepare(new, _numbered(text))
            self._acts.append(lambda: self._plans.keep(text, new))
            name = new
        if name is None:
            pgconn.send_query_params(_numbered(text), values, param_formats=formats)
        else:
            pgconn.send_query_prepared(name, values, param_formats=formats)
        self._acts.append(None)

    def _read(self, results: Sequence[Any]) -> list[list[Row]]:
        found = []
        failed = None
        for result, act in zip(results, self._acts, strict=True):
            if result.status not in _DONE:
                failed = failed or result
            elif act is not None:
                act()
            else:
                self._known.set_pgresult(result)
                found.append(self._known.load_rows(0, result.ntuples, tuple))
        if failed is not None:
            self._fail(failed)
        return found

    def _fail(self, result: Any) -> None:
        error = psycopg.errors.error_from_result(result, encoding="utf-8")
        if isinstance(error, psycopg.errors.FeatureNotSupported):
            self._connection.prepare_threshold = None  # a migration has changed the columns of a plan
        if isinstance(error, psycopg.errors.InvalidSqlStatementName):
            self._plans.forget()
        raise error


_DONE: Final = (ExecStatus.COMMAND_OK, ExecStatus.TUPLES_OK)


def _nothing() -> None:
    """Ignore the result of a command that returns no rows."""


def _exchange(pgconn: Any, number: int) -> Generator[Any, Any, list[Any]]:
    """Send the collected commands. Return the result of each command."""
    yield from generators.send(pgconn)
    results: list[Any] = []
    for _ in range(number):
        results += yield from generators.fetch_many(pgconn)
    yield from generators.fetch_many(pgconn)  # the end of the pipeline
    return results


@lru_cache(maxsize=1024)
def _numbered(text: str) -> bytes:
    """Return a statement with numbered placeholders, as the protocol expects."""
    parts = text.split("%s")
    numbered = parts[0] + "".join(f"${number}{part}" for number, part in enumerate(parts[1:], 1))
    return numbered.encode()


# --- Limits -------------------------------------------------------------------------------------------------


REQUEST_SECONDS: Final = 3.0
"""The maximum number of seconds from the start of a request to the last answer of the database."""

MIN_SECONDS: Final = 1.2
"""The minimum number of seconds to wait for a statement, even if it starts after `REQUEST_SECONDS`."""

LOOK_SECONDS: Final = 10.0
"""Seconds to wait for a query of the event streams. Each query serves all readers."""

REPLICA_SECONDS: Final = 1.0
"""Seconds to wait for a replica's answer. After that, the primary answers the request."""

TASK_SECONDS: Final = 70.0
"""Seconds to wait for a statement of a worker's task."""

TASK_STATEMENT_SECONDS: Final = 60
"""Seconds before Postgres ends a statement of a worker's task."""

WEB_STATEMENT_SECONDS: Final = 10
"""Seconds before Postgres ends a statement of a web process with a pool.

No request waits longer than this for an answer.
"""


@dataclass(slots=True)
class WaitLimit:
    """A time limit for the database's answers: the time ``until``, but at least ``least`` seconds for each.

    ``until`` is a time of the monotonic clock. After a timeout, the database counts as ``silent``, and the
    same request or task does not query it again.
    """

    until: float
    least: float
    silent: bool = False

    @property
    def left(self) -> float:
        """The number of seconds left for the next answer of the database."""
        return max(self.until - monotonic(), self.least)


_limit: ContextVar[WaitLimit | None] = ContextVar("database limit", default=None)
_of_process: float | None = None


def current_limit() -> WaitLimit | None:
    """Return the limit of the current request or task, or None if it has no limit."""
    if (limit := _limit.get()) is not None:
        return limit
    return None if _of_process is None else WaitLimit(0.0, _of_process)


@contextmanager
def within(seconds: float, *, least: float) -> Iterator[None]:
    """Limit the time to wait for the database in a block.

    The limit is ``seconds`` for the whole block, but at least ``least`` seconds for each answer.
    """
    before = _limit.set(WaitLimit(monotonic() + seconds, least))
    try:
        yield
    finally:
        _limit.reset(before)


def limit_process(seconds: float) -> None:
    """Limit the time of each statement to ``seconds``, in this process and processes forked from it later."""
    global _of_process
    _of_process = seconds


POLL_INTERVAL: Final = 0.1
"""Seconds between two checks for interrupts during a wait. psycopg has the same value."""

SILENT: Final = "the database did not answer in time"


FRESH_SECONDS: Final = 1.0
"""The number of seconds after an answer during which an open connection counts as working."""


class Connection(psycopg.Connection[TupleRow]):
    """A connection that closes if an answer takes longer than the current limit.

    No answer may take longer than ``most`` seconds, even if the limit is longer.
    """

    most: float = inf

    _answered_at = float("-inf")

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        self.plans = Plans()

    def _deallocate(self, name: bytes | None) -> Any:
        """Drop a plan, or all plans if ``name`` is None, as in psycopg after a rollback."""
        if name is None:
            self.plans.forget()
        return super()._deallocate(name)

    def wait(self, gen: Any, interval: float = POLL_INTERVAL, timeout: float | None = None) -> Any:
        """Wait for an answer of the database.

        If the answer takes longer than the current limit, closes the connection and raises OperationalError.
        """
        answer = self._wait(gen, interval, timeout)
        self._answered_at = monotonic()
        return answer

    @property
    def has_just_answered(self) -> bool:
        """Whether the last answer is recent, and the server has not sent data or hung up since."""
        if self.closed or monotonic() - self._answered_at > FRESH_SECONDS:
            return False
        look = select.poll()
        look.register(self.pgconn.socket, select.POLLIN)
        return not look.poll(0)

    def check(self) -> None:
        if not self.has_just_answered:
            ConnectionPool.check_connection(self)

    def _wait(self, gen: Any, interval: float, timeout: float | None) -> Any:
        limit = current_limit()
        left = limit.left if limit else inf
        if timeout is not None or min(left, self.most) == inf:
            return super().wait(gen, interval, timeout)
        try:
            return super().wait(gen, interval, min(left, self.most))
        except errors._WaitTimeout:
            self.pgconn.finish()  # the next statement would get a late answer
            if limit and left <= self.most:
                limit.silent = True
            raise psycopg.OperationalError(SILENT) from None


class ReplicaConnection(Connection):
    """A connection to a replica. Its time limit is short, to leave time to ask the primary."""

    most = REPLICA_SECONDS


# --- Times that Python cannot hold --------------------------------------------------------------------------

EARLIEST: Final = datetime(1, 1, 3, tzinfo=UTC)

LATEST: Final = datetime(9999, 12, 29, tzinfo=UTC)
"""The replacement for times later than Python's range. `EARLIEST` replaces times earlier than the range.

Both times can be converted to any time zone.
"""

LONGEST_INTERVAL: Final = timedelta(days=365_000)
"""The replacement for an interval outside Python's range."""

BOUNDS_OF_TYPES: Final[dict[str, tuple[Any, Any]]] = {
    "timestamptz": (EARLIEST, LATEST),
    "date": (EARLIEST.date(), LATEST.date()),
    "interval": (-LONGEST_INTERVAL, LONGEST_INTERVAL),
}
"""The replacements for values below and above Python's range, by type."""


def read_far_times(adapters: AdaptersMap) -> None:
    """Make a connection clamp times outside Python's range.

    Otherwise, one such value would make a whole list fail.
    """
    for name, (least, most) in BOUNDS_OF_TYPES.items():
        oid = adapters.types[name].oid
        loader: Any = adapters.get_loader(oid, Format.TEXT)
        if not hasattr(loader, "out_of_range"):
            adapters.register_loader(oid, _clamped(loader, least, most))


@cache
def _clamped(loader: type[Loader], least: Any, most: Any) -> type[Loader]:
    class Clamped(Loader):
        """Reads a value, or returns the nearest value in range."""

        out_of_range = (least, most)
        timezone = getattr(loader, "timezone", None)  # for Django's check of the time zone

        def __init__(self, oid: int, context: AdaptContext | None = None) -> None:
            super().__init__(oid, context)
            self._loader = loader(oid, context)

        def load(self, data: Buffer) -> Any:
            if self.timezone is UTC and data[-3:] == b"+00":  # a time in Django's format, parsed fast
                with suppress(ValueError):
                    return datetime.fromisoformat(bytes(data).decode())
            try:
                return self._loader.load(data)
            except (DataError, OverflowError):
                text = bytes(data)
                return least if text.startswith(b"-") or text.endswith(b"BC") else most

    return Clamped


# --- Configuration ------------------------------------------------------------------------------------------


KEEPALIVE_OPTIONS: Final = {
    "connect_timeout": 10,
    "keepalives_idle": 20,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 35_000,  # milliseconds
    "options": "-c idle_in_transaction_session_timeout=60s"
    " -c tcp_keepalives_idle=20 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3",
}
"""The options of a connection, to notice within a minute that the other side no longer exists.

With the default options, that would take two hours. Meanwhile, a worker would wait for a server after a power
failure, and a game would wait for a dead worker with a lock on the game's row.
"""

POOL: Final = {"min_size": 1, "max_size": 10, "timeout": 5, "reconnect_timeout": 5}
"""The settings of a web process's pool of connections, with times in seconds.

Under ASGI without a pool, each request opens a connection, because connections do not outlive requests.
"""


PREPARES_AFTER: Final = 2
"""The number of uses of a statement before Postgres keeps its plan, if the settings allow plans."""


def configuration(
    parsed: dict[str, Any], *, pool: bool, prepares: bool = False, kind: type[Connection] = Connection
) -> dict[str, Any]:
    """Return Django's configuration of a database from its ``parsed`` address.

    With ``pool``, the connections come from a pool. With ``prepares``, Postgres keeps the plans of repeated
    statements (`queries`). ``kind`` is the class of the connections.
    """
    options = KEEPALIVE_OPTIONS | parsed.get("OPTIONS", {})
    if prepares:
        options["prepare_threshold"] = PREPARES_AFTER
    if pool:
        options["options"] += f" -c statement_timeout={WEB_STATEMENT_SECONDS}s"
        options["pool"] = POOL | {"connection_class": kind}
    return parsed | {
        "ENGINE": "roborunner.postgres",  # Django's, with the limits of this module
        "CONNECTION": kind,
        # A pooler may use another connection for each transaction, so cursors would be lost.
        "DISABLE_SERVER_SIDE_CURSORS": True,
        "CONN_HEALTH_CHECKS": not pool,  # the pool checks its connections itself
        "OPTIONS": options,
        "TEST": {"NAME": "test_roborunner"},
    }


# --- Requests -----------------------------------------------------------------------------------------------


class Limited:
    """Limits the database time of each request to an ASGI application."""

    def __init__(self, application: Callable[[Any, Any, Any], Awaitable[None]]) -> None:
        self._application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request. The threads that work on the request inherit its limit."""
        with within(REQUEST_SECONDS, least=MIN_SECONDS):
            await self._application(scope, receive, send)


def limited(application: Callable[..., Iterable[bytes]]) -> Callable[..., Iterable[bytes]]:
    """Limit the database time of each request to a WSGI application."""

    def answer(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        with within(REQUEST_SECONDS, least=MIN_SECONDS):
            return application(environ, start_response)

    return answer
