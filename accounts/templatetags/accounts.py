"""Template tags and filters for email addresses and settings."""

import json
from functools import lru_cache
from typing import Any

from django import template
from django.core.serializers.json import DjangoJSONEncoder
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from accounts.inputs import PageSettingsForm
from accounts.models import User, readable
from accounts.settings import SETTINGS

register = template.Library()
register.filter("readable", readable)


@register.filter
def as_json(value: Any) -> str:
    """Serialize a value as JSON for an HTML attribute. The template escapes the JSON."""
    return json.dumps(value, cls=DjangoJSONEncoder)


@register.simple_tag
def settings_groups(form: PageSettingsForm) -> SafeString:
    """Render the fields of the settings form, group by group.

    The result is cached and reused for everyone with the same settings and language.
    """
    if form.is_bound:
        return _drawn(form)
    values = tuple(getattr(form.instance, name) for name in SETTINGS)
    return _remembered(get_language(), str(form.auto_id), values)


@lru_cache(maxsize=256)
def _remembered(language: str | None, auto_id: str, values: tuple[Any, ...]) -> SafeString:
    instance = User(**dict(zip(SETTINGS, values, strict=True)))
    return _drawn(PageSettingsForm(instance=instance, auto_id=auto_id))


def _drawn(form: PageSettingsForm) -> SafeString:
    return render_to_string("site/settings_groups.html", {"form": form})
