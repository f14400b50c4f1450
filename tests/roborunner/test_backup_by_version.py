"""Backup and restore with the older PostgreSQL of Debian."""

import io
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
import redis
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

from embedded import backup, paths
from embedded.paths import Failure
from tests.support.debian import DebianPostgres


@pytest.fixture(scope="module")
def debian() -> Iterator[DebianPostgres]:
    """A Debian PostgreSQL with two roles, robo and guest, that have no special rights."""
    server = DebianPostgres(Path(tempfile.mkdtemp(prefix="robo-runner-debian-")))
    server.start()
    with psycopg.connect(server.url(), autocommit=True) as admin:
        admin.execute("CREATE ROLE robo LOGIN")
        admin.execute("CREATE ROLE guest LOGIN")
    yield server
    server.stop()


@pytest.fixture
def site(debian: DebianPostgres) -> Iterator[str]:
    """Return the address of a database of the role robo, with one table."""
    with psycopg.connect(debian.url(), autocommit=True) as admin:
        admin.execute("CREATE DATABASE site OWNER robo TEMPLATE template0")
    with psycopg.connect(debian.url("robo", "site")) as owner:
        owner.execute("CREATE TABLE kept AS SELECT 'before' AS word")
    yield debian.url("robo", "site")
    with psycopg.connect(debian.url(), autocommit=True) as admin:
        for name in ("site", "site_before", "copy"):
            admin.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)".encode())


Manage = Callable[..., tuple[str, str]]


@pytest.fixture
def manage(settings: Settings) -> Manage:
    """A function that runs a management command.

    It returns the command's output and its error.
    """

    def manage(url: str, *command: object) -> tuple[str, str]:
        settings.DATABASE_URL = url
        said = io.StringIO()
        try:
            call_command(*map(str, command), stdout=said)
        except CommandError as error:
            return said.getvalue(), str(error)
        return said.getvalue(), ""

    return manage


def words(url: str) -> list[str]:
    with psycopg.connect(url) as look:
        return [word for (word,) in look.execute("SELECT word FROM kept")]


def test_the_server_and_its_own_programs_read_the_backup(site: str, manage: Manage, tmp_path: Path) -> None:
    file = tmp_path / "games.dump"
    assert manage(site, "backup", file) == (f"{file} holds all games: 0.0 MB.\n", "")
    listed = subprocess.run(
        [paths.DEBIAN / "15/bin/pg_restore", "--list", file], capture_output=True, text=True
    )
    assert listed.returncode == 0, listed.stderr
    assert "Dumped by pg_dump version: 15." in listed.stdout


def test_a_role_without_rights_restores_into_a_prepared_database(
    debian: DebianPostgres, site: str, manage: Manage, tmp_path: Path
) -> None:
    file = tmp_path / "games.dump"
    backup.dump(site, file)
    _, refused = manage(site, "restore", file, "copy")
    assert "The role robo may not make databases." in refused
    assert "createdb --owner=robo --template=template0 copy" in refused
    with psycopg.connect(debian.url(), autocommit=True) as admin:
        admin.execute("CREATE DATABASE copy OWNER robo TEMPLATE template0")
    restored, complaint = manage(site, "restore", file, "copy")
    assert restored == f"The database copy now holds the data of {file}.\n"
    assert "Run `manage.py migrate`" in complaint  # the backup has no tables of games
    assert words(backup.beside(site, "copy")) == ["before"]
    assert "The role robo may not rename databases." in manage(site, "take_over", "copy")[1]


def test_an_administrator_restores_for_the_owner_of_the_site(
    debian: DebianPostgres, site: str, manage: Manage, tmp_path: Path
) -> None:
    backup.dump(site, tmp_path / "games.dump")
    administrator = debian.url("postgres", "site")
    backup.restore(tmp_path / "games.dump", administrator, "copy")
    with psycopg.connect(debian.url("robo", "copy")) as owner:
        owner.execute("UPDATE kept SET word = 'after'")
    with redis.Redis.from_url(os.environ["REDIS_URL"]) as client:
        client.set("hint", "about a row that there may not be")
        taken = manage(administrator, "take_over", "copy")
        assert client.get("hint") is None
    assert taken == ("The site now uses the data of copy. Its old data is in site_before.\n", "")
    assert words(site) == ["after"]


def test_a_role_may_create_databases_beside_others(debian: DebianPostgres, site: str, tmp_path: Path) -> None:
    backup.dump(site, tmp_path / "games.dump")
    with psycopg.connect(debian.url(), autocommit=True) as admin:
        admin.execute("ALTER ROLE robo CREATEDB")
        try:
            url = backup.restore(tmp_path / "games.dump", debian.url("robo"), "copy")
        finally:
            admin.execute("ALTER ROLE robo NOCREATEDB")
    assert words(url) == ["before"]


def test_a_site_without_redis_is_not_taken_over(
    debian: DebianPostgres, site: str, manage: Manage, settings: Settings
) -> None:
    with psycopg.connect(debian.url(), autocommit=True) as admin:
        admin.execute("CREATE DATABASE copy OWNER robo TEMPLATE template0")
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    _, refused = manage(debian.url("postgres", "site"), "take_over", "copy")
    assert refused.startswith("Redis cannot be reached: ")
    assert words(site) == ["before"]


def test_a_full_database_is_only_overwritten_on_explicit_demand(
    site: str, manage: Manage, tmp_path: Path
) -> None:
    file = tmp_path / "games.dump"
    backup.dump(site, file)
    with psycopg.connect(site, autocommit=True) as later:
        later.execute("UPDATE kept SET word = 'after'")
        _, refused = manage(site, "restore", file)
        assert "The database site is not empty: it holds 1 tables." in refused
        assert "say --overwrite" in refused
        _, used = manage(site, "restore", file, "--overwrite")
        assert used == "The database site is being used: stop the site first."
    assert words(site) == ["after"]
    overwritten, _ = manage(site, "restore", file, "--overwrite")
    assert overwritten == f"The site's database now holds the data of {file}.\n"
    assert words(site) == ["before"]


def test_a_role_without_rights_to_read_gets_an_error(
    debian: DebianPostgres, site: str, manage: Manage, tmp_path: Path
) -> None:
    _, refused = manage(debian.url("guest", "site"), "backup", tmp_path / "games.dump")
    assert "permission denied for table kept" in refused
    assert "The role has not the rights for it: use the role that owns the database." in refused
    assert list(tmp_path.iterdir()) == []


def test_a_backup_from_a_newer_server_gets_an_error(site: str, database_url: str, tmp_path: Path) -> None:
    newer = tmp_path / "newer.dump"
    backup.dump(database_url, newer)  # from the newer server of the tests
    with psycopg.connect(database_url) as look:
        assert look.info.server_version >= 180_000
    with psycopg.connect(site, autocommit=True) as owner:
        owner.execute("DROP TABLE kept")
    with pytest.raises(Failure, match="written for a newer PostgreSQL than this server's"):
        backup.fill(newer, site)


def test_passwords_are_never_arguments_of_a_program(
    monkeypatch: pytest.MonkeyPatch, site: str, tmp_path: Path
) -> None:
    called = []
    monkeypatch.setattr(
        backup.processes,
        "finish",
        lambda command, env: called.append((command, env)) or subprocess.CompletedProcess([], 1, "", "no"),
    )
    with pytest.raises(Failure, match="pg_dump failed: no"):
        backup.dump(site.replace("robo@", "robo:hush@"), tmp_path / "games.dump")
    [(command, environment)] = called
    assert not any("hush" in str(word) for word in command)
    assert environment["PGPASSWORD"] == "hush"


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a machine with three versions of pg_dump, and no embedded Postgres."""
    for place, said in (("debian/13", "13.20"), ("debian/15", "15.18 (Debian)"), ("path", "17.2")):
        directory = tmp_path / place / ("bin" if place.startswith("debian") else "")
        directory.mkdir(parents=True)
        (directory / "pg_dump").write_text(f"#!/bin/sh\necho 'pg_dump (PostgreSQL) {said}'\n")
        (directory / "pg_dump").chmod(0o755)
    monkeypatch.setattr(paths, "DEBIAN", tmp_path / "debian")
    monkeypatch.setattr(paths, "find_spec", lambda name: None)
    monkeypatch.setenv("PATH", f"{tmp_path / 'path'}:/usr/bin:/bin")
    return tmp_path


def test_the_program_has_the_version_of_the_server(programs: Path) -> None:
    assert paths.program_for_version("pg_dump", 15) == programs / "debian/15/bin/pg_dump"
    assert paths.program_for_version("pg_dump", 17) == programs / "path/pg_dump"


def test_a_missing_program_is_named_with_its_version(programs: Path) -> None:
    with pytest.raises(Failure) as refused:
        paths.program_for_version("pg_dump", 18)
    assert str(refused.value) == (
        "The server is PostgreSQL 18, and no pg_dump of that version is on this machine "
        "(only that of version 13, 15, 17). Install it: on Debian, apt-get install postgresql-client-18."
    )
    with pytest.raises(Failure, match="none at all"):
        paths.program_for_version("pg_restore_of_nobody", 15)
