"""Emptying the database after a test with commits.

Django truncates every table, which makes new files for all tables and indexes, and lists all permissions
again: 0.25 s for each test. Most tests write only a few rows to a few tables.
"""

from typing import Final

from django.db import connection, transaction
from django.test import TransactionTestCase

_KEPT: Final = frozenset({"django_migrations", "django_content_type", "auth_permission"})
"""Tables that the migrations fill and tests never change."""


_LOGS: Final = frozenset({'"games_conductentry"'})
"""Tables in which the database refuses to delete rows."""


def empty(_: TransactionTestCase) -> None:
    """Delete all rows after waiting for other transactions on the tables.

    Skips tables with an empty file, which never held a row. Querying each table would take as long as the
    rest.
    """
    quote = connection.ops.quote_name
    names = connection.introspection.django_table_names(only_existing=True, include_views=False)
    tables = [quote(name) for name in sorted({*names} - _KEPT)]
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"LOCK TABLE {', '.join(tables)} IN ACCESS EXCLUSIVE MODE")
        cursor.execute(
            "SELECT name FROM unnest(%s::text[]) AS name WHERE pg_relation_size(name::regclass) > 0", [tables]
        )
        used = [table for (table,) in cursor.fetchall()]
        if used:
            cursor.execute(
                ";".join(f"TRUNCATE {table}" if table in _LOGS else f"DELETE FROM {table}" for table in used)
            )


def disconnect() -> None:
    """End all connections of aborted requests: they delay dropping by 5 s."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    connection.close()
