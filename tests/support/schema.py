"""A database with empty tables, made once for all processes and later runs.

Migrations take longer than most tests. So the result is stored in a file as a backup, named after a hash of
the migrations. A changed migration leads to a new file. `described` describes the tables as text.
"""

import hashlib
import inspect
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import groupby
from pathlib import Path

import django
import psycopg
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from psycopg import sql

from embedded import backup, paths
from embedded.paths import Failure

_ONE_AT_A_TIME = 2026  # the lock's number, used by nothing else on this server


def template(url: str, kept: Path) -> str:
    """Return the name of a migrated database on the server of `url`.

    The database is created if necessary, from the backup in the folder `kept` if possible.
    """
    key = key_of_migrations()
    name, file = f"migrated_{key}", kept / f"{key}.dump"
    with psycopg.connect(backup.beside(url, "postgres"), autocommit=True) as server:
        server.execute("SELECT pg_advisory_lock(%s)", [_ONE_AT_A_TIME])
        if server.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
            return name
        if file.exists():
            with suppress(Failure):  # if the file is unreadable, write it again
                backup.restore(file, url, name)
                return name
        server.execute(sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(sql.Identifier(name)))
        _migrate(name)
        for other in kept.glob("*.dump"):
            other.unlink(missing_ok=True)
        with suppress(Failure, OSError):  # another run writes it, or else the next one migrates again
            backup.dump(backup.beside(url, name), file)
    return name


def key_of_migrations() -> str:
    """Return a hash of everything that decides the result of migrations."""
    found = hashlib.sha256(f"{django.get_version()} {paths.POSTGRES_MAJOR}".encode())
    migrations = MigrationLoader(None).disk_migrations
    for (app, name), migration in sorted(migrations.items()):
        found.update(f"{app}.{name}\n".encode())
        found.update(inspect.getsource(sys.modules[migration.__module__]).encode())
    return found.hexdigest()[:16]


_GENERAL = (
    "SELECT 'extension ' || extname FROM pg_extension ORDER BY extname",
    """
    SELECT pg_get_functiondef(f.oid) FROM pg_proc f
    WHERE f.pronamespace = 'public'::regnamespace
    AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = f.oid AND deptype = 'e')
    ORDER BY f.proname
    """,
    """
    SELECT format('sequence %s as %s from %s by %s', sequencename, data_type, start_value, increment_by)
        || coalesce(' of ' || pg_describe_object(refclassid, refobjid, refobjsubid), '')
    FROM pg_sequences
    LEFT JOIN pg_depend ON classid = 'pg_class'::regclass
        AND objid = format('%I.%I', schemaname, sequencename)::regclass AND deptype IN ('a', 'i')
    WHERE sequencename ~ '^(accounts|games)_' AND deptype IS DISTINCT FROM 'i'
    ORDER BY sequencename
    """,
)
"""Queries that list extensions, functions, and sequences, except sequences of identity columns."""

_TABLES = """
WITH tables AS (
    SELECT oid, relname FROM pg_class WHERE relnamespace = 'public'::regnamespace
    AND relkind IN ('r', 'p', 'v', 'm') AND relname ~ '^(accounts|games)_'
)
SELECT relname, 1 AS part, attname AS name, concat_ws(
    ' ', attname, format_type(atttypid, atttypmod), CASE WHEN attnotnull THEN 'not null' END,
    'identity ' || nullif(attidentity::text, ''),
    CASE WHEN attcollation <> typcollation THEN 'collate ' || attcollation::regcollation::text END,
    CASE attgenerated WHEN '' THEN 'default ' ELSE 'generated ' END || pg_get_expr(adbin, adrelid)
) FROM tables JOIN pg_attribute ON attrelid = tables.oid AND attnum > 0 AND NOT attisdropped
JOIN pg_type ON pg_type.oid = atttypid LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
UNION ALL
SELECT relname, 2, conname, concat_ws(
    ' ', 'constraint', conname, pg_get_constraintdef(c.oid), CASE WHEN NOT convalidated THEN 'not valid' END
) FROM tables JOIN pg_constraint c ON conrelid = tables.oid WHERE contype <> 'n'
UNION ALL
SELECT relname, 3, indexrelid::regclass::text, pg_get_indexdef(indexrelid)
FROM tables JOIN pg_index ON indrelid = tables.oid
WHERE NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u', 'x'))
UNION ALL
SELECT relname, 4, tgname, pg_get_triggerdef(t.oid)
FROM tables JOIN pg_trigger t ON tgrelid = tables.oid WHERE NOT tgisinternal
ORDER BY 1, 2, 3
"""
"""A query for columns, constraints, indexes and triggers.

Constraints include their indexes.
"""


def described(file: Path) -> list[str]:
    """Return lines of text that describe all tables, functions and other objects.

    Postgres writes some expressions differently after a restore, so this describes a copy. The copy is
    restored from a backup that is written to ``file``.
    """
    name = connection.settings_dict["NAME"]
    copy = f"{name}_described"
    backup.dump(backup.beside(os.environ["DATABASE_URL"], name), file)
    url = backup.restore(file, os.environ["DATABASE_URL"], copy)
    try:
        with psycopg.connect(url) as restored:
            return list(_lines(restored))
    finally:
        with psycopg.connect(backup.beside(url, "postgres"), autocommit=True) as server:
            server.execute(sql.SQL("DROP DATABASE {}").format(sql.Identifier(copy)))


def _lines(database: psycopg.Connection) -> Iterator[str]:
    for question in _GENERAL:
        for (text,) in database.execute(question):
            yield from text.strip().splitlines()
    for table, parts in groupby(database.execute(_TABLES), key=lambda row: row[0]):
        yield ""
        yield f"table {table}"
        for *_, text in parts:
            yield f"    {' '.join(text.split())}"


@contextmanager
def fresh() -> Iterator[None]:
    """Use a separate database with empty tables, within the block."""
    name = connection.settings_dict["TEST"].get("TEMPLATE") or connection.settings_dict["NAME"]
    copy = f"{name}_{os.environ.get('PYTEST_XDIST_WORKER', 'copy')}"
    names = {"name": sql.Identifier(name), "copy": sql.Identifier(copy)}
    connection.close()  # a database with connections cannot be copied
    with psycopg.connect(backup.beside(os.environ["DATABASE_URL"], "postgres"), autocommit=True) as server:
        drop = sql.SQL("DROP DATABASE IF EXISTS {copy} WITH (FORCE)").format(**names)
        server.execute(drop)  # left by a killed run
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
    """Connect Django to another database of the same server, within the block."""
    asked_for = connection.settings_dict["NAME"]
    connection.settings_dict["NAME"] = database
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = asked_for
