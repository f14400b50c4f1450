"""Backup and restore as `docs/operations.md` has them, with the programs of the embedded Postgres.

A deployment calls the same programs of its own Postgres.
"""

from pathlib import Path

import psycopg
from psycopg import sql

from embedded import binaries, children
from embedded.problem import Problem


def dump(database_url: str, file: Path) -> None:
    """Write all that a database holds at this moment to a file, while it is used.

    The file comes to its name when it is complete. Raises `Problem` when that fails.
    """
    unfinished = file.with_name(f"{file.name}.unfinished")
    _run("pg_dump", "--format=custom", f"--file={unfinished}", f"--dbname={database_url}")
    unfinished.rename(file)


def restore(file: Path, server_url: str, database: str) -> str:
    """Make a database on a server out of such a file, and return its address; all of it or nothing.

    Raises `Problem` when there is such a database already, or the file is none of `dump`.
    """
    with psycopg.connect(server_url, autocommit=True) as connection:
        try:
            connection.execute(
                sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(sql.Identifier(database))
            )
        except psycopg.errors.DuplicateDatabase as error:
            raise Problem(f"There is a database {database} already.") from error
    url = f"{server_url.partition('?')[0].rpartition('/')[0]}/{database}"
    try:
        _run("pg_restore", "--single-transaction", "--no-owner", f"--dbname={url}", str(file))
    except Problem:
        with psycopg.connect(server_url, autocommit=True) as connection:
            connection.execute(sql.SQL("DROP DATABASE {}").format(sql.Identifier(database)))
        raise
    return url


def _run(program: str, *arguments: str) -> None:
    done = children.finish([binaries.postgres(program), *arguments], env=children.server_environment())
    if done.returncode:
        raise Problem(f"{program} failed: {done.stderr.strip() or f'status {done.returncode}'}")
