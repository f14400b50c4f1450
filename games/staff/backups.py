"""Make, copy and thin backups, and prove them by restoring the newest one into a scratch database."""

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Final

import psycopg
from django.conf import settings
from django.db import Error
from django.template.defaultfilters import filesizeformat

from embedded import backup, copies, encryption, processes
from embedded.copies import Directory, Keep, OffSite
from embedded.paths import Failure
from games.play.models import Game
from games.staff.models import BackupRun
from games.staff.services import record_run

DRILL: Final = "drill-"
"""The start of the names of directories for copies from off site."""

Clock = Callable[[], datetime]

SAMPLE: Final = 500
"""The number of games that a drill checks, chosen at random."""


def identity() -> Path | None:
    """Return the file with the secret key for encrypted backups, if one is set."""
    return Path(settings.BACKUP_IDENTITY) if settings.BACKUP_IDENTITY else None


def write_backup(file: Path) -> int:
    """Write a backup, encrypted if the site has public keys. Return its size in bytes."""
    backup.dump(settings.DATABASE_URL, file, recipients=settings.BACKUP_RECIPIENTS)
    return file.stat().st_size


def name_of_backup(now: datetime) -> str:
    return copies.name_at(now, encryption.SUFFIX if settings.BACKUP_RECIPIENTS else "")


def make_backup(*, clock: Clock) -> str:
    """Write a backup to the directory of backups, copy it off site, thin both places, and record the run.

    Returns a report. If the copy fails, the backup stays and the rest is done. Raises `Failure` with
    everything that went wrong.
    """
    started_at = clock()
    errors: list[str] = []
    done: list[str] = []
    file = _directory() / name_of_backup(started_at)
    size, copied = None, False
    off_site = OffSite(settings.BACKUP_COPY) if settings.BACKUP_COPY else None
    with _noted(errors):
        size = write_backup(file)
        done.append(f"{file} holds all games: {_in_words(size)}.")
    if size is not None and off_site is not None:
        with _noted(errors):
            off_site.put(file)
            copied = True
            done.append(f"It is copied to {off_site}.")
    if size is not None:
        places: list[Directory | OffSite] = [Directory(file.parent), *([off_site] if off_site else [])]
        for place in places:
            with _noted(errors):
                if thinned := copies.thin(place, Keep(*settings.BACKUP_KEEP)):
                    done.append(f"{thinned} old backups are deleted from {place}.")
    report, error = " ".join(done), " ".join(errors)
    record_run(
        BackupRun.Kind.BACKUP,
        started_at=started_at,
        file=file.name,
        size=size,
        copied=copied,
        report=report,
        error=error,
        now=clock(),
    )
    if error:
        raise Failure(" ".join([*done, error]))
    return report


def run_drill(*, sample: int | None, clock: Clock) -> str:
    """Restore the newest backup into a scratch database, check its games, drop it, and record the run.

    Uses the copy off site, if there is one. ``sample`` is the number of games to check, or None for all.
    Returns a report. Raises `Failure` with the reason if the backup cannot be restored or is not sound.
    """
    started_at = clock()
    name, size, report, error = "", None, "", ""
    place = OffSite(settings.BACKUP_COPY) if settings.BACKUP_COPY else Directory(_directory())
    try:
        name = copies.newest(place.names()) or ""
        if not name:
            raise Failure(f"There is no backup at {place}.")
        with fetched(place, name) as file:
            size = file.stat().st_size
            with backup.scratch(file, settings.DATABASE_URL, identity=identity()) as url:
                report = f"{name} from {place} is restored. {_examine(url, copies.time_of(name), sample)}"
    except Failure as problem:
        error = str(problem)
    record_run(
        BackupRun.Kind.DRILL,
        started_at=started_at,
        file=name,
        size=size,
        copied=bool(settings.BACKUP_COPY),
        report=report,
        error=error,
        now=clock(),
    )
    if error:
        raise Failure(error)
    return report


def environment_for(url: str) -> dict[str, str]:
    """Return an environment for commands on the database at `url`, without a replica of another one."""
    return {
        **os.environ,
        "SECRET_KEY": settings.SECRET_KEY,
        "DATABASE_URL": url,
        "DATABASE_REPLICA_URL": "",
        "REDIS_URL": settings.REDIS_URL,
    }


def migrate(url: str) -> None:
    """Bring a restored database to this release's tables. Raises `Failure` if that does not work."""
    processes.manage(environment_for(url), "migrate", "--verbosity=0")


@contextmanager
def fetched(place: Directory | OffSite, name: str) -> Iterator[Path]:
    """Yield a backup as a file on this machine. A copy from off site is deleted after the block."""
    directory = _directory()
    if isinstance(place, Directory):
        yield directory / name
        return
    try:
        _clear_drills(directory)
        with tempfile.TemporaryDirectory(prefix=DRILL, dir=directory) as own:
            place.get(name, Path(own) / name)
            yield Path(own) / name
    except OSError as problem:
        raise Failure(f"{directory} cannot be written: {problem.strerror}.") from None


def _clear_drills(directory: Path) -> None:
    """Delete copies from off site of drills that died more than a day ago."""
    for left in directory.glob(f"{DRILL}*"):
        if time.time() - left.stat().st_mtime > copies.ABANDONED_AFTER.total_seconds():
            shutil.rmtree(left, ignore_errors=True)


def _directory() -> Path:
    if not settings.BACKUP_DIRECTORY:
        raise Failure("Set BACKUP_DIRECTORY to the directory for backups, or name a file.")
    directory = Path(settings.BACKUP_DIRECTORY)
    if not directory.is_dir():
        raise Failure(f"The directory {directory} of BACKUP_DIRECTORY does not exist.")
    return directory


def _examine(url: str, made_at: datetime, sample: int | None) -> str:
    """Check a restored database. Return a report. Raise `Failure` with the problems."""
    migrate(url)
    with psycopg.connect(url) as connection:
        row = connection.execute(
            "SELECT (SELECT count(*) FROM games_game), (SELECT count(*) FROM accounts_user)"
        ).fetchone()
    assert row
    games, people = row
    try:
        expected = Game.objects.filter(created_at__lt=made_at).count()
    except Error:
        expected = 0  # the site's own database may be lost, and a backup is good without it
    if games < expected:
        raise Failure(f"The backup has {games} games, but {expected} games of the site are older than it.")
    options = [f"--sample={sample}"] if sample else []
    checked = backup.check_database(url, environment_for(url), *options)
    return f"It has {games} games and {people} accounts. {checked}"


@contextmanager
def _noted(errors: list[str]) -> Iterator[None]:
    """Add the text of a `Failure` in the block to ``errors``, and continue after the block."""
    try:
        yield
    except Failure as problem:
        errors.append(str(problem))


def _in_words(size: int) -> str:
    return filesizeformat(size).replace("\N{NO-BREAK SPACE}", " ")
