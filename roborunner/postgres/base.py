"""The database backend, named ``roborunner.postgres`` in the settings."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import inf
from time import monotonic
from typing import Any

import psycopg
from django.db.backends.postgresql import base
from django.db.backends.postgresql.psycopg_any import IsolationLevel
from django.utils.asyncio import async_unsafe
from psycopg_pool import PoolTimeout

from roborunner.postgres import connections
from roborunner.postgres.connections import SILENT, Connection


class PreparingCursor(base.CursorMixin, psycopg.Cursor[Any]):
    """A cursor for prepared statements. It sends a statement's values separately from its text."""

    def execute(self, query: Any, params: Any = None, **options: Any) -> Any:
        """Run a statement.

        If a migration has changed the columns of the result, raises FeatureNotSupported. From then on, the
        connection prepares no statements.
        """
        try:
            return super().execute(query, params, **options)
        except psycopg.errors.FeatureNotSupported:
            self.connection.prepare_threshold = None
            raise


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's wrapper of a connection, with limits on waiting times (`connections`)."""

    @async_unsafe
    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        self.isolation_level = IsolationLevel.READ_COMMITTED
        limit = connections.current_limit()
        if limit and limit.silent:
            raise psycopg.OperationalError(SILENT)
        try:
            return self._connect(conn_params, min(limit.left if limit else inf, self._kind.most))
        except (psycopg.errors.ConnectionTimeout, PoolTimeout):
            if limit and self._kind.most == inf:
                limit.silent = True
            raise

    def init_connection_state(self) -> None:
        """Set up a new connection. Make it clamp times outside Python's range."""
        super().init_connection_state()
        connections.read_far_times(self.connection.adapters)

    @property
    def _kind(self) -> type[Connection]:
        kind: type[Connection] = self.settings_dict.get("CONNECTION", Connection)
        return kind

    @async_unsafe
    def prepared_cursor(self) -> Any:
        """Return a cursor for statements that Postgres plans once for each connection.

        The cursor sends values separately from the statement, so Postgres must be able to tell the type of
        each placeholder. If the settings do not allow such cursors, returns an ordinary cursor.
        """
        self.close_if_health_check_failed()
        self.ensure_connection()
        plain = self.connection.cursor_factory
        if self.connection.prepare_threshold is not None:
            self.connection.cursor_factory = PreparingCursor
        try:
            return self.cursor()
        finally:
            self.connection.cursor_factory = plain

    @property
    def keeps_plans(self) -> bool:
        """Whether Postgres may keep the plans of this connection's statements."""
        self.ensure_connection()
        return self.connection.prepare_threshold is not None

    @async_unsafe
    def run_together(self, statements: Sequence[connections.Statement]) -> list[list[connections.Row]]:
        """Send statements in one message. Return the rows of each statement.

        Postgres keeps the plans of repeated statements.
        """
        self.close_if_health_check_failed()
        self.ensure_connection()
        self.validate_no_broken_transaction()
        if self.queries_logged:
            self.queries_log.append({"sql": ";\n".join(text for text, _ in statements), "time": "0"})
        with self.wrap_database_errors:
            return connections.run_together(self.connection, statements)

    @contextmanager
    def reading_one_state(self) -> Iterator[None]:
        """Make each transaction in the block read-only, and let it read only one snapshot of the database."""
        self.ensure_connection()
        connection = self.connection
        connection.isolation_level, connection.read_only = IsolationLevel.REPEATABLE_READ, True
        try:
            yield
        finally:
            if not connection.closed:
                connection.isolation_level, connection.read_only = self.isolation_level, None

    def is_usable(self) -> bool:
        """Return whether the connection works. A connection that answered recently is not checked."""
        return (self.connection is not None and self.connection.has_just_answered) or super().is_usable()

    def _connect(self, conn_params: dict[str, Any], left: float) -> Any:
        if self.pool:
            self.pool.open()
            return self._from_pool(left)
        if left < inf:
            most = conn_params.get("connect_timeout", 10)
            conn_params = conn_params | {"connect_timeout": min(most, max(2, int(left)))}
        return self._kind.connect(**conn_params)

    def _from_pool(self, left: float) -> Any:
        """Take a working connection from the pool. The pool replaces broken connections."""
        until = monotonic() + left
        while True:
            taken = self.pool.getconn(timeout=None if left == inf else max(until - monotonic(), 0))
            try:
                taken.check()
            except psycopg.Error:
                self.pool.putconn(taken)
                limit = connections.current_limit()
                if monotonic() >= until or (limit and limit.silent):
                    raise
            else:
                return taken
