"""Debian's own PostgreSQL, as on fresh servers."""

import os
import shutil
import subprocess
from pathlib import Path

import psycopg
import pytest

from embedded import paths, processes

PACKAGES = {
    "postgresql-15": paths.DEBIAN / "15/bin/postgres",
    "redis-server": Path("/usr/bin/redis-server"),
    "caddy": Path("/usr/bin/caddy"),
    "pgbouncer": Path("/usr/sbin/pgbouncer"),
    "rclone": Path("/usr/bin/rclone"),
    "openssh-server": Path("/usr/sbin/sshd"),
    "age": Path("/usr/bin/age"),
}


def require(*packages: str) -> None:
    """Skip the test unless the given Debian packages are installed. In CI, fail instead."""
    missing = [package for package in packages if not PACKAGES[package].exists()]
    if missing and os.environ.get("CI") != "true":
        pytest.skip(f"Debian's packages {', '.join(missing)} are not installed: see docs/operations.md")
    assert not missing, f".ci/run has to install {', '.join(missing)}"


class DebianPostgres:
    """A new PostgreSQL 15 on a Unix socket, with the superuser `postgres`."""

    def __init__(self, directory: Path) -> None:
        require("postgresql-15")
        self._directory = directory
        self._programs = PACKAGES["postgresql-15"].parent
        self._process: subprocess.Popen[bytes] | None = None

    def url(self, role: str = "postgres", database: str = "postgres") -> str:
        return f"postgresql://{role}@/{database}?host={self._directory}&port=5432"

    def start(self) -> None:
        """Create the cluster, and start the server."""
        data = self._directory / "data"
        made = processes.finish(
            [
                self._programs / "initdb",
                f"--pgdata={data}",
                "--username=postgres",
                "--auth=trust",
                "--encoding=UTF8",
                "--locale=C.UTF-8",
                "--no-sync",
            ],
            env=processes.server_environment(),
            never_root=True,
        )
        assert made.returncode == 0, made.stderr
        self._process = processes.start(
            [self._programs / "postgres", "-D", data, "-k", self._directory, "-h", "", "-F"],
            env=processes.server_environment(),
            log=self._directory / "log",
            never_root=True,
        )
        while True:
            try:
                psycopg.connect(self.url()).close()
                return
            except psycopg.OperationalError:
                assert self._process.poll() is None, (self._directory / "log").read_text()

    def stop(self) -> None:
        if self._process:
            processes.kill(self._process)
        shutil.rmtree(self._directory, ignore_errors=True)
