"""The tables that tests begin with, which are kept from run to run: they are those of the migrations."""

import inspect

import pytest
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from games.management.commands.migrate import TOO_OLD, is_too_old
from tests.support import schema


def test_tests_begin_with_every_migration_taken(db: None) -> None:
    executor = MigrationExecutor(connection)
    assert executor.migration_plan(executor.loader.graph.leaf_nodes()) == []


def test_a_migration_that_was_changed_has_tables_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    before = schema.key_of_migrations()
    assert schema.key_of_migrations() == before
    source = inspect.getsource

    def changed(module: object) -> str:
        text = source(module)  # type: ignore[arg-type]
        name = getattr(module, "__name__", "")
        return f"{text}# once more\n" if name.startswith("games.migrations.0001_") else text

    monkeypatch.setattr(inspect, "getsource", changed)
    assert schema.key_of_migrations() != before


@pytest.mark.parametrize("app", ["accounts", "games"])
def test_a_database_that_lacks_migrations_which_were_joined_is_refused(db: None, app: str) -> None:
    taken = MigrationRecorder.Migration.objects.filter(app=app)
    name = taken.get(name__contains="_squashed_").name
    taken.exclude(name=name).delete()
    taken.update(name=name.partition("_squashed_")[2])
    assert not is_too_old(connection), "it has the last of those that were joined"
    taken.update(name="0001_initial")
    with pytest.raises(CommandError, match="too old for this release"):
        call_command("migrate", verbosity=0)
    taken.delete()
    assert not is_too_old(connection), "it is new"


def test_operators_read_how_a_database_that_is_too_old_is_upgraded() -> None:
    page = (settings.BASE_DIR / "docs" / "operations.md").read_text()
    heading = TOO_OLD.partition("“")[2].partition("”")[0]
    migrations = MigrationLoader(None).disk_migrations.values()
    (joined,) = [each.replaces[0] for each in migrations if each.app_label == "games" and each.replaces]
    assert f"games/migrations/{joined[1]}.py" in page.partition(f"### {heading}")[2]
