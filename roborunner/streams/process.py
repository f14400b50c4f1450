"""What streams need of the process that they are in."""

import asyncio
import resource
import signal
import threading
from collections.abc import Callable
from types import FrameType

MOST = 10_000
"""Streams that one process holds, where it may have that many files open."""

SPARE = 200
"""Open files that are left for all else: pages, the database, Redis, static files."""


def most_streams() -> int:
    """Return how many streams this process can hold, having raised its limit of open files to that."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST + SPARE
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
        except (ValueError, OSError):  # the system has a limit of its own
            pass
    if soft == resource.RLIM_INFINITY:
        return MOST
    return min(MOST, max(soft - SPARE, soft // 2))


def when_it_ends(loop: asyncio.AbstractEventLoop, call: Callable[[], None]) -> None:
    """Have something called on the loop when the process is asked to end, before the server acts on it.

    A server waits for answers under way before it tells an application that it ends, and streams would
    keep it waiting. Outside of the main thread, where no signals arrive, nothing is done.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    for number in (signal.SIGTERM, signal.SIGINT):
        if callable(before := signal.getsignal(number)):
            signal.signal(number, _also(loop, call, before))


def _also(
    loop: asyncio.AbstractEventLoop,
    call: Callable[[], None],
    before: Callable[[int, FrameType | None], object],
) -> Callable[[int, FrameType | None], None]:
    def handle(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(call)
        before(number, frame)

    return handle
