"""Backup, restore and check of the site's database: that of ``DATABASE_URL``, or the embedded one."""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import psycopg

from embedded import addresses, backup, lock, secret
from embedded.managing import manage
from embedded.problem import Problem
from embedded.servers import Servers

Given = Mapping[str, str]


@contextmanager
def database(directory: Path, given: Given) -> Iterator[str]:
    """Give the database's address; the embedded one is started for as long as needed, where it does not run.

    Raises `Problem` where there is none.
    """
    if url := given.get("DATABASE_URL"):
        yield url
        return
    url = addresses.database_url(directory)
    if _answers(url):
        yield url
        return
    if not (directory / "postgres").exists():
        raise Problem(f"There is no database in {directory}, and DATABASE_URL names none.")
    with Servers(directory, {"REDIS_URL": "of no use here"}):
        yield url


def back_up(directory: Path, given: Given, file: Path) -> str:
    """Write a backup, which may be while the site is used; return what to say of it."""
    if file.exists():
        raise Problem(f"There is a file {file} already: a backup is not written over another.")
    with database(directory, given) as url:
        backup.dump(url, file)
    return f"{file} holds all games: {file.stat().st_size / 1e6:.1f} MB."


def restore(directory: Path, given: Given, file: Path, name: str) -> str:
    """Make a new database out of a backup, beside the site's; return what to say of it."""
    if not file.is_file():
        raise Problem(f"There is no file {file}.")
    with database(directory, given) as url:
        backup.restore(file, url, name)
    return f"The database {name} is made."


def check(directory: Path, given: Given, name: str | None) -> str:
    """Check the site's database, or one beside it; return what was found, where all is well."""
    with database(directory, given) as url:
        looked_at = backup.beside(url, name) if name else url
        environment = {"SECRET_KEY": secret.key(directory), **given, "DATABASE_URL": looked_at}
        try:
            manage(environment, "migrate", "--check")
        except Problem as problem:
            raise Problem(f"{problem}\nIt is not as this release has it: see above.") from None
        return manage(environment, "check_games").strip()


def take_over(directory: Path, given: Given, name: str) -> str:
    """Put a restored database in the place of the site's, which must not be running; return what to say."""
    with database(directory, given) as url:
        kept = backup.take_over(url, name)
    if not given.get("REDIS_URL"):
        with lock.held(directory):
            shutil.rmtree(directory / "redis", ignore_errors=True)  # hints about rows that there may not be
    return f"The site has what was in {name}; what it had before is in {kept}."


def _answers(url: str) -> bool:
    try:
        psycopg.connect(url, connect_timeout=5).close()
    except psycopg.OperationalError:
        return False
    return True
