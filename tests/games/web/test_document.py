"""The OpenAPI document of the API."""

import json
import re
import warnings
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.test import Client
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.validation import validate_schema
from jsonschema import Draft202012Validator
from rest_framework.fields import empty

from games.web.inputs import Strict
from games.web.reference import openapi
from rules.codec import TYPES
from tests.games.api_client import ROOT, validator


def forms() -> list[type[Strict]]:
    found = [Strict]
    for form in found:
        found += [each for each in form.__subclasses__() if each not in found]
    ours = [form for form in found[1:] if form.__module__.startswith("games.")]
    return [form for form in ours if not form.__name__.endswith("Query")]


GROUPS = (
    "awards branches chat clubs conduct contacts daily dock games groups ladders library lists lobby "
    "matching people promotions puzzles ratings records reports reviews seasons sharing shipyard suggestions "
    "tournaments tunnel turns votes"
)
VERBS = (
    "accept add block cancel cast check confirm create decline delete fly follow get invite join leave list "
    "mark open preview redeal remove renew request resign restore revoke save send set start stream submit "
    "take_over try unblock unfollow update wake withdraw write"
)


def test_the_document_is_valid_and_created_without_warnings() -> None:
    openapi.cache_clear()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        GENERATOR_STATS.reset()
        validate_schema(openapi())
    assert not GENERATOR_STATS, GENERATOR_STATS


def test_the_document_is_served_to_everyone_as_json(db: None) -> None:
    response = Client().get(f"{ROOT}schema")
    assert (response.status_code, response.headers["Content-Type"]) == (200, "application/json")
    assert json.loads(response.content) == json.loads(json.dumps(openapi()))


def test_the_page_for_people_lists_every_call() -> None:
    page = (settings.BASE_DIR / "docs" / "api.md").read_text()
    named: dict[str, set[str]] = {}
    for method, path in re.findall(r"`(GET|POST|PUT|PATCH|DELETE) ([a-z_/{}]+)", page):
        named.setdefault(re.sub(r"\{\w+\}", "{id}", path), set()).add(method.lower())
    calls = {
        re.sub(r"\{\w+\}", "{id}", path.removeprefix(ROOT)): set(operations)
        for path, operations in openapi()["paths"].items()
    }
    assert calls == named


def test_calls_are_grouped_by_subject() -> None:
    assert {tag for operation in operations() for tag in operation["tags"]} == {*GROUPS.split()}
    assert all(len(operation["tags"]) == 1 for operation in operations())


def test_every_call_has_a_description_and_its_refusals() -> None:
    for path, operations in openapi()["paths"].items():
        for method, operation in operations.items():
            assert operation["summary"], path
            assert operation["description"], path
            statuses = set(operation["responses"])
            assert statuses & {"200", "201"}
            assert {"429", "401"} <= statuses, path
            if method == "post" and "requestBody" in operation:
                assert {"400", "413", "415"} <= statuses


def test_calls_have_conventional_names() -> None:
    names = [operation["operationId"] for operation in operations()]
    assert len(set(names)) == len(names)
    verbs = tuple(f"{verb}_" for verb in VERBS.split())
    assert not [name for name in names if not name.startswith(verbs)]


def operations() -> Iterator[dict[str, Any]]:
    for methods in openapi()["paths"].values():
        yield from methods.values()


def test_the_document_does_not_mention_its_generator() -> None:
    text = json.dumps(openapi())
    assert "x-spec" not in text
    assert not re.search(r"\* `", text)


def test_each_request_has_a_valid_example() -> None:
    for operation in operations():
        for body in operation.get("requestBody", {}).get("content", {}).values():
            assert body["examples"], operation["operationId"]
            for example in body["examples"].values():
                found = validator(body["schema"]["$ref"]).iter_errors(example["value"])
                assert not [error.message for error in found], operation["operationId"]


def test_defaults_can_be_sent_explicitly() -> None:
    for form in forms():
        for field in form().fields.values():
            if field.default is not empty:
                field.run_validation(field.get_default())  # generated clients send all defaults


def test_calls_use_a_token_or_a_session() -> None:
    document = openapi()
    assert document["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    for path, operations in document["paths"].items():
        for operation in operations.values():
            schemes = [name for item in operation.get("security", []) for name in item]
            assert schemes == ([] if path == f"{ROOT}tokens" else ["token", "cookieAuth"])


def test_the_document_contains_the_full_vocabulary_of_events() -> None:
    mapping = openapi()["components"]["schemas"]["Event"]["discriminator"]["mapping"]
    assert set(mapping) == set(TYPES)


def test_all_schemas_are_valid() -> None:
    for schema in openapi()["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)


def test_descriptions_are_included() -> None:
    for name, key in (("NewGame", "options"), ("Game", "me"), ("Robot", "locked")):
        assert openapi()["components"]["schemas"][name]["properties"][key]["description"]
