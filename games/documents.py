"""Documents: those in JSON fields carry their format, which the database checks; answers have a shape."""

from dataclasses import dataclass, fields, is_dataclass
from typing import Any, TypeVar

from django.db.models import Q

Written = TypeVar("Written")


@dataclass(frozen=True, eq=False)
class Shape:
    """What JSON holds for a value, as a schema of OpenAPI: for `Annotated`, where a type alone cannot say."""

    schema: dict[str, Any]

    @classmethod
    def named(cls, name: str) -> "Shape":
        """Refer to what the OpenAPI document describes under a name."""
        return cls({"$ref": f"#/components/schemas/{name}"})


def written(kind: type[Written], row: object, **others: Any) -> Written:
    """Return a document of a kind, a dataclass or a TypedDict: attributes of a row, beside what is given."""
    names = [field.name for field in fields(kind)] if is_dataclass(kind) else kind.__annotations__
    return kind(**{name: getattr(row, name) for name in names if name not in others}, **others)


def has_format(field: str, expected: str) -> Q:
    """Return the condition that a field holds an object of that format.

    The key has to be there: a comparison with what is missing is unknown, and a constraint lets that pass.
    """
    return Q(**{f"{field}__has_key": "format", f"{field}__format": expected})
