"""The shared cache in Redis, Redis clients without retries, and values that a process remembers.

The cache has only counters, and login codes that were already used, so losing it does little harm. While
Redis is down, each process has separate counters.
"""

import json
import logging
import time
from collections.abc import Callable
from functools import cache, cached_property
from typing import Any, Final, Generic, TypeVar

import redis
from django.conf import settings
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from django.db import DatabaseError, InterfaceError
from redis.backoff import NoBackoff
from redis.retry import Retry


def redis_client(timeout: float) -> redis.Redis:
    """Return a client that waits up to ``timeout`` seconds for each answer of Redis, and never retries."""
    return redis.Redis.from_url(
        settings.REDIS_URL,
        socket_connect_timeout=timeout,
        socket_timeout=timeout,
        retry=Retry(NoBackoff(), 0),
    )


log = logging.getLogger(__name__)

T = TypeVar("T")

REDIS_TIMEOUT: Final = 0.3
"""Seconds to wait for an answer from Redis."""

PAUSE: Final = 5.0
"""Seconds before Redis is asked again after a failure."""


class Json:
    """Serializes values as JSON, so that data from Redis is never executed."""

    def dumps(self, value: Any) -> int | bytes:
        """Serialize a value. An integer stays unchanged, so that Redis can increment it."""
        return value if type(value) is int else json.dumps(value).encode()

    def loads(self, data: bytes) -> Any:
        return json.loads(data)


class _Client(RedisCacheClient):
    """A cache client with one Redis client, and with counters that need one request.

    Django's class would create a Redis client for each call, and has no such counters.
    """

    retry_at = 0.0
    """The time of the next try to reach Redis after a failure, by the monotonic clock."""

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        """Return the Redis client. All threads share its pool of connections."""
        return self._pooled_client

    @cached_property
    def _pooled_client(self) -> Any:
        return super().get_client(write=True)

    def count(self, key: Any, seconds: int, by: int = 1) -> int:
        """Increment a counter by ``by`` in one request. Return the new count.

        A missing counter starts at 0, and expires after ``seconds``.
        """
        with self._pooled_client.pipeline() as pipe:
            pipe.set(key, 0, ex=seconds, nx=True).incr(key, by)
            return int(pipe.execute()[-1])


@cache
def _client_of(server: str) -> _Client:
    """Return the cache client of this process for a Redis server.

    Django creates a cache object for each request. All of them use this client.
    """
    options: dict[str, Any] = {
        "serializer": Json,
        "socket_timeout": REDIS_TIMEOUT,
        "socket_connect_timeout": REDIS_TIMEOUT,
        "retry": Retry(NoBackoff(), 0),
    }
    return _Client([server], **options)


def _redis_or_memory(name: str) -> Callable[..., Any]:
    def ask(self: "SharedCache", *args: Any, **more: Any) -> Any:
        if not self.is_down:
            try:
                return getattr(super(SharedCache, self), name)(*args, **more)
            except redis.RedisError as error:
                self._cache.retry_at = time.monotonic() + PAUSE
                log.warning("Each process counts for itself, since Redis is away: %s", error)
        return getattr(self.own, name)(*args, **more)

    return ask


class _Redis(RedisCache):
    _cache: _Client

    def count(self, key: str, seconds: int, by: int = 1) -> int:
        return self._cache.count(self.make_and_validate_key(key), seconds, by)


class _Memory(LocMemCache):
    def count(self, key: str, seconds: int, by: int = 1) -> int:
        self.add(key, 0, timeout=seconds)
        try:
            return self.incr(key, by)
        except ValueError:  # the entry was evicted meanwhile
            return by


class SharedCache(_Redis):
    """A cache in Redis at ``LOCATION``, or in the process's own memory while Redis is down."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._cache = _client_of(server)
        self.own = _Memory(server, params)

    @property
    def is_down(self) -> bool:
        """Whether Redis failed in the last few seconds, so that this process uses its own memory."""
        return time.monotonic() < self._cache.retry_at

    add = _redis_or_memory("add")
    get = _redis_or_memory("get")
    set = _redis_or_memory("set")
    touch = _redis_or_memory("touch")
    delete = _redis_or_memory("delete")
    get_many = _redis_or_memory("get_many")
    set_many = _redis_or_memory("set_many")
    delete_many = _redis_or_memory("delete_many")
    has_key = _redis_or_memory("has_key")
    incr = _redis_or_memory("incr")
    count = _redis_or_memory("count")
    """Increment a counter by ``by``, and return the count. The counter restarts at 0 after ``seconds``."""

    def clear(self) -> None:
        """Delete all keys of this cache, but no other keys in Redis."""
        self.own.clear()
        client = self._cache.get_client(write=True)
        try:
            for key in client.scan_iter(match=self.make_key("*"), count=1000):
                client.delete(key)
        except redis.RedisError as error:
            log.warning("Nothing is forgotten, since Redis is away: %s", error)


class Memo(Generic[T]):
    """A value from the database that a process keeps for some seconds, so that requests need no query.

    While the database does not answer, the value stays as it was.
    """

    SECONDS: Final = 5.0
    """Seconds until the value is read again."""

    def __init__(self, read: Callable[[], T], empty: T) -> None:
        self._read, self.kept, self.expires = read, empty, 0.0

    def value(self) -> T:
        """Return the value, which is at most `SECONDS` old if the database answers."""
        if time.monotonic() >= self.expires:
            self.expires = time.monotonic() + self.SECONDS  # other threads use the old value meanwhile
            try:
                self.kept = self._read()
            except (DatabaseError, InterfaceError) as error:
                log.warning("A remembered value could not be read again: %s", error)
        return self.kept

    def forget(self) -> None:
        """Read the value again when it is next needed."""
        self.expires = 0.0
