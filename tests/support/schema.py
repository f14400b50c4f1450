"""A database with all tables and nothing in them, made once for all workers, and kept from run to run.

To take the migrations costs more than most tests do. What they lead to is kept as a file under the hash of
their text, by the same programs that make backups. A changed migration makes a new file.
"""

import hashlib
import inspect
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import django
import psycopg
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from psycopg import sql

from embedded import backup, binaries
from embedded.problem import Failure

_ONE_AT_A_TIME = 2026  # the lock's number; nothing else takes one on this server


def template(url: str, kept: Path) -> str:
    """Return the name of a migrated database on the server of `url`; files are kept in that directory."""
    key = key_of_migrations()
    name, file = f"migrated_{key}", kept / f"{key}.dump"
    with psycopg.connect(backup.beside(url, "postgres"), autocommit=True) as server:
        server.execute("SELECT pg_advisory_lock(%s)", [_ONE_AT_A_TIME])
        if server.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
            return name
        if file.exists():
            with suppress(Failure):  # of a file that cannot be read: it is written again
                backup.restore(file, url, name)
                return name
        server.execute(sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(sql.Identifier(name)))
        _migrate(name)
        for other in kept.glob("*.dump"):
            other.unlink(missing_ok=True)
        with suppress(Failure):  # of a directory that takes no file: the next run migrates as well
            backup.dump(backup.beside(url, name), file)
    return name


def key_of_migrations() -> str:
    """Return a hash of all migrations, and of what else the tables depend on."""
    found = hashlib.sha256(f"{django.get_version()} {binaries.POSTGRES_MAJOR}".encode())
    migrations = MigrationLoader(None).disk_migrations
    for (app, name), migration in sorted(migrations.items()):
        found.update(f"{app}.{name}\n".encode())
        found.update(inspect.getsource(sys.modules[migration.__module__]).encode())
    return found.hexdigest()[:16]


@contextmanager
def fresh() -> Iterator[None]:
    """In the block, work on a database of its own, with all tables and nothing in them."""
    name = connection.settings_dict["TEST"].get("TEMPLATE") or connection.settings_dict["NAME"]
    copy = f"{name}_{os.environ.get('PYTEST_XDIST_WORKER', 'copy')}"
    names = {"name": sql.Identifier(name), "copy": sql.Identifier(copy)}
    connection.close()  # what has been connected to cannot be copied
    with psycopg.connect(backup.beside(os.environ["DATABASE_URL"], "postgres"), autocommit=True) as server:
        drop = sql.SQL("DROP DATABASE IF EXISTS {copy} WITH (FORCE)").format(**names)
        server.execute(drop)  # that of a run which was killed
        server.execute(sql.SQL("CREATE DATABASE {copy} TEMPLATE {name}").format(**names))
        try:
            with _at(copy):
                yield
        finally:
            server.execute(drop)


def _migrate(database: str) -> None:
    connection.close()
    with _at(database):
        call_command("migrate", verbosity=0, interactive=False)


@contextmanager
def _at(database: str) -> Iterator[None]:
    """In the block, have Django's connection lead to another database of the same server."""
    asked_for = connection.settings_dict["NAME"]
    connection.settings_dict["NAME"] = database
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = asked_for
