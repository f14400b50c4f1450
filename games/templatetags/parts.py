"""Parts of pages: fragments, unreadable rows, the next game, and counts for staff."""

from hashlib import blake2s
from typing import Any

from django import template
from django.template.base import FilterExpression, NodeList, Parser, Token
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from accounts.models import User
from games.lobby.lists import next_waiting
from games.moderation.selectors import (
    number_of_appeals,
    number_of_cases,
    number_of_held_reviews,
    number_of_ship_cases,
)
from games.play.models import Game
from games.play.selectors import open_alarms
from games.reading import read_safely

register = template.Library()


class PartNode(template.Node):
    """An element with ``data-part``, rendered only if requested and changed."""

    def __init__(self, name: str, version: FilterExpression | None, nodes: NodeList) -> None:
        self.name = name
        self.version = version
        self.nodelist = nodes

    def render(self, context: template.Context) -> SafeString:
        """Return the element with a mark for the next request."""
        asked = context.get("asked")
        same = format_html('<div data-part="{}" data-same></div>', self.name)
        version = str(self.version.resolve(context)) if self.version else ""
        if asked and not asked.wants(self.name, version):
            return same
        html = self.nodelist.render(context)
        if version:
            return html
        mark = _mark(html, str(context.get("csrf_token") or "") if "csrfmiddlewaretoken" in html else "")
        if asked and not asked.wants(self.name, mark):
            return same
        opening = f'data-part="{self.name}"'
        return SafeString(html.replace(opening, f'data-mark="{mark}" {opening}', 1))


@register.tag
def part(parser: Parser, token: Token) -> PartNode:
    """Mark a part: ``{% part "crew" %}<div data-part="crew">…</div>{% endpart %}``.

    With a ``version``, as in ``{% part "panel" panel_version %}``, the part has changed if its version has,
    and the element must have this version in ``data-version``. Otherwise, the part has changed if its HTML
    has.
    """
    _, name, *version = token.split_contents()
    nodes = parser.parse(("endpart",))
    parser.delete_first_token()
    return PartNode(name.strip('"'), parser.compile_filter(version[0]) if version else None, nodes)


def _mark(html: str, secret: str) -> str:
    """Return a short hash of a part. The changing CSRF token of its forms is left out."""
    return blake2s((html.replace(secret, "") if secret else html).encode(), digest_size=6).hexdigest()


class SafeRow(template.Node):
    """Renders its contents or, if that fails, the name of the game."""

    def __init__(self, contents: NodeList, game: FilterExpression) -> None:
        self.nodelist, self._game = contents, game

    def render(self, context: template.Context) -> SafeString:
        game: Any = self._game.resolve(context)
        number = game["id"] if isinstance(game, dict) else game.pk
        shown = read_safely(lambda: self.nodelist.render(context), number)
        if shown is None:
            return mark_safe(render_to_string("site/unreadable.html", {"game": game}))  # noqa: S308
        return shown


@register.tag
def safe_row(parser: Parser, token: Token) -> SafeRow:
    """Render a row about a game, or its name if the game is unreadable.

    The tag is ``{% safe_row game %}…{% endsafe_row %}``. The game is a model instance or a document.
    """
    game = parser.compile_filter(token.split_contents()[1])
    contents = parser.parse(("endsafe_row",))
    parser.delete_first_token()
    return SafeRow(contents, game)


@register.inclusion_tag("site/next_game.html", takes_context=True)
def next_game(context: template.Context, game: Game) -> dict[str, Any]:
    """Link to the reader's next waiting game, if any. It takes one query."""
    user = context.get("user")
    following = next_waiting(user=user, after=game) if isinstance(user, User) else None
    return {"game": game, "following": following}


register.simple_tag(open_alarms)
register.simple_tag(number_of_cases)
register.simple_tag(number_of_appeals)
register.simple_tag(number_of_held_reviews)
register.simple_tag(number_of_ship_cases)
