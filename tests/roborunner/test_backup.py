"""Backup and restore as in docs/operations.md. In restored data, each log leads to the stored states."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from psycopg import sql

from accounts.models import User
from embedded import backup
from embedded.paths import Failure
from games.fleet.models import Starship
from games.play.models import Game
from tests import cast
from tests.games.support import HALL, Table, record_of, rekeep

RESTORED = "restored_by_a_test"


@pytest.fixture
def server(database_url: str) -> str:
    """Return the address of the server's default database, which can create others."""
    return urlunsplit(urlsplit(database_url)._replace(path="/postgres"))


@pytest.fixture
def restored_name(server: str) -> Iterator[str]:
    """The name of a database to restore into. The database is dropped after the test."""
    yield RESTORED
    with psycopg.connect(server, autocommit=True) as admin:
        admin.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(RESTORED)))


@pytest.fixture
def played(database_url: str) -> Game:
    """A game with three stored turns."""
    alice, bob = cast.alice(), cast.bob()
    table = Table(HALL.saved())
    game = table.game(alice, bob)
    for _ in range(3):
        table.play(game, alice, bob)
    return game


@contextmanager
def connected(database: str) -> Iterator[None]:
    """Connect Django to another database of the server, within the block."""
    before = connection.settings_dict["NAME"]
    connection.close()
    connection.settings_dict["NAME"] = database
    yield
    connection.close()
    connection.settings_dict["NAME"] = before


def check(*numbers: str) -> str:
    """Run `check_games` for the given games, or by default all. Return the output."""
    said = StringIO()
    call_command("check_games", *numbers, stdout=said)
    return said.getvalue()


def check_damaged(*numbers: str) -> str:
    """Run `check_games`, and expect one damaged game. Return the reported faults."""
    said = StringIO()
    with pytest.raises(CommandError, match=r"1 of 1 games have faults\."):
        call_command("check_games", *numbers, stderr=said)
    return said.getvalue()


def rows_of(url: str) -> dict[str, list[tuple[object, ...]]]:
    """Return all rows of a database as JSON, by table."""
    with psycopg.connect(url) as look:
        tables = look.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        return {
            table: look.execute(
                sql.SQL("SELECT to_jsonb(t)::text FROM {} t ORDER BY 1").format(sql.Identifier(table))
            ).fetchall()
            for (table,) in tables
        }


def test_restored_data_is_the_same_and_sound(
    database_url: str, server: str, restored_name: str, played: Game, tmp_path: Path
) -> None:
    backup.dump(database_url, tmp_path / "games.dump")
    before = rows_of(database_url)
    User.objects.all().update(is_active=False)  # too late for the backup
    url = backup.restore(tmp_path / "games.dump", server, restored_name)
    assert rows_of(url) == before
    turns = [json.loads(str(row)) for (row,) in before["games_turn"]]
    assert len([turn for turn in turns if turn["record"]]) == 3
    assert max(turn["last_seq"] or 0 for turn in turns) == played.last_seq > 0
    with connected(restored_name):
        call_command("migrate", "--check")
        assert check() == "All games are sound: 1 games, 4 turns.\n"


def test_restored_games_continue(
    database_url: str, server: str, restored_name: str, played: Game, tmp_path: Path
) -> None:
    backup.dump(database_url, tmp_path / "games.dump")
    backup.restore(tmp_path / "games.dump", server, restored_name)
    with connected(restored_name):
        game = Game.objects.get(pk=played.pk)
        Table(Starship.objects.get()).play(game, *User.objects.order_by("pk"))
        assert check() == "All games are sound: 1 games, 5 turns.\n"


@pytest.mark.parametrize(
    ("number", "found"), [(1, "turn 2: its log begins with entry"), (2, "its log has")], ids=["inside", "end"]
)
def test_damage_is_found(database_url: str, played: Game, number: int, found: str) -> None:
    rekeep(played, number, events=record_of(played, number).events[:-1])
    assert f"Game {played.pk}: {found}" in check_damaged(str(played.pk))


def test_a_gap_between_two_turns_is_found(database_url: str, played: Game) -> None:
    rekeep(played, 2, start=record_of(played, 1).start)
    assert f"Game {played.pk}: turn 1: its end does not lead to the next turn." in check_damaged()


def test_a_missing_game_is_reported(db: None) -> None:
    with pytest.raises(CommandError, match=r"There is no game 999\."):
        check("999")


def test_a_restore_never_overwrites_a_database(
    database_url: str, server: str, restored_name: str, tmp_path: Path
) -> None:
    backup.dump(database_url, tmp_path / "games.dump")
    backup.restore(tmp_path / "games.dump", server, restored_name)
    with pytest.raises(Failure, match=f"The database {restored_name} is not empty: it holds .* with 0 games"):
        backup.restore(tmp_path / "games.dump", server, restored_name)


def test_half_a_backup_restores_nothing(
    database_url: str, server: str, restored_name: str, tmp_path: Path
) -> None:
    file = tmp_path / "games.dump"
    backup.dump(database_url, file)
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    with pytest.raises(Failure, match="pg_restore failed"):
        backup.restore(file, server, restored_name)
    with psycopg.connect(server) as look:
        assert not look.execute("SELECT 1 FROM pg_database WHERE datname = %s", [restored_name]).fetchone()
