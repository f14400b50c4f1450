"""Migrations do not lock several tables while games run (docs/operations.md)."""

from collections.abc import Iterable

from django.db.migrations.loader import MigrationLoader
from django.db.migrations.migration import Migration
from django.db.migrations.operations import AddConstraint, AddField, CreateModel
from django.db.migrations.operations.fields import FieldOperation
from django.db.migrations.operations.models import IndexOperation
from django.db.models import BooleanField, CheckConstraint, Q


def test_a_migration_in_a_transaction_changes_one_table() -> None:
    """A migration that locks two tables could deadlock with a worker."""
    migrations = MigrationLoader(None).disk_migrations.values()
    ours = [migration for migration in migrations if migration.app_label in ("accounts", "games")]
    assert ours
    assert offenders(ours) == {}


def test_it_detects_a_migration_that_changes_two_tables() -> None:
    migration = Migration("0002_prototypes", "games")
    migration.operations = [
        AddField("starship", "tested", BooleanField(db_default=False)),
        AddConstraint("starshiprevision", CheckConstraint(condition=Q(pk__gt=0), name="counted")),
        CreateModel("Flown", []),
        AddField("flown", "far", BooleanField()),
    ]
    assert offenders([migration]) == {"0002_prototypes": {"starship", "starshiprevision"}}
    migration.atomic = False
    assert offenders([migration]) == {}


def offenders(migrations: Iterable[Migration]) -> dict[str, set[str]]:
    """Return the tables of each migration that changes several in one transaction.

    The first migration of an application is exempt, since no table is in use yet.
    """
    changed = {each.name: tables_changed(each) for each in migrations if each.atomic and not each.initial}
    return {name: tables for name, tables in changed.items() if len(tables) > 1}


def tables_changed(migration: Migration) -> set[str]:
    """Return the existing tables that a migration changes."""
    made = {change.name_lower for change in migration.operations if isinstance(change, CreateModel)}
    changed: set[str] = set()
    for change in migration.operations:
        if isinstance(change, FieldOperation):
            changed.add(change.model_name_lower)
        elif isinstance(change, IndexOperation):
            changed.add(str(getattr(change, "model_name", "")).lower())
    return changed - made - {""}
