"""Both embedded servers of one directory."""

import os
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from embedded import addresses, lock
from embedded.postgres import Postgres
from embedded.problem import Failure
from embedded.redis import Redis


class Servers:
    """Those servers that the environment does not name already, as a context manager.

    ``DATABASE_URL`` and ``REDIS_URL`` in `given` stand for servers that someone else runs. A cluster that is
    not there yet is made by `fill`, if that is given.
    """

    def __init__(
        self,
        directory: Path,
        given: Mapping[str, str],
        *,
        forgetful: bool = False,
        fill: Callable[[Path], None] | None = None,
    ) -> None:
        self._directory = directory
        self._stack = ExitStack()
        self._servers: dict[str, Postgres | Redis] = {}
        if not given.get("DATABASE_URL"):
            self._servers["DATABASE_URL"] = Postgres(directory, forgetful=forgetful, fill=fill)
        if not given.get("REDIS_URL"):
            self._servers["REDIS_URL"] = Redis(directory, forgetful=forgetful)

    @property
    def environment(self) -> dict[str, str]:
        """The addresses of the servers started here, by the names of their variables."""
        return {name: server.url for name, server in self._servers.items()}

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            stack.enter_context(lock.held(self._directory))
            _make_private(addresses.socket_directory(self._directory))
            for server in self._servers.values():
                stack.callback(server.stop)
                server.start()
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._stack.close()

    def ended(self) -> str | None:
        """The name of a server that ended by itself, if one did."""
        return next((type(server).__name__ for server in self._servers.values() if server.ended()), None)


def _make_private(directory: Path) -> None:
    directory.mkdir(parents=True, exist_ok=True, mode=0o700)
    if directory.stat().st_uid != os.geteuid():
        raise Failure(f"{directory} belongs to someone else; the sockets must not lie there.")
    directory.chmod(0o700)
