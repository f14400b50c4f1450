"""Run PgBouncer in front of Postgres, with the configuration of `deploy/pgbouncer.ini`."""

import os
import re
import shutil
from pathlib import Path
from random import Random
from urllib.parse import quote

from bench.faults.machine import PROJECT, Process
from embedded import paths, processes
from embedded.paths import Failure

RECIPE = PROJECT / "deploy/pgbouncer.ini"
PORT = 6432  # appears only in the socket's name


class Pooler(Process):
    """PgBouncer. If the test kills it, all its clients must reconnect."""

    def __init__(self, directory: Path) -> None:
        super().__init__("pooler", [], directory, Random(0))
        self._directory = directory.resolve()
        self._postgres = paths.socket_directory(directory)
        self._sockets = self._postgres / "pooler"
        self.url = f"postgresql://{paths.NAME}@{quote(str(self._sockets), safe='')}:{PORT}/{paths.NAME}"

    def _start(self) -> None:
        program = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")
        if program is None:
            raise Failure("PgBouncer is not installed: on Debian, apt-get install pgbouncer.")
        self._sockets.mkdir(exist_ok=True)
        for leftover in self._sockets.iterdir():
            leftover.unlink()
        place = self._directory / "pgbouncer.ini"
        place.write_text(self._recipe())
        self._process = processes.start(
            [program, place], env=dict(os.environ), log=self._log, never_root=True
        )

    def _recipe(self) -> str:
        """Return PgBouncer's configuration, followed by the settings for this directory.

        If a setting occurs twice, PgBouncer uses the last one.
        """
        recipe = RECIPE.read_text()
        limits = re.search(r"connect_query='[^']+'", recipe)
        assert limits
        return (
            f"{recipe}\nlisten_addr =\nauth_type = any\nunix_socket_dir = {self._sockets}\n"
            f"[databases]\n{paths.NAME} = host={self._postgres} port={paths.POSTGRES_PORT}"
            f" user={paths.NAME} {limits[0]}\n"
        )

    def _ready(self) -> bool:
        return (self._sockets / f".s.PGSQL.{PORT}").exists()
