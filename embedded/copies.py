"""Copies of backups: off site by S3 or ssh, and the choice of backups to keep.

``rclone`` copies the files. It gets keys and passwords by its environment, never in a command line.
"""

import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

from embedded import processes
from embedded.paths import Failure

NAME = re.compile(r"games-(\d{4}-\d\d-\d\dT\d{6}Z)\.dump(\.age)?")
"""The names of backups that are thinned and restored in drills. Other files stay untouched."""

UNFINISHED: Final = ".unfinished"

COPY_TIMEOUT: Final = 6 * 60 * 60
"""The longest time for one copy, in seconds."""


ABANDONED_AFTER: Final = timedelta(days=1)
"""The age, compared with the newest backup, at which an unfinished file belongs to a process that died."""


# --- Thinning -----------------------------------------------------------------------------------------------


class Keep(NamedTuple):
    """The numbers of backups to keep: the last one of each of some days, weeks and months."""

    days: int = 14
    weeks: int = 8
    months: int = 12

    def names(self, names: Iterable[str]) -> set[str]:
        """Return the names of backups to keep. Only periods with a backup count.

        So if backups stop, no more of them are deleted.

        >>> sorted(Keep(1, 2, 0).names([f"games-2026-11-{day:02}T030000Z.dump" for day in range(1, 17)]))
        ['games-2026-11-15T030000Z.dump', 'games-2026-11-16T030000Z.dump']
        """
        newest_first = sorted(filter(NAME.fullmatch, names), key=time_of, reverse=True)
        kept: set[str] = set()
        for number, period in zip(self, _PERIODS, strict=True):
            last_of: dict[object, str] = {}
            for name in newest_first:
                last_of.setdefault(period(time_of(name)), name)
            kept |= set(list(last_of.values())[:number])
        return kept


_PERIODS: Final[tuple[Callable[[datetime], object], ...]] = (
    datetime.date,
    lambda at: at.isocalendar()[:2],
    lambda at: (at.year, at.month),
)


def name_at(now: datetime, suffix: str = "") -> str:
    """Return the name of a backup that starts ``now``, in UTC."""
    return f"games-{now:%Y-%m-%dT%H%M%SZ}.dump{suffix}"


def newest(names: Iterable[str]) -> str | None:
    return max(filter(NAME.fullmatch, names), key=time_of, default=None)


def time_of(name: str) -> datetime:
    """Return the time at which the backup of this name was started."""
    found = NAME.fullmatch(name)
    assert found
    return datetime.strptime(found[1], "%Y-%m-%dT%H%M%S%z")


# --- Places -------------------------------------------------------------------------------------------------


class Directory:
    """A directory with backups on this machine."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __str__(self) -> str:
        return str(self._path)

    def names(self) -> list[str]:
        try:
            return [file.name for file in self._path.iterdir()]
        except OSError as error:
            raise Failure(f"{self._path} cannot be read: {error.strerror}.") from None

    def delete(self, name: str) -> None:
        try:
            (self._path / name).unlink(missing_ok=True)
        except OSError as error:
            raise Failure(f"{self._path / name} was not deleted: {error.strerror}.") from None


class OffSite:
    """A place for copies on another machine, at the address of ``BACKUP_COPY``.

    Methods raise `Failure` with the reason if the other machine does not answer or refuses.
    """

    def __init__(self, url: str) -> None:
        self._options, self._path = destination(url)
        host = urlsplit(url).hostname
        self._said = f"{host}:{self._path}"

    def __str__(self) -> str:
        return self._said

    def put(self, file: Path) -> None:
        """Copy a file there. It gets its name once the copy is complete."""
        self._call("copyto", str(file), self._at(file.name + UNFINISHED))
        self._call("moveto", self._at(file.name + UNFINISHED), self._at(file.name))

    def get(self, name: str, target: Path) -> None:
        self._call("copyto", self._at(name), str(target))

    def names(self) -> list[str]:
        return self._call("lsf", "--files-only", self._at(""), missing="").splitlines()

    def delete(self, name: str) -> None:
        self._call("deletefile", self._at(name))

    def _at(self, name: str) -> str:
        return f"copy:{self._path}/{name}"

    def _call(self, *words: str, missing: str | None = None) -> str:
        """Run rclone. Return its output, or ``missing`` if the directory does not exist yet."""
        # Without the settings of other programs for S3, and of the operator's own rclone.
        environment = {
            name: value
            for name, value in processes.server_environment().items()
            if not name.startswith(("AWS_", "RCLONE_"))
        }
        environment |= {f"RCLONE_CONFIG_COPY_{name.upper()}": value for name, value in self._options.items()}
        # Two tries in all: a scheduled run comes again.
        line = [
            "rclone",
            "--config=",
            "--retries=2",
            "--low-level-retries=2",
            "--contimeout=20s",
            "--timeout=2m",
            *words,
        ]
        if not shutil.which("rclone"):
            raise Failure("rclone is not installed: on Debian, apt-get install rclone.")
        try:
            done = subprocess.run(
                processes.command_line(line),
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=COPY_TIMEOUT,
            )
        except subprocess.TimeoutExpired:
            raise Failure(f"{self} took more than {COPY_TIMEOUT // 3600} hours for one copy.") from None
        if done.returncode == _NO_DIRECTORY and missing is not None:
            return missing
        if done.returncode:
            raise Failure(f"{words[0]} at {self} failed: {_last_line(done.stderr)}")
        return done.stdout


_NO_DIRECTORY: Final = 3
"""The exit status of rclone if a directory does not exist."""


def thin(place: Directory | OffSite, keep: Keep) -> int:
    """Delete surplus backups of a place, and unfinished files of processes that died. Return their number."""
    names = place.names()
    kept = keep.names(names)
    surplus = [name for name in names if NAME.fullmatch(name) and name not in kept]
    surplus += _abandoned(names)
    for name in surplus:
        place.delete(name)
    return len(surplus)


def _abandoned(names: Iterable[str]) -> list[str]:
    last = newest(names)
    found = {name: name.removesuffix(UNFINISHED) for name in names if name.endswith(UNFINISHED)}
    return [
        name
        for name, complete in found.items()
        if last and NAME.fullmatch(complete) and time_of(complete) < time_of(last) - ABANDONED_AFTER
    ]


def destination(url: str) -> tuple[Mapping[str, str], str]:
    """Return rclone's options for an address of ``BACKUP_COPY``, and the path there.

    Raises ValueError with the reason if the address is not valid.

    >>> destination("s3://KEY:SECRET@s3.example.org/robo/games?region=eu-1")[1]
    'robo/games'
    >>> destination("ssh://robo@backup.example.org/~/games?key=/etc/k&known_hosts=/etc/h")[1]
    'games'
    """
    parts = urlsplit(url)
    given = {name: values[0] for name, values in parse_qs(parts.query).items()}
    path = unquote(parts.path).rstrip("/")
    if parts.scheme in ("s3", "s3+http"):
        if not (parts.username and parts.password and parts.hostname and path.strip("/")):
            raise ValueError("key, secret, host or bucket is missing: s3://KEY:SECRET@host/bucket/directory")
        if unknown := given.keys() - {"region"}:
            raise ValueError(f"it has an unknown part: {min(unknown)}")
        scheme = "https" if parts.scheme == "s3" else "http"
        port = f":{parts.port}" if parts.port else ""
        return {
            "type": "s3",
            "provider": "Other",
            "access_key_id": unquote(parts.username),
            "secret_access_key": unquote(parts.password),
            "endpoint": f"{scheme}://{parts.hostname}{port}",
            "region": given.get("region", ""),
            "force_path_style": "true",
            "no_check_bucket": "true",
        }, path.strip("/")
    if parts.scheme == "ssh":
        if not (parts.username and parts.hostname and path.strip("/")):
            raise ValueError("user, host or directory is missing: ssh://user@host/directory?key=…")
        if parts.password or given.keys() != {"key", "known_hosts"}:
            raise ValueError(
                "it must name a file with the private key, and one with the key of the host:"
                " ssh://user@host/directory?key=/path&known_hosts=/path"
            )
        return {
            "type": "sftp",
            "host": parts.hostname,
            "user": unquote(parts.username),
            "port": str(parts.port or 22),
            "key_file": given["key"],
            "known_hosts_file": given["known_hosts"],
            # Needs no shell on the other machine, only SFTP.
            "shell_type": "none",
            "disable_hashcheck": "true",
        }, path.removeprefix("/~/")
    raise ValueError(f"the address must start with s3:// or ssh://, not {parts.scheme or 'nothing'}://")


def _last_line(text: str) -> str:
    lines = text.strip().splitlines() or ["no reason given"]
    return re.sub(r"^[\d/]+ [\d:]+ \w+\s*:\s*", "", lines[-1])
