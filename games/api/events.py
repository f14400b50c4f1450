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
    """Return a schema for each type of event by its name, and ``Event`` for all of them."""
    schemas: dict[str, Schema] = {}
    for kind, fields in FIELDS.items():
        schemas[f"{kind.__name__}Event"] = {
            "type": "object",
            "description": " ".join((kind.__doc__ or "").replace("``", "`").split()),
            "properties": {
                "type": {"const": kind.__name__.lower()},
                "phase": {"type": "integer", "description": "0 before phase 1, 6 at the end of the turn."},
                "step": {"type": "string", "description": "The ruleset's step."},
                **{field.key: _schema(kind, field) for field in fields},
            },
            "required": ["type", "phase", "step", *_always(fields)],
        }
    names = list(schemas)
    schemas["Event"] = {
        "oneOf": [{"$ref": f"#/components/schemas/{name}"} for name in names],
        "discriminator": {
            "propertyName": "type",
            "mapping": {name.removesuffix("Event").lower(): f"#/components/schemas/{name}" for name in names},
        },
    }
    schemas["LoggedEvent"] = {
        "allOf": [
            {"$ref": "#/components/schemas/Event"},
            {
                "type": "object",
                "properties": {
                    "seq": {"type": "integer", "description": "Its number in the game's log, from 1."},
                    "turn": {"type": "integer", "description": "The turn in which it happened."},
                },
                "required": ["seq", "turn"],
            },
        ],
        "unevaluatedProperties": False,
    }
    return schemas
