"""Where the embedded servers listen: pure arithmetic, so that settings may ask before anything runs."""

import hashlib
import os
import tempfile
from pathlib import Path
from urllib.parse import quote

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
