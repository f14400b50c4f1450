"""Template tags for scripts, translations and errors, storage of static files, and the renderer of forms.

A page lists all imports of a script, so that browsers load them early. Browsers get each static file without
comments, and with a hash of its content in its name. Imports in a style
sheet are replaced by the imported style sheets.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any, NamedTuple

from django import forms, template
from django.conf import settings
from django.contrib.messages import constants
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.exceptions import NON_FIELD_ERRORS
from django.core.files.base import ContentFile, File
from django.forms.renderers import TemplatesSetting
from django.template import Context
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import capfirst
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
"""Matches the imports in a style sheet."""
SCRIPTS_KEY = "roborunner.templates"


class StaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Stores static files under names with a hash of their content. Imports in modules use these names."""

    support_js_module_import_aggregation = True
    # The longest chain of imports needs a pass for each import, as a name depends on the imports' names.
    max_post_process_passes = 20

    def _save(self, name: str, content: "File[bytes]") -> str:
        saved: str = super()._save(name, ContentFile(as_sent(name, b"".join(content.chunks()))))
        return saved

    def post_process(self, paths: dict[str, Any], *args: Any, **options: Any) -> Iterator[Any]:
        """Name each style sheet by a hash of its collected content, including all imported style sheets."""
        whole = {name: (self, name) if name.endswith(".css") else found for name, found in paths.items()}
        yield from super().post_process(whole, *args, **options)


def as_sent(name: str, content: bytes) -> bytes:
    """Return a file as sent to browsers: minified and, if it is a style sheet, with its imports included."""
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
    """Return the script tag of a JavaScript module, with links to preload the module's imports.

    A page has one link for each import, even if several modules import it.
    """
    named: set[str] = context.dicts[0].setdefault(SCRIPTS_KEY, set())  # shared by all templates of a page
    fresh = [each for each in imports(name) if each not in named]
    named.update(fresh)
    # The priority is low, so that style sheets load first.
    link = '<link rel="modulepreload" href="{}" fetchpriority="low">'
    links = format_html_join("", link, ((static(each),) for each in fresh))
    return links + format_html('<script type="module" src="{}"></script>', static(name))


@register.simple_tag
def site_name() -> str:
    """Return the name of this site (``SITE_NAME``)."""
    name: str = settings.SITE_NAME
    return name


@register.simple_tag
def accent() -> SafeString:
    """Return the link to the style sheet with the site's accent, or "" if it has none."""
    if not settings.SITE_ACCENT:
        return SafeString()
    address = f"{reverse('pages:accent')}?{settings.SITE_ACCENT[1:]}"
    return format_html('<link rel="stylesheet" href="{}">', address)


@register.simple_tag
def translations() -> SafeString:
    """Return the script tag for the translations of scripts, or an empty string for English.

    The script is deferred: it runs before the modules that follow it, and the page does not wait for it.
    """
    language = get_language() or "en"
    if language.startswith("en"):
        return SafeString()
    return format_html('<script src="{}" defer></script>', static(f"languages/{language}.js"))


@cache
def imports(name: str) -> tuple[str, ...]:
    """Return all direct and indirect imports of a JavaScript module, nearest first."""
    found: dict[str, None] = {}
    waiting = [name]
    for here in waiting:
        source = Path(finders.find(here) or staticfiles_storage.path(here)).read_text()
        nearer = [normpath(join(dirname(here), each)) for each in IMPORTED.findall(source)]
        waiting += [each for each in nearer if each not in found]
        found |= dict.fromkeys(nearer)
    return tuple(each for each in found if each != name)


class PageError(NamedTuple):
    """An error of a refused form. If a field has it: the field's label, and the HTML ID of its control."""

    text: str
    label: str = ""
    control: str = ""


@register.simple_tag(takes_context=True)
def page_errors(context: Context) -> list[PageError]:
    """Return the errors for the summary at the top of a page, each once.

    They are the service's ``refusal``, if the context has one, and the errors of the posted forms in it.
    Without such forms, they are also the refusal's problems.
    """
    refusal, request, found = context.get("refusal"), context.get("request"), []
    if getattr(request, "method", "") == "POST":
        found = [error for value in context.flatten().values() for error in _errors_in(value)]
    if refusal:
        found = found or [PageError(capfirst(problem["detail"])) for problem in refusal.problems]
        if all(error.text != refusal.detail for error in found):
            found = [PageError(refusal.detail), *found]
    return [*dict.fromkeys(found)]


def _errors_in(value: Any, depth: int = 2) -> Iterator[PageError]:
    """Yield the errors of a form, or of the forms in a list or dictionary.

    Other objects with errors list them as ``errors_by_control``.
    """
    kind = type(value)  # not isinstance, which would evaluate lazy objects
    if issubclass(kind, forms.BaseForm):
        yield from _errors_of(value)
    elif hasattr(kind, "errors_by_control"):
        for control, texts in value.errors_by_control.items():
            yield from (PageError(text, "", control) for text in texts)
    elif depth and issubclass(kind, list | tuple | dict):
        for each in value.values() if issubclass(kind, dict) else value:
            yield from _errors_in(each, depth - 1)


def _errors_of(form: forms.BaseForm) -> Iterator[PageError]:
    for name, texts in form.errors.items():
        if name == NON_FIELD_ERRORS or form[name].is_hidden:
            yield from (PageError(str(text)) for text in texts)
            continue
        field = form[name]
        choices = field.field.widget.use_fieldset
        control = f"{field.auto_id}_0" if choices else field.id_for_label
        yield from (PageError(str(text), str(field.label), control) for text in texts)


@register.filter
def has_errors(messages: Any) -> bool:
    """Return whether a message is an error. The messages stay unread."""
    if not messages:
        return False
    used = getattr(messages, "used", False)
    found = any(message.level >= constants.ERROR for message in messages)
    messages.used = used
    return found


class Renderer(TemplatesSetting):
    """Renders all forms and fields with the templates in ``templates/forms/``."""

    form_template_name = "forms/form.html"
    field_template_name = "forms/field.html"
