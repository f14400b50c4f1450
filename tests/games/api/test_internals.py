"""Nonsense in every call: each refusal is in the one form, and says nothing of how the service is made."""

import json
import re
from typing import Any

import pytest
from django.test import Client

from accounts import limits
from accounts.models import User
from games.api.views.schema import openapi
from games.play.models import Game
from tests.access.walking import undone
from tests.games.api.client import ROOT, Answer, Api
from tests.games.support import Table
from tests.support.internals import hint_in

JUNK: list[Any] = [
    *(None, True, -1, 10**30, "", "\x00"),
    *([], [[]], [2, 3, 5], [{"a": 1}], {"a": 1}, {"hours": "x", "at": 3}),
]
QUERIES = ["x", "", "9" * 5000, "\x00"]
RAW = [
    *(b"", b"{", b"nope", b"'x'", b'{"a": NaN}', b'{"a": 1, "a": 1}', b"[]", b"\xff", b'{"a": "\\ud800"}'),
    *(b"[" * 60_000, b'{"a": ' + b"9" * 5000 + b"}", b'{"a": "\n"}', b'{"a": 1} x', b'{"a" 1}', b"{a: 1}"),
    *(b'{"a": "\\x"}', b'{"a": "\\u12"}', b'{"a": 1,}', b'{"a": [1 2]}', b'{"a": "', b"\xef\xbb\xbf{}"),
]
CALLS = [(path, method) for path, methods in openapi()["paths"].items() for method in methods]


@pytest.fixture(autouse=True)
def without_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "take", lambda *_: 0)


def taken(operation: dict[str, Any]) -> tuple[dict[str, Any], set[str]]:
    """Return what a call takes: an example, and each key that it knows."""
    [content] = operation["requestBody"]["content"].values()
    name = content["schema"]["$ref"].rpartition("/")[2]
    [example] = content["examples"].values()
    return example["value"], set(openapi()["components"]["schemas"][name]["properties"])


class Asker:
    """Somebody who asks in vain; what is refused for its form is asked once, whichever game it is about."""

    def __init__(self, user: User) -> None:
        self._headers = Api(user).headers
        self._malformed: dict[tuple[str, bytes], set[str]] = {}

    def ask(self, method: str, path: str, raw: bytes, query: dict[str, str]) -> None:
        """Ask for something, which may be answered; a refusal is in form, and tells nothing of the inside."""
        with undone():
            sent = Client(raise_request_exception=False).generic(
                method.upper(), path, raw, "application/json", headers=self._headers, query_params=query
            )
        said = f"{method} {path} {query} {raw[:200]!r}: {sent.content.decode()}"
        if sent.status_code < 400:
            return
        answer = Answer(sent)
        assert answer.refusal[0] < 500 or path.endswith("/events"), said
        if sent.status_code in (400, 422):
            assert answer.body["problems"], said
        for text in (answer.body["detail"], *(problem["detail"] for problem in answer.body["problems"])):
            assert hint_in(text) is None, said
        if answer.refusal == (400, "malformed") and not query:
            keys = {problem.get("key", "").partition(".")[0] for problem in answer.body["problems"]}
            self._malformed[method, raw] = keys

    def send(self, method: str, path: str, body: Any) -> set[str]:
        """Ask with a body, and return the keys in it that are refused for their form."""
        raw = b"" if body is None else json.dumps(body).encode()
        if (method, raw) not in self._malformed:
            self.ask(method, path, raw, {})
        return self._malformed.get((method, raw), set())

    def send_junk(self, method: str, path: str, sound: dict[str, Any], keys: set[str], some: Any) -> None:
        """Send each key as something else: all at once, then alone those that are not refused at once.

        ``some`` is sent as a whole body, and for a key that is unknown.
        """
        self.send(method, path, some)
        self.send(method, path, {**sound, "extra": some})
        for junk in JUNK:
            refused = self.send(method, path, dict.fromkeys(keys, junk))
            for key in sorted(keys - refused):
                self.send(method, path, {**sound, key: junk})


@pytest.mark.parametrize(("path", "method"), CALLS)
def test_nonsense_is_refused_in_form(
    table: Table, duel: Game, alice: User, bob: User, path: str, method: str
) -> None:
    lobby = table.game(alice, seats=3)
    some = JUNK[CALLS.index((path, method)) % len(JUNK)]  # all calls read bodies in one way
    operation = openapi()["paths"][path][method]
    asker = Asker(alice)
    for game in (duel, lobby) if "{game_id}" in path else (duel,):
        address = path.replace("{game_id}", str(game.pk)).replace("{robo_name}", "Bob")
        address = re.sub(r"\{\w+\}", "0" if "/turns/" in path else "1", address)
        asker.send(method, address, None)
        if "requestBody" in operation:
            asker.send_junk(method, address, *taken(operation), some)
        for parameter in operation.get("parameters", []):
            if parameter["in"] == "query":
                for value in QUERIES:
                    asker.ask(method, address, b"", {parameter["name"]: value, "extra": "1"})


@pytest.mark.parametrize("raw", RAW)
def test_a_body_that_is_none_is_refused_in_form(duel: Game, alice: User, raw: bytes) -> None:
    asker = Asker(alice)
    asker.ask("post", f"{ROOT}games/{duel.pk}/turns/0/orders", raw, {})
    asker.ask("post", f"{ROOT}games", raw, {})
