"""How long work may wait for the database: a page seconds, a task of a worker longer, a command without end.

Postgres itself ends a statement that takes too long (`statement_timeout`), but not while it is frozen: by a
disk that hangs, a machine that was suspended, or a signal. These limits hold on our side of the connection.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from time import monotonic
from typing import Final

REQUEST: Final = 3.5
"""Seconds after the start of a request until which any answer of the database may come."""

LATE: Final = 1.2
"""Seconds that a statement may take all the same which a request begins later than that."""

LOOK: Final = 10.0
"""Seconds that a statement of the streams may take, which look for all who watch."""

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
