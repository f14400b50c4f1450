"""Simulate open pages of a game without a browser, with the same requests as their script.

`OpenPage` has all these requests. If you change the requests of the script (`static/play/parts.js`,
`game.js`, `submit.js`, `player.js`), change them here too.
"""

import gzip
import http.client
import json
import re
import socket
import time
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlencode

from django.conf import settings
from django.test import Client

from accounts.models import User

SECRET: Final = "c" * 32
"""The CSRF token that is sent in forms, headers and cookies."""

PAGE_TIMEOUT: Final = 30.0

JSON: Final = "application/json"

Fields = Mapping[str, Any]

_PART: Final = re.compile(r'<[^<>]* data-part="[^<>]*>')
_DATA: Final = re.compile(r'data-(part|mark|version)="([^"]*)"')


class Browser:
    """A client for a logged-in person, with a persistent connection and an ETag cache."""

    def __init__(self, port: int, person: User) -> None:
        client = Client()
        client.force_login(person)
        session = client.cookies[settings.SESSION_COOKIE_NAME].value
        self._port = port
        self._cookies = f"{settings.SESSION_COOKIE_NAME}={session}; {settings.CSRF_COOKIE_NAME}={SECRET}"
        self._connection: http.client.HTTPConnection | None = None
        self._kept: dict[str, tuple[str, bytes]] = {}

    def get(self, path: str, accept: str) -> bytes:
        """Return the content of an address. If a copy is cached, ask the server whether it is current."""
        tag, kept = self._kept.get(path, ("", b""))
        answer, body = self._ask("GET", path, {"Accept": accept} | ({"If-None-Match": tag} if tag else {}))
        if answer.status == 304:
            return kept
        if new := answer.headers.get("ETag"):
            self._kept[path] = new, body
        return body

    def post(self, path: str, fields: Fields) -> bytes:
        """Send a form as the page's script does. Return the content of the response."""
        body = urlencode({"csrfmiddlewaretoken": SECRET, **fields}, doseq=True)
        headers = {"Accept": "text/html", "Content-Type": "application/x-www-form-urlencoded"}
        return self._ask("POST", path, headers, body)[1]

    def call(self, path: str, document: Mapping[str, Any]) -> bytes:
        """Send a document to the API as the page's script does. Return the content of the response."""
        headers = {"Accept": JSON, "Content-Type": JSON, "X-CSRFToken": SECRET}
        return self._ask("POST", path, headers, json.dumps(document))[1]

    def stream(self, path: str) -> "Stream":
        head = f"GET {path} HTTP/1.1\r\nHost: localhost:{self._port}\r\nCookie: {self._cookies}\r\n\r\n"
        return Stream(self._port, head)

    def close(self) -> None:
        if self._connection:
            self._connection.close()
            self._connection = None

    def _ask(
        self, method: str, path: str, headers: Mapping[str, str], body: str | None = None
    ) -> tuple[http.client.HTTPResponse, bytes]:
        about = {**headers, "Cookie": self._cookies, "Accept-Encoding": "gzip, deflate"}
        while True:
            fresh = self._connection is None
            self._connection = self._connection or http.client.HTTPConnection(
                "localhost", self._port, timeout=PAGE_TIMEOUT
            )
            try:
                self._connection.request(method, path, body, about)
                answer = self._connection.getresponse()
                content = answer.read()
                break
            except (ConnectionError, http.client.HTTPException):
                self.close()  # the server closes idle connections after a few seconds
                if fresh:
                    raise
        if answer.headers.get("Content-Encoding") == "gzip":
            content = gzip.decompress(content)
        assert answer.status in {200, 204, 304}, (method, path, answer.status, content[:500])
        return answer, content


class Stream:
    """The event stream of a game."""

    def __init__(self, port: int, head: str) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), PAGE_TIMEOUT)
        self._socket.sendall(head.encode())
        self._lines = self._socket.makefile("rb")

    def wait(self, name: str) -> None:
        """Wait for an event with this name in the stream.

        Raises TimeoutError if the event does not arrive in time.
        """
        end = time.monotonic() + PAGE_TIMEOUT
        for line in self._lines:
            if line.strip() == f"event: {name}".encode():
                return
            if time.monotonic() > end:
                break
        raise TimeoutError(f"The stream tells of no {name}.")

    def close(self) -> None:
        self._lines.close()
        self._socket.close()


class OpenPage:
    """A player's open game page, with its event stream."""

    def __init__(self, browser: Browser, game: int) -> None:
        self.browser = browser
        self.address = f"/games/{game}/"
        self._marks: dict[str, str] = {}
        page = self.load().decode()
        stream, cursor = (_attribute(page, name) for name in ("stream", "cursor"))
        self.news = browser.stream(f"{stream}?after={cursor}")
        self.news.wait("ready")

    def load(self) -> bytes:
        """Fetch the whole page, and record the versions of its parts."""
        return self._marked(self.browser.get(self.address, "text/html"))

    def _marked(self, page: bytes) -> bytes:
        """Record the versions of the parts in a response. Return the response unchanged."""
        for found in _PART.finditer(page.decode()):
            part = dict(_DATA.findall(found[0]))
            if mark := part.get("version") or part.get("mark"):
                self._marks[part["part"]] = mark
        return page

    def close(self) -> None:
        self.news.close()
        self.browser.close()

    # --- The requests of the script -------------------------------------------------------------------------

    def refresh(self, **asked: str) -> bytes:
        """Fetch the parts of the page that have changed. Return the response."""
        return self._marked(self.browser.get(self._asking("parts/", asked), "text/html"))

    def _asking(self, path: str, asked: Fields) -> str:
        has = ",".join(f"{name}:{mark}" for name, mark in self._marks.items())
        return f"{self.address}{path}?{urlencode({'has': has, **asked})}"

    def submit(self, turn: int, orders: Mapping[str, Any]) -> None:
        """Submit orders for a turn."""
        self.browser.call(f"/api/v1{self.address}turns/{turn}/orders", {"instead_of": "", **orders})

    def after_own_orders(self) -> None:
        """Fetch the two parts of the page that show that the player's orders are submitted."""
        self.refresh(only="panel,crew")

    def after_others_orders(self) -> None:
        """Do nothing: the script lights another player's ready lamp without a request."""

    def after_last_orders(self) -> None:
        """Do nothing: the page script sends no request while it waits briefly for the turn to be played."""

    def after_turn(self, turn: int) -> None:
        """Fetch the film of a played turn, and mark the turn as seen.

        The response to the second of these requests has the new hand and other changed parts of the page.
        """
        self.browser.get(f"{self.address}turns/{turn}/film/", JSON)
        self._marked(self.browser.post(self._asking("seen/", {}), {"turn": turn}))


def _attribute(page: str, name: str) -> str:
    found = re.search(rf'data-{name}="([^"]*)"', page)
    assert found, name
    return found[1].replace("&amp;", "&")
