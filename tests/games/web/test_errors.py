"""Errors: the same form for all of them, with the right status."""

import re
from typing import Any

import pytest
from django.db import InterfaceError, OperationalError, transaction
from django.test import Client

from accounts.limits import Limit
from accounts.models import User
from games.people import api as people_api
from games.play.models import Game
from games.web.answers import BODY_LIMIT, Reads, Writes
from games.web.reference import openapi
from tests.games.api_client import ROOT, Answer, ApiOf
from tests.games.support import Table

CALLS = [
    ("get", "me"),
    ("get", "me/waiting"),
    ("get", "rulesets"),
    ("get", "starships"),
    ("get", "starships/1"),
    ("get", "games"),
    ("post", "games"),
    ("get", "games/1"),
    ("post", "games/1/join"),
    ("post", "games/1/leave"),
    ("post", "games/1/resign"),
    ("post", "games/1/seat"),
    ("delete", "games/1/seat"),
    ("post", "games/1/ready"),
    ("post", "games/1/start"),
    ("post", "games/1/computers"),
    ("post", "games/1/invitations"),
    ("post", "games/1/decline"),
    ("post", "games/1/rematch"),
    ("post", "games/quick"),
    ("get", "games/1/statistics"),
    ("get", "games/1/robots/1"),
    ("get", "achievements"),
    ("get", "me/invitations"),
    ("post", "me/achievements/seen"),
    ("get", "players/alice"),
    ("get", "games/1/log"),
    ("get", "games/1/turns/0"),
    ("post", "games/1/turns/0/orders"),
    ("post", "games/1/turns/0/preview"),
    ("post", "games/1/turns/0/redeal"),
    ("post", "games/1/turns/0/wake"),
]
BODIES = [
    "tokens",
    "games",
    "games/1/computers",
    "games/1/invitations",
    "games/1/join",
    "games/1/turns/0/orders",
    "games/1/turns/0/preview",
]


def is_public(method: str, path: str) -> bool:
    """Return whether everybody may make a call."""
    for template, methods in openapi()["paths"].items():
        if re.fullmatch(re.sub(r"\{\w+\}", r"(?:\\d+|alice)", template), ROOT + path):
            return {} in methods[method].get("security", [])
    raise LookupError(path)


def test_without_a_token_a_call_that_is_not_public_asks_for_one(api: ApiOf, db: None) -> None:
    client = api(None)
    private = [call for call in CALLS if not is_public(*call)]
    assert private
    for method, path in private:
        answer = client.get(path) if method == "get" else client.post(path, {})
        assert answer.refusal == (401, "not-signed-in"), path
        assert answer.headers["WWW-Authenticate"] == "Bearer", path


def test_a_slash_at_the_end_makes_no_difference(api: ApiOf, duel: Game, alice: User) -> None:
    client = api(alice)
    for method, path in [*CALLS, ("post", "tokens")]:
        path = path.replace("games/1", f"games/{duel.pk}")
        answers = []
        for each in (path, f"{path}/"):
            before = transaction.savepoint()
            answers.append(client.get(each) if method == "get" else client.post(each, {"junk": 1}))
            transaction.savepoint_rollback(before)  # the second call finds the game as the first did
        assert answers[0].status == answers[1].status, path
        assert answers[0].text == answers[1].text, path
        assert answers[0].status < 500, path


@pytest.mark.parametrize(
    "path",
    [
        "",
        "nothing",
        "games/x",
        "games/-1",
        "games/1/mail",
        "games/1/streams",
        "games/1/turns",
        "games/1/turns/-1",
        "games/1/turns/x/orders",
        "starships/hull-walker",
        "tokens/1",
        "ä",
    ],
)
@pytest.mark.parametrize("method", ["get", "post", "put", "delete"])
def test_a_path_that_there_is_not(path: str, method: str) -> None:
    answer = Answer(getattr(Client(), method)(ROOT + path))
    assert answer.refusal == (404, "not-found")


def test_other_versions_are_not_there_either() -> None:
    for path in ("/api/", "/api/v2/games", "/api/v1"):
        assert Answer(Client().get(path)).refusal == (404, "not-found")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("get", "tokens"),
        ("delete", "me"),
        ("put", "games"),
        ("patch", "games/1/join"),
        ("delete", "games/1"),
        ("get", "games/1/join"),
        ("get", "games/1/turns/0/orders"),
        ("post", "games/1/log"),
        ("post", "schema"),
    ],
)
def test_a_method_that_there_is_not(api: ApiOf, alice: User, method: str, path: str) -> None:
    client = api(alice)
    answer = Answer(getattr(client.client, method)(ROOT + path, headers=client.headers))
    assert answer.refusal == (405, "method")
    assert answer.headers["Allow"]


def test_options_answer_as_allow_says(api: ApiOf, alice: User) -> None:
    client = api(alice)
    for path, documented in openapi()["paths"].items():
        address = re.sub(r"\{\w+\}", "1", path)
        told = Client().options(address)
        assert (told.status_code, told.content) == (204, b""), path
        allowed = set(told.headers["Allow"].split(", "))
        methods = {method.upper() for method in documented}
        assert allowed == methods | {"OPTIONS"} | ({"HEAD"} if "GET" in methods else set()), path
        for method in {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"} - allowed:
            refused = client.client.generic(method, address, headers=client.headers)
            assert (refused.status_code, refused.headers["Allow"]) == (405, told.headers["Allow"]), path


def test_options_say_nothing_of_what_there_is(
    api: ApiOf, table: Table, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    private = table.game(alice, private=True, seats=2)
    answers = [Client().options(f"{ROOT}games/{number}") for number in (private.pk, 999_999)]
    there, nowhere = ({**answer.headers, "X-Request-ID": ""} for answer in answers)
    assert there == nowhere
    monkeypatch.setattr(Reads, "limit", Limit("reads", 0, 60))
    assert Answer(Client().options(f"{ROOT}me")).refusal == (429, "too-many")


@pytest.mark.parametrize("path", BODIES)
@pytest.mark.parametrize(
    "raw",
    [
        b"{",
        b"[1, 2]",
        b"null",
        b'"text"',
        b"login=alice",
        b"\xff\xfe",
        b'{"a": NaN}',
        b'{"a": 1, "a": 2}',
        b'{"a": "\\ud800"}',
        b"{" * 2000,
        b"[" * 60_000,
        b'{"a": ' + b"9" * 5000 + b"}",
    ],
)
def test_a_body_that_is_not_json(api: ApiOf, duel: Game, alice: User, path: str, raw: bytes) -> None:
    answer = api(alice).post(path, raw=raw)
    assert answer.refusal == (400, "not-json")


@pytest.mark.parametrize("path", [path for path in BODIES if not path.endswith("join")])
def test_an_empty_body(api: ApiOf, duel: Game, alice: User, path: str) -> None:
    path = path.replace("games/1/", f"games/{duel.pk}/")
    assert api(alice).post(path).refusal == (400, "not-json")


@pytest.mark.parametrize("path", BODIES)
def test_a_body_that_is_too_large(api: ApiOf, duel: Game, alice: User, path: str) -> None:
    raw = b'{"registers": "' + b"x" * BODY_LIMIT + b'"}'
    assert api(alice).post(path, raw=raw).refusal == (413, "too-large")


def test_a_body_of_the_largest_size_is_read(api: ApiOf, alice: User) -> None:
    raw = b'{"name": "' + b"x" * (BODY_LIMIT - 12) + b'"}'
    assert len(raw) == BODY_LIMIT
    assert api(alice).post("games", raw=raw).refusal == (400, "malformed")


@pytest.mark.parametrize("path", BODIES)
@pytest.mark.parametrize(
    "content_type", ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x", ""]
)
def test_a_body_of_another_type(api: ApiOf, duel: Game, alice: User, path: str, content_type: str) -> None:
    path = path.replace("games/1/", f"games/{duel.pk}/")
    answer = api(alice).post(path, raw=b"{}", content_type=content_type)
    assert answer.refusal == (415, "not-json")


def test_json_with_a_charset_is_json(api: ApiOf, alice: User) -> None:
    answer = api(alice).post("games", {}, content_type="application/json; charset=utf-8")
    assert answer.refusal == (400, "malformed")


def test_an_answer_is_json_whatever_is_accepted(api: ApiOf, alice: User) -> None:
    client = api(alice)
    client.headers["Accept"] = "text/html, image/png"
    assert client.get("me").status == 200
    assert client.get("me?format=xml").status == 200


def test_a_mishap_of_ours_is_told_in_the_same_form(
    api: ApiOf, alice: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(**_: Any) -> None:
        raise RuntimeError("a secret of ours")

    monkeypatch.setattr(people_api, "game_numbers", fail)
    client = api(alice)
    answer = Answer(client.client.get(f"{ROOT}me", headers=client.headers))
    assert answer.refusal == (500, "mishap")
    assert "secret" not in answer.text
    assert "a secret of ours" in caplog.text


@pytest.mark.parametrize("error", [OperationalError("no connection"), InterfaceError("it has gone")])
def test_a_database_that_is_away_is_told_as_such(
    api: ApiOf, alice: User, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(**_: Any) -> None:
        raise error

    monkeypatch.setattr(people_api, "game_numbers", fail)
    client = api(alice)
    answer = client.client.get(f"{ROOT}me", headers=client.headers)
    assert Answer(answer).refusal == (503, "unavailable")
    assert answer.headers["Retry-After"] == "5"


# --- Limits


def test_too_many_reads(api: ApiOf, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Reads, "limit", Limit("reads", 3, 60))
    client = api(alice)
    assert [client.get("me").status for _ in range(3)] == [200, 200, 200]
    answer = client.get("rulesets")
    assert answer.refusal == (429, "too-many")
    assert answer.headers["Retry-After"] == "60", "the minute has just begun"
    assert client.post("games", {}).status == 400
    assert api(bob).get("me").status == 200


def test_too_many_writes(
    api: ApiOf, duel: Game, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Writes, "limit", Limit("writes", 2, 60))
    client = api(alice)
    path = f"games/{duel.pk}/turns/0/"
    assert [client.post(f"{path}orders", {"heading": "N"}).status for _ in range(2)] == [200, 200]
    answer = client.post("games", {})
    assert answer.refusal == (429, "too-many")
    assert int(answer.headers["Retry-After"]) > 0
    assert client.get("me").status == 200
    assert client.post(f"{path}preview", {"heading": "N"}).status == 200


def test_a_bot_may_be_quick(api: ApiOf, alice: User) -> None:
    client = api(alice)
    assert {client.get("me").status for _ in range(100)} == {200}
