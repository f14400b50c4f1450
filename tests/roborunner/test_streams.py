"""Streams of events, over a real connection to the real server."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
import redis
from django.conf import settings as django_settings
from django.db import connection
from django.test import Client
from pytest_django.fixtures import Settings

from accounts import limits
from accounts.limits import Limit
from accounts.models import User
from games import announce, presence
from games.api.tokens.services import make_token
from games.chat.services import say
from games.play.models import Game
from games.play.services.resolution import resolve_turn
from roborunner.asgi import pages
from roborunner.streams import Streams, application, hub
from tests import cast
from tests.games.support import HALL, NOW, Table
from tests.support.site import Site


@pytest.fixture
def site(transactional_db: None, settings: Settings) -> Iterator[Site]:
    """A server of its own for each test, so that no stream of another is open."""
    site = Site(Streams(pages))
    site.start()
    settings.BASE_URL = site.url
    yield site
    site.stop()


@pytest.fixture
def alice(transactional_db: None) -> User:
    return cast.alice()


@pytest.fixture
def bob(transactional_db: None) -> User:
    return cast.bob()


@pytest.fixture
def table(transactional_db: None) -> Table:
    return Table(HALL.saved())


@pytest.fixture
def game(table: Table, alice: User, bob: User) -> Game:
    return table.game(alice, bob)


@dataclass
class Answer:
    """An answer as it comes: status and headers, then what is read of it."""

    connection: socket.socket
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    _read: bytes = b""

    def until(self, end: bytes, seconds: float) -> bytes:
        """Return what comes up to and with an end; it has to come within so many seconds."""
        limit = time.monotonic() + seconds
        while end not in self._read:
            self.connection.settimeout(max(0.01, limit - time.monotonic()))
            came = self.connection.recv(65536)
            assert came, f"the connection was closed after {self._read!r}"
            self._read += came
        found, _, self._read = self._read.partition(end)
        return found + end

    def block(self, seconds: float = 10) -> str:
        """Return what comes next, up to an empty line, without the frames of HTTP."""
        while True:
            lines = self.until(b"\n\n", seconds).decode().split("\r\n")
            if text := "".join(line for line in lines if "\n" in line):
                return text

    def event(self, seconds: float = 10) -> tuple[str, Any, str]:
        """Return the next event: its type, its data, its id."""
        while True:
            fields = dict(line.split(": ", 1) for line in self.block(seconds).strip().splitlines())
            if "event" in fields:
                return fields["event"], json.loads(fields["data"]), fields["id"]

    @property
    def document(self) -> Any:
        return json.loads(self.until(b"}", 5))


Ask = Callable[..., Answer]


@pytest.fixture
def ask(site: Site) -> Iterator[Ask]:
    """Asks the server for something."""
    opened: list[socket.socket] = []

    def one(path: str, method: str = "GET", **headers: str) -> Answer:
        parts = urlsplit(site.url)
        assert parts.hostname and parts.port
        sock = socket.create_connection((parts.hostname, parts.port), 10)
        opened.append(sock)
        lines = [f"{method} {path} HTTP/1.1", f"Host: {parts.netloc}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        sock.sendall("\r\n".join([*lines, "", ""]).encode())
        answer = Answer(sock)
        head = answer.until(b"\r\n\r\n", 20).decode().split("\r\n")
        answer.status = int(head[0].split()[1])
        answer.headers = dict(line.lower().split(": ", 1) for line in head[1:] if line)
        return answer

    yield one
    for sock in opened:
        sock.close()


def stream_of(game: Game) -> str:
    return f"{game.get_absolute_url()}events/"


def token_of(user: User) -> dict[str, str]:
    return {"Authorization": f"Bearer {make_token(user=user, now=NOW)}"}


def cookie_of(user: User) -> dict[str, str]:
    client = Client()
    client.force_login(user)
    return {"Cookie": f"sessionid={client.cookies['sessionid'].value}"}


def test_a_stream_has_the_form_of_server_sent_events(ask: Ask, game: Game) -> None:
    answer = ask(stream_of(game))
    assert answer.status == 200
    assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-accel-buffering"] == "no"
    assert answer.block().startswith("retry: ")
    assert answer.block() == (
        'id: 0-0\nevent: ready\ndata: {"turn": 0, "waiting_for": ["Alice", "Bob"], "noted": 1}\n\n'
    )


def test_all_that_happens_is_told_within_two_seconds(
    ask: Ask, game: Game, table: Table, alice: User, bob: User
) -> None:
    stream = ask(stream_of(game))
    assert stream.event()[0] == "ready"
    begun = time.monotonic()
    table.move(game, alice)
    assert stream.event() == ("ready", {"turn": 0, "waiting_for": ["Bob"], "noted": 1}, "0-0")
    line = say(user=bob, game_id=game.pk, text="So soon?", now=NOW)
    assert stream.event() == ("chat", {"id": line.pk}, f"0-{line.pk}")
    assert time.monotonic() - begun < 2 * 2
    table.move(game, bob)
    assert stream.event() == ("ready", {"turn": 0, "waiting_for": [], "noted": 1}, f"0-{line.pk}")
    resolve_turn(turn_id=game.turns.get().pk, now=NOW)
    game.refresh_from_db()
    told = ("turn", {"turn": 0, "seq": game.last_seq}, f"{game.last_seq}-{line.pk}")
    assert stream.event() == told


def test_who_comes_back_misses_nothing(ask: Ask, game: Game, table: Table, alice: User, bob: User) -> None:
    first = ask(stream_of(game))
    cursor = first.event()[2]
    first.connection.close()
    table.play(game, alice, bob)
    line = say(user=alice, game_id=game.pk, text="Missed it?", now=NOW)
    for again in (
        ask(stream_of(game), Last_Event_ID=cursor),
        ask(f"{stream_of(game)}?after={cursor}"),
        ask(f"{stream_of(game)}?after={game.last_seq}-{line.pk}", Last_Event_ID=cursor),
    ):
        assert again.event() == ("turn", {"turn": 0, "seq": game.last_seq}, f"{game.last_seq}-0")
        assert again.event() == ("chat", {"id": line.pk}, f"{game.last_seq}-{line.pk}")
        assert again.event()[0] == "ready"


def test_bad_cursors_are_refused_with_a_sentence(ask: Ask, game: Game) -> None:
    for answer in (ask(f"{stream_of(game)}?after=soon"), ask(stream_of(game), Last_Event_ID="soon")):
        assert answer.status == 400
        assert b"is no cursor" in answer.until(b"418-12", 5)


def test_private_games_are_for_those_who_may_see_them(ask: Ask, table: Table, alice: User, bob: User) -> None:
    game = table.game(alice, bob, private=True)
    dave = cast.dave()
    for path in (stream_of(game), "/games/999999/events/", f"{stream_of(game)}?link=guessed"):
        assert ask(path).status == 404
        assert ask(path, **cookie_of(dave)).status == 404
        assert ask(path, **token_of(dave)).status == 404
    assert ask(stream_of(game), **cookie_of(alice)).event()[0] == "ready"
    assert ask(stream_of(game), **token_of(bob)).event()[0] == "ready"
    assert ask(f"{stream_of(game)}?link={game.link_token}").event()[0] == "ready"


def test_the_api_wants_to_know_who_asks(ask: Ask, game: Game, alice: User) -> None:
    path = f"/api/v1/games/{game.pk}/events"
    refused = ask(path)
    assert (refused.status, refused.headers["www-authenticate"]) == (401, "bearer")
    assert b'"error":"not-signed-in"' in refused.until(b"[]}", 5)
    assert ask(path, Authorization="Bearer nonsense").status == 401
    for way in (token_of(alice), cookie_of(alice)):
        assert ask(path, **way).event()[0] == "ready"
        assert ask(f"{path}/", **way).status == 200


def test_options_of_the_api_are_answered_as_elsewhere(ask: Ask, game: Game, alice: User) -> None:
    path = f"/api/v1/games/{game.pk}/events"
    told = ask(path, "OPTIONS")
    assert (told.status, told.headers["allow"]) == (204, "get, head, options")
    refused = ask(path, "POST", Content_Length="0", **token_of(alice))
    assert (refused.status, refused.headers["allow"]) == (405, "get, head, options")


def test_only_reading_is_possible(ask: Ask, game: Game) -> None:
    refused = ask(stream_of(game), "POST", Content_Length="0")
    assert (refused.status, refused.headers["allow"]) == (405, "get, head")
    looked = ask(stream_of(game), "HEAD")
    assert (looked.status, looked.headers["content-type"]) == (200, "text/event-stream; charset=utf-8")
    assert ask("/games/999999/events/", "HEAD").status == 404


def test_silence_is_broken_by_comments(ask: Ask, game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(application, "PING", 0.2)
    stream = ask(stream_of(game))
    stream.event()
    assert stream.block() == ": ping\n\n"


def test_a_stream_ends_by_itself_so_that_permission_is_asked_anew(
    ask: Ask, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(application, "LIFE", (0.3, 0.3))
    stream = ask(stream_of(game))
    stream.event()
    assert stream.until(b"0\r\n\r\n", 5)  # the whole answer was got


def test_the_database_makes_up_for_announcements_that_got_lost(
    ask: Ask, game: Game, table: Table, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "LOOK", 0.5)
    monkeypatch.setattr(announce, "_publish", lambda game_id: None)
    stream = ask(stream_of(game))
    stream.event()
    table.move(game, alice)
    assert stream.event() == ("ready", {"turn": 0, "waiting_for": ["Bob"], "noted": 1}, "0-0")


def test_after_redis_was_away_all_is_looked_at_again(
    ask: Ask, game: Game, table: Table, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = ask(stream_of(game))
    stream.event()
    with monkeypatch.context() as lost:
        lost.setattr(announce, "_publish", lambda game_id: None)
        table.move(game, alice)
    redis.Redis.from_url(django_settings.REDIS_URL).execute_command("CLIENT", "KILL", "TYPE", "pubsub")
    assert stream.event() == (
        "ready",
        {"turn": 0, "waiting_for": ["Bob"], "noted": 1},
        "0-0",
    )  # long before `LOOK`
    table.move(game, bob)
    assert stream.event() == ("ready", {"turn": 0, "waiting_for": [], "noted": 1}, "0-0")


def test_nothing_waits_for_a_redis_that_is_away(
    game: Game, table: Table, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = redis.Redis.from_url("redis://127.0.0.1:1/0", socket_connect_timeout=0.3)
    monkeypatch.setattr(announce, "_client", lambda: gone)
    monkeypatch.setattr(announce, "_rests_until", 0.0)
    announce.change(game)  # outside of a transaction: at once
    begun = time.monotonic()
    for _ in range(100):
        announce.change(game)
    assert time.monotonic() - begun < 0.1
    table.move(game, alice)
    assert not table.game(alice, seats=2).players.filter(user=bob).exists()


def test_hardly_anything_waits_for_a_redis_that_takes_calls_and_does_not_answer(
    game: Game, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        settings.REDIS_URL = f"redis://127.0.0.1:{silent.getsockname()[1]}/0"
        monkeypatch.setattr(announce, "_client", announce._client.__wrapped__)
        monkeypatch.setattr(announce, "_rests_until", 0.0)
        begun = time.monotonic()
        for _ in range(100):
            announce.change(game)
        assert time.monotonic() - begun < 4 * announce.PATIENCE


def connections() -> int:
    """Return how many connections the test's database has."""
    with connection.cursor() as cursor:
        cursor.execute(
            "select count(*) from pg_stat_activity"
            " where datname = current_database() and backend_type = 'client backend'"
        )
        return int(cursor.fetchone()[0])


def test_one_client_has_so_many_streams_and_no_more(
    ask: Ask, game: Game, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "STREAMS_OF_A_CLIENT", 2)
    strangers = [ask(stream_of(game)) for _ in range(2)]
    assert [stream.event()[0] for stream in strangers] == ["ready", "ready"]
    refused = ask(stream_of(game))
    assert (refused.status, refused.headers["retry-after"]) == (429, "60")
    assert refused.document["error"] == "too-many"
    assert ask(stream_of(game), **cookie_of(alice)).event()[0] == "ready", "a person is counted apart"
    assert ask(stream_of(game), method="HEAD").status == 200
    strangers[0].connection.close()
    end = time.monotonic() + 20
    while (again := ask(stream_of(game))).status == 429 and time.monotonic() < end:
        time.sleep(0.1)
    assert again.status == 200, "a client who closes one may open another"


def test_streams_that_ask_for_a_login_are_limited_where_there_is_none(
    ask: Ask, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "REFUSED", Limit("refused", 2, 3600))
    assert [ask(f"/api/v1{stream_of(game)}").status for _ in range(3)] == [401, 401, 429]


def test_two_hundred_streams_hold_neither_threads_nor_connections(
    ask: Ask, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "STREAMS_OF_A_CLIENT", 200)
    before = set(threading.enumerate())
    streams = [ask(stream_of(game)) for _ in range(200)]
    for stream in streams:
        assert stream.event()[0] == "ready"
    begun = [thread.name for thread in threading.enumerate() if thread not in before]
    assert len(begun) <= hub.THREADS + 3, begun
    end = time.monotonic() + 10  # whoever has looked for them is about to go
    while connections() > 1 and time.monotonic() < end:
        time.sleep(0.05)
    assert connections() == 1, "the one that asks"
    say(user=game.host, game_id=game.pk, text="Hello, all", now=NOW)
    for stream in streams:
        assert stream.event()[0] == "chat"


def test_who_has_hung_up_is_forgotten(game: Game, settings: Settings) -> None:
    streams = Streams(pages)
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
        end = time.monotonic() + 10
        while streams._hub.size and time.monotonic() < end:
            time.sleep(0.05)
        assert streams._hub.size == 0
    finally:
        site.stop()


def test_a_player_whose_page_is_open_is_known_to_look(
    ask: Ask, game: Game, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "SIGN", timedelta(seconds=0.2))
    stream = ask(stream_of(game), **cookie_of(alice))
    stream.event()
    assert presence.is_looking(game_id=game.pk, user_id=alice.pk)
    assert game.players.get(user=alice).visited_at is not None
    assert not presence.is_looking(game_id=game.pk, user_id=bob.pk)
    forget_who_looks()
    end = time.monotonic() + 10
    while not presence.is_looking(game_id=game.pk, user_id=alice.pk):
        assert time.monotonic() < end, "an open page gives signs again and again"
        time.sleep(0.05)
    stream.connection.close()
    while presence.is_looking(game_id=game.pk, user_id=alice.pk):
        assert time.monotonic() < end, "a page that was closed gives none"
        forget_who_looks()
        time.sleep(0.5)


def forget_who_looks() -> None:
    """Take all signs away, as if they had been given long ago."""
    client = redis.Redis.from_url(django_settings.REDIS_URL)
    if keys := client.keys("robo-runner:looking:*"):
        client.delete(*keys)
