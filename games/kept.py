"""Cache drawings and texts of boards under the hash of their inputs.

They are made while no database connection is held. Redis shares them among processes, and each process keeps
the latest in memory. Both have a limit in bytes. Nothing waits for Redis or fails without it: each process
then makes anything missing.

A page that reads a snapshot leaves a blank for each missing item. `games.reading.SnapshotMiddleware` fills in
the blanks after the page's transaction.
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

KEPT: Final = timedelta(days=1)
"""Time after which an item expires in Redis."""

A_DAY: Final = 256_000_000
"""Bytes that Redis accepts in a day. It holds at most twice as many."""

REDIS_TIMEOUT: Final = 0.3
"""Seconds to wait for Redis."""

Thing = TypeVar("Thing")


class Memory(Generic[Thing]):
    """The recently used things of a process. ``size`` returns a thing's bytes."""

    def __init__(self, most: int, size: Callable[[Thing], int]) -> None:
        self._most = most
        self._size = size
        self._held = 0
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
        """Remember things, and drop the least recently used ones if memory is full."""
        with self._lock:
            for name, thing in things.items():
                if name in self._things:
                    self._held -= self._size(self._things.pop(name))
                self._things[name] = thing
                self._held += self._size(thing)
            while self._held > self._most and len(self._things) > 1:
                self._held -= self._size(self._things.popitem(last=False)[1])

    def made(self, name: str, make: Callable[[], Thing]) -> Thing:
        """Return a thing by its name. If it is missing, one thread makes it."""
        if (thing := self.get([name]).get(name)) is not None:
            return thing
        hand_back_connections()
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
            self._held = 0


TEXTS: Final = Memory[bytes](24_000_000, len)
"""Compressed texts: a few thousand usual boards, or about 50 of the largest."""


def named(*contents: object) -> str:
    """Return a hash of the contents and the release, as the name of a thing."""
    return sha256(repr((_edition(), contents)).encode()).hexdigest()[:32]


def text_of(*contents: object, make: Callable[[], str], everywhere: bool = True) -> str:
    """Return the text for some contents: cached, or made and then cached.

    Redis is used only if ``everywhere`` is true. While a page reads a snapshot, returns a blank (see
    `later`).
    """
    name = named(*contents)

    def text() -> bytes:
        found = TEXTS.get([name]).get(name)
        if found is None and everywhere and (found := fetched([name]).get(name)) is not None:
            TEXTS.put({name: found})
        if found is not None:
            try:
                return zlib.decompress(found)
            except zlib.error as error:
                logger.warning("The text %s is made again, since it cannot be read: %s", name, error)
        hand_back_connections()
        made = make().encode()
        data = zlib.compress(made, 1)
        TEXTS.put({name: data})
        if everywhere:
            keep({name: data})
        return made

    return later(name, text).decode()


class Answer:
    """A response in progress. ``blanks`` are the parts to fill in after its snapshot."""

    def __init__(self) -> None:
        self.reads = 0
        self.blanks: dict[bytes, Callable[[], bytes]] = {}

    def fill_in(self, response: HttpResponseBase) -> None:
        """Fill in the blanks of a response, after its transaction."""
        if not self.blanks or not isinstance(response, HttpResponse):
            return
        is_json = "json" in response.headers.get("Content-Type", "")
        hand_back_connections()
        for blank, make in self.blanks.items():
            if blank in response.content:
                thing = make()
                thing = json.dumps(thing.decode())[1:-1].encode() if is_json else thing
                response.content = response.content.replace(blank, thing)


_under_way: ContextVar[Answer | None] = ContextVar("the answer under way", default=None)


@contextmanager
def answering() -> Iterator[Answer]:
    """Collect blanks in an `Answer` within the block. The caller fills them in."""
    answer = Answer()
    token = _under_way.set(answer)
    try:
        yield answer
    finally:
        _under_way.reset(token)


@contextmanager
def leaving_blanks() -> Iterator[None]:
    """Make the response in progress, if any, leave blanks within the block."""
    answer = _under_way.get() or Answer()
    answer.reads += 1
    try:
        yield
    finally:
        answer.reads -= 1


def later(name: str, make: Callable[[], bytes]) -> bytes:
    """Return a thing, or a blank for it during a snapshot, which holds a connection.

    The same thing has the same blank in all processes.
    """
    answer = _under_way.get()
    if answer is None or not answer.reads:
        return make()
    blank = f"<!--kept:{name}-->".encode()
    answer.blanks[blank] = make
    return blank


def hand_back_connections() -> None:
    """Return this thread's idle connections to their pools."""
    for connection in connections.all(initialized_only=True):
        if connection.settings_dict["OPTIONS"].get("pool") and not connection.in_atomic_block:
            connection.close()


def fetched(names: Iterable[str]) -> dict[str, bytes]:
    """Return the things in Redis with these names."""
    asked = list(names)
    try:
        answers = _client().mget([key_of(name) for name in asked]) if asked else []
    except redis.RedisError:
        return {}
    return {name: data for name, data in zip(asked, answers, strict=True) if isinstance(data, bytes)}


def keep(things: Mapping[str, bytes]) -> None:
    """Store things in Redis, up to the daily limit."""
    total = sum(map(len, things.values()))
    if not things or cast("Any", shared).count("kept:bytes", int(KEPT.total_seconds()), total) > A_DAY:
        return
    try:
        with _client().pipeline(transaction=False) as pipe:
            for name, data in things.items():
                pipe.set(key_of(name), data, ex=KEPT)
            pipe.execute()
    except redis.RedisError as error:
        logger.warning("What was made is not kept, since Redis is away: %s", error)


def key_of(name: str) -> str:
    return f"robo-runner:kept:{name}"


SOURCES: Final = ("rules/**/*.py", "games/fleet/**/*.py", "games/play/pages/crew.py", "locale/**/*.mo")
"""Files that affect how boards look. A change in one makes the cache start over."""


@cache
def _edition() -> str:
    root = Path(__file__).parents[1]
    sources = [path.read_bytes() for pattern in SOURCES for path in sorted(root.glob(pattern))]
    libraries = [version(name).encode() for name in ("pillow", "resvg-py")]
    return sha256(b"\0".join(sources + libraries)).hexdigest()


@cache
def _client() -> redis.Redis:
    return redis_client(REDIS_TIMEOUT)
