"""Empty the database after a test that commits.

Django truncates every table, which creates new files for all tables and indexes, and lists all permissions
again. This takes 0.25 seconds for each test. Most tests write only a few rows to a few tables.
"""

from typing import Final

from django.db import connection, transaction
from django.test import TransactionTestCase

_KEPT: Final = frozenset({"django_migrations", "django_content_type", "auth_permission"})
"""Tables that migrations fill. Tests never change them."""


_LOGS: Final = frozenset({'"games_conductentry"'})
"""Tables with a trigger that forbids deleting rows."""


def empty(_: TransactionTestCase | None = None) -> None:
    """Delete all rows, after other transactions on the tables have ended.

    Tables with an empty file are skipped, since they never contained a row. To find out by a query whether
    each table is empty would take as long as all the deletions.
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
    """End the connections of aborted requests.

    They would delay dropping the test database by 5 seconds.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    connection.close()
