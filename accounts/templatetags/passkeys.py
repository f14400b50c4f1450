"""What pages tell the script of passkeys."""

import json
from typing import Any

from django import template
from django.core.serializers.json import DjangoJSONEncoder

register = template.Library()


@register.filter
def as_json(value: Any) -> str:
    """Write a value as JSON, for an attribute: the page escapes it."""
    return json.dumps(value, cls=DjangoJSONEncoder)
