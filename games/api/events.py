"""The vocabulary of events for the OpenAPI document, made from the one that the rules write by."""

from collections.abc import Iterable, Iterator
from types import NoneType
from typing import Any, get_args, get_type_hints

from rules.codec import FIELDS, Field

Schema = dict[str, Any]

_ROBOT: Schema = {"type": "string", "description": "A robot's name."}
_CELL: Schema = {
    "type": ["array", "null"],
    "items": {"type": "integer"},
    "minItems": 2,
    "maxItems": 2,
    "description": "[x, y]",
}
_FORMS: dict[str, Schema] = {
    "robot": _ROBOT,
    "robots": {"type": "array", "items": _ROBOT},
    "cell": _CELL,
    "heading": {"type": ["string", "null"], "enum": ["N", "E", "S", "W", None]},
    "chips": {
        "type": "object",
        "description": "Robot to chip, as KIND@NUMBER.",
        "additionalProperties": {"type": "string"},
    },
    "registers": {
        "type": "object",
        "description": "Robot to register, from 1, to chip, as KIND@NUMBER.",
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


def _always(fields: Iterable[Field]) -> Iterator[str]:
    return (field.key for field in fields if not field.optional)


def event_schemas() -> dict[str, Schema]:
    """Return a schema for each type of event by its name, and ``Event`` for all of them.

    In a log an event has its place as well: of each type there is a ``Logged…`` one, and ``LoggedEvent``.
    """
    plain: dict[str, str] = {}
    logged: dict[str, str] = {}
    schemas: dict[str, Schema] = {}
    for kind, fields in FIELDS.items():
        name, word = f"{kind.__name__}Event", kind.__name__.lower()
        plain[word], logged[word] = name, f"Logged{name}"
        schemas[name] = {
            "type": "object",
            "description": " ".join((kind.__doc__ or "").replace("``", "`").split()),
            "properties": {
                "type": {"type": "string", "enum": [word]},
                "phase": {"type": "integer", "description": "0 before phase 1, 6 at the end of the turn."},
                "step": {"type": "string", "description": "The ruleset's step."},
                **{field.key: _schema(kind, field) for field in fields},
            },
            "required": ["type", "phase", "step", *_always(fields)],
        }
        schemas[f"Logged{name}"] = _in_log(schemas[name])
    return schemas | {"Event": _one_of(plain), "LoggedEvent": _one_of(logged)}


def _in_log(schema: Schema) -> Schema:
    """Return an event with its place in the log: a plain object, which all generators of clients take."""
    return {
        **schema,
        "properties": {
            "seq": {"type": "integer", "description": "Its number in the game's log, from 1."},
            "turn": {"type": "integer", "description": "The turn in which it happened."},
            **schema["properties"],
        },
        "required": ["seq", "turn", *schema["required"]],
    }


def _one_of(names: dict[str, str]) -> Schema:
    places = {word: f"#/components/schemas/{name}" for word, name in names.items()}
    return {
        "oneOf": [{"$ref": place} for place in places.values()],
        "discriminator": {"propertyName": "type", "mapping": places},
    }
