"""The hub serves all event streams of a process, with or without Redis."""

import socket
import threading
import time
from typing import Any
from urllib.parse import urlsplit

import pytest
import redis
from django.conf import settings as django_settings
from django.db import connection
from pytest_django.fixtures import Settings

from accounts import limits
from accounts.limits import Limit
from accounts.models import User
from games import live
from games.chat.services import post_line
from games.play.models import Game
from games.play.pages.streams import GameStreams
from roborunner import streams as hub
from roborunner.asgi import pages
from roborunner.streams import Streams
from tests.games.play.streams.reading import Ask, cookie_of, stream_of
from tests.games.support import NOW, Table
from tests.games.together import wait_until
from tests.support.site import Site


def test_the_database_replaces_lost_announcements(
    ask: Ask, game: Game, table: Table, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "LOOK_INTERVAL", 0.5)
    monkeypatch.setattr(live, "_publish", lambda game_id: None)
    stream = ask(stream_of(game))
    stream.event()
    table.move(game, alice)
    assert stream.event() == ("ready", {"turn": 0, "waiting_for": ["Bob"], "noted": 1}, "0-0")


def test_all_games_are_checked_after_redis_was_down(
    ask: Ask, game: Game, table: Table, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = ask(stream_of(game))
    stream.event()
    with monkeypatch.context() as lost:
        lost.setattr(live, "_publish", lambda game_id: None)
        table.move(game, alice)
    redis.Redis.from_url(django_settings.REDIS_URL).execute_command("CLIENT", "KILL", "TYPE", "pubsub")
    assert stream.event() == (
        "ready",
        {"turn": 0, "waiting_for": ["Bob"], "noted": 1},
        "0-0",
    )  # long before the next `LOOK_INTERVAL`
    table.move(game, bob)
    assert stream.event() == ("ready", {"turn": 0, "waiting_for": [], "noted": 1}, "0-0")


def test_an_unreachable_redis_delays_nothing(
    game: Game, table: Table, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = redis.Redis.from_url("redis://127.0.0.1:1/0", socket_connect_timeout=0.3)
    monkeypatch.setattr(live, "_client", lambda: gone)
    monkeypatch.setattr(live, "_rests_until", 0.0)
    live.announce_change(game)  # immediately, outside a transaction
    begun = time.monotonic()
    for _ in range(100):
        live.announce_change(game)
    assert time.monotonic() - begun < 0.1
    table.move(game, alice)
    assert not table.game(alice, seats=2).players.filter(user=bob).exists()


def test_a_silent_redis_delays_hardly_anything(
    game: Game, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        settings.REDIS_URL = f"redis://127.0.0.1:{silent.getsockname()[1]}/0"
        monkeypatch.setattr(live, "_client", live._client.__wrapped__)
        monkeypatch.setattr(live, "_rests_until", 0.0)
        begun = time.monotonic()
        for _ in range(100):
            live.announce_change(game)
        assert time.monotonic() - begun < 4 * live.REDIS_SECONDS


def connections() -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            "select count(*) from pg_stat_activity"
            " where datname = current_database() and backend_type = 'client backend'"
        )
        return int(cursor.fetchone()[0])


def test_one_client_has_a_limited_number_of_streams(
    ask: Ask, game: Game, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "STREAMS_PER_CLIENT", 2)
    strangers = [ask(stream_of(game)) for _ in range(2)]
    assert [stream.event()[0] for stream in strangers] == ["ready", "ready"]
    refused = ask(stream_of(game))
    assert (refused.status, refused.headers["retry-after"]) == (429, "60")
    assert refused.document["error"] == "too-many"
    assert ask(stream_of(game), **cookie_of(alice)).event()[0] == "ready", "a person is counted apart"
    assert ask(stream_of(game), method="HEAD").status == 200
    strangers[0].connection.close()
    end = time.monotonic() + 60
    while (again := ask(stream_of(game))).status == 429 and time.monotonic() < end:
        time.sleep(0.1)
    assert again.status == 200, "a client who closes one may open another"


def test_streams_refused_for_a_missing_login_are_limited(
    ask: Ask, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "REFUSED", Limit("refused", 2, 3600))
    assert [ask(f"/api/v1{stream_of(game)}").status for _ in range(3)] == [401, 401, 429]


def test_two_hundred_streams_hold_neither_threads_nor_connections(
    ask: Ask, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "STREAMS_PER_CLIENT", 200)
    before = set(threading.enumerate())
    streams = [ask(stream_of(game)) for _ in range(200)]
    for stream in streams:
        assert stream.event()[0] == "ready"
    begun = [thread.name for thread in threading.enumerate() if thread not in before]
    assert len(begun) <= hub.THREADS + 3, begun
    wait_until(lambda: connections() <= 1)  # the thread that queried for them is about to end
    assert connections() == 1, "the one that asks"
    post_line(user=game.host, game_id=game.pk, text="Hello, all", now=NOW)
    for stream in streams:
        assert stream.event()[0] == "chat"


def test_a_disconnected_client_is_removed(game: Game, settings: Settings) -> None:
    streams = Streams(pages, GameStreams())
    site = Site(streams)
    site.start()
    settings.BASE_URL = site.url
    try:
        parts = urlsplit(site.url)
        assert parts.port
        with socket.create_connection(("localhost", parts.port), 10) as sock:
            asked = f"GET {stream_of(game)} HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n"
            sock.sendall(asked.encode())
            assert b" 200 " in sock.recv(65536)
            assert streams._hub is not None
            assert streams._hub.size == 1
        wait_until(lambda: streams._hub.size == 0)
        assert streams._hub.size == 0
    finally:
        site.stop()


def test_an_open_stream_does_not_count_as_presence(ask: Ask, game: Game, alice: User) -> None:
    assert ask(stream_of(game), **cookie_of(alice)).event()[0] == "ready"
    assert not live.is_active_viewer(game_id=game.pk, user_id=alice.pk)
    assert game.players.get(user=alice).visited_at is None
