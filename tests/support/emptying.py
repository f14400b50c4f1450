"""Emptying the database after a test that committed what it did.

Django truncates every table, which gives each of them and its indexes new files, and then lists all
permissions again: a quarter of a second for each test. Most tests write only a few rows to a few tables.
"""

from typing import Final

from django.db import connection, transaction
from django.test import TransactionTestCase

_KEPT: Final = frozenset({"django_migrations", "django_content_type", "auth_permission"})
"""What the migrations leave behind, and no test changes."""


_LOGS: Final = frozenset({'"games_conductentry"'})
"""Tables from which the database lets no one delete a row."""


def empty(_: TransactionTestCase) -> None:
    """Delete all rows, once all other transactions that use the tables have ended.

    A table whose file is empty never held any. To ask each table for a row takes as long as all the rest.
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
    """End all connections: requests broken off leave some, and to drop a database in use takes 5 s."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    connection.close()
