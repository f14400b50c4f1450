"""Streams of server-sent events, answered in front of Django.

Each stream has a subject, such as a game. An open stream holds neither a thread nor a database connection.
After a hint from Redis, and every `LOOK_INTERVAL` seconds, the hub reads the states of subjects with one
query, and wakes the readers of changed subjects. Nothing is queued: a slow reader gets all changes between
its last state and the newest one. Every `RIGHTS_INTERVAL` seconds, the hub ends the streams of readers who
have lost their permission.
"""

import asyncio
import json
import logging
import random
import re
import resource
import signal
import threading
from collections import Counter
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Collection,
    Container,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
)
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from io import BytesIO
from itertools import chain
from types import FrameType
from typing import Any, NamedTuple, ParamSpec, Protocol, TypeVar

import redis.asyncio
from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.db import connections
from django.http import HttpRequest
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from roborunner import middleware
from roborunner.middleware import outer_headers
from roborunner.operations.metrics import OPEN_STREAMS
from roborunner.postgres import connections as connections_limits

# --- The interface of a source of streams -------------------------------------------------------------------


class Item(Protocol):
    """An event of a stream: its type, its data, and the cursor to resume after it."""

    @property
    def kind(self) -> str: ...
    @property
    def data(self) -> dict[str, Any]: ...
    @property
    def cursor(self) -> object: ...


class Admission(Protocol):
    """The permission of a reader for a stream.

    ``state`` is the current state of the subject, and ``read`` is the position of the last event that the
    reader has already got. All streams of a ``client`` count towards one limit. ``grant`` is the reason for
    the permission. The source can check it again later.
    """

    @property
    def state(self) -> Any: ...
    @property
    def read(self) -> Any: ...
    @property
    def client(self) -> str: ...
    @property
    def grant(self) -> Hashable: ...


class Source(Protocol):
    """A source of streams. Each of its subjects has an ID and a state.

    ``address`` matches the path of a stream. Its group ``number`` is the subject's ID, and its group ``api``
    is empty unless the stream needs an account. Redis announces the IDs of changed subjects on ``channel``.
    """

    address: re.Pattern[str]
    channel: str

    @property
    def streams_per_client(self) -> int: ...

    def admit(
        self, page: HttpRequest, number: int, *, api: bool, check_host: Callable[[HttpRequest], object]
    ) -> Admission: ...
    def refusal(
        self, error: Exception, page: HttpRequest | None = None
    ) -> tuple[int, dict[str, str], bytes]: ...
    def full(self) -> Exception: ...
    def too_many(self) -> Exception: ...
    def lost(self, grants: Collection[Any]) -> Container[Any]: ...
    def states(self, numbers: Iterable[int], /) -> Mapping[int, Any]: ...
    def is_older(self, state: Any, other: Any) -> bool: ...
    def first_news(self, read: Any, state: Any, /) -> Iterator[Item]: ...
    def news(self, before: Any, state: Any, /) -> Iterator[Item]: ...
    def farewell(self, state: Any) -> Iterator[Item]: ...


# --- The streams of one process -----------------------------------------------------------------------------


logger = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

THREADS = 4
"""The number of threads for database queries, each with its own connection."""

LOOK_INTERVAL = 15.0
"""Seconds between two queries for the states of all subjects with streams, even without hints of changes."""

RIGHTS_INTERVAL = 8.0
"""Seconds between two checks of permissions. A stream ends within 15 s of a lost permission."""

BATCH = 1000
"""The maximum number of permissions to check with one set of queries."""

QUERY_PAUSE = 0.05
"""Seconds to wait after a query for subjects' states.

Hints of changes that arrive in this time are handled by the next query.
"""

RETRY_PAUSE = 1.0
"""Seconds before another try to reach Redis or the database."""


class Subject:
    """A subject with open streams. ``hints`` counts the announcements of its changes."""

    __slots__ = ("hints", "readers", "source", "state")

    def __init__(self, source: Source) -> None:
        self.source = source
        self.state: Any = None
        self.readers: set[Reader] = set()
        self.hints = 0

    def note(self, state: Any) -> None:
        """Record a state of the subject and wake its readers, unless an equal or newer state is known."""
        before = self.state
        if before is not None and (before == state or self.source.is_older(state, before)):
            return
        self.state = state
        for reader in self.readers:
            reader.wake.set()


class Reader:
    """A reader of a stream.

    ``gone`` is true after the connection or the subject has ended. ``client`` identifies the client for the
    limit on streams. ``grant`` is the reason for the reader's permission, and ``lost`` is true after the
    permission was lost.
    """

    __slots__ = ("client", "gone", "grant", "lost", "subject", "wake")

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.wake = asyncio.Event()
        self.gone = False
        self.client = ""
        self.grant: Hashable = None
        self.lost = False

    def revoke(self) -> None:
        self.lost = True
        self.wake.set()

    def close(self) -> None:
        self.gone = True
        self.wake.set()


class Hub:
    """The open streams of one process.

    `open` and `close` must be called on the event loop of the streams.
    """

    def __init__(self, redis_url: str, source: Source) -> None:
        self.closing = False
        self._source = source
        self._redis_url = redis_url
        self._subjects: dict[int, Subject] = {}
        self._clients: Counter[str] = Counter()
        self._wanted: set[int] = set()
        self._wake = asyncio.Event()
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="streams")
        self._tasks: list[asyncio.Task[None]] = []

    def open(self) -> None:
        for work in (self._listen, self._look, self._look_round, self._check_rights):
            self._tasks.append(asyncio.create_task(work(), name=f"streams{work.__name__}"))

    def end_streams(self) -> None:
        """End all streams, since this process is about to end."""
        self.closing = True
        for subject in self._subjects.values():
            for reader in subject.readers:
                reader.wake.set()

    async def close(self) -> None:
        self.end_streams()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._threads.shutdown(wait=False)

    @property
    def size(self) -> int:
        return sum(len(subject.readers) for subject in self._subjects.values())

    async def in_thread(self, work: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
        """Run database work in one of the `THREADS` threads. Close the thread's connections afterwards."""

        def done() -> T:
            try:
                with connections_limits.within(
                    connections_limits.LOOK_SECONDS, least=connections_limits.MIN_SECONDS
                ):
                    return work(*args, **more)
            finally:
                connections.close_all()

        return await asyncio.get_running_loop().run_in_executor(self._threads, done)

    @contextmanager
    def reader(self, number: int) -> Iterator[Reader]:
        """Register a reader of a subject for the duration of the block.

        Enter the block before reading the subject's state, so that the reader misses no change.
        """
        subject = self._subjects.setdefault(number, Subject(self._source))
        reader = Reader(subject)
        subject.readers.add(reader)
        OPEN_STREAMS.inc()
        try:
            yield reader
        finally:
            OPEN_STREAMS.dec()
            subject.readers.discard(reader)
            self._uncount(reader)
            if not subject.readers:
                self._subjects.pop(number, None)

    def streams_of(self, client: str) -> int:
        return self._clients[client]

    def count(self, reader: Reader, client: str) -> None:
        reader.client = client
        self._clients[client] += 1

    def _uncount(self, reader: Reader) -> None:
        if reader.client:
            self._clients[reader.client] -= 1
            if not self._clients[reader.client]:
                del self._clients[reader.client]

    def hint(self, numbers: Iterable[int]) -> None:
        """Make the hub read the states of the given subjects soon, if they have open streams."""
        for number in numbers:
            if subject := self._subjects.get(number):
                subject.hints += 1
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
                await asyncio.sleep(RETRY_PAUSE)
                self.hint(wanted)
            else:
                self._notify_readers(wanted, found)
                await asyncio.sleep(QUERY_PAUSE)

    def _notify_readers(self, wanted: Iterable[int], found: Mapping[int, Any]) -> None:
        for number in wanted:
            if (subject := self._subjects.get(number)) is None:
                continue
            if state := found.get(number):
                subject.note(state)
            else:
                for reader in subject.readers:
                    reader.close()

    async def _look_round(self) -> None:
        while True:
            await asyncio.sleep(LOOK_INTERVAL)
            self.hint(list(self._subjects))

    async def _check_rights(self) -> None:
        """Check all permissions regularly. End the streams of readers who have lost theirs."""
        wait = RIGHTS_INTERVAL
        while True:
            await asyncio.sleep(wait)
            wait = RIGHTS_INTERVAL
            by_grant: dict[Hashable, list[Reader]] = {}
            for reader in chain.from_iterable(subject.readers for subject in self._subjects.values()):
                if reader.grant is not None:
                    by_grant.setdefault(reader.grant, []).append(reader)
            for first in range(0, len(by_grant), BATCH):
                grants = list(by_grant)[first : first + BATCH]
                try:
                    lost = await self.in_thread(self._source.lost, grants)
                except Exception:
                    logger.exception("The database does not tell which of %d streams may go on", len(grants))
                    wait = RETRY_PAUSE
                    continue
                for reader in chain.from_iterable(by_grant[each] for each in grants if each in lost):
                    reader.revoke()

    async def _listen(self) -> None:
        """Receive announcements from Redis, and reconnect after each failure."""
        away = False
        while True:
            try:
                async for message in self._messages():
                    away = False
                    if message["type"] == "subscribe":  # announcements may have been missed before
                        self.hint(list(self._subjects))
                    elif message["type"] == "message" and message["data"].isdigit():
                        self.hint([int(message["data"])])
            except Exception as error:  # streams must go on after any error
                if not away:
                    logger.warning(
                        "Streams look every %d s alone, since Redis is away: %s", LOOK_INTERVAL, error
                    )
                away = True
                await asyncio.sleep(RETRY_PAUSE)

    async def _messages(self) -> AsyncIterator[dict[str, Any]]:
        client = redis.asyncio.Redis.from_url(
            self._redis_url,
            socket_connect_timeout=2,
            health_check_interval=LOOK_INTERVAL,
            retry=Retry(NoBackoff(), 0),
        )
        async with client, client.pubsub() as subscription:
            await subscription.subscribe(self._source.channel)
            while True:
                if message := await subscription.get_message(timeout=LOOK_INTERVAL):
                    yield message


# --- Limits of the process ----------------------------------------------------------------------------------


MAX_STREAMS = 10_000
"""The maximum number of streams in one process, if the process may open enough files."""

SPARE_FILES = 200
"""The number of open files reserved for pages, the database, Redis and static files."""


def most_streams() -> int:
    """Raise this process's limit on open files. Return the number of streams that the limit allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_STREAMS + SPARE_FILES
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
        except (ValueError, OSError):  # the system has its own limit
            pass
    if soft == resource.RLIM_INFINITY:
        return MAX_STREAMS
    return min(MAX_STREAMS, max(soft - SPARE_FILES, soft // 2))


def when_it_ends(loop: asyncio.AbstractEventLoop, call: Callable[[], None]) -> None:
    """Call a function on the loop when the process is asked to end.

    The function runs before the server acts on SIGTERM or SIGINT. A server waits for open answers before it
    tells an application to end, and streams would keep the server waiting. Outside the main thread, which
    receives the signals, this does nothing.
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


# --- Answers ------------------------------------------------------------------------------------------------


Scope = dict[str, Any]


class Refusal(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes


def admit(source: Source, scope: Scope, number: int, *, api: bool) -> Admission | Refusal:
    """Return the source's permission for a request to open a stream, or the source's refusal.

    ``api`` says whether the stream needs an account. Uses the database connection of the current thread.
    """
    page = ASGIRequest(scope, BytesIO())
    try:
        with connections_limits.within(
            connections_limits.REQUEST_SECONDS, least=connections_limits.MIN_SECONDS
        ):
            return source.admit(page, number, api=api, check_host=middleware.check_host)
    except Exception as error:
        return Refusal(*source.refusal(error, page))


Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

PING_INTERVAL = 15.0
"""Seconds without an event before a stream sends a comment, since proxies cut silent connections."""

STUCK_TIMEOUT = 60.0
"""Seconds before a connection counts as stuck if the client accepts no data."""

LIFETIME = (20 * 60, 30 * 60)
"""The range of a stream's random lifetime, in seconds. When the stream ends, the client reconnects."""

RECONNECT_DELAY = (1000, 4000)
"""The range of delays before reconnecting, in milliseconds, to spread the load."""

HEADERS = {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
    "vary": "Cookie, Authorization",
}


class Streams:
    """Answers requests for streams of a ``source``, and passes other requests to ``pages``."""

    def __init__(self, pages: Application, source: Source) -> None:
        self._pages = pages
        self._source = source
        self._hub: Hub | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._most = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http" and (found := self._stream_in(scope)):
            await self._answer(scope, receive, send, int(found["number"]), api=bool(found["api"]))
        else:
            await self._pages(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                await send({"type": "lifespan.startup.complete"})
            elif message["type"] == "lifespan.shutdown":
                if self._hub:
                    await self._hub.close()
                await send({"type": "lifespan.shutdown.complete"})
                return

    def _opened(self) -> Hub:
        """Return the hub of this process. The first stream opens it."""
        loop = asyncio.get_running_loop()
        if self._hub is None or self._loop is not loop:
            self._hub, self._loop = Hub(settings.REDIS_URL, self._source), loop
            self._most = most_streams()
            self._hub.open()
            when_it_ends(loop, self._hub.end_streams)
        return self._hub

    async def _answer(self, scope: Scope, receive: Receive, send: Send, number: int, *, api: bool) -> None:
        hub = self._opened()
        if hub.size >= self._most or hub.closing:
            await _answer_at_once(send, self._refusal(self._source.full()), scope)
            return
        with hub.reader(number) as reader:
            hints = reader.subject.hints
            admitted = await hub.in_thread(admit, self._source, scope, number, api=api)
            if isinstance(admitted, Refusal):
                await _answer_at_once(send, admitted, scope)
            elif scope["method"] == "HEAD":
                await _answer_at_once(send, Refusal(200, HEADERS, b""), scope)
            elif hub.streams_of(admitted.client) >= self._source.streams_per_client:
                await _answer_at_once(send, self._refusal(self._source.too_many()), scope)
            else:
                hub.count(reader, admitted.client)
                reader.grant = admitted.grant
                reader.subject.note(admitted.state)
                if reader.subject.hints != hints:  # the state may be older than the hint
                    hub.hint([number])
                watch = asyncio.create_task(_watch(receive, reader))
                try:
                    await self._stream(send, hub, reader, admitted)
                except TimeoutError:
                    pass  # the client accepts no data: the server closes the connection
                finally:
                    watch.cancel()

    def _stream_in(self, scope: Scope) -> re.Match[str] | None:
        """Return the match of a stream's address with a request, or None.

        Also returns None for the method OPTIONS in the API, as the API answers it.
        """
        found = self._source.address.fullmatch(scope["path"])
        return None if found and found["api"] and scope["method"] == "OPTIONS" else found

    def _refusal(self, error: Exception) -> Refusal:
        return Refusal(*self._source.refusal(error))

    async def _stream(self, send: Send, hub: Hub, reader: Reader, admitted: Admission) -> None:
        now = asyncio.get_running_loop().time
        end = now() + random.uniform(*LIFETIME)
        await send(_start(200, HEADERS))
        sent_state = admitted.state
        first = self._source.first_news(admitted.read, sent_state)
        await _send(send, f"retry: {random.randint(*RECONNECT_DELAY)}\n\n{_written(first)}")
        while not (reader.gone or reader.lost or hub.closing):
            state = reader.subject.state or sent_state
            if state != sent_state:
                text, sent_state = _written(self._source.news(sent_state, state)), state
            elif await _woken(reader, min(PING_INTERVAL, end - now())):
                continue
            elif now() >= end:
                break
            else:
                text = ": ping\n\n"
            if text:
                await _send(send, text)
        if reader.lost and not reader.gone:
            await _send(send, _written(self._source.farewell(sent_state)))
        if not reader.gone:
            await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _woken(reader: Reader, seconds: float) -> bool:
    """Wait up to ``seconds`` for a reader to be woken. Return whether the reader was woken."""
    try:
        async with asyncio.timeout(seconds):
            await reader.wake.wait()
    except TimeoutError:
        return False
    reader.wake.clear()
    return True


async def _watch(receive: Receive, reader: Reader) -> None:
    """Mark the reader as gone when the client closes the connection."""
    while (await receive())["type"] != "http.disconnect":
        pass
    reader.close()


def _written(items: Iterable[Item]) -> str:
    return "".join(
        f"id: {item.cursor}\nevent: {item.kind}\ndata: {json.dumps(item.data, ensure_ascii=False)}\n\n"
        for item in items
    )


async def _send(send: Send, text: str) -> None:
    async with asyncio.timeout(STUCK_TIMEOUT):
        await send({"type": "http.response.body", "body": text.encode(), "more_body": True})


def _start(status: int, headers: dict[str, str]) -> Message:
    raw = [(name.encode(), value.encode()) for name, value in (outer_headers() | headers).items()]
    return {"type": "http.response.start", "status": status, "headers": raw}


async def _answer_at_once(send: Send, answer: Refusal, scope: Scope) -> None:
    body = b"" if scope["method"] == "HEAD" else answer.body
    await send(_start(answer.status, answer.headers | {"content-length": str(len(answer.body))}))
    await send({"type": "http.response.body", "body": body, "more_body": False})
