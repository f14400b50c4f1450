"""What follows from a board: made once while no connection is held, and kept by the hash of its contents.

Redis has it for all processes, and each process has the latest. Both have a bound in bytes. Nothing waits for
Redis, and nothing fails without it: then each process makes what it does not remember.
"""

import logging
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from contextvars import ContextVar
from datetime import timedelta
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from threading import Lock
from typing import Any, Final, Generic, TypeVar, cast

import redis
from django.core.cache import cache as shared
from django.db import connections

from games.impatient import redis_client

logger = logging.getLogger(__name__)

KEPT: Final = timedelta(days=1)
"""How long Redis has a thing. After that it is made again."""

A_DAY: Final = 256_000_000
"""Bytes that Redis takes in a day, and so at most twice as many at once."""

LARGE = 1024
"""Cells from which a board takes so long to make that no connection waits for it."""

PATIENCE: Final = 0.3
"""Seconds that Redis may take."""

Thing = TypeVar("Thing")


class Memory(Generic[Thing]):
    """The things that one process used last, for all its threads; ``size`` returns a thing's bytes."""

    def __init__(self, most: int, size: Callable[[Thing], int]) -> None:
        self._most = most
        self._size = size
        self._held = 0
        self._things: OrderedDict[str, Thing] = OrderedDict()
        self._lock = Lock()

    def get(self, names: Iterable[str]) -> dict[str, Thing]:
        with self._lock:
            found = {name: self._things[name] for name in names if name in self._things}
            for name in found:
                self._things.move_to_end(name)
            return found

    def put(self, things: Mapping[str, Thing]) -> None:
        """Remember things, and forget those that were not used for the longest time."""
        with self._lock:
            for name, thing in things.items():
                if name in self._things:
                    self._held -= self._size(self._things.pop(name))
                self._things[name] = thing
                self._held += self._size(thing)
            while self._held > self._most and len(self._things) > 1:
                self._held -= self._size(self._things.popitem(last=False)[1])

    def clear(self) -> None:
        with self._lock:
            self._things.clear()
            self._held = 0


TEXTS: Final = Memory[bytes](24_000_000, len)
"""Texts, compressed: some thousand usual boards, or some fifty of the largest."""


def named(*contents: object) -> str:
    """Return the name of a thing by all that makes it differ from others."""
    return sha256(repr((_edition(), contents)).encode()).hexdigest()[:32]


def text_of(
    *contents: object, make: Callable[[], str], everywhere: bool = True, cells: int | None = None
) -> str:
    """Return a text by what it follows from, made if it is not kept; in Redis if it is ``everywhere``.

    ``cells`` is the size of the board that it follows from, if it follows from one.
    """
    name = named(*contents)
    found = TEXTS.get([name]).get(name)
    if found is None and everywhere and (found := fetched([name]).get(name)) is not None:
        TEXTS.put({name: found})
    if found is not None:
        try:
            return zlib.decompress(found).decode()
        except (zlib.error, UnicodeDecodeError) as error:
            logger.warning("The text %s is made again, since it cannot be read: %s", name, error)

    def store() -> str:
        text = make()
        data = zlib.compress(text.encode(), 1)
        TEXTS.put({name: data})
        if everywhere:
            keep({name: data})
        return text

    return made(store, cells=cells)


class MakeFirstError(BaseException):
    """Something has to be made before a transaction begins. Only `made_first` catches it."""

    def __init__(self, make: Callable[[], Any]) -> None:
        super().__init__()
        self.make = make


_first: ContextVar[bool] = ContextVar("made before a transaction", default=False)

ROUNDS: Final = 8
"""Things that one answer makes before its transaction. It makes any others within it."""


def made(make: Callable[[], Thing], *, cells: int | None = None) -> Thing:
    """Make something that ``make`` keeps, while no pooled connection is held if it takes long."""
    if cells is not None and cells < LARGE:
        return make()
    if _first.get() and any(each.in_atomic_block for each in connections.all(initialized_only=True)):
        raise MakeFirstError(make)
    hand_back_connections()
    return make()


def made_first(work: Callable[[], Thing]) -> Thing:
    """Do work that only reads, in a transaction of its own, and again after each thing that it lacked."""
    if _first.get():
        return work()
    for _ in range(ROUNDS):
        token = _first.set(True)
        try:
            return work()
        except MakeFirstError as lacking:
            make = lacking.make
        finally:
            _first.reset(token)
        made(make)
    return work()


def hand_back_connections() -> None:
    """Return this thread's connections to their pools, unless a transaction needs them."""
    for connection in connections.all(initialized_only=True):
        if connection.settings_dict["OPTIONS"].get("pool") and not connection.in_atomic_block:
            connection.close()


def fetched(names: Iterable[str]) -> dict[str, bytes]:
    """Return the things that Redis has under these names."""
    asked = list(names)
    try:
        answers = _client().mget([key_of(name) for name in asked]) if asked else []
    except redis.RedisError:
        return {}
    return {name: data for name, data in zip(asked, answers, strict=True) if isinstance(data, bytes)}


def keep(things: Mapping[str, bytes]) -> None:
    """Keep things in Redis, up to the bound of a day."""
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
    """Return the key of a thing in Redis."""
    return f"robo-runner:kept:{name}"


SOURCES: Final = ("rules/**/*.py", "games/fleet/**/*.py", "games/play/pages/tips.py", "locale/**/*.mo")
"""Files that decide how boards look and read: a release that changes one finds nothing older."""


@cache
def _edition() -> str:
    root = Path(__file__).parents[1]
    sources = [path.read_bytes() for pattern in SOURCES for path in sorted(root.glob(pattern))]
    libraries = [version(name).encode() for name in ("pillow", "resvg-py")]
    return sha256(b"\0".join(sources + libraries)).hexdigest()


@cache
def _client() -> redis.Redis:
    return redis_client(PATIENCE)
