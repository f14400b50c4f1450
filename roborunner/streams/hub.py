"""What all streams of a process share: who is told of which game, and when to look in the database.

A hint from Redis, or simply time that has passed, has the hub look how games stand: one query for all of
them, whose answer wakes those who are to be told. Nothing is queued for anybody: who is slow finds the
newest standing when they come to it, and is told all that has changed since they were told last.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeVar

import redis.asyncio
from django.db import connections
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from games.announce import CHANNEL
from games.play.selectors.standings import Standing, standings
from games.presence import SIGN, note_looking
from roborunner.operations.measuring import OPEN_STREAMS
from roborunner.postgres import limits

logger = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

THREADS = 4
"""Threads that look in the database, for admissions and for news: each has a connection while it does."""

LOOK = 15.0
"""Seconds after which all games with streams are looked at, whatever Redis says."""

PAUSE = 0.05
"""Seconds between two looks: what is announced meanwhile is found by the next one."""

AGAIN = 1.0
"""Seconds after which Redis, or the database, is tried again."""


class Room:
    """A game that somebody has a stream of. ``hints`` counts the announcements of it."""

    __slots__ = ("hints", "readers", "standing")

    def __init__(self) -> None:
        self.standing: Standing | None = None
        self.readers: set[Reader] = set()
        self.hints = 0

    def stands(self, standing: Standing) -> None:
        """Note how the game stands, and wake its readers if that is new."""
        before = self.standing
        if before == standing or (before and _older(standing, before)):
            return
        self.standing = standing
        for reader in self.readers:
            reader.wake.set()


class Reader:
    """Somebody who has a stream. They are ``gone`` when nobody is at the other end, or nothing to tell of.

    ``player`` is the number of the person who looks at their own game, if it is such. ``client`` says with
    whose streams this one is counted.
    """

    __slots__ = ("client", "gone", "player", "room", "wake")

    def __init__(self, room: Room) -> None:
        self.room = room
        self.wake = asyncio.Event()
        self.gone = False
        self.player: int | None = None
        self.client = ""

    def leave(self) -> None:
        """Have the stream end."""
        self.gone = True
        self.wake.set()


def _older(standing: Standing, other: Standing) -> bool:
    """Return whether a standing was read before another: log and chat do not get shorter."""
    return standing.cursor.seq < other.cursor.seq or standing.cursor.chat < other.cursor.chat


class Hub:
    """The streams of one process. `open` and `close` it on the event loop that they run on."""

    def __init__(self, redis_url: str) -> None:
        self.closing = False
        self._redis_url = redis_url
        self._rooms: dict[int, Room] = {}
        self._clients: Counter[str] = Counter()
        self._wanted: set[int] = set()
        self._wake = asyncio.Event()
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="streams")
        self._tasks: list[asyncio.Task[None]] = []

    def open(self) -> None:
        """Begin to listen and to look."""
        for work in (self._listen, self._look, self._look_round, self._give_signs):
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
        """The number of streams."""
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
    def reader(self, game_id: int) -> Iterator[Reader]:
        """Have somebody be told of a game, from before it is read how it stands."""
        room = self._rooms.setdefault(game_id, Room())
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
                self._rooms.pop(game_id, None)

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

    def hint(self, game_ids: Iterable[int]) -> None:
        """Have games looked at soon, if anybody has a stream of them."""
        for game_id in game_ids:
            if room := self._rooms.get(game_id):
                room.hints += 1
                self._wanted.add(game_id)
        if self._wanted:
            self._wake.set()

    async def _look(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            wanted, self._wanted = self._wanted, set()
            try:
                found = await self.in_thread(standings, game_ids=wanted)
            except Exception:
                logger.exception("The database does not say how %d games stand", len(wanted))
                await asyncio.sleep(AGAIN)
                self.hint(wanted)
            else:
                self._tell(wanted, found)
                await asyncio.sleep(PAUSE)

    def _tell(self, wanted: Iterable[int], found: Mapping[int, Standing]) -> None:
        for game_id in wanted:
            if (room := self._rooms.get(game_id)) is None:
                continue
            if standing := found.get(game_id):
                room.stands(standing)
            else:
                for reader in room.readers:
                    reader.leave()

    async def _look_round(self) -> None:
        while True:
            await asyncio.sleep(LOOK)
            self.hint(list(self._rooms))

    async def _give_signs(self) -> None:
        """Say now and then which players look at their games: what they see they need not be mailed."""
        while True:
            await asyncio.sleep(SIGN.total_seconds())
            looks = {
                (game_id, reader.player)
                for game_id, room in self._rooms.items()
                for reader in room.readers
                if reader.player is not None
            }
            await self.in_thread(note_looking, looks)

    async def _listen(self) -> None:
        """Take announcements from Redis, and begin anew whenever it has been away."""
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
            await subscription.subscribe(CHANNEL)
            while True:
                if message := await subscription.get_message(timeout=LOOK):
                    yield message
