"""Django's tags for translations, as ``i18n``: a sentence of a template is looked up once for each language.

A page has some two hundred, which took a tenth of the time that it took to put it together.
"""

from typing import Any

from django import template
from django.template.base import Parser, Token
from django.templatetags import i18n
from django.utils.translation import get_language

register = template.Library()
register.tags.update(i18n.register.tags)
register.filters.update(i18n.register.filters)


class Sentence(template.Node):
    """A sentence that stands in a template as it is."""

    def __init__(self, node: template.Node) -> None:
        self.node = node
        self.said: dict[Any, str] = {}

    def render(self, context: template.Context) -> str:
        """Return it in the reader's language."""
        key = get_language(), context.autoescape
        if key not in self.said:
            self.said[key] = self.node.render(context)
        return self.said[key]


@register.tag("translate")
def translate(parser: Parser, token: Token) -> template.Node:
    """Translate a sentence, or what a variable says: ``{% translate "Your move" %}``."""
    node = i18n.do_translate(parser, token)
    said = node.filter_expression
    same = said.var.literal is not None and not said.filters
    return Sentence(node) if same and not (node.asvar or node.message_context) else node
