"""The cache counts across processes with Redis, and in each process without it."""

import pickle
import socket
import time
from collections.abc import Iterator
from typing import Any

import pytest
import redis
from django.conf import settings

from roborunner import cache
from roborunner.cache import SharedCache

NOWHERE = "redis://127.0.0.1:1/0"


def a_cache(url: str = settings.REDIS_URL) -> SharedCache:
    return SharedCache(url, {"KEY_PREFIX": "test"})


@pytest.fixture(autouse=True)
def _empty() -> Iterator[None]:
    a_cache().clear()
    yield
    a_cache().clear()


@pytest.fixture
def server() -> redis.Redis:
    return redis.Redis.from_url(settings.REDIS_URL)


def test_processes_count_together() -> None:
    one, other = a_cache(), a_cache()
    assert one.add("tries", 0, timeout=60)
    assert not other.add("tries", 0, timeout=60)
    assert [one.incr("tries"), other.incr("tries"), one.get("tries")] == [1, 2, 2]


def test_counts_expire(server: redis.Redis) -> None:
    one, other = a_cache(), a_cache()
    assert [one.count("tries", 60), other.count("tries", 60), one.count("more", 60)] == [1, 2, 1]
    assert 0 < server.ttl(one.make_key("tries")) <= 60
    server.pexpire(one.make_key("tries"), 1)
    time.sleep(0.01)
    assert other.count("tries", 60) == 1


def test_missing_counts_are_not_incremented() -> None:
    shared = a_cache()
    with pytest.raises(ValueError, match="tries"):
        shared.incr("tries")
    assert shared.get("tries") is None


@pytest.mark.parametrize("value", [0, 7, True, "y", [1.5, 2.5], None, {"a": [1]}])
def test_values_keep_their_types(value: Any) -> None:
    a_cache().set("value", value, timeout=60)
    found = a_cache().get("value", "nothing")
    assert (found, type(found)) == (value, type(value))


def test_stored_data_is_never_executed(server: redis.Redis) -> None:
    server.set(a_cache().make_key("value"), pickle.dumps(7))
    with pytest.raises(UnicodeDecodeError):
        a_cache().get("value")


def test_clearing_keeps_the_other_data_in_redis(server: redis.Redis) -> None:
    server.set("a-message-to-the-worker", "1", ex=60)
    a_cache().set("value", 1)
    a_cache().clear()
    assert a_cache().get("value") is None
    assert server.get("a-message-to-the-worker") == b"1"


def test_without_redis_each_process_counts_alone(caplog: pytest.LogCaptureFixture) -> None:
    one, other = a_cache(NOWHERE), a_cache(f"{NOWHERE[:-1]}1")
    for shared in (one, other):
        assert shared.add("tries", 0, timeout=60)
        assert [shared.incr("tries"), shared.incr("tries"), shared.count("tries", 60)] == [1, 2, 3]
        assert [shared.count("others", 60), shared.count("others", 60)] == [1, 2]
    assert len(caplog.messages) == 2, "it is said once, not at each try"


def test_a_silent_redis_delays_only_the_first_call() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        shared = a_cache(f"redis://127.0.0.1:{silent.getsockname()[1]}/0")
        began = time.monotonic()
        for number in range(50):
            shared.set(str(number), number)
        assert time.monotonic() - began < 10 * cache.REDIS_TIMEOUT
        assert shared.get("49") == 49


def test_redis_is_asked_again_after_a_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    shared = a_cache()
    client = shared._cache
    monkeypatch.setattr(client, "retry_at", time.monotonic() + cache.PAUSE)  # Redis did not answer
    shared.set("value", "alone")
    assert client.get(shared.make_key("value"), None) is None
    monkeypatch.setattr(client, "retry_at", time.monotonic())
    shared.set("value", "together")
    assert client.get(shared.make_key("value"), None) == "together"


def test_requests_of_a_process_share_a_connection_to_redis(server: redis.Redis) -> None:
    """Django makes a new cache object for each request."""
    a_cache().set("value", 1)
    before = len(server.client_list())
    for number in range(10):
        a_cache().set("value", number)
    assert len(server.client_list()) == before


def test_requests_share_the_knowledge_that_redis_is_away() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"redis://127.0.0.1:{silent.getsockname()[1]}/0"
        a_cache(url).set("value", 1)
        assert a_cache(url).is_down
        assert not a_cache().is_down
