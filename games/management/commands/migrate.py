"""``manage.py migrate``: Django's command, which refuses a database that is too old for this release."""

from typing import Any, Final

from django.core.management.base import CommandError
from django.core.management.commands.migrate import Command as Migrate
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

TOO_OLD: Final = (
    "The database is too old for this release, which does not have the migrations that it lacks."
    " Upgrade it to the last release that has them first: “From an older release” in docs/operations.md."
)


class Command(Migrate):
    """Migrates a database, unless this release lacks some of the migrations on the way."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Do as Django's command does; raise CommandError if the database is too old."""
        if is_too_old(connections[options["database"]]):
            raise CommandError(TOO_OLD)
        super().handle(*args, **options)


def is_too_old(connection: BaseDatabaseWrapper) -> bool:
    """Return whether a database lacks migrations that were joined and are gone."""
    loader = MigrationLoader(connection)
    begun = {app for app, _ in MigrationRecorder(connection).applied_migrations()}
    joined = (
        key
        for key, migration in loader.disk_migrations.items()
        if migration.replaces and not loader.disk_migrations.keys() & set(migration.replaces)
    )
    return any(key[0] in begun and key not in loader.applied_migrations for key in joined)
