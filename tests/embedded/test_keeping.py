"""The commands ``backup``, ``restore``, ``check`` and ``take-over``."""

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management import CommandError, call_command
from psycopg import sql
from redis import Redis

from embedded import backup, paths
from games.play.models import Game
from tests import cast
from tests.embedded.conftest import Start
from tests.games.support import HALL, Table, rekeep

Call = Callable[..., subprocess.CompletedProcess[str]]

RESTORED = "restored_by_a_command"


@pytest.fixture
def played(database_url: str) -> Game:
    """A game with two stored turns."""
    alice, bob = cast.alice(), cast.bob()
    table = Table(HALL.saved())
    game = table.game(alice, bob)
    for _ in range(2):
        table.play(game, alice, bob)
    return game


@pytest.fixture
def restored(database_url: str) -> Iterator[str]:
    """The name of a database to restore into. The database is dropped after the test."""
    yield RESTORED
    with psycopg.connect(backup.beside(database_url, "postgres"), autocommit=True) as admin:
        admin.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(RESTORED)))


def test_a_database_beside_another_is_reached_in_the_same_way() -> None:
    assert backup.beside("postgresql://robo@db/games", "kept") == "postgresql://robo@db/kept"
    by_tls = "postgresql://robo@db:5432/games?sslmode=require&host=/run/postgres"
    assert backup.beside(by_tls, "kept") == by_tls.replace("games", "kept")


def test_a_backup_of_a_site_in_use_is_restored_and_checked(
    call: Call, database_url: str, played: Game, restored: str, tmp_path: Path, settings: Any
) -> None:
    file = str(tmp_path / "games.dump")
    site = {"DATABASE_URL": database_url, "SECRET_KEY": os.urandom(32).hex()}
    written = call("backup", file, **site)
    assert written.returncode == 0, written.stderr
    assert written.stdout.startswith(f"{file} holds all games: ")
    assert Path(file).stat().st_mode & 0o077 == 0
    rekeep(played, 1, events=())  # too late for the backup
    made = call("restore", file, restored, **site)
    assert (made.returncode, made.stderr) == (0, "")
    assert made.stdout == (
        f"The database {restored} now holds the data of {file}.\nAll games are sound: 1 games, 3 turns.\n"
    )
    damaged = call("check", **site)
    assert damaged.returncode == 1
    assert f"Game {played.pk}: its log has" in damaged.stderr
    settings.DATABASE_URL = database_url
    held = f"The database {restored} is not empty: it holds .* tables with 1 games"
    for words, said in (
        (["restore", file, restored], held),
        (["backup", file], "is not written over another"),
        (["take_over", restored], r"^The database is being used: stop the site first\.$"),  # by this test
    ):
        with pytest.raises(CommandError, match=said):
            call_command(*words)


def rows(url: str) -> list[str]:
    with psycopg.connect(url) as look:
        return [word for (word,) in look.execute("SELECT word FROM kept")]


def test_the_embedded_database_is_found_and_replaced_even_if_stopped(
    start: Start, call: Call, tmp_path: Path
) -> None:
    url = paths.database_url(tmp_path / "data")
    serving = start("serve")
    assert serving.stdout and serving.stdout.readline() and serving.stdout.readline()
    with Redis.from_url(paths.redis_url(tmp_path / "data")) as client:
        client.set("hint", "about a row that there may not be")
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 'before' AS word")
    assert call("backup", str(tmp_path / "one.dump")).returncode == 0
    with psycopg.connect(url) as connection:
        connection.execute("UPDATE kept SET word = 'after'")
    serving.terminate()
    assert serving.wait(30) == 0
    assert call("backup", str(tmp_path / "two.dump")).returncode == 0
    half_a_site = call("restore", str(tmp_path / "one.dump"), "copy")
    assert half_a_site.stdout == f"The database copy now holds the data of {tmp_path / 'one.dump'}.\n"
    assert half_a_site.returncode == 1 and "does not match this release" in half_a_site.stderr
    taken = call("take-over", "copy")
    assert taken.stdout == "The site now uses the data of copy. Its old data is in roborunner_before.\n"
    serving = start("serve")
    assert serving.stdout and serving.stdout.readline() and serving.stdout.readline()
    with Redis.from_url(paths.redis_url(tmp_path / "data")) as client:
        assert client.get("hint") is None
    assert rows(url) == ["before"]
    assert rows(backup.beside(url, "roborunner_before")) == ["after"]


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["backup", "{tmp}/games.dump"], "There is no database in {tmp}/data, and DATABASE_URL names none."),
        (["restore", "x", "copy"], "There is no database in {tmp}/data, and DATABASE_URL names none."),
        (["check"], "There is no database in {tmp}/data, and DATABASE_URL names none."),
        (["take-over", "copy"], "There is no database in {tmp}/data, and DATABASE_URL names none."),
    ],
)
def test_a_missing_database_or_file_is_reported_in_one_sentence(
    call: Call, tmp_path: Path, command: list[str], said: str
) -> None:
    done = call(*(word.format(tmp=tmp_path) for word in command))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == said.format(tmp=tmp_path) + "\n"


def test_an_absent_server_and_a_broken_file_are_reported(
    call: Call, database_url: str, tmp_path: Path, settings: Any
) -> None:
    away = "postgresql://nobody@127.0.0.1:1/nothing"
    refused = call("backup", str(tmp_path / "games.dump"), DATABASE_URL=away)
    assert refused.returncode == 1
    assert refused.stderr.startswith("CommandError: The database cannot be reached: ")
    assert list(tmp_path.glob("games.dump*")) == []
    (tmp_path / "letter.txt").write_text("Dear all")
    for url, words, said in (
        (database_url, ["restore", tmp_path / "letter.txt", RESTORED], "^pg_restore failed: "),
        (database_url, ["restore", tmp_path / "nothing", RESTORED], f"^There is no file {tmp_path}/nothing"),
        (database_url, ["take_over", RESTORED], f"^There is no other database {RESTORED}"),
        (away, ["take_over", RESTORED], "^The database cannot be reached: "),
    ):
        settings.DATABASE_URL = url
        with pytest.raises(CommandError, match=said):
            call_command(*map(str, words))
