"""One supervisor at a time for one directory."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from embedded.problem import Failure


@contextmanager
def held(directory: Path) -> Iterator[None]:
    """Hold the lock of `directory`, made if need be; raise `Failure` while another process holds it."""
    directory.mkdir(parents=True, exist_ok=True, mode=0o700)
    # The kernel gives the lock back when its holder dies, however it dies.
    descriptor = os.open(directory / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Failure(f"The servers of {directory} are already running.") from None
        yield
    finally:
        os.close(descriptor)
