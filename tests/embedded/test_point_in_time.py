"""The recipe of docs/backups.md for any moment of the day, on a real server."""

import os
import pwd
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from embedded import paths, processes

PAGE = (Path(__file__).parents[2] / "docs/backups.md").read_text()
RECIPE = PAGE.partition("\n## Any moment of the day\n")[2]

PROGRAMS = paths.postgres_program("postgres").parent


class Machine:
    """A machine with Postgres, on which the commands of the page run. Its directories are below one place.

    It interprets the lines with ``systemctl`` itself, and needs no site: ``robo-runner`` and ``redis-cli`` do
    nothing.
    """

    def __init__(self, place: Path) -> None:
        self.data, self.archive = place / "main", place / "wal"
        self._place, self._programs = place, place / "bin"
        self._process: subprocess.Popen[bytes] | None = None
        self._environment = processes.server_environment() | {
            "PATH": f"{self._programs}:{PROGRAMS}:{os.environ['PATH']}",
            "PGHOST": str(place),
            "PGUSER": "postgres",
        }
        never_root = shlex.join(processes.command_line([], never_root=True))
        self._programs.mkdir()
        does = {"runuser": f'shift 3; exec {never_root} "$@"', "robo-runner": "", "redis-cli": ""}
        for name, line in does.items():
            (self._programs / name).write_text(f"#!/bin/sh\n{line}\n")
            (self._programs / name).chmod(0o755)
        options = ["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"]
        self._shell(shlex.join(["runuser", "-u", "postgres", "--", "initdb", *options, str(self.data)]))
        self._start()

    def take(self, block: str, **in_place: str) -> None:
        """Take the steps of a block of the page, with other words for some of its words."""
        words = {
            "/var/lib/postgresql/15": str(self._place),
            "/var/backups/postgresql": str(self._place),
            "--owner=postgres": f"--owner={'nobody' if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())[0]}",
            "$(date +%F)": "2026-11-29",
        }
        for word, other in (words | in_place).items():
            block = block.replace(word, other)
        for lines in re.split(r"^(systemctl .*)\n", block, flags=re.MULTILINE):
            if not lines.startswith("systemctl "):
                self._shell(lines)
            elif "postgresql" in lines:
                if {"stop", "restart"} & {*lines.split()}:
                    self.stop(signal.SIGINT)  # as Debian's unit does
                if {"start", "restart"} & {*lines.split()}:
                    self._start()

    def stop(self, how: signal.Signals) -> None:
        if self._process:
            processes.stop(self._process, how, timeout=60)

    def execute(self, command: str) -> list[tuple[object, ...]]:
        url = f"host={self._place} user=postgres dbname=postgres"
        with psycopg.connect(url, autocommit=True) as connection:
            done = connection.execute(command.encode())
            return done.fetchall() if done.description else []

    def _shell(self, lines: str) -> None:
        done = subprocess.run(
            ["sh", "-eu"], input=lines, env=self._environment, capture_output=True, text=True
        )
        assert done.returncode == 0, (lines, done.stderr)

    def _start(self) -> None:
        self._process = processes.start(
            [PROGRAMS / "postgres", "-D", self.data, "-k", self._place, "-h", ""],
            env=self._environment,
            log=self._place / "log",
            never_root=True,
        )
        while True:
            assert self._process.poll() is None, (self._place / "log").read_text()
            try:
                if self.execute("SELECT pg_is_in_recovery()") == [(False,)]:
                    return
            except psycopg.OperationalError:
                continue


@pytest.fixture
def machine() -> Iterator[Machine]:
    place = Path(tempfile.mkdtemp(prefix="robo-runner-wal-"))  # short, as the paths of sockets are limited
    place.chmod(0o777)  # the server does not run as root
    machine = Machine(place)
    yield machine
    machine.stop(signal.SIGQUIT)
    shutil.rmtree(place)


def test_a_server_goes_back_to_the_moment_before_a_mistake(machine: Machine) -> None:
    prepare, base, go_back = re.findall(r"^```\n(.*?)^```$", RECIPE, re.MULTILINE | re.DOTALL)
    machine.take(prepare)
    machine.execute("CREATE TABLE turns AS SELECT 1 AS number")
    take_base, thin = base.splitlines()
    machine.take(take_base)
    [start] = machine.archive.glob("*.backup")
    machine.take(thin.replace("000000010000000000000042.00000028.backup", start.name))
    machine.execute("INSERT INTO turns VALUES (2)")  # no base has this turn
    [(moment,)] = machine.execute("SELECT clock_timestamp()::text")
    machine.execute("DELETE FROM turns")
    machine.take(go_back, **{"2026-11-30 09:41:00+00": str(moment)})
    assert machine.execute("SELECT number FROM turns ORDER BY 1") == [(1,), (2,)]


def test_the_container_archives_as_one_machine_does() -> None:
    first, second = re.findall(r"archive_command ?= ?'?([^'\"\n]*)", RECIPE)
    assert first.replace("/var/backups/postgresql/wal", "/wal") == second
