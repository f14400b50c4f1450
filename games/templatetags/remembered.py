"""Pieces of pages that many see alike: each is made once for all that it is made from."""

from threading import Lock
from typing import Any, Final

from django import template
from django.db.models import Model
from django.template.base import FilterExpression, NodeList, Parser, Token, token_kwargs
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import get_language

register = template.Library()

KEPT: Final = 512
"""How many of each piece a process remembers: the last ones that were made."""


class RememberedNode(template.Node):
    """A piece that knows nothing but what it is given, by which it is remembered.

    So what one viewer may not see never comes to them from what was made for another.
    """

    def __init__(self, given: dict[str, FilterExpression], nodes: NodeList) -> None:
        self.given = given
        self.nodelist = nodes
        self._kept: dict[Any, SafeString] = {}
        self._lock = Lock()

    def render(self, context: template.Context) -> SafeString:
        """Return the piece, made now or before."""
        given = {name: _steady(value.resolve(context)) for name, value in self.given.items()}
        # 1 and True, or a text and what is safe as HTML, are equal, but are not said alike.
        kinds = tuple(map(type, given.values()))
        key = get_language(), timezone.get_current_timezone_name(), kinds, tuple(given.values())
        if (piece := self._kept.get(key)) is None:
            if any(isinstance(value, Model) for value in given.values()):
                raise TypeError("A row is equal to what it was before it changed: name what is shown of it.")
            piece = self.nodelist.render(context.new(given))
            with self._lock:
                self._kept[key] = piece
                if len(self._kept) > KEPT:
                    del self._kept[next(iter(self._kept))]
        return piece


def _steady(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


@register.tag
def remembered(parser: Parser, token: Token) -> RememberedNode:
    """Make a piece of what it names alone: ``{% remembered name=game.name %}…{% endremembered %}``."""
    given = token_kwargs(token.split_contents()[1:], parser)
    nodes = parser.parse(("endremembered",))
    parser.delete_first_token()
    return RememberedNode(given, nodes)
