"""Backup, restore and check of the site's database: that of ``DATABASE_URL``, or the embedded one.

All is done by ``manage.py``; what is added here is that the embedded servers run meanwhile.
"""

import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import psycopg

from embedded import addresses, backup, children, secret
from embedded.managing import PROJECT, manage
from embedded.problem import Failure
from embedded.servers import Servers

Given = Mapping[str, str]


def call(directory: Path, given: Given, *command: str) -> int:
    """Run one of Django's commands on the site's database, which says itself how it went; return its status.

    Raises `Failure` where there is no database.
    """
    with _environment(directory, given) as environment:
        line = children.command_line([sys.executable, PROJECT / "manage.py", *command])
        return subprocess.run(line, env=environment, check=False).returncode


def check(directory: Path, given: Given, name: str | None) -> str:
    """Check the site's database, or one beside it; return what was found, where all is well."""
    with _environment(directory, given) as environment:
        url = environment["DATABASE_URL"]
        return check_database(backup.beside(url, name) if name else url, environment)


def check_database(url: str, environment: Mapping[str, str]) -> str:
    """Check whether a database has the tables of this release, and all its games are sound; say so.

    Raises `Failure` with what is not.
    """
    told = {**environment, "DATABASE_URL": url}
    try:
        manage(told, "migrate", "--check", "--skip-checks")
    except Failure as problem:
        raise Failure(
            f"{problem}\nThe database is not as this release has it: run `manage.py migrate` on it."
        ) from None
    return manage(told, "check_games", "--skip-checks").strip()


@contextmanager
def _environment(directory: Path, given: Given) -> Iterator[dict[str, str]]:
    """Give the environment of commands; embedded servers are started for as long as needed.

    Raises `Failure` where there is no database.
    """
    url = addresses.database_url(directory)
    environment = {"DATABASE_URL": url, "REDIS_URL": addresses.redis_url(directory), **given}
    if given.get("DATABASE_URL") or _answers(url):
        yield {"SECRET_KEY": secret.key(directory), **environment}
        return
    if not (directory / "postgres").exists():
        raise Failure(f"There is no database in {directory}, and DATABASE_URL names none.")
    with Servers(directory, given):
        yield {"SECRET_KEY": secret.key(directory), **environment}


def _answers(url: str) -> bool:
    try:
        psycopg.connect(url, connect_timeout=5).close()
    except psycopg.OperationalError:
        return False
    return True
