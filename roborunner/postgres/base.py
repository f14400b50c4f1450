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
    """A cursor for prepared statements: their values are sent separately."""

    def execute(self, query: Any, params: Any = None, **options: Any) -> Any:
        """Run a statement. Stop keeping plans if a migration has changed its columns."""
        try:
            return super().execute(query, params, **options)
        except psycopg.errors.FeatureNotSupported:
            self.connection.prepare_threshold = None
            raise


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's wrapper, with limited waiting times (`connections`)."""

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
        """Make a new connection accept times outside Python's range."""
        super().init_connection_state()
        connections.read_far_times(self.connection.adapters)

    @property
    def _kind(self) -> type[Connection]:
        kind: type[Connection] = self.settings_dict.get("CONNECTION", Connection)
        return kind

    @async_unsafe
    def prepared_cursor(self) -> Any:
        """Return a cursor for statements planned once for each connection, if allowed.

        Values are sent separately, so Postgres must be able to tell the type of each placeholder.
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
        """Whether Postgres may plan a statement once for each connection."""
        self.ensure_connection()
        return self.connection.prepare_threshold is not None

    @async_unsafe
    def run_together(self, statements: Sequence[connections.Statement]) -> list[list[connections.Row]]:
        """Send statements in one message, planned once. Return the rows of each."""
        self.close_if_health_check_failed()
        self.ensure_connection()
        self.validate_no_broken_transaction()
        if self.queries_logged:
            self.queries_log.append({"sql": ";\n".join(text for text, _ in statements), "time": "0"})
        with self.wrap_database_errors:
            return connections.run_together(self.connection, statements)

    @contextmanager
    def reading_one_state(self) -> Iterator[None]:
        """Make each transaction of the block read one snapshot, read-only."""
        self.ensure_connection()
        connection = self.connection
        connection.isolation_level, connection.read_only = IsolationLevel.REPEATABLE_READ, True
        try:
            yield
        finally:
            if not connection.closed:
                connection.isolation_level, connection.read_only = self.isolation_level, None

    def is_usable(self) -> bool:
        """Return whether the connection works. Skip the check if it answered recently."""
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
        """Take a working connection from the pool. The pool replaces broken ones."""
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
