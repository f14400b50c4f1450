"""Open pages of a game, without a browser: what their script asks the site for, and when.

`OpenPage` declares it, in one place: anyone who changes what the script fetches (`static/play/parts.js`,
`game.js`, `submit.js`, `player.js`) changes it here too.
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
"""The token in forms, headers and cookies, by which the site knows its own pages."""

PATIENCE: Final = 30.0

JSON: Final = "application/json"

Fields = Mapping[str, Any]

_PART: Final = re.compile(r'<[^<>]* data-part="[^<>]*>')
_DATA: Final = re.compile(r'data-(part|mark|version)="([^"]*)"')


class Browser:
    """A browser in which a person is logged in. It keeps its connection, and asks again by ETag."""

    def __init__(self, port: int, person: User) -> None:
        client = Client()
        client.force_login(person)
        session = client.cookies[settings.SESSION_COOKIE_NAME].value
        self._port = port
        self._cookies = f"{settings.SESSION_COOKIE_NAME}={session}; {settings.CSRF_COOKIE_NAME}={SECRET}"
        self._connection: http.client.HTTPConnection | None = None
        self._kept: dict[str, tuple[str, bytes]] = {}

    def get(self, path: str, accept: str) -> bytes:
        """Fetch an address; what has not changed need not be sent again."""
        tag, kept = self._kept.get(path, ("", b""))
        answer, body = self._ask("GET", path, {"Accept": accept} | ({"If-None-Match": tag} if tag else {}))
        if answer.status == 304:
            return kept
        if new := answer.headers.get("ETag"):
            self._kept[path] = new, body
        return body

    def post(self, path: str, fields: Fields) -> bytes:
        """Send a form as a script does."""
        body = urlencode({"csrfmiddlewaretoken": SECRET, **fields}, doseq=True)
        headers = {"Accept": "text/html", "Content-Type": "application/x-www-form-urlencoded"}
        return self._ask("POST", path, headers, body)[1]

    def call(self, path: str, document: Mapping[str, Any]) -> bytes:
        """Call the API as a script does."""
        headers = {"Accept": JSON, "Content-Type": JSON, "X-CSRFToken": SECRET}
        return self._ask("POST", path, headers, json.dumps(document))[1]

    def stream(self, path: str) -> "Stream":
        """Open a stream."""
        head = f"GET {path} HTTP/1.1\r\nHost: localhost:{self._port}\r\nCookie: {self._cookies}\r\n\r\n"
        return Stream(self._port, head)

    def close(self) -> None:
        """Hang up."""
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
                "localhost", self._port, timeout=PATIENCE
            )
            try:
                self._connection.request(method, path, body, about)
                answer = self._connection.getresponse()
                content = answer.read()
                break
            except (ConnectionError, http.client.HTTPException):
                self.close()  # the server hangs up after a few seconds
                if fresh:
                    raise
        if answer.headers.get("Content-Encoding") == "gzip":
            content = gzip.decompress(content)
        assert answer.status in {200, 204, 304}, (method, path, answer.status, content[:500])
        return answer, content


class Stream:
    """The events of a game, as they come."""

    def __init__(self, port: int, head: str) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self._socket.sendall(head.encode())
        self._lines = self._socket.makefile("rb")

    def wait(self, name: str) -> None:
        """Return once such an event has come."""
        end = time.monotonic() + PATIENCE
        for line in self._lines:
            if line.strip() == f"event: {name}".encode():
                return
            if time.monotonic() > end:
                break
        raise TimeoutError(f"The stream tells of no {name}.")

    def close(self) -> None:
        """Hang up."""
        self._lines.close()
        self._socket.close()


class OpenPage:
    """A game's page, open in a player's browser, with its stream."""

    def __init__(self, browser: Browser, game: int) -> None:
        self.browser = browser
        self.address = f"/games/{game}/"
        self._marks: dict[str, str] = {}
        page = self.load().decode()
        stream, cursor = (_attribute(page, name) for name in ("stream", "cursor"))
        self.news = browser.stream(f"{stream}?after={cursor}")
        self.news.wait("ready")

    def load(self) -> bytes:
        """Fetch the page whole, as anyone who comes to it does."""
        return self._marked(self.browser.get(self.address, "text/html"))

    def _marked(self, page: bytes) -> bytes:
        """Note which parts the page has from now on."""
        for found in _PART.finditer(page.decode()):
            part = dict(_DATA.findall(found[0]))
            if mark := part.get("version") or part.get("mark"):
                self._marks[part["part"]] = mark
        return page

    def close(self) -> None:
        """Close it."""
        self.news.close()
        self.browser.close()

    # --- What the script fetches --------------------------------------------------------------------------

    def refresh(self, **asked: str) -> bytes:
        """Fetch what has changed of the page."""
        return self._marked(self.browser.get(self._asking("parts/", asked), "text/html"))

    def _asking(self, path: str, asked: Fields) -> str:
        has = ",".join(f"{name}:{mark}" for name, mark in self._marks.items())
        return f"{self.address}{path}?{urlencode({'has': has, **asked})}"

    def submit(self, turn: int, orders: Mapping[str, Any]) -> None:
        """Send the orders that were laid."""
        self.browser.call(f"/api/v1{self.address}turns/{turn}/orders", {"instead_of": "", **orders})

    def after_own_orders(self) -> None:
        """Show that the orders are in."""
        self.refresh(only="panel,crew")

    def after_others_orders(self) -> None:
        """Light a lamp: nothing is fetched for it."""

    def after_last_orders(self) -> None:
        """Wait a moment for the turn, which is mostly played within it: nothing is fetched."""

    def after_turn(self, turn: int) -> None:
        """Play the film, and note that it was seen; the answer has the new hand, and what else is new."""
        self.browser.get(f"{self.address}turns/{turn}/film/", JSON)
        self._marked(self.browser.post(self._asking("seen/", {}), {"turn": turn}))


def _attribute(page: str, name: str) -> str:
    found = re.search(rf'data-{name}="([^"]*)"', page)
    assert found, name
    return found[1].replace("&amp;", "&")
