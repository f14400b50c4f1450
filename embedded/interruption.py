"""Ctrl-C and its kin, as an exception that comes once."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupted(BaseException):
    """Someone asked this process to stop."""


@contextmanager
def awaited() -> Iterator[None]:
    """Within, the first of `SIGNALS` raises `Interrupted`, and further ones do not disturb the stopping."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        for each in SIGNALS:
            signal.signal(each, signal.SIG_IGN)
        raise Interrupted

    before = {each: signal.signal(each, interrupt) for each in SIGNALS}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
