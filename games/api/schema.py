"""The OpenAPI document: how calls are described, and what is added to what they say."""

from collections.abc import Callable, Mapping
from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework.serializers import Serializer

from games.api.authentication import BearerAuthentication
from games.api.derived import serializer_of
from games.api.events import event_schemas
from games.errors import ErrorView

MEANINGS = {
    400: "Not JSON, an unknown key, or a value of the wrong type: `problems` has every fault.",
    401: "No token, or an unknown one.",
    403: "You may not do this.",
    404: "Not there, or hidden from you.",
    409: "Not possible as things are now, such as orders for a past turn.",
    410: "Staff have taken it down.",
    412: "Changed in the meantime: `draft` is what it is now.",
    413: "A body that is too large.",
    415: "A body that is not JSON.",
    422: "Well-formed, but against the rules: `problems` has every fault.",
    428: "The header `If-Match` is missing: it says which version you have changed.",
    429: "Too many requests: `Retry-After` says in how many seconds to try again.",
    503: "The server has too much to do, or cannot do this at all.",
}


def describe(
    name: str,
    summary: str,
    answer: type | OpenApiTypes,
    refusals: set[int],
    *,
    status: int,
    takes: type[Serializer[Any]] | None,
    query: type[Serializer[Any]] | None,
    example: Any,
    media: str,
    told: Mapping[int, type],
    tag: str,
) -> Callable[[Any], Any]:
    """Describe a call: what it takes, the type of its answer, and with which statuses it refuses."""
    described = answer if isinstance(answer, OpenApiTypes) else serializer_of(answer)
    responses: dict[int | tuple[int, str], Any] = {(status, media): described}
    for number in sorted(refusals):
        shape = serializer_of(told.get(number, ErrorView))
        responses[number] = OpenApiResponse(shape, description=MEANINGS[number])
    return extend_schema(
        operation_id=name,
        summary=summary,
        request=takes,
        parameters=[query] if query else [],
        responses=responses,
        examples=[] if example is None else [OpenApiExample("Example", example, request_only=True)],
        tags=[tag],
    )


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Tokens, in the terms of OpenAPI."""

    target_class = BearerAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "A token, made by `POST tokens`."}


def only_documented(endpoints: list[tuple[str, str, str, Any]], **_: Any) -> list[tuple[str, str, str, Any]]:
    """Leave out the second way to write each path, with a slash at its end."""
    return [endpoint for endpoint in endpoints if not endpoint[0].endswith("/")]


def without_ids(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Leave out by what drf-spectacular tells choices apart, which is of no use to anybody else."""
    _drop(result, "x-spec-enum-id")
    return result


def _drop(part: Any, key: str) -> None:
    if isinstance(part, dict):
        part.pop(key, None)
    for inner in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        _drop(inner, key)


def with_events(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    result["components"]["schemas"] |= event_schemas()
    return result
