"""A connection to Postgres that is given up when an answer takes longer than the work under way can wait."""

from typing import Any, Final

import psycopg
from psycopg import errors
from psycopg.rows import TupleRow

from roborunner.postgres import limits

INTERVAL: Final = 0.1
"""Seconds between two looks whether the wait was interrupted, as psycopg has it."""

SILENT: Final = "the database did not answer in time"


class Connection(psycopg.Connection[TupleRow]):
    """A connection whose statements wait for an answer as long as `limits` say."""

    def wait(self, gen: Any, interval: float = INTERVAL, timeout: float | None = None) -> Any:
        """Wait for an answer; where that takes too long, close the connection and raise OperationalError."""
        limit = limits.current()
        if limit is None or timeout is not None:
            return super().wait(gen, interval, timeout)
        try:
            return super().wait(gen, interval, limit.left)
        except errors._WaitTimeout:
            self.pgconn.finish()  # an answer that comes now would be taken for that of the next statement
            limit.silent = True
            raise psycopg.OperationalError(SILENT) from None
