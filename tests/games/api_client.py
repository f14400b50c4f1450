"""A client of the API that checks every response against the OpenAPI document."""

import json
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from django.http import HttpResponse
from django.test import Client
from jsonschema import Draft202012Validator, FormatChecker

from accounts.models import User
from games.people.tokens import make_token
from games.web.reference import openapi
from tests.games.support import NOW

ROOT = "/api/v1/"


class Answer:
    """A response of the API: its status, headers and document."""

    def __init__(self, response: HttpResponse) -> None:
        self.status = response.status_code
        self.headers = response.headers
        self.body = json.loads(response.content)
        self.text = response.content.decode()

    @property
    def refusal(self) -> tuple[int, str]:
        assert set(self.body) == {"error", "detail", "problems"}, self.body
        assert self.body["detail"].endswith((".", "”")), self.body
        return self.status, self.body["error"]


class Api:
    """Calls the API with a person's token, or without a token."""

    def __init__(self, user: User | None = None) -> None:
        self.client = Client(raise_request_exception=False)
        self.headers = {}
        if user is not None:
            self.headers["Authorization"] = f"Bearer {make_token(user=user, now=NOW)}"

    def get(self, path: str, **query: Any) -> Answer:
        return self.checked("get", path, self.client.get(ROOT + path, query, headers=self.headers))

    def post(self, path: str, document: Any = None, *, raw: bytes | str | None = None, **more: Any) -> Answer:
        """Send a JSON document, raw bytes, or an empty body."""
        content = json.dumps(document) if raw is None and document is not None else raw or ""
        more = {"content_type": "application/json", "headers": self.headers, **more}
        return self.checked("post", path, self.client.post(ROOT + path, content, **more))

    def patch(self, path: str, document: Any = None) -> Answer:
        more = {"content_type": "application/json", "headers": self.headers}
        return self.checked("patch", path, self.client.patch(ROOT + path, json.dumps(document), **more))

    def put(self, path: str, document: Any = None) -> Answer:
        more = {"content_type": "application/json", "headers": self.headers}
        return self.checked("put", path, self.client.put(ROOT + path, json.dumps(document), **more))

    def delete(self, path: str) -> Answer:
        return self.checked("delete", path, self.client.delete(ROOT + path, headers=self.headers))

    def checked(self, method: str, path: str, response: HttpResponse) -> Answer:
        """Check a response against the OpenAPI document, and return it."""
        answer = Answer(response)
        assert response.headers["Content-Type"] == "application/json"
        schema = documented(method, path, answer.status)
        if schema is not None:
            found = [error.message for error in validator(schema).iter_errors(answer.body)]
            assert not found, found
        return answer


def documented(method: str, path: str, status: int) -> str | None:
    """Return the reference of a response's schema, or None if the path is not in the document."""
    plain = path.partition("?")[0]
    for template, operations in openapi()["paths"].items():
        if re.fullmatch(re.sub(r"\{(\w+)\}", _value, template) + "/?", ROOT + plain) and method in operations:
            responses = operations[method]["responses"]
            assert str(status) in responses, f"{method} {path} is not documented to answer {status}"
            reference: str = responses[str(status)]["content"]["application/json"]["schema"]["$ref"]
            return reference
    assert status in {404, 405}, f"{method} {path} is not documented"
    return None


def _value(parameter: re.Match[str]) -> str:
    words = ("robo_name", "link", "list_link", "key", "slug", "day", "branch_token")
    return r"[\w-]+" if parameter[1] in words else r"\d+"


@lru_cache
def validator(reference: str) -> Draft202012Validator:
    """Return a validator for a schema of the OpenAPI document.

    It also rejects keys that the schema does not describe.
    """
    components = {
        name: schema if name.endswith("Event") else closed(schema)
        for name, schema in openapi()["components"]["schemas"].items()
    }
    schema = {"$ref": reference, "components": {"schemas": components}}
    return Draft202012Validator(schema, format_checker=FormatChecker())


def closed(schema: Any) -> Any:
    """Return a copy of a JSON schema that allows no keys except the described ones."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    result = {key: closed(value) for key, value in schema.items()}
    if "properties" in result and result.get("type") == "object":
        result.setdefault("additionalProperties", False)
    return result


def names_of(client: Api, **query: Any) -> list[str]:
    return [game["name"] for game in client.get("games", **query).body["results"]]


ApiOf = Callable[[User | None], Api]
"""The type of the fixture `api`: it takes a person, or None for a stranger."""
