"""The backend that the settings name as ``roborunner.postgres``."""

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
    """A cursor whose statements may be prepared: their values are given beside them."""

    def execute(self, query: Any, params: Any = None, **options: Any) -> Any:
        """Run a statement. If a migration has changed its columns, keep no more plans."""
        try:
            return super().execute(query, params, **options)
        except psycopg.errors.FeatureNotSupported:
            self.connection.prepare_threshold = None
            raise


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's own, with connections that wait no longer than `limits` say."""

    @async_unsafe
    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Make a connection, or take one from the pool."""
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
        """Have a new connection read times that Python cannot hold."""
        super().init_connection_state()
        connections.read_far_times(self.connection.adapters)

    @property
    def _kind(self) -> type[Connection]:
        kind: type[Connection] = self.settings_dict.get("CONNECTION", Connection)
        return kind

    @async_unsafe
    def prepared_cursor(self) -> Any:
        """Return a cursor whose statements Postgres plans once for each connection, where it may be asked to.

        Their values are given beside them, so each must have a place where Postgres can tell its type.
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
        """Whether Postgres may be asked to plan a statement once for each connection."""
        self.ensure_connection()
        return self.connection.prepare_threshold is not None

    @async_unsafe
    def run_together(self, statements: Sequence[connections.Statement]) -> list[list[connections.Row]]:
        """Give Postgres statements in one message, planned once; return the rows of each."""
        self.close_if_health_check_failed()
        self.ensure_connection()
        self.validate_no_broken_transaction()
        if self.queries_logged:
            self.queries_log.append({"sql": ";\n".join(text for text, _ in statements), "time": "0"})
        with self.wrap_database_errors:
            return connections.run_together(self.connection, statements)

    @contextmanager
    def reading_one_state(self) -> Iterator[None]:
        """Make each transaction of the block read one snapshot, and write nothing."""
        self.ensure_connection()
        connection = self.connection
        connection.isolation_level, connection.read_only = IsolationLevel.REPEATABLE_READ, True
        try:
            yield
        finally:
            if not connection.closed:
                connection.isolation_level, connection.read_only = self.isolation_level, None

    def is_usable(self) -> bool:
        """Return whether the connection holds; one that answered a moment ago is not asked again."""
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
        """Take a connection from the pool that holds; it makes others in place of those that do not."""
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
