"""Faster tags for addresses and translations, scripts and style sheets, and the look of forms.

A page has some forty addresses and two hundred sentences. Each took a tenth of the time of a page. Here an
address is built once, and a sentence is looked up once for each language.

A browser learns at once of all that a script imports. It gets each file without comments, under a name that
changes with its content, and a style sheet with its imports as one file.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any, Final

from django import template
from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.files.base import ContentFile, File
from django.forms.renderers import TemplatesSetting
from django.template import Context
from django.template.base import Parser, Token, render_value_in_context
from django.template.defaulttags import URLNode
from django.template.defaulttags import url as django_url
from django.templatetags import i18n
from django.templatetags.static import static
from django.urls import get_script_prefix, get_urlconf, reverse
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext
from servestatic.storage import CompressedManifestStaticFilesStorage

register = template.Library()

ADDRESSES_KEPT: Final = 16384
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


@lru_cache(maxsize=ADDRESSES_KEPT)
def _address(view: str, values: tuple[Any, ...], app: str | None, escapes: bool, about: object) -> str:
    """Return an address; what ``about`` names, Django looks up for itself."""
    address = reverse(view, args=values, current_app=app)
    return str(conditional_escape(address)) if escapes else address


@register.tag("url")
def url_tag(parser: Parser, token: Token) -> template.Node:
    """Put an address together: ``{% url "games:game" game.pk %}``."""
    node = django_url(parser, token)
    return node if node.kwargs or node.asvar else Address(node.view_name, node.args, {}, None)


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


try:
    from rcssmin import cssmin
    from rjsmin import jsmin
except ImportError:  # not on Linux
    cssmin = jsmin = str


IMPORTED = re.compile(r"""^import\b[^"'();]*["'](\.{1,2}/[^"']+)["'];""", re.MULTILINE)
"""What a module needs from the start; what it imports later, when it is wanted, looks different."""
STYLED = re.compile(r"""^@import "([^"]+)";""", re.MULTILINE)
"""What a style sheet imports."""
SCRIPTS_NAMED = "roborunner.templates"


class StaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Static files whose names change with their content, also where one module imports another."""

    support_js_module_import_aggregation = True
    # A pass for each step of the longest chain of imports: a name depends on the names below it.
    max_post_process_passes = 20

    def _save(self, name: str, content: "File[bytes]") -> str:
        saved: str = super()._save(name, ContentFile(sent(name, b"".join(content.chunks()))))
        return saved

    def post_process(self, paths: dict[str, Any], *args: Any, **options: Any) -> Iterator[Any]:
        """Name style sheets by what they are as collected, with all that they import."""
        whole = {name: (self, name) if name.endswith(".css") else found for name, found in paths.items()}
        yield from super().post_process(whole, *args, **options)


def sent(name: str, content: bytes) -> bytes:
    """Return a file as it is sent: minified, a style sheet with all that it imports."""
    if name.endswith(".css"):
        content = STYLED.sub(lambda found: _style(join(dirname(name), found[1])), content.decode()).encode()
    return minified(name, content)


def _style(name: str) -> str:
    return Path(finders.find(normpath(name)) or staticfiles_storage.path(name)).read_text()


def minified(name: str, content: bytes) -> bytes:
    """Return a file without what only its authors read, if it is a script or a style sheet."""
    minify = {".js": jsmin, ".css": cssmin}.get(Path(name).suffix)
    return str(minify(content.decode())).encode() if minify else content


@register.simple_tag(takes_context=True)
def module(context: Context, name: str) -> SafeString:
    """Return a script with links that have its imports fetched along with it, each once in a page."""
    named: set[str] = context.dicts[0].setdefault(SCRIPTS_NAMED, set())  # shared by all templates of a page
    fresh = [each for each in imports(name) if each not in named]
    named.update(fresh)
    # What a page looks like comes first.
    link = '<link rel="modulepreload" href="{}" fetchpriority="low">'
    links = format_html_join("", link, ((static(each),) for each in fresh))
    return links + format_html('<script type="module" src="{}"></script>', static(name))


@cache
def imports(name: str) -> tuple[str, ...]:
    """Return all that a module imports, and that what it imports imports, nearest first."""
    found: dict[str, None] = {}
    waiting = [name]
    for here in waiting:
        source = Path(finders.find(here) or staticfiles_storage.path(here)).read_text()
        nearer = [normpath(join(dirname(here), each)) for each in IMPORTED.findall(source)]
        waiting += [each for each in nearer if each not in found]
        found |= dict.fromkeys(nearer)
    return tuple(each for each in found if each != name)


class Renderer(TemplatesSetting):
    """Draws forms and fields from ``templates/forms/``, so that all of them look the same."""

    form_template_name = "forms/form.html"
    field_template_name = "forms/field.html"
