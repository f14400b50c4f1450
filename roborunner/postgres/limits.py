"""Limits that Postgres does not know: how long work may wait for an answer, and which times Python can hold.

A page waits seconds for the database, a task of a worker longer, a command without end.
Postgres itself ends a statement that takes too long (`statement_timeout`), but not while it is frozen: by a
disk that hangs, a machine that was suspended, or a signal. These limits hold on our side of the connection.

Times out of range are read as the first or the last day that both know.
"""

import select
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from math import inf
from time import monotonic
from typing import Any, Final

import psycopg
from psycopg import DataError, errors
from psycopg.abc import AdaptContext, Buffer
from psycopg.adapt import AdaptersMap, Loader
from psycopg.pq import Format
from psycopg.rows import TupleRow
from psycopg_pool import ConnectionPool

from roborunner.postgres.together import Plans

REQUEST: Final = 3.0
"""Seconds after the start of a request until which any answer of the database may come."""

LATE: Final = 1.2
"""Seconds that a statement may take all the same which a request begins later than that."""

LOOK: Final = 10.0
"""Seconds that a statement of the streams may take, which look for all who watch."""

REPLICA: Final = 1.0
"""Seconds that a replica may take: then the first server is asked, within the same request."""

TASK: Final = 70.0
"""Seconds that a statement of a worker's task may take."""

TASK_STATEMENT: Final = 60
"""Seconds after which Postgres ends a statement of a task by itself."""

WEB_STATEMENT: Final = 10
"""The same for a web process that keeps a pool of connections: no one waits for the answer any more."""


@dataclass(slots=True)
class WaitLimit:
    """Answers may come until the time ``until``, and each within ``least`` seconds even after that.

    Once the database was ``silent`` for that long, the rest of the work does not ask it again.
    """

    until: float
    least: float
    silent: bool = False

    @property
    def left(self) -> float:
        """The seconds that the next answer may take."""
        return max(self.until - monotonic(), self.least)


_limit: ContextVar[WaitLimit | None] = ContextVar("database limit", default=None)
_of_process: float | None = None


def current() -> WaitLimit | None:
    """Return the limit of the work under way; None where it may take as long as it takes."""
    if (limit := _limit.get()) is not None:
        return limit
    return None if _of_process is None else WaitLimit(0.0, _of_process)


@contextmanager
def within(seconds: float, *, least: float) -> Iterator[None]:
    """Limit how long what follows waits for the database; see `WaitLimit`."""
    before = _limit.set(WaitLimit(monotonic() + seconds, least))
    try:
        yield
    finally:
        _limit.reset(before)


def limit_process(seconds: float) -> None:
    """Limit how long each statement of this process may take, and of the processes that it forks."""
    global _of_process
    _of_process = seconds


INTERVAL: Final = 0.1
"""Seconds between two looks whether the wait was interrupted, as psycopg has it."""

SILENT: Final = "the database did not answer in time"


MOMENT: Final = 1.0
"""Seconds for which a connection counts as one that holds after an answer, unless its end is known."""


class Connection(psycopg.Connection[TupleRow]):
    """A connection that is given up when an answer takes longer than the work under way can wait.

    No answer may take longer than ``most`` seconds, however long the work has.
    """

    most: float = inf

    _answered_at = float("-inf")

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        self.plans = Plans()

    def _deallocate(self, name: bytes | None) -> Any:
        """Drop a plan, or all: psycopg does so after a rollback, with those that it does not know of."""
        if name is None:
            self.plans.forget()
        return super()._deallocate(name)

    def wait(self, gen: Any, interval: float = INTERVAL, timeout: float | None = None) -> Any:
        """Wait for an answer; where that takes too long, close the connection and raise OperationalError."""
        answer = self._wait(gen, interval, timeout)
        self._answered_at = monotonic()
        return answer

    @property
    def has_just_answered(self) -> bool:
        """Whether an answer came a moment ago, and nothing since, such as that Postgres has hung up."""
        if self.closed or monotonic() - self._answered_at > MOMENT:
            return False
        look = select.poll()
        look.register(self.pgconn.socket, select.POLLIN)
        return not look.poll(0)

    def check(self) -> None:
        """Raise OperationalError unless the connection holds."""
        if not self.has_just_answered:
            ConnectionPool.check_connection(self)

    def _wait(self, gen: Any, interval: float, timeout: float | None) -> Any:
        limit = current()
        left = limit.left if limit else inf
        if timeout is not None or min(left, self.most) == inf:
            return super().wait(gen, interval, timeout)
        try:
            return super().wait(gen, interval, min(left, self.most))
        except errors._WaitTimeout:
            self.pgconn.finish()  # an answer that comes now would be taken for that of the next statement
            if limit and left <= self.most:
                limit.silent = True
            raise psycopg.OperationalError(SILENT) from None


class ReplicaConnection(Connection):
    """A connection to a replica, which is given up soon: the first server has to have time to answer."""

    most = REPLICA


# --- Times that Python cannot hold --------------------------------------------------------------------------

LONG_AGO: Final = datetime(1, 1, 3, tzinfo=UTC)

FAR: Final = datetime(9999, 12, 29, tzinfo=UTC)
"""With the one before it leaves room for any time zone."""

LONGEST: Final = timedelta(days=365_000)
"""What an interval counts as that Python cannot hold."""

VALUES: Final[dict[str, tuple[Any, Any]]] = {
    "timestamptz": (LONG_AGO, FAR),
    "date": (LONG_AGO.date(), FAR.date()),
    "interval": (-LONGEST, LONGEST),
}
"""The least and the greatest value of each type that is read in place of one out of range."""


def read_far_times(adapters: AdaptersMap) -> None:
    """Have a connection read what is out of range, rather than fail with the whole list that it is in."""
    for name, (least, most) in VALUES.items():
        oid = adapters.types[name].oid
        loader: Any = adapters.get_loader(oid, Format.TEXT)
        if not hasattr(loader, "out_of_range"):
            adapters.register_loader(oid, _clamped(loader, least, most))


@cache
def _clamped(loader: type[Loader], least: Any, most: Any) -> type[Loader]:
    class Clamped(Loader):
        """Reads what can be read, and the nearest value for what cannot."""

        out_of_range = (least, most)
        timezone = getattr(loader, "timezone", None)  # by which Django knows whether it is the right one

        def __init__(self, oid: int, context: AdaptContext | None = None) -> None:
            super().__init__(oid, context)
            self._loader = loader(oid, context)

        def load(self, data: Buffer) -> Any:
            if self.timezone is UTC and data[-3:] == b"+00":  # a time as Django has it, the quick way
                with suppress(ValueError):
                    return datetime.fromisoformat(bytes(data).decode())
            try:
                return self._loader.load(data)
            except (DataError, OverflowError):
                text = bytes(data)
                return least if text.startswith(b"-") or text.endswith(b"BC") else most

    return Clamped
