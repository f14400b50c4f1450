"""Serializers that describe answers: they follow from the types of what selectors return.

The type of a field says what it holds, and a docstring what all of it is. `Annotated` adds a text, which
explains the field to readers of the OpenAPI document, the words that it may hold, or a `Shape`.
"""

from datetime import date, datetime
from enum import EnumType
from functools import cache
from types import UnionType
from typing import Annotated, Any, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games.documents import Shape

Field = serializers.Field[Any, Any, Any, Any]

PLAIN: dict[Any, type[Field]] = {
    bool: serializers.BooleanField,
    int: serializers.IntegerField,
    float: serializers.FloatField,
    str: serializers.CharField,
    date: serializers.DateField,
    datetime: serializers.DateTimeField,
}


@cache
def serializer_of(kind: type) -> type[serializers.Serializer[Any]]:
    """Return what describes a dataclass or a TypedDict, under its name without “View”."""
    if issubclass(kind, serializers.Serializer):
        return kind
    fields = {name: _field(hint) for name, hint in get_type_hints(kind, include_extras=True).items()}
    name = f"{COMPONENTS.get(kind.__name__) or kind.__name__.removesuffix('View')}Serializer"
    return type(name, (serializers.Serializer,), {"__doc__": kind.__doc__, **fields})


COMPONENTS = {"BoardDocument": "BoardView", "Intervened": "Intervention", "RobotDocument": "Robot"}
"""What the OpenAPI document calls types that have another name here."""


def _field(hint: Any, **more: Any) -> Field:
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


def _annotated(hint: Any, *notes: Any, **more: Any) -> Field:
    """Return what describes a field of which more is said than its type."""
    kind: type[Field] | None = None
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
