"""Tags for parts of pages: fragments, rows that may be unreadable, the next game, and counts for staff."""

from hashlib import blake2s
from typing import Any

from django import template
from django.template.base import FilterExpression, NodeList, Parser, Token
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from accounts.admission import waiting
from accounts.models import User
from accounts.navigation import next_url_of
from games.admission.selectors import newcomers_in_rush
from games.clubs.selectors import invitation_behind
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
    """An HTML element with the attribute ``data-part``.

    Some requests ask only for those parts of a page that have changed. In the answer to such a request,
    a placeholder replaces each element that was not asked for or has not changed.
    """

    def __init__(self, name: str, version: FilterExpression | None, nodes: NodeList) -> None:
        self.name = name
        self.version = version
        self.nodelist = nodes

    def render(self, context: template.Context) -> SafeString:
        """Return the element, with a hash of its HTML (its mark) unless it has a version.

        The browser sends the mark or the version with its next request. If the element still has this mark
        or version, returns a placeholder instead.
        """
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
    """Mark a part of a page: ``{% part "crew" %}<div data-part="crew">…</div>{% endpart %}``.

    With a ``version``, as in ``{% part "panel" panel_version %}``, the part counts as changed if its version
    has changed, and the element must have this version in ``data-version``. Otherwise, the part counts as
    changed if its HTML has changed.
    """
    _, name, *version = token.split_contents()
    nodes = parser.parse(("endpart",))
    parser.delete_first_token()
    return PartNode(name.strip('"'), parser.compile_filter(version[0]) if version else None, nodes)


def _mark(html: str, secret: str) -> str:
    """Return a short hash of a part's HTML. The CSRF token in forms is left out, since it changes."""
    return blake2s((html.replace(secret, "") if secret else html).encode(), digest_size=6).hexdigest()


class SafeRow(template.Node):
    """Renders the contents of a row or, if that fails, the name of the row's game."""

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
    """Render a row about a game, or only the game's name if the game cannot be read.

    The tag is ``{% safe_row game %}…{% endsafe_row %}``. The game is a model instance or a document.
    """
    game = parser.compile_filter(token.split_contents()[1])
    contents = parser.parse(("endsafe_row",))
    parser.delete_first_token()
    return SafeRow(contents, game)


@register.inclusion_tag("site/next_game.html", takes_context=True)
def next_game(context: template.Context, game: Game) -> dict[str, Any]:
    """Link to the next game that waits for the reader's orders, or show nothing.

    This takes one database query.
    """
    user = context.get("user")
    following = next_waiting(user=user, after=game) if isinstance(user, User) else None
    return {"game": game, "following": following}


@register.inclusion_tag("clubs/sign_up.html", takes_context=True)
def club_behind_sign_up(context: template.Context) -> dict[str, Any]:
    """Say on the sign-up page which club invites the reader, if an invitation link led there."""
    found = invitation_behind(next_url_of(context["request"]), now=timezone.now())
    club, inviter = found or ("", "")
    return {"club": club, "inviter": inviter}


@register.simple_tag
def number_of_waiting() -> int:
    """Return the number of people who wait for an account."""
    return waiting().count()


@register.simple_tag
def number_in_rush() -> int:
    """Return the number of sign-ups in the last hour if it is unusually large, or else 0."""
    return newcomers_in_rush(now=timezone.now())


register.simple_tag(open_alarms)
register.simple_tag(number_of_cases)
register.simple_tag(number_of_appeals)
register.simple_tag(number_of_held_reviews)
register.simple_tag(number_of_ship_cases)
