"""The OpenAPI document."""

import json
import re
import warnings
from collections.abc import Iterator
from typing import Any

import pytest
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
    """Return the forms of all bodies."""
    found = [Strict]
    for form in found:
        found += [each for each in form.__subclasses__() if each not in found]
    ours = [form for form in found[1:] if form.__module__.startswith("games.")]
    return [form for form in ours if not form.__name__.endswith("Query")]


CONTRACT = {
    "tokens": {"post"},
    "me": {"get", "patch"},
    "me/standing": {"get", "put"},
    "me/time": {"get", "patch"},
    "me/conduct": {"get"},
    "me/conduct/{id}/appeal": {"post"},
    "players/{id}/reports": {"post"},
    "me/vacations": {"get", "post"},
    "me/vacations/{id}": {"delete"},
    "me/waiting": {"get"},
    "tournaments": {"get", "post"},
    "tournaments/{id}": {"get", "delete"},
    "tournaments/{id}/open": {"post"},
    "tournaments/{id}/entry": {"put", "delete"},
    "tournaments/{id}/confirm": {"post"},
    "tournaments/{id}/rounds/{id}": {"get"},
    "ladders": {"get"},
    "ladders/{id}": {"get"},
    "ladders/{id}/place": {"put", "delete"},
    "ladders/{id}/challenges": {"post"},
    "seasons": {"get"},
    "seasons/{id}": {"get"},
    "seasons/{id}/entry": {"put", "delete"},
    "clubs": {"get", "post"},
    "clubs/{id}": {"get", "patch", "delete"},
    "clubs/{id}/table": {"get"},
    "clubs/{id}/membership": {"put", "delete"},
    "clubs/{id}/members/{id}": {"put", "delete"},
    "me/tokens": {"get"},
    "me/tokens/{id}": {"delete"},
    "seats": {"get"},
    "shipyard/drafts": {"get", "post"},
    "shipyard/drafts/{id}": {"get", "put", "delete"},
    "shipyard/drafts/{id}/revisions": {"get"},
    "shipyard/drafts/{id}/revisions/{id}": {"get"},
    "shipyard/drafts/{id}/revisions/{id}/restore": {"post"},
    "shipyard/drafts/{id}/document": {"get"},
    "shipyard/drafts/{id}/link": {"post", "delete"},
    "shipyard/shared/{id}": {"get"},
    "shipyard/drafts/{id}/fly": {"post"},
    "shipyard/drafts/{id}/tunnel": {"get", "post"},
    "shipyard/tunnel/{id}": {"get", "delete"},
    "shipyard/suggestions": {"get", "post"},
    "shipyard/suggestions/{id}": {"get", "delete"},
    "shipyard/suggestions/{id}/draft": {"post"},
    "shipyard/check": {"post"},
    "dock/prototypes/{id}/promotion": {"get", "post", "delete"},
    "dock/promotions": {"get"},
    "dock/promotions/{id}": {"get"},
    "dock/promotions/{id}/vote": {"put"},
    "dock/decisions": {"get"},
    "shipyard/prototypes": {"get", "post"},
    "shipyard/prototypes/{id}": {"get", "delete"},
    "shipyard/outlook": {"post"},
    "rulesets": {"get"},
    "starships": {"get"},
    "starships/weeks": {"get"},
    "ratings": {"get"},
    "awards": {"get"},
    "me/people": {"get"},
    "me/ticket": {"get", "put", "delete"},
    "players/{id}/follow": {"put", "delete"},
    "players/{id}/block": {"put", "delete"},
    "players/{id}/household": {"put", "delete"},
    "players/{id}/note": {"put"},
    "awards/{id}": {"get"},
    "players/{id}/awards": {"get"},
    "players/{id}/ratings": {"get"},
    "games/{id}/ratings": {"get"},
    "starships/{id}": {"get"},
    "starships/{id}/reviews": {"get"},
    "starships/{id}/review": {"put", "delete"},
    "starships/{id}/reviews/{id}/answer": {"post"},
    "starships/{id}/favourite": {"put", "delete"},
    "me/favourites": {"get"},
    "me/lists": {"get"},
    "starships/lists": {"get", "post"},
    "starships/lists/{id}": {"get", "patch", "delete"},
    "starships/lists/{id}/link": {"post"},
    "starships/lists/{id}/ships/{id}": {"put", "delete"},
    "starships/lists/shared/{id}": {"get"},
    "games": {"get", "post"},
    "games/quick": {"post"},
    "games/{id}": {"get", "patch"},
    "games/{id}/ready": {"post"},
    "games/{id}/start": {"post"},
    "games/{id}/computers": {"post"},
    "games/{id}/seats/{id}": {"patch", "delete"},
    "games/{id}/seats/{id}/take": {"post"},
    "games/{id}/invitations": {"post"},
    "games/{id}/link": {"post"},
    "games/{id}/invitations/{id}": {"delete"},
    "games/{id}/decline": {"post"},
    "games/{id}/rematch": {"post"},
    "games/{id}/file": {"get"},
    "games/{id}/statistics": {"get"},
    "games/{id}/robots/{id}": {"get"},
    "achievements": {"get"},
    "players/{id}": {"get"},
    "me/invitations": {"get"},
    "me/achievements/seen": {"post"},
    "games/{id}/join": {"post"},
    "starships/{id}/reports": {"post"},
    "shipyard/shared/{id}/reports": {"post"},
    "games/{id}/leave": {"post"},
    "games/{id}/resign": {"post"},
    "games/{id}/seat": {"post", "delete"},
    "games/{id}/votes": {"get", "post"},
    "games/{id}/votes/{id}": {"post"},
    "games/{id}/standing": {"put"},
    "games/{id}/news": {"put"},
    "games/{id}/chat": {"get", "post"},
    "games/{id}/chat/read": {"post"},
    "games/{id}/events": {"get"},
    "games/{id}/log": {"get"},
    "games/{id}/turns/{id}": {"get"},
    "games/{id}/turns/{id}/orders": {"post"},
    "games/{id}/turns/{id}/preview": {"post"},
    "games/{id}/turns/{id}/draft": {"put", "delete"},
    "games/{id}/turns/{id}/redeal": {"post"},
    "games/{id}/turns/{id}/wake": {"post"},
}


GROUPS = {
    "awards": 3,
    "chat": 3,
    "clubs": 10,
    "conduct": 3,
    "contacts": 8,
    "dock": 4,
    "games": 12,
    "ladders": 5,
    "library": 7,
    "lists": 10,
    "lobby": 12,
    "matching": 3,
    "people": 15,
    "promotions": 7,
    "ratings": 3,
    "records": 5,
    "reports": 2,
    "reviews": 4,
    "seasons": 4,
    "sharing": 3,
    "shipyard": 12,
    "suggestions": 5,
    "tournaments": 9,
    "tunnel": 4,
    "turns": 9,
    "votes": 3,
}
"""How many calls are in each group."""


def test_the_document_is_valid_and_made_without_warnings() -> None:
    openapi.cache_clear()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        GENERATOR_STATS.reset()
        validate_schema(openapi())
    assert not GENERATOR_STATS, GENERATOR_STATS


@pytest.mark.parametrize("path", ["schema", "schema/"])
def test_the_document_is_served_to_everybody_as_json(path: str) -> None:
    response = Client().get(ROOT + path)
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "application/json"
    assert json.loads(response.content) == json.loads(json.dumps(openapi()))


def test_the_document_has_every_call_of_the_contract() -> None:
    calls = {
        re.sub(r"\{\w+\}", "{id}", path.removeprefix(ROOT)): set(operations)
        for path, operations in openapi()["paths"].items()
    }
    assert calls == CONTRACT


def test_calls_are_in_the_groups_that_programmers_know() -> None:
    groups: dict[str, int] = {}
    for item in openapi()["paths"].values():
        for operation in item.values():
            [tag] = operation["tags"]
            groups[tag] = groups.get(tag, 0) + 1
    assert groups == GROUPS


def test_the_page_for_people_names_every_call() -> None:
    page = (settings.BASE_DIR / "docs" / "api.md").read_text()
    named: dict[str, set[str]] = {}
    for method, path in re.findall(r"`(GET|POST|PUT|PATCH|DELETE) ([a-z_/{}]+)", page):
        named.setdefault(re.sub(r"\{\w+\}", "{id}", path), set()).add(method.lower())
    assert named == CONTRACT


def test_every_call_says_what_it_does_and_how_it_may_be_refused() -> None:
    for path, operations in openapi()["paths"].items():
        for method, operation in operations.items():
            assert operation["summary"], path
            assert operation["description"], path
            statuses = set(operation["responses"])
            assert statuses & {"200", "201"}
            assert {"429", "401"} <= statuses, path
            if method == "post" and "requestBody" in operation:
                assert {"400", "413", "415"} <= statuses


def test_calls_are_named_as_programmers_expect() -> None:
    names = [operation["operationId"] for operation in operations()]
    assert len(set(names)) == len(names)
    verbs = (
        *("get", "list", "create", "update", "set", "delete", "add", "remove", "save", "mark", "send"),
        *(
            "start",
            "join",
            "leave",
            "resign",
            "invite",
            "decline",
            "withdraw",
            "renew",
            "revoke",
            "take_over",
        ),
        *("submit", "preview", "redeal", "wake", "cast", "stream"),
        *(
            "check",
            "restore",
            "fly",
            "cancel",
            "follow",
            "unfollow",
            "block",
            "unblock",
            "add",
            "remove",
            "write",
            "open",
            "confirm",
        ),
    )
    assert not [name for name in names if not name.startswith(tuple(f"{verb}_" for verb in verbs))]
    assert set(names) >= {"get_me", "redeal_hand", "list_games", "create_game", "get_game", "submit_orders"}


def operations() -> Iterator[dict[str, Any]]:
    """Yield the calls of the document."""
    for methods in openapi()["paths"].values():
        yield from methods.values()


def test_the_document_says_nothing_of_what_made_it() -> None:
    text = json.dumps(openapi())
    assert "x-spec" not in text
    assert not re.search(r"\* `", text)


def test_each_request_has_an_example_that_its_schema_takes() -> None:
    for operation in operations():
        for body in operation.get("requestBody", {}).get("content", {}).values():
            assert body["examples"], operation["operationId"]
            for example in body["examples"].values():
                found = validator(body["schema"]["$ref"]).iter_errors(example["value"])
                assert not [error.message for error in found], operation["operationId"]


@pytest.mark.parametrize("form", forms(), ids=lambda form: form.__name__)
def test_what_a_call_takes_where_nothing_is_said_may_be_said_as_well(form: type[Strict]) -> None:
    for key, field in form().fields.items():
        if field.default is not empty:
            field.run_validation(field.get_default())  # clients that are generated send all defaults
            assert key


def test_calls_are_made_with_a_token_or_a_session() -> None:
    document = openapi()
    assert document["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    for path, operations in document["paths"].items():
        for operation in operations.values():
            schemes = [name for item in operation.get("security", []) for name in item]
            assert schemes == ([] if path == f"{ROOT}tokens" else ["token", "cookieAuth"])


def test_the_document_has_the_whole_vocabulary_of_events() -> None:
    mapping = openapi()["components"]["schemas"]["Event"]["discriminator"]["mapping"]
    assert set(mapping) == set(TYPES)


def test_all_schemas_are_schemas() -> None:
    for schema in openapi()["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize(("name", "key"), [("NewGame", "options"), ("Game", "me"), ("Robot", "locked")])
def test_descriptions_reach_the_document(name: str, key: str) -> None:
    assert openapi()["components"]["schemas"][name]["properties"][key]["description"]
