"""An embedded Postgres server and an embedded Redis server for a directory, each on a socket."""

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

import psycopg
from psycopg import sql
from redis import Redis as Client
from redis.exceptions import RedisError

from embedded import paths, processes
from embedded.paths import Failure

_POSTGRES_SECONDS = 30.0  # the time limit to start, even with a recovery, and to stop

# For tests: no data needs to survive a power cut.
_UNSAFE_SETTINGS = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off")


class Postgres:
    """The Postgres server of one directory.

    A `disposable` server is for tests: it is faster, but a power cut can lose its data. `fill` is a function
    to create a missing cluster. Without `fill`, a new cluster has an empty database.
    """

    def __init__(
        self, directory: Path, *, disposable: bool = False, fill: Callable[[Path], None] | None = None
    ) -> None:
        self.url = paths.database_url(directory)
        self._data = directory.resolve() / "postgres"
        self._log = directory.resolve() / "postgres.log"
        self._sockets = paths.socket_directory(directory)
        self._disposable = disposable
        self._fill = fill or self._initialise
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the server and wait for its database. Raises `Failure` if that fails."""
        if not self._data.exists():
            self._make_cluster()
        self._check_version()
        processes.clear_orphan(self._data / "postmaster.pid", self._data, signal.SIGINT)
        for leftover in self._sockets.glob(".s.PGSQL.*"):
            leftover.unlink()
        settings = [
            "listen_addresses=",
            f"unix_socket_directories={self._sockets}",
            "unix_socket_permissions=0700",
            f"port={paths.POSTGRES_PORT}",
            "shared_buffers=64MB",
            *(_UNSAFE_SETTINGS if self._disposable else ()),
        ]
        self._process = processes.start(
            [paths.postgres_program("postgres"), "-D", self._data, *(f"--{setting}" for setting in settings)],
            log=self._log,
            never_root=True,
            env=processes.server_environment(),
        )
        self._wait()
        self._make_database()

    def stop(self) -> None:
        """Stop the server in fast mode: sessions end, and all data is written to the disk.

        A disposable server is stopped in immediate mode.
        """
        if self._process:
            how = signal.SIGQUIT if self._disposable else signal.SIGINT
            processes.stop(self._process, how, timeout=_POSTGRES_SECONDS)

    def stop_at_once(self) -> None:
        """Stop the server in immediate mode: sessions break, and the next start recovers the data."""
        if self._process:
            processes.stop(self._process, signal.SIGQUIT, timeout=_POSTGRES_SECONDS)

    def kill(self) -> None:
        """Kill the server and all its children at once, like a power cut."""
        if self._process:
            processes.kill(self._process)

    def ended(self) -> bool:
        """Return whether the server was started and has ended."""
        return self._process is not None and self._process.poll() is not None

    def _make_cluster(self) -> None:
        # Build it elsewhere and rename it, so that a killed start leaves no half cluster.
        unfinished = self._data.with_name("postgres.unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        self._fill(unfinished)
        unfinished.rename(self._data)

    def _initialise(self, place: Path) -> None:
        command = [
            paths.postgres_program("initdb"),
            f"--pgdata={place}",
            f"--username={paths.NAME}",
            "--auth=trust",  # only its owner may open the socket
            "--encoding=UTF8",
            "--locale-provider=builtin",
            "--builtin-locale=C.UTF-8",
            "--locale=C",
            *(("--no-sync",) if self._disposable else ()),
        ]
        done = processes.finish(command, env=processes.server_environment(), never_root=True)
        if done.returncode:
            raise Failure(f"Postgres cannot make its cluster in {place}: {_last_line(done.stderr)}")

    def _check_version(self) -> None:
        version = (self._data / "PG_VERSION").read_text().strip()
        if version != str(paths.POSTGRES_MAJOR):
            raise Failure(
                f"{self._data} was written by Postgres {version}, and this one is {paths.POSTGRES_MAJOR}: "
                "move it by pg_dump and pg_restore, or forget it by `make clean`."
            )

    def _wait(self) -> None:
        assert self._process
        end = time.monotonic() + _POSTGRES_SECONDS
        while True:
            try:
                psycopg.connect(self._url_of("postgres"), connect_timeout=5).close()
                return
            except psycopg.OperationalError as error:
                if self._process.poll() is not None or time.monotonic() > end:
                    self.stop()
                    text = self._log.read_text(errors="replace")
                    fatal = re.findall(r"FATAL:\s+(.*)", text)
                    reason = fatal[-1] if fatal else _last_line(text) or str(error)
                    raise Failure(f"Postgres does not start: {reason} (see {self._log})") from error
            time.sleep(0.02)

    def _make_database(self) -> None:
        with psycopg.connect(self._url_of("postgres"), autocommit=True) as connection:
            found = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [paths.NAME])
            if not found.fetchone():
                connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(paths.NAME)))

    def _url_of(self, database: str) -> str:
        return self.url.rpartition("/")[0] + "/" + database


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""


_REDIS_SECONDS = 15.0  # the time limit to start and to stop
_DATABASES = 64  # one for each parallel worker of a test run


class Redis:
    """The Redis server of one directory.

    A `disposable` server is for tests: it stores no data on the disk.
    """

    def __init__(self, directory: Path, *, disposable: bool = False) -> None:
        self.url = paths.redis_url(directory)
        self._socket = paths.redis_socket(directory)
        self._data = directory.resolve() / "redis"
        self._log = directory.resolve() / "redis.log"
        self._disposable = disposable
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the server and wait until it answers. Raises `Failure` if that fails."""
        self._data.mkdir(exist_ok=True)
        pid_file = self._data / "redis.pid"
        processes.clear_orphan(pid_file, self._data, signal.SIGTERM)
        self._socket.unlink(missing_ok=True)
        options = {
            "port": "0",
            "unixsocket": self._socket,
            "unixsocketperm": "700",
            "dir": self._data,
            "pidfile": pid_file,
            "databases": _DATABASES,
            "set-proc-title": "no",  # so that orphans can be recognised
            "save": "",
            "appendonly": "no" if self._disposable else "yes",
        }
        flags = [str(part) for name, value in options.items() for part in (f"--{name}", value)]
        self._process = processes.start(
            [paths.redis_program(), *flags], log=self._log, env=processes.server_environment()
        )
        self._wait()

    def stop(self) -> None:
        """Stop the server. The data stays on the disk, unless the server is disposable."""
        if self._process:
            processes.stop(self._process, signal.SIGTERM, timeout=_REDIS_SECONDS)

    def kill(self, *, forgetting: bool = False) -> None:
        """Kill the server at once. If `forgetting` is true, also delete the server's data."""
        if self._process:
            processes.kill(self._process)
        if forgetting:
            shutil.rmtree(self._data, ignore_errors=True)

    def ended(self) -> bool:
        return self._process is not None and self._process.poll() is not None

    def _wait(self) -> None:
        assert self._process
        end = time.monotonic() + _REDIS_SECONDS
        while True:
            try:
                with Client.from_url(self.url) as client:
                    client.ping()
                return
            except RedisError as error:
                if self._process.poll() is not None or time.monotonic() > end:
                    self.stop()
                    lines = self._log.read_text(errors="replace").strip().splitlines()
                    reason = lines[-1] if lines else str(error)
                    raise Failure(f"Redis does not start: {reason} (see {self._log})") from error
            time.sleep(0.02)


class Servers:
    """A context manager that runs embedded servers, unless the environment names external servers.

    ``DATABASE_URL`` and ``REDIS_URL`` in `given` are the addresses of external servers. `disposable` and
    `fill` are as for `Postgres`.
    """

    def __init__(
        self,
        directory: Path,
        given: Mapping[str, str],
        *,
        disposable: bool = False,
        fill: Callable[[Path], None] | None = None,
    ) -> None:
        self._directory = directory
        self._stack = ExitStack()
        self._servers: dict[str, Postgres | Redis] = {}
        if not given.get("DATABASE_URL"):
            self._servers["DATABASE_URL"] = Postgres(directory, disposable=disposable, fill=fill)
        if not given.get("REDIS_URL"):
            self._servers["REDIS_URL"] = Redis(directory, disposable=disposable)

    @property
    def environment(self) -> dict[str, str]:
        """The addresses of the embedded servers, by variable: ``DATABASE_URL`` and ``REDIS_URL``."""
        return {name: server.url for name, server in self._servers.items()}

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            stack.enter_context(processes.directory_lock(self._directory))
            _make_private(paths.socket_directory(self._directory))
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
        """Return the name of a server that ended unexpectedly, or None."""
        return next((type(server).__name__ for server in self._servers.values() if server.ended()), None)


def _make_private(directory: Path) -> None:
    directory.mkdir(parents=True, exist_ok=True, mode=0o700)
    if directory.stat().st_uid != os.geteuid():
        raise Failure(f"{directory} belongs to someone else; the sockets must not lie there.")
    directory.chmod(0o700)
