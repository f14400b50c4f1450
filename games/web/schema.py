"""Describe the API's calls, events and responses in OpenAPI, from Python types."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, datetime
from enum import EnumType
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

from drf_spectacular.extensions import OpenApiAuthenticationExtension, OpenApiSerializerFieldExtension
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.serializers import Serializer

from games.errors import ErrorView, Shape
from games.web.answers import BearerAuthentication
from rules.codec import FIELDS, Field

SerializerField = serializers.Field[Any, Any, Any, Any]

PLAIN: dict[Any, type[SerializerField]] = {
    bool: serializers.BooleanField,
    int: serializers.IntegerField,
    float: serializers.FloatField,
    str: serializers.CharField,
    date: serializers.DateField,
    datetime: serializers.DateTimeField,
}


@cache
def serializer_of(kind: type) -> type[serializers.Serializer[Any]]:
    """Return a serializer class for a dataclass or TypedDict, with the same name but without “View”."""
    if issubclass(kind, serializers.Serializer):
        return kind
    fields = {name: _field(hint) for name, hint in get_type_hints(kind, include_extras=True).items()}
    name = f"{COMPONENTS.get(kind.__name__) or kind.__name__.removesuffix('View')}Serializer"
    return type(name, (serializers.Serializer,), {"__doc__": kind.__doc__, **fields})


COMPONENTS = {"BoardDocument": "BoardView", "Intervened": "Intervention", "RobotDocument": "Robot"}
"""The OpenAPI names of some types, by their names in Python. Other names lose only the ending “View”."""


def _field(hint: Any, **more: Any) -> SerializerField:
    parts, origin = get_args(hint), get_origin(hint)
    if origin is Annotated:
        return _annotated(*parts, **more)
    if origin is NotRequired:
        return _field(parts[0], required=False, **more)
    if origin in (Union, UnionType):
        (inner,) = (part for part in parts if part is not type(None))
        return _field(inner, allow_null=True, **more)
    if origin is list and _is_structured(parts[0]):
        return serializer_of(parts[0])(many=True, **more)
    if origin is list:
        return serializers.ListField(child=_field(parts[0]), **more)
    if origin is dict:
        return serializers.DictField(child=_field(parts[1]), **more)
    if _is_structured(hint):
        return serializer_of(hint)(**more)
    return PLAIN[hint](**more)


def _annotated(hint: Any, *notes: Any, **more: Any) -> SerializerField:
    """Return a serializer field for an `Annotated` type. ``notes`` are the annotations."""
    kind: type[SerializerField] | None = None
    for note in notes:
        if isinstance(note, str):
            more["help_text"] = note
        elif isinstance(note, Shape):
            kind = extend_schema_field(note.schema)(type("Shaped", (serializers.JSONField,), {}))
        elif isinstance(note, EnumType | tuple):
            kind = serializers.ChoiceField
            more["choices"] = getattr(note, "choices", note)
    if kind is None:
        return _field(hint, **more)
    if type(None) in get_args(hint):
        more["allow_null"] = True
    return kind(**more)


def _is_structured(hint: Any) -> bool:
    return is_typeddict(hint) or hasattr(hint, "__dataclass_fields__")


Schema = dict[str, Any]

_ROBOT: Schema = {"type": "string", "description": "A robot's name."}
_CELL: Schema = {
    "type": ["array", "null"],
    "items": {"type": "integer"},
    "minItems": 2,
    "maxItems": 2,
    "description": "A cell as `[x, y]`, or null off the board.",
}
_FORMS: dict[str, Schema] = {
    "robot": _ROBOT,
    "robots": {"type": "array", "items": _ROBOT},
    "cell": _CELL,
    "heading": {"type": ["string", "null"], "enum": ["N", "E", "S", "W", None]},
    "chips": {
        "type": "object",
        "description": "Chips by robot, each as KIND@NUMBER.",
        "additionalProperties": {"type": "string"},
    },
    "registers": {
        "type": "object",
        "description": "Chips by robot and register, each as KIND@NUMBER. Registers count from 1.",
        "additionalProperties": {"type": "object", "additionalProperties": {"type": "string"}},
    },
    "numbers": {"type": "object", "additionalProperties": {"type": "integer"}},
    "numbers_in_order": {"type": "array", "items": {"type": "integer"}},
    "mark": {"type": "boolean"},
    "robot_or_word": {"type": ["string", "null"]},
}
_PLAIN: dict[type, str] = {int: "integer", bool: "boolean", str: "string", NoneType: "null"}


def _schema(kind: type[Any], field: Field) -> Schema:
    if field.form != "plain":
        return _FORMS[field.form]
    hint = get_type_hints(kind)[field.attribute]
    types = [_PLAIN[option] for option in get_args(hint) or (hint,)]
    return {"type": types[0] if len(types) == 1 else types}


def _required_keys(fields: Iterable[Field]) -> Iterator[str]:
    return (field.key for field in fields if not field.optional)


def event_schemas() -> dict[str, Schema]:
    """Return a schema for each type of event by name, and ``Event`` for all types together.

    In a log, an event also has a position. So each type also has a schema ``Logged…``, and ``LoggedEvent``
    stands for all types together.
    """
    plain: dict[str, str] = {}
    logged: dict[str, str] = {}
    schemas: dict[str, Schema] = {}
    for kind, fields in FIELDS.items():
        name, word = f"{kind.__name__}Event", kind.__name__.lower()
        plain[word], logged[word] = name, f"Logged{name}"
        schemas[name] = {
            "type": "object",
            "description": _in_json(" ".join((kind.__doc__ or "").split())),
            "properties": {
                "type": {"type": "string", "enum": [word]},
                "phase": {"type": "integer", "description": "0 before phase 1, 6 at the end of the turn."},
                "step": {"type": "string", "description": "The step of the ruleset."},
                **{field.key: _schema(kind, field) for field in fields},
            },
            "required": ["type", "phase", "step", *_required_keys(fields)],
        }
        schemas[f"Logged{name}"] = _in_log(schemas[name])
    return schemas | {
        "Event": _one_of(plain, "An event of a turn."),
        "LoggedEvent": _one_of(logged, "An event in the log of a game."),
    }


def _in_json(docstring: str) -> str:
    """Rewrite a docstring in terms of JSON.

    >>> _in_json("``hit`` is a robot or None.")
    '`hit` is a robot or `null`.'
    """
    return docstring.replace("``", "`").replace("None", "`null`")


def _in_log(schema: Schema) -> Schema:
    """Return the schema of an event in a log, with its position.

    It is one plain object and does not refer to the schema of the event, because this suits client
    generators.
    """
    return {
        **schema,
        "properties": {
            "seq": {"type": "integer", "description": "The event's number in the game's log, from 1."},
            "turn": {"type": "integer", "description": "The turn of the event."},
            **schema["properties"],
        },
        "required": ["seq", "turn", *schema["required"]],
    }


def _one_of(names: dict[str, str], description: str) -> Schema:
    places = {word: f"#/components/schemas/{name}" for word, name in names.items()}
    return {
        "description": description,
        "oneOf": [{"$ref": place} for place in places.values()],
        "discriminator": {"propertyName": "type", "mapping": places},
    }


MEANINGS = {
    400: "Not JSON, an unknown key, or a value of the wrong type. `problems` lists all errors.",
    401: "No token, or an unknown one.",
    403: "You are not allowed to do this.",
    404: "Not found, or hidden from you.",
    409: "Not possible in the present state, such as orders for a past turn.",
    410: "Staff have taken it down.",
    412: "Changed in the meantime. `draft` has the present state.",
    413: "A body that is too large.",
    415: "A body that is not JSON.",
    422: "Well-formed, but against the rules. `problems` lists all errors.",
    428: "The header `If-Match` is missing. It names the version that you changed.",
    429: "Too many requests. `Retry-After` has the number of seconds to wait.",
    503: "The server is too busy, or does not offer this.",
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
    refusal_types: Mapping[int, type],
    tag: str,
) -> Callable[[Any], Any]:
    """Describe a call in OpenAPI: its input, the type of its response, and its error statuses."""
    described = answer if isinstance(answer, OpenApiTypes) else serializer_of(answer)
    responses: dict[int | tuple[int, str], Any] = {(status, media): described}
    for number in sorted(refusals):
        shape = serializer_of(refusal_types.get(number, ErrorView))
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
    """The OpenAPI security scheme for API tokens."""

    target_class = BearerAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "A token from `POST tokens`."}


class WrittenBounds(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    """Adds the limits of a text's length to OpenAPI. `Input` checks them, not the DRF field."""

    target_class = "games.web.inputs.Written"
    match_subclasses = True

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        bounds = {"minLength": self.target.shortest, "maxLength": self.target.longest}
        return {"type": "string"} | {name: bound for name, bound in bounds.items() if bound}


class AmountBounds(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    """Adds the bounds of a number to OpenAPI. `Input` checks them, not the DRF field."""

    target_class = "games.web.inputs.Amount"

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        return {"type": "integer", "minimum": self.target.least, "maximum": self.target.most}


def only_documented(endpoints: list[tuple[str, str, str, Any]], **_: Any) -> list[tuple[str, str, str, Any]]:
    """Leave paths with a final slash out of the OpenAPI document."""
    return [endpoint for endpoint in endpoints if not endpoint[0].endswith("/")]


def without_ids(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Leave identifiers of choices out of the OpenAPI document. Only drf-spectacular needs them."""
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
