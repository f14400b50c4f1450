"""Both embedded servers of one directory, of which only one supervisor at a time may run them."""

import fcntl
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from embedded import addresses
from embedded.postgres import Postgres
from embedded.problem import Problem
from embedded.redis import Redis


class Servers:
    """Those servers that the environment does not name already, as a context manager.

    ``DATABASE_URL`` and ``REDIS_URL`` in `given` stand for servers that somebody else runs.
    """

    def __init__(self, directory: Path, given: Mapping[str, str], *, forgetful: bool = False) -> None:
        self._directory = directory
        self._running: list[Postgres | Redis] = []
        self._lock = -1
        self._to_start: dict[str, Postgres | Redis] = {}
        if not given.get("DATABASE_URL"):
            self._to_start["DATABASE_URL"] = Postgres(directory, forgetful=forgetful)
        if not given.get("REDIS_URL"):
            self._to_start["REDIS_URL"] = Redis(directory, forgetful=forgetful)

    @property
    def environment(self) -> dict[str, str]:
        """The addresses of the servers started here, by the names of their variables."""
        return {name: server.url for name, server in self._to_start.items()}

    def __enter__(self) -> Self:
        try:
            if self._to_start:
                self._directory.mkdir(parents=True, exist_ok=True, mode=0o700)
                self._take_lock()
                _make_private(addresses.socket_directory(self._directory))
            for server in self._to_start.values():
                server.start()
                self._running.append(server)
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Stop the servers, Redis first, and let the next supervisor in."""
        while self._running:
            self._running.pop().stop()
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def ended(self) -> str | None:
        """The name of a server that ended by itself, if one did."""
        return next((type(server).__name__ for server in self._running if server.poll() is not None), None)

    def _take_lock(self) -> None:
        # The kernel gives the lock back when its holder dies, however it dies.
        self._lock = os.open(self._directory / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Problem(f"The servers of {self._directory} are already running.") from None


def _make_private(directory: Path) -> None:
    directory.mkdir(parents=True, exist_ok=True, mode=0o700)
    if directory.stat().st_uid != os.geteuid():
        raise Problem(f"{directory} belongs to somebody else; the sockets must not lie there.")
    directory.chmod(0o700)
