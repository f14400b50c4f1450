"""Documents: those in JSON fields carry their format, which the database checks; answers have a shape."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Q


@dataclass(frozen=True, eq=False)
class Shape:
    """What JSON holds for a value, as a schema of OpenAPI: for `Annotated`, where a type alone cannot say."""

    schema: dict[str, Any]

    @classmethod
    def named(cls, name: str) -> "Shape":
        """Refer to what the OpenAPI document describes under a name."""
        return cls({"$ref": f"#/components/schemas/{name}"})


def has_format(field: str, expected: str) -> Q:
    """Return the condition that a field holds an object of that format.

    The key has to be there: a comparison with what is missing is unknown, and a constraint lets that pass.
    """
    return Q(**{f"{field}__has_key": "format", f"{field}__format": expected})
