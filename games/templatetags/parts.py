"""Parts of a game's page, which a script asks for by name: those that it has already are left out."""

from hashlib import blake2s

from django import template
from django.template.base import FilterExpression, NodeList, Parser, Token
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


class PartNode(template.Node):
    """One element with ``data-part``, made only where it is asked for and not the same as before."""

    def __init__(self, name: str, version: FilterExpression | None, nodes: NodeList) -> None:
        self.name = name
        self.version = version
        self.nodelist = nodes

    def render(self, context: template.Context) -> SafeString:
        """Return the element with the mark by which it is known the next time."""
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
    """Make a part: ``{% part "crew" %}<div data-part="crew">…</div>{% endpart %}``.

    With a ``version``, as in ``{% part "panel" panel_version %}``, it is the same as long as that is, and
    says so itself in ``data-version``; else as long as what it says is.
    """
    _, name, *version = token.split_contents()
    nodes = parser.parse(("endpart",))
    parser.delete_first_token()
    return PartNode(name.strip('"'), parser.compile_filter(version[0]) if version else None, nodes)


def _mark(html: str, secret: str) -> str:
    """Return a few letters that change with what a part says; the secret of its forms is always another."""
    return blake2s((html.replace(secret, "") if secret else html).encode(), digest_size=6).hexdigest()
