"""Every call of the OpenAPI document, asked with whatever schemathesis makes up from it: nothing is a mishap.

Half of it is as the document says, half is wrong in some way; it goes to what there is, and elsewhere.
"""

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import pytest
import schemathesis
from django.test import Client
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from pytest_django import DjangoDbBlocker
from schemathesis import GenerationMode
from schemathesis.core import NotSet
from schemathesis.specs.openapi.schemas import OpenApiSchema

from games.api.views.schema import openapi
from games.tokens.services import make_token
from tests import cast
from tests.access.walking import undone
from tests.games.support import HALL, NOW, Table
from tests.support.lasting import lasting

FREE = {"type", "description", "title", "readOnly"}
"""What a schema of texts says if every text fits it."""

few = settings(
    max_examples=3,  # for each kind of request of each call: some hundreds in all
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.generate],
)


def calls() -> dict[str, Any]:
    """Return every call of the document, by method and path."""
    schema = schemathesis.openapi.from_dict(openapi())
    assert isinstance(schema, OpenApiSchema)
    return {found.label: found for found in (result.ok() for result in schema.get_all_operations())}


CALLS = calls()


@dataclass(frozen=True)
class There:
    """What there is to be found at the addresses of calls, and the token of Alice, who asks."""

    token: str
    parts: dict[str, Any]


@pytest.fixture(scope="module")
def there(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[There]:
    """A game in its first turn, and who plays in it: the same for all calls, for nothing stays of them."""
    with lasting(django_db_blocker):
        alice, bob, table = cast.alice(), cast.bob(), Table(HALL.saved())
        game = table.game(alice, bob)
        table.play(game, alice, bob)
        token = make_token(user=alice, now=NOW)
        starship = game.revision.starship_id if game.revision else 1
        yield There(token, {"game_id": game.pk, "number": 1, "robo_name": "Bob", "starship_id": starship})


def ask(case: Any, token: str) -> Any:
    """Send what was made up, as Alice; nothing stays of it."""
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
    """Fail where an answer is a mishap, or none that the API gives."""
    said = f"{case.method} {case.formatted_path} {case.query} {case.body!r:.300}"
    without_streams = case.path.endswith("/events") and answer.status_code == 503  # they take the real server
    assert answer.status_code < 500 or without_streams, f"{said}: {answer.content.decode()}"
    if answer.headers.get("Content-Type", "").startswith("application/json"):
        document = json.loads(answer.content)
        if answer.status_code >= 400:
            assert document.keys() == {"error", "detail", "problems"}, said
    else:
        assert answer.status_code in (200, 301, 404), said


def can_be_wrong(call: Any, fixed: Collection[str]) -> bool:
    """Return whether a request can break the document, when these parts of its path are right.

    Hypothesis would look for such a request for long, and find none.
    """
    free = [part.definition["schema"] for part in call.path_parameters if part.name not in fixed]
    texts = [schema for schema in free if schema.get("type") == "string" and schema.keys() <= FREE]
    return bool(list(call.body) or list(call.query) or len(free) > len(texts))


@pytest.mark.parametrize("label", CALLS)
@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
def test_no_call_is_a_mishap(db: None, there: There, label: str, mode: GenerationMode) -> None:
    call = CALLS[label]
    named = {part.name: there.parts[part.name] for part in call.path_parameters if part.name in there.parts}

    @few
    @given(case=call.as_strategy(generation_mode=mode, path_parameters=named or None))
    def to_what_is_there(case: Any) -> None:
        check(case, ask(case, there.token))

    @few
    @given(case=call.as_strategy(generation_mode=mode))
    def to_anything(case: Any) -> None:
        check(case, ask(case, there.token))

    wrong = mode is GenerationMode.NEGATIVE
    try:
        if not wrong or can_be_wrong(call, named):
            to_what_is_there()
        if named and (not wrong or can_be_wrong(call, ())):
            to_anything()
    except (
        schemathesis.errors.SchemathesisError,
        Unsatisfiable,
    ) as error:  # nothing can be wrong
        assert wrong, error


def test_every_call_of_the_document_is_asked() -> None:
    documented = {
        f"{method.upper()} {path}" for path, methods in openapi()["paths"].items() for method in methods
    }
    assert documented
    assert CALLS.keys() == documented
