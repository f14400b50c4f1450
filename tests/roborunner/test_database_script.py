"""The script ``deploy/database.sh``, with a real Postgres and a fake Docker."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg import conninfo, sql

from embedded import backup, encryption, paths
from tests import cast
from tests.games.support import HALL, Table

PROJECT = Path(__file__).resolve().parents[2]

DOCKER = """#!/bin/sh
case "$*" in
    "compose exec -T db "* | "compose exec -T redis "*) shift 4 ;;
    "compose run -T --rm --no-deps web "* | "compose run -T --rm --no-deps backups "*) shift 6 ;;
    *) exit 99 ;;
esac
case $1 in
    redis-cli) [ ! -e redis-is-away ] && echo "$@" >> "$REDIS_LOG" ;;
    sh) cd "$PROJECT" && exec "$@" ;;
    *)
        program=$1
        [ "$2" = "--username=robo" ] || exit 98
        shift 2
        exec "$PROGRAMS/$program" "$@"
        ;;
esac
"""

Run = subprocess.CompletedProcess[str]


class Site:
    """A database named robo as in docker-compose.yml, and the script."""

    def __init__(self, directory: Path, database_url: str) -> None:
        self.url = backup.beside(database_url, "robo")
        self._directory = directory
        (directory / "docker").write_text(DOCKER)
        (directory / "docker").chmod(0o755)
        known = conninfo.conninfo_to_dict(database_url)
        self._environment = {
            **os.environ,
            "PATH": f"{directory}:{Path(sys.executable).parent}:{os.environ['PATH']}",
            "PROJECT": str(PROJECT),
            "PROGRAMS": str(paths.postgres_program("psql").parent),
            "REDIS_LOG": str(directory / "told"),
            "DATABASE_URL": self.url,
            "PGHOST": str(known["host"]),
            "PGPORT": str(known["port"]),
            "PGUSER": str(known["user"]),
            "BACKUP_DIRECTORY": str(directory / "backups"),
            "BACKUP_IDENTITY": str(directory / "identity"),
        }

    def call(self, *words: str) -> Run:
        """Run the script with the given arguments."""
        return subprocess.run(
            [PROJECT / "deploy/database.sh", *words],
            cwd=self._directory,
            env=self._environment,
            capture_output=True,
            text=True,
        )

    @property
    def told(self) -> str:
        """Return the commands that the fake Redis received."""
        return (self._directory / "told").read_text()

    def execute(self, command: str) -> list[tuple[str, ...]]:
        """Run an SQL statement. Return its rows, or an empty list."""
        with psycopg.connect(self.url) as connection:
            done = connection.execute(command.encode())
            return done.fetchall() if done.description else []


@pytest.fixture
def site(database_url: str, tmp_path: Path) -> Iterator[Site]:
    """A site with a game in turn 1."""
    table = Table(HALL.saved())
    people = cast.alice(), cast.bob()
    table.play(table.game(*people), *people)
    with psycopg.connect(backup.beside(database_url, "postgres"), autocommit=True) as admin:
        admin.execute(
            "SELECT pg_advisory_lock(1)"
        )  # one test at a time, since the database of the script has a fixed name
        backup.dump(database_url, tmp_path / "at-first.dump")
        backup.restore(tmp_path / "at-first.dump", database_url, "robo")
        yield Site(tmp_path, database_url)
        for (name,) in admin.execute(
            "SELECT datname FROM pg_database WHERE datname ~ '^(robo|restored)(_before.*)?$'"
        ):
            admin.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def test_a_site_gets_its_data_back(site: Site, tmp_path: Path) -> None:
    written = site.call("backup", "games.dump")
    assert written.returncode == 0, written.stderr
    assert written.stdout.startswith("games.dump holds all games: ")
    assert (tmp_path / "games.dump").stat().st_mode & 0o077 == 0
    site.execute("UPDATE games_game SET name = 'Spoilt'")
    site.execute("UPDATE games_game SET last_seq = last_seq + 1")
    assert "its log has" in site.call("check").stderr
    made = site.call("restore", "games.dump", "restored")
    assert made.returncode == 0, made.stderr
    assert made.stdout == "The database restored is made.\nAll games are sound: 1 games, 2 turns.\n"
    with psycopg.connect(site.url):
        used = site.call("take-over", "restored")
    assert used.returncode != 0 and "is being accessed by other users" in used.stderr
    taken = site.call("take-over", "restored")
    assert taken.returncode == 0, taken.stderr
    assert taken.stdout.startswith("The site now uses the data of restored. Its old data is in robo_before_")
    assert site.execute("SELECT name FROM games_game") == [("First flight",)]
    assert site.told == "redis-cli FLUSHALL\n"
    again = site.call("backup", "games.dump")
    assert again.returncode == 1 and "not written over another" in again.stderr


def test_an_encrypted_file_is_restored_by_the_container_with_the_key(site: Site, tmp_path: Path) -> None:
    (tmp_path / "backups").mkdir()
    key = encryption.new_key()
    public = key.split("\n")[0].removeprefix("# public key: ")
    backup.dump(site.url, tmp_path / "games.dump.age", recipients=public)
    made = site.call("restore", "games.dump.age", "restored")
    assert made.returncode != 0 and "The secret key cannot be read" in made.stderr
    (tmp_path / "identity").write_text(key)
    made = site.call("restore", "games.dump.age", "restored")
    assert made.returncode == 0 and "All games are sound: 1 games, 2 turns." in made.stdout, made.stderr
    assert list((tmp_path / "backups").iterdir()) == []


def test_a_failure_to_empty_redis_is_reported(site: Site, tmp_path: Path) -> None:
    (tmp_path / "redis-is-away").touch()
    backup.restore(tmp_path / "at-first.dump", site.url, "restored")
    taken = site.call("take-over", "restored")
    assert taken.returncode == 1
    assert "its old data is in robo_before_" in taken.stderr
    assert "But Redis was not emptied" in taken.stderr


def test_senseless_arguments_are_reported_and_change_nothing(
    site: Site, tmp_path: Path, database_url: str
) -> None:
    (tmp_path / "letter.txt").write_text("Dear all")
    for words, said in (
        (["restore", "letter.txt", "restored"], "letter.txt was not restored."),
        (["restore", "nothing.dump", "restored"], "There is no file nothing.dump."),
        (["restore", "letter.txt", "robo; DROP"], "A name is made of a to z"),
        (["check", "Robo"], "A name is made of a to z"),
        (["take-over", "restored"], 'database "restored" does not exist'),
    ):
        done = site.call(*words)
        assert done.returncode != 0 and said in done.stderr, words
    assert site.execute("SELECT datname FROM pg_database WHERE datname IN ('restored', 'robo')") == [
        ("robo",)
    ]
    assert not (tmp_path / "told").exists()
    for words in ([], ["backup"], ["restore", "letter.txt"], ["forget"]):
        done = site.call(*words)
        assert (done.returncode, done.stderr.count("deploy/database.sh ")) == (2, 4)
    with psycopg.connect(backup.beside(database_url, "postgres"), autocommit=True) as admin:
        admin.execute("ALTER DATABASE robo RENAME TO robo_before_it")
    done = site.call("backup", "games.dump")
    assert done.returncode != 0 and 'database "robo" does not exist' in done.stderr
    assert list(tmp_path.glob("games.dump*")) == []
