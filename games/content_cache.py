"""Cache drawings and texts of boards under the hash of their inputs.

These items are made while the process holds no database connection. Redis shares them among processes, and
each process keeps the latest in memory. Both stores have a limit in bytes. Nothing fails without Redis, or
waits for it longer than `REDIS_TIMEOUT`: each process then makes any missing item itself.

A page that reads a database snapshot contains a placeholder (a "blank") for each item.
`games.reading.SnapshotMiddleware` replaces the blanks after the page's transaction.
"""

import json
import logging
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import timedelta
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from threading import Lock
from typing import Any, Final, Generic, TypeVar, cast
from weakref import WeakValueDictionary

import redis
from django.core.cache import cache as shared
from django.db import connections
from django.http import HttpResponse
from django.http.response import HttpResponseBase

from roborunner.cache import redis_client

logger = logging.getLogger(__name__)

EXPIRY: Final = timedelta(days=1)
"""The lifetime of an item in Redis."""

BYTES_PER_DAY: Final = 256_000_000
"""The maximum number of bytes to store in Redis in a day.

Items expire after a day (`EXPIRY`), so Redis never holds more than twice this number.
"""

REDIS_TIMEOUT: Final = 0.3
"""The maximum time to wait for Redis, in seconds."""

Thing = TypeVar("Thing")


class LRUCache(Generic[Thing]):
    """A cache for the most recently used items of a process, up to ``capacity`` bytes.

    ``size`` is a function that returns the number of bytes of an item.
    """

    def __init__(self, capacity: int, size: Callable[[Thing], int]) -> None:
        self._capacity = capacity
        self._size = size
        self._used = 0
        self._things: OrderedDict[str, Thing] = OrderedDict()
        self._lock = Lock()
        self._making: WeakValueDictionary[str, Lock] = WeakValueDictionary()

    def get(self, names: Iterable[str]) -> dict[str, Thing]:
        with self._lock:
            found = {name: self._things[name] for name in names if name in self._things}
            for name in found:
                self._things.move_to_end(name)
            return found

    def put(self, things: Mapping[str, Thing]) -> None:
        """Store items. Drop the least recently used items if the total size exceeds the capacity."""
        with self._lock:
            for name, thing in things.items():
                if name in self._things:
                    self._used -= self._size(self._things.pop(name))
                self._things[name] = thing
                self._used += self._size(thing)
            while self._used > self._capacity and len(self._things) > 1:
                self._used -= self._size(self._things.popitem(last=False)[1])

    def get_or_make(self, name: str, make: Callable[[], Thing]) -> Thing:
        """Return an item by its name. If it is missing, one thread makes it, and other threads wait."""
        if (thing := self.get([name]).get(name)) is not None:
            return thing
        release_connections()
        with self._lock:
            making = self._making.setdefault(name, Lock())
        with making:
            if (thing := self.get([name]).get(name)) is None:
                thing = make()
                self.put({name: thing})
            return thing

    def clear(self) -> None:
        with self._lock:
            self._things.clear()
            self._used = 0


TEXTS: Final = LRUCache[bytes](24_000_000, len)
"""The cache of compressed texts. Its 24 MB hold thousands of typical boards, or about 50 of the largest."""


def content_key(*contents: object) -> str:
    """Return a hash of the contents and the release, as the name of an item in the cache."""
    return sha256(repr((_release_hash(), contents)).encode()).hexdigest()[:32]


def cached_text(*contents: object, make: Callable[[], str], everywhere: bool = True) -> str:
    """Return the text for some contents from the cache. If it is missing, make it and cache it.

    Redis is used only if ``everywhere`` is true. While a page reads a database snapshot, returns a
    placeholder instead (see `make_or_defer`).
    """
    name = content_key(*contents)

    def text() -> bytes:
        found = TEXTS.get([name]).get(name)
        if found is None and everywhere and (found := fetch([name]).get(name)) is not None:
            TEXTS.put({name: found})
        if found is not None:
            try:
                return zlib.decompress(found)
            except zlib.error as error:
                logger.warning("The text %s is made again, since it cannot be read: %s", name, error)
        release_connections()
        made = make().encode()
        data = zlib.compress(made, 1)
        TEXTS.put({name: data})
        if everywhere:
            store({name: data})
        return made

    return make_or_defer(name, text).decode()


class PendingResponse:
    """A response in progress. ``blanks`` has its placeholders, each with the function that makes the item."""

    def __init__(self) -> None:
        self.reads = 0
        self.blanks: dict[bytes, Callable[[], bytes]] = {}

    def fill_in(self, response: HttpResponseBase) -> None:
        """Replace the placeholders in a response with their items, after its database transaction."""
        if not self.blanks or not isinstance(response, HttpResponse):
            return
        is_json = "json" in response.headers.get("Content-Type", "")
        release_connections()
        for blank, make in self.blanks.items():
            if blank in response.content:
                thing = make()
                thing = json.dumps(thing.decode())[1:-1].encode() if is_json else thing
                response.content = response.content.replace(blank, thing)


_under_way: ContextVar[PendingResponse | None] = ContextVar("pending_response", default=None)


@contextmanager
def pending_response() -> Iterator[PendingResponse]:
    """Yield a `PendingResponse`, and collect in it the placeholders that are made within the block.

    The caller must then call `PendingResponse.fill_in`.
    """
    answer = PendingResponse()
    token = _under_way.set(answer)
    try:
        yield answer
    finally:
        _under_way.reset(token)


@contextmanager
def leaving_blanks() -> Iterator[None]:
    """Within the block, make `make_or_defer` return placeholders for the response in progress."""
    answer = _under_way.get() or PendingResponse()
    answer.reads += 1
    try:
        yield
    finally:
        answer.reads -= 1


def make_or_defer(name: str, make: Callable[[], bytes]) -> bytes:
    """Make and return an item. While the response reads a database snapshot, return a placeholder instead.

    A snapshot holds a database connection, which should not be kept waiting for the item. The placeholder of
    an item is the same in all processes.
    """
    answer = _under_way.get()
    if answer is None or not answer.reads:
        return make()
    blank = f"<!--kept:{name}-->".encode()
    answer.blanks[blank] = make
    return blank


def release_connections() -> None:
    """Return this thread's idle connections to their pools."""
    for connection in connections.all(initialized_only=True):
        if connection.settings_dict["OPTIONS"].get("pool") and not connection.in_atomic_block:
            connection.close()


def fetch(names: Iterable[str]) -> dict[str, bytes]:
    """Return the items in Redis with the given names. Leaves out items that are missing or cannot be read."""
    asked = list(names)
    try:
        answers = _client().mget([key_of(name) for name in asked]) if asked else []
    except redis.RedisError:
        return {}
    return {name: data for name, data in zip(asked, answers, strict=True) if isinstance(data, bytes)}


def store(things: Mapping[str, bytes]) -> None:
    """Store items in Redis, up to the daily limit."""
    total = sum(map(len, things.values()))
    if (
        not things
        or cast("Any", shared).count("kept:bytes", int(EXPIRY.total_seconds()), total) > BYTES_PER_DAY
    ):
        return
    try:
        with _client().pipeline(transaction=False) as pipe:
            for name, data in things.items():
                pipe.set(key_of(name), data, ex=EXPIRY)
            pipe.execute()
    except redis.RedisError as error:
        logger.warning("What was made is not kept, since Redis is away: %s", error)


def key_of(name: str) -> str:
    return f"robo-runner:kept:{name}"


SOURCES: Final = (
    *("rules/**/*.py", "games/fleet/**/*.py", "games/play/pages/crew.py"),
    *("games/sharing/drawing.py", "locale/**/*.mo"),
)
"""Files that affect how boards look. After a change in one of them, older items are no longer used."""


@cache
def _release_hash() -> str:
    root = Path(__file__).parents[1]
    sources = [path.read_bytes() for pattern in SOURCES for path in sorted(root.glob(pattern))]
    libraries = [version(name).encode() for name in ("pillow", "resvg-py")]
    return sha256(b"\0".join(sources + libraries)).hexdigest()


@cache
def _client() -> redis.Redis:
    return redis_client(REDIS_TIMEOUT)
