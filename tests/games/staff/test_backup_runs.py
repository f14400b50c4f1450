"""The records of backups and restore drills."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection

from accounts.models import User
from games.staff.models import BackupRun
from games.staff.selectors import last_backup, last_drill
from games.staff.services import RUNS_KEPT, record_run
from tests.games.reader import ReaderOf

NOW = datetime(2026, 11, 30, 3, 0, tzinfo=UTC)
BACKUP, DRILL = BackupRun.Kind.BACKUP, BackupRun.Kind.DRILL


def record(kind: BackupRun.Kind, at: datetime, error: str = "") -> BackupRun:
    run = record_run(kind, started_at=at - timedelta(minutes=2), file="a.dump", size=5, error=error, now=at)
    assert run is not None
    return run


@pytest.mark.django_db
def test_the_last_good_and_the_last_failed_run_are_found() -> None:
    assert last_backup() is None
    good = record(BACKUP, NOW)
    failed = record(BACKUP, NOW + timedelta(days=1), error="The disk is full.")
    drill = record(DRILL, NOW)
    assert (last_backup(), last_backup(ok=True), last_backup(ok=False)) == (failed, good, failed)
    assert (last_drill(), last_drill(ok=False)) == (drill, None)


@pytest.mark.django_db
def test_old_records_go_except_the_last_good_one_of_each_kind() -> None:
    first, good = record(BACKUP, NOW), record(BACKUP, NOW + timedelta(days=1))
    failed = record(BACKUP, NOW + RUNS_KEPT + timedelta(days=2), error="The disk is full.")
    assert list(BackupRun.objects.all()) == [failed, good]
    assert not BackupRun.objects.filter(pk=first.pk).exists()


@pytest.mark.django_db
def test_a_read_only_database_does_not_stop_a_backup(caplog: pytest.LogCaptureFixture) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL transaction_read_only = on")
    assert record_run(BACKUP, started_at=NOW, now=NOW) is None
    assert "The backup is not recorded: cannot execute INSERT in a read-only transaction" in caplog.text


@pytest.mark.django_db
def test_staff_see_backups_and_drills(erin: User, read: ReaderOf) -> None:
    record(DRILL, NOW, error="Game 3: its log has 2 entries instead of 3.")
    User.objects.filter(pk=erin.pk).update(is_superuser=True)
    page = read(User.objects.get(pk=erin.pk)).get("/admin/games/backuprun/")
    assert "restore drill" in page.html and "120 s" in page.html
