"""What all streams of a process share: who reads which subject, and when to look in the database.

After a hint from Redis, and every `LOOK` seconds, the hub reads the state of all subjects with one query, and
wakes the readers of those that changed. Nothing is queued: a slow reader finds the newest state, and is told
everything that changed since the last one. Every `CHECK` seconds it ends the streams of readers who have lost
the right to look.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Callable, Hashable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import chain
from typing import Any, ParamSpec, TypeVar

import redis.asyncio
from django.db import connections
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from roborunner.operations.measuring import OPEN_STREAMS
from roborunner.postgres import limits
from roborunner.streams.source import Source

logger = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

THREADS = 4
"""Threads that look in the database, for admissions and for news: each has a connection while it does."""

LOOK = 15.0
"""Seconds after which all subjects with streams are looked at, whatever Redis says."""

CHECK = 8.0
"""Seconds after which the right of each reader is checked again: a stream ends within 15 s of losing it."""

BATCH = 1000
"""Rights that are checked with one set of queries."""

PAUSE = 0.05
"""Seconds between two looks: what is announced meanwhile is found by the next one."""

AGAIN = 1.0
"""Seconds after which Redis, or the database, is tried again."""


class Room:
    """A subject that has streams. ``hints`` counts the announcements of it."""

    __slots__ = ("hints", "readers", "source", "state")

    def __init__(self, source: Source) -> None:
        self.source = source
        self.state: Any = None
        self.readers: set[Reader] = set()
        self.hints = 0

    def note(self, state: Any) -> None:
        """Note the state of the subject, and wake its readers if that is new."""
        before = self.state
        if before is not None and (before == state or self.source.is_older(state, before)):
            return
        self.state = state
        for reader in self.readers:
            reader.wake.set()


class Reader:
    """Someone who has a stream. They are ``gone`` when no one is at the other end, or nothing to tell of.

    ``client`` says with whose streams this one is counted. ``ground`` is what the right to look rests on,
    until it is ``lost``.
    """

    __slots__ = ("client", "gone", "ground", "lost", "room", "wake")

    def __init__(self, room: Room) -> None:
        self.room = room
        self.wake = asyncio.Event()
        self.gone = False
        self.client = ""
        self.ground: Hashable = None
        self.lost = False

    def lose(self) -> None:
        """Note that the reader may not look any more."""
        self.lost = True
        self.wake.set()

    def leave(self) -> None:
        self.gone = True
        self.wake.set()


class Hub:
    """The streams of one process. `open` and `close` it on the event loop that they run on."""

    def __init__(self, redis_url: str, source: Source) -> None:
        self.closing = False
        self._source = source
        self._redis_url = redis_url
        self._rooms: dict[int, Room] = {}
        self._clients: Counter[str] = Counter()
        self._wanted: set[int] = set()
        self._wake = asyncio.Event()
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="streams")
        self._tasks: list[asyncio.Task[None]] = []

    def open(self) -> None:
        """Begin to listen and to look."""
        for work in (self._listen, self._look, self._look_round, self._check_rights):
            self._tasks.append(asyncio.create_task(work(), name=f"streams{work.__name__}"))

    def end_streams(self) -> None:
        """Have all streams end: this process is about to."""
        self.closing = True
        for room in self._rooms.values():
            for reader in room.readers:
                reader.wake.set()

    async def close(self) -> None:
        """End all streams, and do nothing any more."""
        self.end_streams()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._threads.shutdown(wait=False)

    @property
    def size(self) -> int:
        return sum(len(room.readers) for room in self._rooms.values())

    async def in_thread(self, work: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
        """Do something that uses the database in one of few threads, and give its connection back at once."""

        def done() -> T:
            try:
                with limits.within(limits.LOOK, least=limits.LATE):
                    return work(*args, **more)
            finally:
                connections.close_all()

        return await asyncio.get_running_loop().run_in_executor(self._threads, done)

    @contextmanager
    def reader(self, number: int) -> Iterator[Reader]:
        """Give a subject another reader, from before its state is read."""
        room = self._rooms.setdefault(number, Room(self._source))
        reader = Reader(room)
        room.readers.add(reader)
        OPEN_STREAMS.inc()
        try:
            yield reader
        finally:
            OPEN_STREAMS.dec()
            room.readers.discard(reader)
            self._uncount(reader)
            if not room.readers:
                self._rooms.pop(number, None)

    def streams_of(self, client: str) -> int:
        """Return how many streams a client has open."""
        return self._clients[client]

    def count(self, reader: Reader, client: str) -> None:
        """Count a stream as a client's, as long as it lasts."""
        reader.client = client
        self._clients[client] += 1

    def _uncount(self, reader: Reader) -> None:
        if reader.client:
            self._clients[reader.client] -= 1
            if not self._clients[reader.client]:
                del self._clients[reader.client]

    def hint(self, numbers: Iterable[int]) -> None:
        """Have subjects looked at soon, as far as they have streams."""
        for number in numbers:
            if room := self._rooms.get(number):
                room.hints += 1
                self._wanted.add(number)
        if self._wanted:
            self._wake.set()

    async def _look(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            wanted, self._wanted = self._wanted, set()
            try:
                found = await self.in_thread(self._source.states, wanted)
            except Exception:
                logger.exception("The database does not tell the state of %d subjects", len(wanted))
                await asyncio.sleep(AGAIN)
                self.hint(wanted)
            else:
                self._tell(wanted, found)
                await asyncio.sleep(PAUSE)

    def _tell(self, wanted: Iterable[int], found: Mapping[int, Any]) -> None:
        for number in wanted:
            if (room := self._rooms.get(number)) is None:
                continue
            if state := found.get(number):
                room.note(state)
            else:
                for reader in room.readers:
                    reader.leave()

    async def _look_round(self) -> None:
        while True:
            await asyncio.sleep(LOOK)
            self.hint(list(self._rooms))

    async def _check_rights(self) -> None:
        """End the streams of readers who have lost the right to look."""
        wait = CHECK
        while True:
            await asyncio.sleep(wait)
            wait = CHECK
            by_ground: dict[Hashable, list[Reader]] = {}
            for reader in chain.from_iterable(room.readers for room in self._rooms.values()):
                if reader.ground is not None:
                    by_ground.setdefault(reader.ground, []).append(reader)
            for first in range(0, len(by_ground), BATCH):
                grounds = list(by_ground)[first : first + BATCH]
                try:
                    lost = await self.in_thread(self._source.lost, grounds)
                except Exception:
                    logger.exception("The database does not tell which of %d streams may go on", len(grounds))
                    wait = AGAIN
                    continue
                for reader in chain.from_iterable(by_ground[each] for each in grounds if each in lost):
                    reader.lose()

    async def _listen(self) -> None:
        """Take announcements from Redis, and begin again whenever it has been away."""
        away = False
        while True:
            try:
                async for message in self._messages():
                    away = False
                    if message["type"] == "subscribe":  # some may have been missed before
                        self.hint(list(self._rooms))
                    elif message["type"] == "message" and message["data"].isdigit():
                        self.hint([int(message["data"])])
            except Exception as error:  # whatever it is, streams go on
                if not away:
                    logger.warning("Streams look every %d s alone, since Redis is away: %s", LOOK, error)
                away = True
                await asyncio.sleep(AGAIN)

    async def _messages(self) -> AsyncIterator[dict[str, Any]]:
        client = redis.asyncio.Redis.from_url(
            self._redis_url,
            socket_connect_timeout=2,
            health_check_interval=LOOK,
            retry=Retry(NoBackoff(), 0),
        )
        async with client, client.pubsub() as subscription:
            await subscription.subscribe(self._source.channel)
            while True:
                if message := await subscription.get_message(timeout=LOOK):
                    yield message
