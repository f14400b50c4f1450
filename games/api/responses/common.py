"""What answers have in common: events, coordinates, errors."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers


def component(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


@extend_schema_field({"type": "array", "items": component("Event")})
class EventsField(serializers.JSONField):
    """Events in order."""


@extend_schema_field(component("Orders"))
class OrdersField(serializers.JSONField):
    """Orders as they were submitted."""


@extend_schema_field(
    {
        "type": "object",
        "description": "Values of the ruleset's options.",
        "additionalProperties": {"type": ["integer", "boolean"]},
    }
)
class OptionValuesField(serializers.JSONField):
    """A value for each option."""


@extend_schema_field(
    {
        "type": "object",
        "description": "Values of the ruleset's house rules.",
        "additionalProperties": {"type": ["integer", "boolean"]},
    }
)
class HouseRuleValuesField(serializers.JSONField):
    """A value for each house rule."""


class ProblemSerializer(serializers.Serializer[Any]):
    """One fault. `register` counts from 1, as do `row` and `column` of a starship's document."""

    code = serializers.CharField()
    detail = serializers.CharField(help_text="A sentence for people.")
    register = serializers.IntegerField(required=False, min_value=1)
    row = serializers.IntegerField(required=False, min_value=1)
    column = serializers.IntegerField(required=False, min_value=1)
    key = serializers.CharField(required=False, help_text="The key that it is about.")


class ErrorSerializer(serializers.Serializer[Any]):
    """Why something was not done; nothing was changed."""

    error = serializers.CharField(help_text="A code for programs.")
    detail = serializers.CharField(help_text="A sentence for people.")
    problems = ProblemSerializer(many=True, help_text="Every single fault, where there can be several.")
