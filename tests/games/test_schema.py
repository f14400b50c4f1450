"""The tables that tests begin with, which are kept from run to run: they are those of the migrations."""

import inspect
from difflib import unified_diff
from pathlib import Path

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

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


def test_the_tables_are_as_they_are_described(db: None, tmp_path: Path, pytestconfig: pytest.Config) -> None:
    """Columns, constraints, indexes, triggers and functions, with their names.

    A migration that changes them changes the description too: the difference is what it does to a site.
    """
    kept = Path(__file__).with_name("schema.txt")
    told = [f"{line}\n" for line in schema.described(tmp_path / "all.dump")]
    changes = "".join(unified_diff(kept.read_text().splitlines(keepends=True), told))
    assert pytestconfig.cache is not None
    found = pytestconfig.cache.mkdir("schema") / "schema.txt"
    found.write_text("".join(told))
    assert not changes, f"{changes}If a migration is meant to do this: cp {found} {kept}"
