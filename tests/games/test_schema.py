"""The tables that tests reuse are equal to tables from a fresh migration."""

import inspect
from difflib import unified_diff
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from tests.support import schema


def test_tests_start_with_every_migration_applied(db: None) -> None:
    executor = MigrationExecutor(connection)
    assert executor.migration_plan(executor.loader.graph.leaf_nodes()) == []


def test_every_model_matches_its_migrations(db: None) -> None:
    call_command("makemigrations", "--check", "--dry-run")


def test_a_changed_migration_has_separate_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    before = schema.key_of_migrations()
    assert schema.key_of_migrations() == before
    source = inspect.getsource

    def changed(module: object) -> str:
        text = source(module)  # type: ignore[arg-type]
        name = getattr(module, "__name__", "")
        return f"{text}# once more\n" if name.startswith("games.migrations.0001_") else text

    monkeypatch.setattr(inspect, "getsource", changed)
    assert schema.key_of_migrations() != before


def test_the_tables_match_their_description(db: None, tmp_path: Path, pytestconfig: pytest.Config) -> None:
    """The description covers columns, constraints, indexes, triggers and functions.

    A migration that changes them must change the description too, to document its effects on a site.
    """
    kept = Path(__file__).with_name("schema.txt")
    told = [f"{line}\n" for line in schema.described(tmp_path / "all.dump")]
    changes = "".join(unified_diff(kept.read_text().splitlines(keepends=True), told))
    assert pytestconfig.cache is not None
    found = pytestconfig.cache.mkdir("schema") / "schema.txt"
    found.write_text("".join(told))
    assert not changes, f"{changes}If a migration is meant to do this: cp {found} {kept}"
