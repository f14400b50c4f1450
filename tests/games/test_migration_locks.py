"""What migrations lock while games go on (docs/operations.md)."""

from typing import Final

from django.db.migrations.loader import MigrationLoader
from django.db.migrations.migration import Migration
from django.db.migrations.operations import CreateModel
from django.db.migrations.operations.fields import FieldOperation
from django.db.migrations.operations.models import IndexOperation

SINCE: Final = "0064"
"""Those before it have run by now."""


def test_a_migration_in_a_transaction_changes_one_table_alone() -> None:
    """With two, the migration and a worker that plays a turn may wait for each other."""
    found = {
        name: tables_changed(migration)
        for (app, name), migration in MigrationLoader(None).disk_migrations.items()
        if app == "games" and name >= SINCE and migration.atomic
    }
    assert {name: tables for name, tables in found.items() if len(tables) > 1} == {}


def test_it_sees_that_a_migration_changes_two_tables() -> None:
    migrations = MigrationLoader(None).disk_migrations
    assert tables_changed(migrations["games", "0064_prototypes"]) == {"starship", "starshiprevision"}


def tables_changed(migration: Migration) -> set[str]:
    """The tables that were there before, and that a migration changes."""
    made = {change.name_lower for change in migration.operations if isinstance(change, CreateModel)}
    changed: set[str] = set()
    for change in migration.operations:
        if isinstance(change, FieldOperation):
            changed.add(change.model_name_lower)
        elif isinstance(change, IndexOperation):
            changed.add(str(getattr(change, "model_name", "")).lower())
    return changed - made - {""}
