"""Run a separate server for each test of event streams."""

import socket
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from pytest_django.fixtures import Settings

from accounts.models import User
from games.play.models import Game
from games.play.pages.streams import GameStreams
from roborunner.asgi import pages
from roborunner.streams import Streams
from tests import cast
from tests.games.play.streams.reading import Answer, Ask
from tests.games.support import HALL, Table
from tests.support.site import Site


@pytest.fixture
def site(transactional_db: None, settings: Settings) -> Iterator[Site]:
    """A separate server, without open streams of other tests."""
    site = Site(Streams(pages, GameStreams()))
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


@pytest.fixture
def ask(site: Site) -> Iterator[Ask]:
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
