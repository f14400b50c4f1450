"""A client for event streams."""

import json
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.test import Client

from accounts.models import User
from games.people.tokens import make_token
from games.play.models import Game
from tests.games.support import NOW


@dataclass
class Answer:
    """A response that is still arriving: its status and headers, then parts of its body."""

    connection: socket.socket
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    _read: bytes = b""

    def until(self, end: bytes, seconds: float) -> bytes:
        """Wait for ``end``, and return the text up to and including it.

        Fail if it does not arrive within ``seconds``.
        """
        limit = time.monotonic() + seconds
        while end not in self._read:
            self.connection.settimeout(max(0.01, limit - time.monotonic()))
            came = self.connection.recv(65536)
            assert came, f"the connection was closed after {self._read!r}"
            self._read += came
        found, _, self._read = self._read.partition(end)
        return found + end

    def block(self, seconds: float = 30) -> str:
        """Wait for an empty line, and return the text before it, without headers of chunks."""
        while True:
            lines = self.until(b"\n\n", seconds).decode().split("\r\n")
            if text := "".join(line for line in lines if "\n" in line):
                return text

    def event(self, seconds: float = 30) -> tuple[str, Any, str]:
        while True:
            fields = dict(line.split(": ", 1) for line in self.block(seconds).strip().splitlines())
            if "event" in fields:
                return fields["event"], json.loads(fields["data"]), fields["id"]

    @property
    def document(self) -> Any:
        return json.loads(self.until(b"}", 30))


Ask = Callable[..., Answer]


def stream_of(game: Game) -> str:
    return f"{game.get_absolute_url()}events/"


def token_of(user: User) -> dict[str, str]:
    return {"Authorization": f"Bearer {make_token(user=user, now=NOW)}"}


def cookie_of(user: User) -> dict[str, str]:
    client = Client()
    client.force_login(user)
    return {"Cookie": f"robo-runner-session={client.cookies['robo-runner-session'].value}"}
