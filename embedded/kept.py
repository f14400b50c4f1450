"""What takes long to make and is the same each time: an empty site's database, and the static files as sent.

It is made once for what the sources are now, kept beside them in ``.made``, and copied into each site that
starts.
"""

import fcntl
import hashlib
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from embedded import addresses, binaries, children
from embedded.managing import PROJECT, manage
from embedded.postgres import Postgres
from embedded.problem import Failure

MADE = PROJECT / ".made"

_LOCK = "requirements-dev.lock"  # packages bring tables and files of their own
_PYTHON = tuple(f"{part}/**/*.py" for part in ("accounts", "embedded", "games", "roborunner", "rules"))
OF_DATABASE = (*_PYTHON, "fixtures/**/*", _LOCK)
_OF_STATIC = ("static/**/*", "roborunner/modules.py", "roborunner/settings.py", _LOCK)

# Neither is used for more than reading the settings, and what is kept holds nothing signed.
_NO_SITE = {"SECRET_KEY": "for-making-what-is-kept-and-nothing-else-at-all", "REDIS_URL": "redis://localhost"}


def copy_database(to: Path, given: Mapping[str, str] = os.environ) -> None:
    """Make the cluster `to` with the database of an empty site; raise `Failure` if that cannot be."""
    with ready_made("database", OF_DATABASE, lambda place: _make_database(place, given)) as kept:
        _copy(kept / "postgres", to, never_root=True)
    # All of it is on the disk before it counts, as after initdb.
    _finish([binaries.postgres("initdb"), "--sync-only", f"--pgdata={to}"], never_root=True)


def copy_static(to: Path, given: Mapping[str, str]) -> None:
    """Make the directory `to` with the static files as they are sent; raise `Failure` if that cannot be."""
    shutil.rmtree(to, ignore_errors=True)
    with ready_made("static", _OF_STATIC, lambda place: _collect(place, given)) as kept:
        _copy(kept, to)


def make(given: Mapping[str, str]) -> None:
    """Make what is kept, unless it is there and fits the sources."""
    with ready_made("database", OF_DATABASE, lambda place: _make_database(place, given)):
        pass
    with ready_made("static", _OF_STATIC, lambda place: _collect(place, given)):
        pass


@contextmanager
def ready_made(name: str, patterns: tuple[str, ...], make: Callable[[Path], None]) -> Iterator[Path]:
    """Give the directory of what is kept by a name, made if it is not there for what the sources are now.

    Only one process at a time makes or copies it.
    """
    MADE.mkdir(exist_ok=True)
    descriptor = os.open(MADE / f"{name}.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        directory, stamp = MADE / name, MADE / f"{name}.stamp"
        now = _digest(patterns)
        if not (directory.exists() and stamp.exists() and stamp.read_text() == now):
            unfinished = MADE / f"{name}.unfinished"
            for gone in (unfinished, directory):
                shutil.rmtree(gone, ignore_errors=True)
            make(unfinished)
            unfinished.rename(directory)
            stamp.write_text(now)
        yield directory
    finally:
        os.close(descriptor)


def _digest(patterns: tuple[str, ...]) -> str:
    """Return what changes whenever a file does, or its name."""
    found = sorted(path for pattern in patterns for path in PROJECT.glob(pattern) if path.is_file())
    digest = hashlib.sha256()
    for path in found:
        digest.update(f"{path.relative_to(PROJECT)}\0{path.stat().st_size}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def _make_database(place: Path, given: Mapping[str, str]) -> None:
    """Make a cluster with all tables, starships and missions, and stop it."""
    place.mkdir(mode=0o700)
    sockets = addresses.socket_directory(place)
    sockets.mkdir(parents=True, exist_ok=True, mode=0o700)
    server = Postgres(place)
    try:
        server.start()
        manage({**given, **_NO_SITE, "DATABASE_URL": server.url}, "prepare", "--verbosity=0")
    finally:
        server.stop()
        shutil.rmtree(sockets, ignore_errors=True)


def _collect(place: Path, given: Mapping[str, str]) -> None:
    told = {**given, **_NO_SITE, "STATIC_ROOT": str(place)}
    manage(told, "collectstatic", "--noinput", "--verbosity=0")


def _copy(what: Path, to: Path, *, never_root: bool = False) -> None:
    # Postgres owns its files, and is never root; `cp` shares blocks where the file system can.
    _finish(["cp", "-Rp", what, to], never_root=never_root)


def _finish(command: Sequence[str | Path], *, never_root: bool) -> None:
    done = children.finish(command, env=children.server_environment(), never_root=never_root)
    if done.returncode:
        raise Failure(done.stderr.strip() or f"{command[0]} failed with status {done.returncode}.")
