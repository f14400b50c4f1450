"""PgBouncer in front of Postgres, as `deploy/pgbouncer.ini` has it."""

import os
import re
import shutil
import signal
import subprocess
from pathlib import Path
from urllib.parse import quote

from bench.faults.machine import PROJECT, Part
from embedded import addresses, children
from embedded.problem import Failure

RECIPE = PROJECT / "deploy/pgbouncer.ini"
PORT = 6432  # names the socket


class Pooler(Part):
    """PgBouncer: killed. Whoever is connected by it has to connect again."""

    name = "pooler"
    ways = ("killed",)

    def __init__(self, directory: Path) -> None:
        super().__init__()
        self._directory = directory.resolve()
        self._postgres = addresses.socket_directory(directory)
        self._sockets = self._postgres / "pooler"
        self._process: subprocess.Popen[bytes] | None = None
        self.url = (
            f"postgresql://{addresses.NAME}@{quote(str(self._sockets), safe='')}:{PORT}/{addresses.NAME}"
        )

    def _start(self) -> None:
        program = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")
        if program is None:
            raise Failure("PgBouncer is not installed: on Debian, apt-get install pgbouncer.")
        self._sockets.mkdir(exist_ok=True)
        for leftover in self._sockets.iterdir():
            leftover.unlink()
        place = self._directory / "pgbouncer.ini"
        place.write_text(self._recipe())
        self._process = children.start(
            [program, place], env=dict(os.environ), log=self._directory / "pgbouncer.log", never_root=True
        )

    def _recipe(self) -> str:
        """Return what the recipe says, for the servers of this directory: what comes last holds."""
        recipe = RECIPE.read_text()
        limits = re.search(r"connect_query='[^']+'", recipe)
        assert limits
        return (
            f"{recipe}\nlisten_addr =\nauth_type = any\nunix_socket_dir = {self._sockets}\n"
            f"[databases]\n{addresses.NAME} = host={self._postgres} port={addresses.POSTGRES_PORT}"
            f" user={addresses.NAME} {limits[0]}\n"
        )

    def _kill(self, how: str) -> None:
        assert self._process
        children.kill(self._process)

    def _stop(self) -> None:
        if self._process:
            children.stop(self._process, signal.SIGTERM, patience=10)

    def _ended(self) -> str:
        assert self._process
        status = self._process.poll()
        return "" if status is None else f"pooler ended with status {status}"

    def _ready(self) -> bool:
        return (self._sockets / f".s.PGSQL.{PORT}").exists()
