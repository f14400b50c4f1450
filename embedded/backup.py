"""Backup and restore as `docs/operations.md` has them, with the programs of the embedded Postgres.

A deployment calls the same programs of its own Postgres.
"""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import psycopg
from psycopg import conninfo, sql

from embedded import binaries, children
from embedded.problem import Problem


def dump(database_url: str, file: Path) -> None:
    """Write all that a database holds at this moment to a file, while it is used.

    The file comes to its name when it is complete, and is for nobody else to read: addresses of mail and
    hashes of passwords are in it. Raises `Problem` when that fails.
    """
    unfinished = file.with_name(f"{file.name}.unfinished")
    try:
        _make_private(unfinished)
        _run("pg_dump", "--format=custom", f"--file={unfinished}", f"--dbname={database_url}")
        unfinished.rename(file)
    finally:
        unfinished.unlink(missing_ok=True)


def _make_private(file: Path) -> None:
    try:
        file.unlink(missing_ok=True)
        file.touch(mode=0o600)
    except OSError as error:
        raise Problem(f"{file} cannot be written: {error.strerror}.") from error


def restore(file: Path, server_url: str, database: str) -> str:
    """Make a database on a server out of such a file, and return its address; all of it or nothing.

    Raises `Problem` when there is such a database already, or the file is none of `dump`.
    """
    with _connected(server_url) as connection:
        try:
            connection.execute(
                sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(sql.Identifier(database))
            )
        except psycopg.errors.DuplicateDatabase as error:
            raise Problem(f"There is a database {database} already.") from error
    url = beside(server_url, database)
    try:
        fill(file, url)
    except Problem:
        with _connected(server_url) as connection:
            connection.execute(sql.SQL("DROP DATABASE {}").format(sql.Identifier(database)))
        raise
    return url


def fill(file: Path, database_url: str) -> None:
    """Put what such a file holds into a database that is empty: all of it or nothing.

    Raises `Problem` when the database is not empty, or the file is none of `dump`.
    """
    _run("pg_restore", "--single-transaction", "--no-owner", f"--dbname={database_url}", str(file))


def take_over(url: str, restored: str) -> str:
    """Put a database in the place of another of the same server, and return what the other is called now.

    Raises `Problem` where there is no such database, or somebody uses one of the two.
    """
    live = conninfo.conninfo_to_dict(url)["dbname"]
    assert isinstance(live, str)
    with _connected(beside(url, "postgres")) as connection:
        names = {name for (name,) in connection.execute("SELECT datname FROM pg_database")}
        if restored not in names or restored == live:
            raise Problem(f"There is no other database {restored}.")
        kept = next(name for name in _names(f"{live}_before") if name not in names)
        rename = sql.SQL("ALTER DATABASE {} RENAME TO {}")
        try:
            with connection.transaction():
                for before, after in ((live, kept), (restored, live)):
                    connection.execute(rename.format(sql.Identifier(before), sql.Identifier(after)))
        except psycopg.errors.ObjectInUse as error:
            raise Problem("The database is being used: stop the site first.") from error
    return kept


def beside(url: str, database: str) -> str:
    """Return the address of another database of the same server, reached in the same way."""
    address, question, options = url.partition("?")
    return f"{address.rpartition('/')[0]}/{database}{question}{options}"


def _names(beginning: str) -> Iterator[str]:
    yield beginning
    for number in count(2):
        yield f"{beginning}_{number}"


def _connected(url: str) -> psycopg.Connection:
    try:
        return psycopg.connect(url, autocommit=True)
    except psycopg.OperationalError as error:
        raise Problem(f"The database cannot be reached: {str(error).strip()}") from error


def _run(program: str, *arguments: str) -> None:
    done = children.finish([binaries.postgres(program), *arguments], env=children.server_environment())
    if done.returncode:
        raise Problem(f"{program} failed: {done.stderr.strip() or f'status {done.returncode}'}")
