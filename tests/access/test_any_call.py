"""Valid and invalid requests for every call of the OpenAPI document.

No call crashes. Half of the requests from schemathesis follow the document, and half break it. Other tests
put junk in each key. All refusals have the same form and reveal nothing about the service's internals.
"""

import json
import re
from base64 import b64encode
from collections.abc import Collection
from contextlib import suppress
from typing import Any
from urllib.parse import urlencode

import pytest
import schemathesis
from django.test import Client
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.core import NotSet
from schemathesis.specs.openapi.schemas import OpenApiSchema

from games.people.tokens import make_token
from games.web.reference import openapi
from tests.access.requests import request_for
from tests.access.test_walk import TAKES_PLACE_IN
from tests.access.walking import Walker, undone
from tests.games.api_client import Answer
from tests.games.support import NOW
from tests.support.internals import hint_in

FREE = {"type", "description", "title", "readOnly"}
"""The keywords in a JSON schema that accepts every text."""

few = settings(
    max_examples=2,  # for each kind of request of each call: some hundreds in all
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.generate],
)


def calls() -> dict[str, Any]:
    """Return every call of the OpenAPI document, by method and path."""
    schema = schemathesis.openapi.from_dict(openapi())
    assert isinstance(schema, OpenApiSchema)
    return {found.label: found for found in (result.ok() for result in schema.get_all_operations())}


CALLS = calls()


RUNNING = "public, running"


def situation_of(label: str) -> str:
    """Return the state of the game that the call needs to succeed."""
    method, _, path = label.partition(" ")
    last = path.rpartition("/")[2]
    happens = TAKES_PLACE_IN.get(f"{method} {last}", TAKES_PLACE_IN.get(last))
    return happens or (RUNNING if method == "GET" else "public, open")


@pytest.fixture(scope="module")
def token(walker: Walker) -> str:
    return make_token(user=walker.world.people["Alice"], now=NOW)


def path_to(walker: Walker, label: str, situation: str = RUNNING) -> str:
    """Return the path of a call with the IDs of existing rows."""
    method, _, path = label.partition(" ")
    return request_for(walker.world, "host", method, path.lstrip("/"), situation).path


def parts_of(walker: Walker, label: str) -> dict[str, Any]:
    """Return the values of a call's path parameters, by name."""
    path = label.partition(" ")[2]
    found = re.fullmatch(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", path), path_to(walker, label))
    assert found, path
    return {name: int(part) if part.isdecimal() else part for name, part in found.groupdict().items()}


def ask(case: Any, token: str) -> Any:
    """Send a generated request as Alice, and undo its changes."""
    headers = {
        name: value for name, value in (case.headers or {}).items() if name.lower() != "authorization"
    } | {"Authorization": f"Bearer {token}"}
    sent = case.body
    if isinstance(sent, NotSet):
        sent = b""
    elif not isinstance(sent, bytes):
        sent = json.dumps(sent).encode()
    with undone():
        return Client(raise_request_exception=False).generic(
            case.method,
            case.formatted_path,
            data=sent,
            content_type="application/json" if sent else "",
            headers=headers,
            query_params=None,
            QUERY_STRING=urlencode(case.query or {}, doseq=True, errors="replace"),
        )


def check(case: Any, answer: Any) -> None:
    """Fail if a response is a server error or does not match the OpenAPI document."""
    said = f"{case.method} {case.formatted_path} {case.query} {case.body!r:.300}"
    without_streams = case.path.endswith("/events") and answer.status_code == 503  # needs the real server
    assert answer.status_code < 500 or without_streams, f"{said}: {answer.content.decode()}"
    if answer.headers.get("Content-Type", "").startswith("application/json"):
        document = json.loads(answer.content)
        if answer.status_code >= 400:
            assert document.keys() == {"error", "detail", "problems"}, said
    else:
        assert answer.status_code in (200, 301, 404), said


def can_be_wrong(call: Any, fixed: Collection[str]) -> bool:
    """Return whether a request with the given fixed parts can break the document.

    If it cannot, Hypothesis would search in vain for a long time.
    """
    free = [part.definition["schema"] for part in call.path_parameters if part.name not in fixed]
    texts = [schema for schema in free if schema.get("type") == "string" and schema.keys() <= FREE]
    return bool(list(call.body) or list(call.query) or len(free) > len(texts))


@pytest.mark.parametrize("label", CALLS)
def test_no_call_crashes(db: None, walker: Walker, token: str, label: str) -> None:
    """Requests use paths of existing rows, and generated paths."""
    call = CALLS[label]
    named = parts_of(walker, label)
    wrongly = {"generation_mode": GenerationMode.NEGATIVE}

    def send(**options: Any) -> None:
        @few
        @given(case=call.as_strategy(**options))
        def to_what_is_made_up(case: Any) -> None:
            check(case, ask(case, token))

        to_what_is_made_up()

    send(path_parameters=named or None)
    if named:
        send()
    with suppress(schemathesis.errors.SchemathesisError, Unsatisfiable):  # no invalid request exists
        if can_be_wrong(call, named):
            send(path_parameters=named or None, **wrongly)
        elif can_be_wrong(call, ()):
            send(**wrongly)


def test_every_call_of_the_document_is_asked() -> None:
    documented = {
        f"{method.upper()} {path}" for path, methods in openapi()["paths"].items() for method in methods
    }
    assert documented
    assert CALLS.keys() == documented


JUNK: list[Any] = [
    *(None, True, -1, 10**30, "", "\x00"),
    *([], [[]], [2, 3, 5], [{"a": 1}], {"a": 1}, {"hours": "x", "at": 3}),
]
QUERIES = ["x", "", "9" * 5000, "\x00", b64encode(b"p=9999-12-31T23:59:59-23:59").decode()]
"""Junk for query parameters.

The last value is a cursor with a time that the database cannot store.
"""

RAW = [
    *(b"", b"{", b"nope", b"'x'", b'{"a": NaN}', b'{"a": 1, "a": 1}', b"[]", b"\xff", b'{"a": "\\ud800"}'),
    *(b"[" * 60_000, b'{"a": ' + b"9" * 5000 + b"}", b'{"a": "\n"}', b'{"a": 1} x', b'{"a" 1}', b"{a: 1}"),
    *(b'{"a": "\\x"}', b'{"a": "\\u12"}', b'{"a": 1,}', b'{"a": [1 2]}', b'{"a": "', b"\xef\xbb\xbf{}"),
]


def taken(operation: dict[str, Any]) -> tuple[dict[str, Any], set[str]]:
    """Return the example body of an operation, and all keys that its schema allows."""
    [content] = operation["requestBody"]["content"].values()
    name = content["schema"]["$ref"].rpartition("/")[2]
    [example] = content["examples"].values()
    return example["value"], set(openapi()["components"]["schemas"][name]["properties"])


class Asker:
    """A client for requests that should fail. It sends no malformed request twice."""

    def __init__(self, token: str) -> None:
        self._headers = {"Authorization": f"Bearer {token}"}
        self._malformed: dict[tuple[str, bytes], set[str]] = {}

    def ask(self, method: str, path: str, raw: bytes, query: dict[str, str]) -> set[str]:
        """Send a request. Return the keys that were refused as malformed.

        Fail if the refusal has another form, or reveals internals.
        """
        with undone():
            sent = Client(raise_request_exception=False).generic(
                method, path, raw, "application/json", headers=self._headers, query_params=query
            )
        said = f"{method} {path} {query} {raw[:200]!r}: {sent.content.decode()}"
        if sent.status_code < 400:
            return set()
        answer = Answer(sent)
        assert answer.refusal[0] < 500 or path.endswith("/events"), said
        if sent.status_code in (400, 422):
            assert answer.body["problems"], said
        for text in (answer.body["detail"], *(problem["detail"] for problem in answer.body["problems"])):
            assert hint_in(text) is None, said
        if answer.refusal != (400, "malformed"):
            return set()
        keys = {problem.get("key", "").partition(".")[0] for problem in answer.body["problems"]}
        if not query:
            self._malformed[method, raw] = keys
        return keys

    def send(self, method: str, path: str, body: Any) -> set[str]:
        """Send a JSON body. Return the keys that were refused as malformed."""
        raw = b"" if body is None else json.dumps(body).encode()
        if (method, raw) not in self._malformed:
            self.ask(method, path, raw, {})
        return self._malformed.get((method, raw), set())

    def send_junk(self, method: str, path: str, sound: dict[str, Any], keys: set[str], some: Any) -> None:
        """Send junk for all keys at once, then singly for each key that got no error.

        Also send ``some`` as the whole body, and as the value of an unknown key.
        """
        self.send(method, path, some)
        self.send(method, path, {**sound, "extra": some})
        for junk in JUNK:
            refused = self.send(method, path, dict.fromkeys(keys, junk))
            for key in sorted(keys - refused):
                self.send(method, path, {**sound, key: junk})


@pytest.mark.parametrize("label", CALLS)
def test_nonsense_is_refused_in_form(db: None, walker: Walker, token: str, label: str) -> None:
    some = JUNK[[*CALLS].index(label) % len(JUNK)]  # all calls read bodies in one way
    method, _, path = label.partition(" ")
    operation = openapi()["paths"][path][method.lower()]
    asker = Asker(token)
    address = path_to(walker, label, situation_of(label))
    asker.send(method, address, None)
    if "requestBody" in operation:
        asker.send_junk(method, address, *taken(operation), some)
    asker.ask(method, address, b"", {"extra": "1"})
    asked = [each["name"] for each in operation.get("parameters", []) if each["in"] == "query"]
    for value in QUERIES if asked else ():
        refused = asker.ask(method, address, b"", dict.fromkeys(asked, value))
        for name in asked if len(asked) > 1 else ():
            if name not in refused:
                asker.ask(method, address, b"", {name: value})


@pytest.mark.parametrize("raw", RAW)
def test_a_malformed_body_is_refused_in_form(db: None, walker: Walker, token: str, raw: bytes) -> None:
    asker = Asker(token)
    for label in ("POST /api/v1/games/{game_id}/turns/{number}/orders", "POST /api/v1/games"):
        asker.ask("POST", path_to(walker, label), raw, {})


def test_a_query_of_a_thousand_keys_is_refused_in_form(db: None, walker: Walker, token: str) -> None:
    asker, keys = Asker(token), {f"a{number}": "" for number in range(1001)}
    for label in (label for label in CALLS if label.startswith("GET ")):
        asker.ask("GET", path_to(walker, label), b"", keys)
