"""Django's tags for translations, as ``i18n``: a sentence of a template is looked up once for each language.

A page has some two hundred, which took a tenth of the time that it took to put it together.
"""

from typing import Any

from django import template
from django.template.base import Parser, Token, render_value_in_context
from django.templatetags import i18n
from django.utils.translation import get_language, gettext

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


class SentenceWith(i18n.BlockTranslateNode):
    """A sentence with places for values, which is looked up once for each language."""

    def __init__(self, node: i18n.BlockTranslateNode) -> None:
        vars(self).update(vars(node))
        self.text, self.places = self.render_token_list(self.singular)
        self.said: dict[Any, str] = {}

    def render(self, context: template.Context, nested: bool = False) -> str:
        """Return it in the reader's language, with its values."""
        language = get_language()
        if (said := self.said.get(language)) is None:
            said = self.said[language] = gettext(self.text)
        given = {name: value.resolve(context) for name, value in self.extra_context.items()}
        found = {place: given[place] if place in given else context.get(place, "") for place in self.places}
        values = {place: render_value_in_context(value, context) for place, value in found.items()}
        try:
            return said % values
        except (KeyError, ValueError):  # as someone has translated it
            return super().render(context, nested)


@register.tag("translate")
def translate(parser: Parser, token: Token) -> template.Node:
    """Translate a sentence, or what a variable says: ``{% translate "Your move" %}``."""
    node = i18n.do_translate(parser, token)
    said = node.filter_expression
    same = said.var.literal is not None and not said.filters
    return Sentence(node) if same and not (node.asvar or node.message_context) else node


@register.tag("blocktranslate")
def blocktranslate(parser: Parser, token: Token) -> template.Node:
    """Translate a sentence with values: ``{% blocktranslate %}Turn {{ number }}{% endblocktranslate %}``."""
    node = i18n.do_block_translate(parser, token)
    return node if node.plural or node.asvar or node.message_context else SentenceWith(node)
