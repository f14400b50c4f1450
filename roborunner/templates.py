"""Tags for scripts, their translation and style sheets, and the renderer of forms.

A page lists all imports of a script, so that browsers load them early. Each file has no comments, and a hash
of its content in its name. A style sheet contains its imports.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any

from django import template
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.files.base import ContentFile, File
from django.forms.renderers import TemplatesSetting
from django.template import Context
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from servestatic.storage import CompressedManifestStaticFilesStorage

register = template.Library()


try:
    from rcssmin import cssmin
    from rjsmin import jsmin
except ImportError:  # not on Linux
    cssmin = jsmin = str


IMPORTED = re.compile(r"""^import\b[^"'();]*["'](\.{1,2}/[^"']+)["'];""", re.MULTILINE)
"""Matches static imports in a JavaScript module, but not dynamic ones."""
STYLED = re.compile(r"""^@import "([^"]+)";""", re.MULTILINE)
"""Imports of a style sheet."""
SCRIPTS_KEY = "roborunner.templates"


class StaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Static files named by their content, including modules that import others."""

    support_js_module_import_aggregation = True
    # The longest chain of imports needs a pass for each step: a name depends on the names below it.
    max_post_process_passes = 20

    def _save(self, name: str, content: "File[bytes]") -> str:
        saved: str = super()._save(name, ContentFile(as_sent(name, b"".join(content.chunks()))))
        return saved

    def post_process(self, paths: dict[str, Any], *args: Any, **options: Any) -> Iterator[Any]:
        """Name style sheets by their collected content, with all imports."""
        whole = {name: (self, name) if name.endswith(".css") else found for name, found in paths.items()}
        yield from super().post_process(whole, *args, **options)


def as_sent(name: str, content: bytes) -> bytes:
    """Return a file as sent to browsers: minified, and a style sheet with its imports."""
    if name.endswith(".css"):
        content = STYLED.sub(lambda found: _style(join(dirname(name), found[1])), content.decode()).encode()
    return minified(name, content)


def _style(name: str) -> str:
    return Path(finders.find(normpath(name)) or staticfiles_storage.path(name)).read_text()


def minified(name: str, content: bytes) -> bytes:
    """Return a script or style sheet minified, and other files unchanged."""
    minify = {".js": jsmin, ".css": cssmin}.get(Path(name).suffix)
    return str(minify(content.decode())).encode() if minify else content


@register.simple_tag(takes_context=True)
def module(context: Context, name: str) -> SafeString:
    """Return a script tag with preload links for its imports, each once in a page."""
    named: set[str] = context.dicts[0].setdefault(SCRIPTS_KEY, set())  # shared by all templates of a page
    fresh = [each for each in imports(name) if each not in named]
    named.update(fresh)
    # Styles come first.
    link = '<link rel="modulepreload" href="{}" fetchpriority="low">'
    links = format_html_join("", link, ((static(each),) for each in fresh))
    return links + format_html('<script type="module" src="{}"></script>', static(name))


@register.simple_tag
def translations() -> SafeString:
    """Return the script tag with the translation for scripts, nothing for English.

    A deferred script runs before the modules after it, and the page does not wait for it.
    """
    language = get_language() or "en"
    if language.startswith("en"):
        return SafeString()
    return format_html('<script src="{}" defer></script>', static(f"languages/{language}.js"))


@cache
def imports(name: str) -> tuple[str, ...]:
    """Return all direct and indirect imports of a module, nearest first."""
    found: dict[str, None] = {}
    waiting = [name]
    for here in waiting:
        source = Path(finders.find(here) or staticfiles_storage.path(here)).read_text()
        nearer = [normpath(join(dirname(here), each)) for each in IMPORTED.findall(source)]
        waiting += [each for each in nearer if each not in found]
        found |= dict.fromkeys(nearer)
    return tuple(each for each in found if each != name)


class Renderer(TemplatesSetting):
    """Renders forms and fields with ``templates/forms/``, so that they look alike."""

    form_template_name = "forms/form.html"
    field_template_name = "forms/field.html"
