"""One embedded Postgres: a cluster in a directory, reached by a socket."""

import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import psycopg
from psycopg import sql

from embedded import addresses, binaries, children, orphans
from embedded.problem import Failure

_PATIENCE = 30.0  # seconds for the start, which may have to recover, and for the stop

# For tests: nothing that is worth keeping after a power cut.
_FORGETFUL = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off")


class Postgres:
    """The Postgres server of one directory.

    `forgetful` trades what a power cut would leave for speed: for tests. A cluster that is not there yet is
    made by `fill`, if that is given, or has an empty database.
    """

    def __init__(
        self, directory: Path, *, forgetful: bool = False, fill: Callable[[Path], None] | None = None
    ) -> None:
        self.url = addresses.database_url(directory)
        self._data = directory.resolve() / "postgres"
        self._log = directory.resolve() / "postgres.log"
        self._sockets = addresses.socket_directory(directory)
        self._forgetful = forgetful
        self._fill = fill or self._initialise
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the server and wait until its database answers; raise `Failure` if it does not."""
        if not self._data.exists():
            self._make_cluster()
        self._check_version()
        orphans.clear(self._data / "postmaster.pid", self._data, signal.SIGINT)
        for leftover in self._sockets.glob(".s.PGSQL.*"):
            leftover.unlink()
        settings = [
            "listen_addresses=",
            f"unix_socket_directories={self._sockets}",
            "unix_socket_permissions=0700",
            f"port={addresses.POSTGRES_PORT}",
            "shared_buffers=64MB",
            *(_FORGETFUL if self._forgetful else ()),
        ]
        self._process = children.start(
            [binaries.postgres("postgres"), "-D", self._data, *(f"--{setting}" for setting in settings)],
            log=self._log,
            never_root=True,
            env=children.server_environment(),
        )
        self._wait()
        self._make_database()

    def stop(self) -> None:
        """Stop the server in its fast way, which ends sessions and writes a checkpoint."""
        if self._process:
            how = signal.SIGQUIT if self._forgetful else signal.SIGINT
            children.stop(self._process, how, patience=_PATIENCE)

    def stop_at_once(self) -> None:
        """Stop the server in its immediate way: sessions end in the middle, and the next start recovers."""
        if self._process:
            children.stop(self._process, signal.SIGQUIT, patience=_PATIENCE)

    def kill(self) -> None:
        """End the server and all that it started in the middle of whatever they do, as a power cut would."""
        if self._process:
            children.kill(self._process)

    def ended(self) -> bool:
        """Whether the server was started and is gone."""
        return self._process is not None and self._process.poll() is not None

    def _make_cluster(self) -> None:
        # Beside its place, then renamed: a start that is killed here leaves no half cluster.
        unfinished = self._data.with_name("postgres.unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        self._fill(unfinished)
        unfinished.rename(self._data)

    def _initialise(self, place: Path) -> None:
        command = [
            binaries.postgres("initdb"),
            f"--pgdata={place}",
            f"--username={addresses.NAME}",
            "--auth=trust",  # only its owner may open the socket
            "--encoding=UTF8",
            "--locale-provider=builtin",
            "--builtin-locale=C.UTF-8",
            "--locale=C",
            *(("--no-sync",) if self._forgetful else ()),
        ]
        done = children.finish(command, env=children.server_environment(), never_root=True)
        if done.returncode:
            raise Failure(f"Postgres cannot make its cluster in {place}: {_last_line(done.stderr)}")

    def _check_version(self) -> None:
        version = (self._data / "PG_VERSION").read_text().strip()
        if version != str(binaries.POSTGRES_MAJOR):
            raise Failure(
                f"{self._data} was written by Postgres {version}, and this one is {binaries.POSTGRES_MAJOR}: "
                "move it by pg_dump and pg_restore, or forget it by `make clean`."
            )

    def _wait(self) -> None:
        assert self._process
        end = time.monotonic() + _PATIENCE
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
            found = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [addresses.NAME])
            if not found.fetchone():
                connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(addresses.NAME)))

    def _url_of(self, database: str) -> str:
        return self.url.rpartition("/")[0] + "/" + database


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""
