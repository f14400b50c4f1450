"""The backend that the settings name as ``roborunner.postgres``."""

from math import inf
from typing import Any

import psycopg
from django.db.backends.postgresql import base
from django.db.backends.postgresql.psycopg_any import IsolationLevel
from django.utils.asyncio import async_unsafe
from psycopg_pool import PoolTimeout

from roborunner.postgres import limits
from roborunner.postgres.limits import SILENT, Connection


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's own, with connections that wait no longer than `limits` say."""

    @async_unsafe
    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Make a connection, or take one from the pool."""
        self.isolation_level = IsolationLevel.READ_COMMITTED
        limit = limits.current()
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
        limits.read_far_times(self.connection.adapters)

    @property
    def _kind(self) -> type[Connection]:
        kind: type[Connection] = self.settings_dict.get("CONNECTION", Connection)
        return kind

    def _connect(self, conn_params: dict[str, Any], left: float) -> Any:
        if self.pool:
            self.pool.open()
            return self.pool.getconn(timeout=None if left == inf else left)
        if left < inf:
            most = conn_params.get("connect_timeout", 10)
            conn_params = conn_params | {"connect_timeout": min(most, max(2, int(left)))}
        return self._kind.connect(**conn_params)
