"""Nonsense in every call: each refusal is in the one form, and says nothing of how the service is made."""

import json
import re
from typing import Any

import pytest
from django.test import Client

from accounts import limits
from accounts.models import User
from games.api.views.document import openapi
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


def bodies(operation: dict[str, Any]) -> list[Any]:
    """Return what nobody should send to a call: each key as something else, and something else altogether."""
    if "requestBody" not in operation:
        return [None]
    [content] = operation["requestBody"]["content"].values()
    name = content["schema"]["$ref"].rpartition("/")[2]
    keys = openapi()["components"]["schemas"][name]["properties"]
    [example] = content["examples"].values()
    return [None, *JUNK, *({**example["value"], key: junk} for key in [*keys, "extra"] for junk in JUNK)]


def ask(client: Api, method: str, path: str, raw: bytes, query: dict[str, str]) -> None:
    """Ask for something, which may be answered; a refusal is in form, and tells nothing of the inside."""
    with undone():
        sent = Client(raise_request_exception=False).generic(
            method.upper(), path, raw, "application/json", headers=client.headers, query_params=query
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


@pytest.mark.parametrize(("path", "method"), CALLS)
def test_nonsense_is_refused_in_form(
    table: Table, duel: Game, alice: User, bob: User, path: str, method: str
) -> None:
    lobby = table.game(alice, seats=3)
    operation = openapi()["paths"][path][method]
    client = Api(alice)
    for game in (duel, lobby) if "{game_id}" in path else (duel,):
        address = path.replace("{game_id}", str(game.pk)).replace("{robo_name}", "Bob")
        address = re.sub(r"\{\w+\}", "0" if "/turns/" in path else "1", address)
        for body in bodies(operation):
            ask(client, method, address, b"" if body is None else json.dumps(body).encode(), {})
        for parameter in operation.get("parameters", []):
            if parameter["in"] == "query":
                for value in QUERIES:
                    ask(client, method, address, b"", {parameter["name"]: value, "extra": "1"})


@pytest.mark.parametrize("raw", RAW)
def test_a_body_that_is_none_is_refused_in_form(duel: Game, alice: User, raw: bytes) -> None:
    ask(Api(alice), "post", f"{ROOT}games/{duel.pk}/turns/0/orders", raw, {})
    ask(Api(alice), "post", f"{ROOT}games", raw, {})
