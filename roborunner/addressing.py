"""Django's tag for addresses: each is put together once, and then remembered.

A page has some forty, which took a tenth of the time that it took to put it together.
"""

from functools import lru_cache
from typing import Any, Final

from django import template
from django.conf import settings
from django.template.base import Parser, Token
from django.template.defaulttags import URLNode
from django.template.defaulttags import url as parsed
from django.urls import get_script_prefix, get_urlconf, reverse
from django.utils.html import conditional_escape

register = template.Library()

KEPT: Final = 16384
"""Addresses that each process remembers, of some hundred bytes each."""

_PLAIN: Final = frozenset({int, str})
"""What stands in an address as it is."""


class Address(URLNode):
    """An address that is made of a view's name and of numbers or words alone."""

    def render(self, context: template.Context) -> str:
        """Return it as it stands in a page."""
        view = self.view_name.resolve(context)
        values = tuple([value.resolve(context) for value in self.args])
        if not all(type(value) in _PLAIN for value in values):
            return str(super().render(context))
        request = getattr(context, "request", None)
        match = getattr(request, "resolver_match", None)
        app = getattr(request, "current_app", match.namespace if match else None)
        about = get_script_prefix(), get_urlconf() or settings.ROOT_URLCONF
        return _address(view, values, app, context.autoescape, about)


@lru_cache(maxsize=KEPT)
def _address(view: str, values: tuple[Any, ...], app: str | None, escapes: bool, about: object) -> str:
    """Return an address; what ``about`` names, Django looks up for itself."""
    address = reverse(view, args=values, current_app=app)
    return str(conditional_escape(address)) if escapes else address


@register.tag("url")
def url(parser: Parser, token: Token) -> template.Node:
    """Put an address together: ``{% url "games:game" game.pk %}``."""
    node = parsed(parser, token)
    return node if node.kwargs or node.asvar else Address(node.view_name, node.args, {}, None)
