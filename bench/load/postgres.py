"""Measure the speed of Postgres on this machine with pgbench. Its transactions resemble TPC-B."""

import os
import re
import subprocess

import psycopg

from embedded import paths, processes
from embedded.paths import Failure

NAME = "pgbench"

CLIENTS = 4


def prepare(url: str, branches: int) -> None:
    """Create pgbench's tables in a new database. Each branch has 100,000 accounts."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {NAME}")
        connection.execute(f"CREATE DATABASE {NAME}")
    _pgbench(url, "--initialize", "--quiet", f"--scale={branches}")


def transactions(url: str, seconds: int) -> float:
    """Run pgbench for this number of seconds. Return the number of transactions per second."""
    told = _pgbench(url, f"--client={CLIENTS}", "--jobs=2", f"--time={seconds}")
    found = re.search(r"tps = ([\d.]+)", told)
    assert found, told
    return float(found.group(1))


def _pgbench(url: str, *options: str) -> str:
    command = [paths.postgres_program(NAME), *options, url.rpartition("/")[0] + f"/{NAME}"]
    done = subprocess.run(
        processes.command_line(command),
        env={**processes.server_environment(), "PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise Failure(f"pgbench failed: {done.stderr.strip()}")
    return done.stdout
