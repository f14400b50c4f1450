"""Errors of the API: all have the same form, and the right status."""

import re
from typing import Any

import pytest
from django.db import InterfaceError, OperationalError
from django.test import Client
from django.urls import resolve

from accounts.limits import Limit
from accounts.models import User
from games.people import api as people_api
from games.play.models import Game
from games.web.answers import BODY_LIMIT, Reads, Writes
from games.web.reference import openapi
from tests.games.api_client import ROOT, Answer, ApiOf
from tests.games.support import Table

BODIES = ["tokens", "games", "games/1/computers", "games/1/invitations", "games/1/turns/0/orders"]


def test_a_private_call_without_a_token_asks_for_one(db: None) -> None:
    for number, (path, methods) in enumerate(openapi()["paths"].items()):
        stranger = Client(REMOTE_ADDR=f"198.51.100.{number}")
        for method, operation in methods.items():
            if {} not in (security := operation.get("security", [])) and security:
                address = re.sub(r"\{\w+\}", "1", path)
                answer = stranger.generic(method.upper(), address, "{}", "application/json")
                assert Answer(answer).refusal == (401, "not-signed-in"), path
                assert answer.headers["WWW-Authenticate"] == "Bearer", path


def test_a_trailing_slash_makes_no_difference(api: ApiOf, duel: Game, alice: User) -> None:
    for path in openapi()["paths"]:
        address = re.sub(r"\{\w+\}", "1", path)
        served = [resolve(each).func.view_initkwargs for each in (address, f"{address}/")]  # type: ignore[attr-defined]
        assert served[0] == served[1], path
    client = api(alice)
    assert client.get(f"games/{duel.pk}/").text == client.get(f"games/{duel.pk}").text


@pytest.mark.parametrize("method", ["get", "post"])
def test_an_unknown_path_is_not_found(method: str) -> None:
    for path in ("", "nothing", "games/x", "games/-1", "games/1/turns/x/orders", "tokens/1", "ä"):
        assert Answer(getattr(Client(), method)(ROOT + path)).refusal == (404, "not-found"), path


def test_other_versions_are_not_found() -> None:
    for path in ("/api/", "/api/v2/games", "/api/v1"):
        assert Answer(Client().get(path)).refusal == (404, "not-found")


def test_options_matches_the_allow_header(api: ApiOf, alice: User) -> None:
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


def test_options_does_not_reveal_what_exists(
    api: ApiOf, table: Table, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    private = table.game(alice, private=True, seats=2)
    answers = [Client().options(f"{ROOT}games/{number}") for number in (private.pk, 999_999)]
    there, nowhere = ({**answer.headers, "X-Request-ID": ""} for answer in answers)
    assert there == nowhere
    monkeypatch.setattr(Reads, "limit", Limit("reads", 0, 60))
    assert Answer(Client().options(f"{ROOT}me")).refusal == (429, "too-many")


NOT_JSON = [
    *(b"{", b"[1, 2]", b"null", b'"text"', b"login=alice", b"\xff\xfe", b'{"a": NaN}', b'{"a": 1, "a": 2}'),
    *(b'{"a": "\\ud800"}', b"{" * 2000, b"[" * 60_000, b'{"a": ' + b"9" * 5000 + b"}"),
]


def test_a_body_that_is_not_json_is_refused(api: ApiOf, duel: Game, alice: User) -> None:
    client = api(alice)
    for raw in NOT_JSON:
        assert client.post("games", raw=raw).refusal == (400, "not-json"), raw[:20]
    for path in BODIES:
        path = path.replace("games/1/", f"games/{duel.pk}/")
        for raw in (b"{", b""):
            assert client.post(path, raw=raw).refusal == (400, "not-json"), path


def test_the_largest_body_is_read_and_a_larger_one_refused(api: ApiOf, alice: User) -> None:
    raw = b'{"name": "' + b"x" * (BODY_LIMIT - 12) + b'"}'
    assert len(raw) == BODY_LIMIT
    assert api(alice).post("games", raw=raw).refusal == (400, "malformed")
    for path in BODIES:
        assert api(alice).post(path, raw=raw + b" ").refusal == (413, "too-large"), path


def test_a_body_of_another_type_is_refused(api: ApiOf, alice: User) -> None:
    for content_type in (
        "application/x-www-form-urlencoded",
        "text/plain",
        "multipart/form-data; boundary=x",
        "",
    ):
        for path in ("games", "tokens"):
            answer = api(alice).post(path, raw=b"{}", content_type=content_type)
            assert answer.refusal == (415, "not-json"), content_type


def test_json_with_a_charset_is_accepted(api: ApiOf, alice: User) -> None:
    answer = api(alice).post("games", {}, content_type="application/json; charset=utf-8")
    assert answer.refusal == (400, "malformed")


def test_a_response_is_json_for_any_accept_header(api: ApiOf, alice: User) -> None:
    client = api(alice)
    client.headers["Accept"] = "text/html, image/png"
    assert client.get("me").status == 200
    assert client.get("me?format=xml").status == 200


def test_an_internal_error_has_the_same_form(
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
def test_an_unavailable_database_has_its_own_error(
    api: ApiOf, alice: User, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(**_: Any) -> None:
        raise error

    monkeypatch.setattr(people_api, "game_numbers", fail)
    client = api(alice)
    answer = client.client.get(f"{ROOT}me", headers=client.headers)
    assert Answer(answer).refusal == (503, "unavailable")
    assert answer.headers["Retry-After"] == "5"


def test_too_many_reads_are_refused(
    api: ApiOf, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Reads, "limit", Limit("reads", 3, 60))
    client = api(alice)
    assert [client.get("me").status for _ in range(3)] == [200, 200, 200]
    answer = client.get("rulesets")
    assert answer.refusal == (429, "too-many")
    assert answer.headers["Retry-After"] == "60", "the minute has just begun"
    assert client.post("games", {}).status == 400
    assert api(bob).get("me").status == 200


def test_too_many_writes_are_refused(
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
