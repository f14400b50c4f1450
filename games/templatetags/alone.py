"""Rows of lists on pages: one that cannot be shown hides no other."""

from typing import Any

from django import template
from django.template.base import FilterExpression, NodeList, Parser, Token
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from games.reading import read_safely

register = template.Library()


class Alone(template.Node):
    """Renders its contents; where that fails, the name of the game that cannot be shown."""

    def __init__(self, contents: NodeList, game: FilterExpression) -> None:
        self.nodelist, self._game = contents, game

    def render(self, context: template.Context) -> SafeString:
        game: Any = self._game.resolve(context)
        number = game["id"] if isinstance(game, dict) else game.pk
        shown = read_safely(lambda: self.nodelist.render(context), number)
        if shown is None:
            return mark_safe(render_to_string("site/unreadable.html", {"game": game}))  # noqa: S308
        return shown


@register.tag("alone")
def of_game(parser: Parser, token: Token) -> Alone:
    """``{% alone game %}…{% endalone %}``: a row about a game, which is a row or a document."""
    game = parser.compile_filter(token.split_contents()[1])
    contents = parser.parse(("endalone",))
    parser.delete_first_token()
    return Alone(contents, game)
