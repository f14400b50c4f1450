"""Scheduled backups and restore drills, with their records."""

import os
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from pytest_django.fixtures import Settings

from embedded import copies, encryption, processes
from embedded.copies import OffSite
from embedded.paths import Failure
from games.play.models import Game
from games.staff import backups
from games.staff.models import BackupRun
from games.staff.selectors import last_backup, last_drill
from tests import cast
from tests.games.support import HALL, Table, rekeep


@pytest.fixture
def played(database_url: str) -> Game:
    """A game with two stored turns."""
    alice, bob = cast.alice(), cast.bob()
    table = Table(HALL.saved())
    game = table.game(alice, bob)
    for _ in range(2):
        table.play(game, alice, bob)
    return game


class FarDirectory(OffSite):
    """Another machine: here it is a directory."""

    def __init__(self, path: Path) -> None:
        self._options, self._path, self._said = {"type": "local"}, str(path), "far"


@pytest.fixture
def place(tmp_path: Path, settings: Settings, database_url: str) -> Path:
    """The directory of backups of a site that encrypts them."""
    key = encryption.new_key()
    (tmp_path / "identity").write_text(key)
    (tmp_path / "backups").mkdir()
    settings.DATABASE_URL = database_url
    settings.BACKUP_DIRECTORY = str(tmp_path / "backups")
    settings.BACKUP_RECIPIENTS = key.split("\n")[0].removeprefix("# public key: ")
    settings.BACKUP_IDENTITY = str(tmp_path / "identity")
    settings.BACKUP_COPY = ""
    return tmp_path / "backups"


def test_a_backup_is_copied_thinned_and_proved_by_a_drill(
    played: Game, place: Path, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (far := tmp_path / "far").mkdir()
    settings.BACKUP_COPY = "ssh://robo@far/games?key=/k&known_hosts=/h"
    monkeypatch.setattr(backups, "OffSite", lambda url: FarDirectory(far))
    settings.BACKUP_KEEP = [1, 0, 0]
    old = copies.name_at(datetime(2026, 1, 1, tzinfo=UTC), ".age")
    for directory in (place, far):
        (directory / old).touch()
    call_command("backup")
    made = last_backup(ok=True)
    assert made and made.copied and made.size == (far / made.file).stat().st_size
    assert [file.name for file in place.iterdir()] == [made.file]
    assert [file.name for file in far.iterdir()] == [made.file]
    (place / made.file).unlink()  # the drill uses the copy
    (place / "drill-died").mkdir()
    os.utime(place / "drill-died", (0, 0))
    call_command("drill")
    proved = last_drill(ok=True)
    assert proved and (proved.file, proved.copied) == (made.file, True)
    assert "It has 1 games and 2 accounts. All games are sound: 1 games, 3 turns." in proved.report
    assert list(place.iterdir()) == []


def test_the_schedule_makes_backups_and_drills_until_it_is_stopped(place: Path, settings: Settings) -> None:
    environment = backups.environment_for(settings.DATABASE_URL) | {
        "BACKUP_DIRECTORY": str(place),
        "BACKUP_RECIPIENTS": settings.BACKUP_RECIPIENTS,
        "BACKUP_IDENTITY": settings.BACKUP_IDENTITY,
    }
    line = [sys.executable, processes.PROJECT / "manage.py", "schedule_backups", "--every=1"]
    schedule = subprocess.Popen(processes.command_line(line), env=environment)
    try:
        while last_drill(ok=True) is None:
            assert schedule.poll() is None and not BackupRun.objects.filter(ok=False).exists()
            time.sleep(0.1)
        schedule.send_signal(signal.SIGTERM)  # while the second backup begins
        assert schedule.wait(60) == 0
    finally:
        processes.stop(schedule, signal.SIGTERM, timeout=10)
    assert last_backup(ok=True)
    assert all(copies.NAME.fullmatch(file.name) for file in place.iterdir())  # none is unfinished


def test_a_drill_fails_if_a_game_is_damaged(played: Game, place: Path) -> None:
    rekeep(played, 1, events=())
    backups.make_backup(clock=timezone.now)
    with pytest.raises(CommandError, match=f"Game {played.pk}: its log has"):
        call_command("drill")
    failed = last_drill(ok=False)
    assert failed and f"Game {played.pk}: its log has" in failed.error


def test_a_failed_copy_is_recorded_but_the_backup_stays(
    played: Game, place: Path, settings: Settings
) -> None:
    settings.BACKUP_COPY = "s3+http://KEY:secret@127.0.0.1:1/robo/games"
    with pytest.raises(Failure, match=r"holds all games: .* copyto at 127\.0\.0\.1:robo/games failed"):
        backups.make_backup(clock=timezone.now)
    failed = last_backup(ok=False)
    assert failed and not failed.copied and (place / failed.file).is_file()


def test_a_missing_directory_or_backup_is_reported(place: Path, settings: Settings) -> None:
    with pytest.raises(Failure, match="There is no backup at "):
        backups.run_drill(sample=None, clock=timezone.now)
    settings.BACKUP_DIRECTORY = None
    with pytest.raises(Failure, match="Set BACKUP_DIRECTORY"):
        backups.make_backup(clock=timezone.now)
    assert BackupRun.objects.filter(ok=False).exists()
