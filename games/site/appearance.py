"""The look of this site: its accent, and the operator's own pages.

The accent is the colour of links and of the focus. The operator sets one colour, and this module finds the
nearest shades that people can read by day and by night. The colours of “your move” and of robots never
change.
"""

import logging
import re
from functools import lru_cache
from pathlib import Path
from typing import Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from markdown_it import MarkdownIt

log = logging.getLogger(__name__)

CONTRAST: Final = 4.5
"""The minimum contrast of links with each background (WCAG 2.2, level AA)."""

DAY: Final = ("#f6f0e2", "#fdfaf3", "#ece4d2")
NIGHT: Final = ("#080d19", "#121b2d", "#0f1828")
"""The backgrounds by day and by night: paper, sheet and shade of static/site/tokens.css."""

STEPS: Final = 100
"""The number of shades between a colour and black or white."""

Colour = tuple[float, float, float]


def _parts(colour: str) -> Colour:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


def _luminance(colour: Colour) -> float:
    """Return the relative luminance of a colour, as WCAG defines it."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21.

    >>> contrast("#000000", "#ffffff"), round(contrast("#1c4f9c", "#ece4d2"), 2)
    (21.0, 6.27)
    """
    dark, light = sorted((_luminance(_parts(one)), _luminance(_parts(other))))
    return (light + 0.05) / (dark + 0.05)


def readable_shade(colour: str, backgrounds: tuple[str, ...], towards: str) -> str:
    """Return the shade of a colour, nearest to it, with enough contrast on all backgrounds.

    ``towards`` is black for light backgrounds, and white for dark ones.

    >>> readable_shade("#1c4f9c", DAY, "#000000"), readable_shade("#000000", NIGHT, "#ffffff")
    ('#1c4f9c', '#858585')
    """
    begin, end = _parts(colour), _parts(towards)
    for step in range(STEPS + 1):
        mixed = (a + (b - a) * step / STEPS for a, b in zip(begin, end, strict=True))
        shade = "#" + "".join(f"{int(255 * part + 0.5):02x}" for part in mixed)
        if all(contrast(shade, each) >= CONTRAST for each in backgrounds):
            return shade
    return towards


def accent_style(colour: str) -> str:
    """Return the style sheet with the shades of an accent by day and by night."""
    day = readable_shade(colour, DAY, "#000000")
    night = readable_shade(colour, NIGHT, "#ffffff")
    return ":root{--blue:light-dark(" + day + "," + night + ")}\n"


@require_safe
@cache_control(public=True, max_age=24 * 60 * 60)
def accent(request: HttpRequest) -> HttpResponse:
    """Answer with the style sheet of the site's accent."""
    if not settings.SITE_ACCENT:
        raise Http404
    return HttpResponse(accent_style(settings.SITE_ACCENT), content_type="text/css; charset=utf-8")


# --- The operator's pages -----------------------------------------------------------------------------------

ADDITIONS: Final = frozenset({"privacy", "terms", "about", "contact"})
"""The names of files that are added to the site's own page of that name."""

_NAME: Final = re.compile(r"[a-z0-9-]{1,40}")
_HEADING: Final = re.compile(r"\A\s*# (.*)\n?")


def own_text(name: str) -> SafeString:
    """Return the operator's text of this name as HTML in the reader's language, or "" if there is none."""
    return _html(_source_of(name))


def own_pages() -> list[tuple[str, str]]:
    """Return the operator's pages for the footer: name and title of each, in alphabetical order of names."""
    if not settings.OPERATOR_PAGES:
        return []
    try:
        files = [path.name for path in Path(settings.OPERATOR_PAGES).iterdir() if path.suffix == ".md"]
    except OSError as problem:
        log.warning("The operator's pages can't be read: %s", problem)
        return []
    names = sorted({file.partition(".")[0] for file in files})
    found = [(name, _title_of(name)) for name in names if _NAME.fullmatch(name) and name not in ADDITIONS]
    return [(name, title) for name, title in found if title]


@require_safe
def own_page(request: HttpRequest, name: str) -> HttpResponse:
    """Show a page of the operator, such as an imprint."""
    title = "" if name in ADDITIONS else _title_of(name)
    if not title:
        raise Http404
    return render(request, "site/own_page.html", {"title": title, "text": own_text(name)})


def _source_of(name: str) -> str:
    """Return the Markdown of a page in the reader's language, or in the site's first language.

    Returns "" if there is none. A file that can't be read counts as absent: every page has the footer, and
    must not fail because of it.
    """
    if not settings.OPERATOR_PAGES or not _NAME.fullmatch(name):
        return ""
    here = Path(settings.OPERATOR_PAGES)
    for path in (here / f"{name}.{get_language() or 'en'}.md", here / f"{name}.md"):
        try:
            return _read(path, path.stat().st_mtime_ns)
        except FileNotFoundError:
            continue
        except OSError as problem:
            log.warning("A page of the operator can't be read: %s", problem)
    return ""


def _title_of(name: str) -> str:
    """Return the heading at the start of a page, its name if it has none, or "" if there is no page."""
    source = _source_of(name)
    heading = _HEADING.match(source)
    return (heading[1].strip() if heading else "") or (name if source else "")


@lru_cache(maxsize=64)
def _read(path: Path, changed: int) -> str:
    """Return the text of a file. ``changed`` is the time of its last change, so that the cache is fresh."""
    return path.read_text(encoding="utf-8-sig", errors="replace")


@lru_cache(maxsize=64)
def _html(source: str) -> SafeString:
    """Render a file without its first heading, because the page shows it as its title."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    return SafeString(reader.render(_HEADING.sub("", source)))
