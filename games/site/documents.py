"""The documentation as pages of the site. Links between files become links between pages."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, gettext_lazy as _
from django.views.decorators.http import require_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

import rules

DOCS: Final[Path] = settings.BASE_DIR / "docs"

GROUPS: Final = (
    (
        _("For players"),
        (
            "first-game",
            "daily",
            "puzzles",
            "hosting",
            "troubleshooting",
            "glossary",
            "time",
            "absence",
            "votes",
            "branches",
            "playing-on",
            "library",
            "matching",
            "clubs",
            "groups",
            "tournaments",
            "ladders",
            "seasons",
            "ratings",
            "awards",
            "shipyard",
            "promotion",
            "reviews",
            "reports",
            "players",
            "conduct",
            "computers",
            "analysis",
            "fairness",
            "sharing",
            "changes",
            "versions",
            "sources",
        ),
    ),
    (_("Your data"), ("privacy", "retention", "mail", "news")),
    (_("For programs"), ("api", "formats")),
    (_("For translators"), ("translating",)),
)
"""The groups at the start of the list of documents, each with its title and documents.

All other documents are for operators, and follow in a last group.
"""

NOT_TRANSLATED: Final = {"changes", "versions", "sources"}
"""English-only documents for players: the log of changes, and notes about rulebooks."""

EXAMPLE_PROGRAM: Final = "play_a_game.py"
"""The name of the example program in the documentation of the API."""


@dataclass(frozen=True, slots=True)
class Document:
    """A document as a page: its title, and its body as HTML.

    ``contents`` has the anchors and titles of its sections.
    """

    slug: str
    title: str
    html: SafeString
    translated: bool
    contents: Sequence[tuple[str, str]]


TRANSLATED: Final = frozenset(slug for _title, slugs in GROUPS[:2] for slug in slugs) - NOT_TRANSLATED
"""Translated documents for players. The site's catalogue has the translations of their paragraphs."""


@lru_cache(maxsize=1)
def files() -> Mapping[str, Path]:
    """Return the files of all documents by slug, the last part of a document's URL."""
    found = {path.stem: path for path in sorted(DOCS.glob("*.md"))}
    found |= {"changes": settings.BASE_DIR / "CHANGELOG.md"}
    found |= {name: DOCS / "rules" / f"{name}.md" for name in ("versions", "sources")}
    return MappingProxyType(found)


@require_safe
def documents(request: HttpRequest) -> HttpResponse:
    named = {slug for _title, slugs in GROUPS for slug in slugs}
    rest = tuple(slug for slug in files() if slug not in named)
    groups = [
        (title, [document(slug) for slug in slugs])
        for title, slugs in (*GROUPS, (gettext("For site operators"), rest))
    ]
    return render(request, "site/documents.html", {"groups": groups})


@require_safe
def one_document(request: HttpRequest, slug: str) -> HttpResponse:
    if slug not in files():
        raise Http404(gettext("There is no document “{name}”.").format(name=slug))
    return render(request, "site/document.html", {"document": document(slug)})


@require_safe
def example(request: HttpRequest) -> HttpResponse:
    return HttpResponse(
        (DOCS / EXAMPLE_PROGRAM).read_text(encoding="utf-8"), content_type="text/plain; charset=utf-8"
    )


def document(slug: str) -> Document:
    """Return a document as a page in the reader's language. ``slug`` must be a key of `files`."""
    return _document(slug, get_language())


@lru_cache(maxsize=256)
def _document(slug: str, language: str) -> Document:
    path = files()[slug]
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = reader.parse(path.read_text(encoding="utf-8"))
    _name_headings(tokens[3:])  # in English, so that headings have the same anchors in all languages
    translated = slug in TRANSLATED
    for token in tokens if translated else ():
        if token.type == "inline" and token.content and (text := gettext(token.content)) != token.content:
            token.children = reader.parseInline(text)[0].children
    title = _words(next(each for each in tokens if each.type == "inline"))
    body = tokens[3:]  # without the title
    _lead_to_pages(body, path)
    _leave_empty_heads(body)
    html = reader.renderer.render(list(_scrolling(body)), reader.options, {})
    # People can scroll wide blocks, also with the keyboard.
    html = html.replace("<pre>", '<pre class="doc-wide" tabindex="0">')
    return Document(slug, title, SafeString(html), translated, _contents(body))


def _scrolling(tokens: list[Token]) -> Iterator[Token]:
    """Yield Markdown tokens, with a scrollable frame around each table."""
    for token in tokens:
        if token.type == "table_open":
            yield _html(
                f'<div class="doc-wide" role="group" aria-label="{escape(gettext("Table"))}" tabindex="0">'
            )
        yield token
        if token.type == "table_close":
            yield _html("</div>")


def _html(text: str) -> Token:
    return Token("html_block", "", 0, content=text)


def _words(text: Token) -> str:
    """Return the text of a Markdown token without markup."""
    return "".join(child.content for child in text.children or ())


def _name_headings(tokens: list[Token]) -> None:
    """Give each heading an anchor, named as GitHub names it."""
    used: dict[str, int] = {}
    for opening, text in pairwise(tokens):
        if opening.type == "heading_open":
            anchor = anchor_of(_words(text))
            count = used[anchor] = used.get(anchor, -1) + 1
            opening.attrSet("id", f"{anchor}-{count}" if count else anchor)


def _contents(tokens: list[Token]) -> list[tuple[str, str]]:
    """Return the anchor and the title of each section."""
    return [
        (str(opening.attrGet("id")), _words(text))
        for opening, text in pairwise(tokens)
        if opening.type == "heading_open" and opening.tag == "h2"
    ]


def _leave_empty_heads(tokens: list[Token]) -> None:
    """Turn empty header cells into plain cells, because screen readers announce header cells."""
    for opening, text, closing in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if opening.type == "th_open" and not text.content:
            opening.tag = closing.tag = "td"


def anchor_of(heading: str) -> str:
    """Return the anchor of a heading, as GitHub names it.

    >>> anchor_of("A whole game, `game/1`")
    'a-whole-game-game1'
    """
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _lead_to_pages(tokens: list[Token], path: Path) -> None:
    """Change links to files into links to the pages of these files.

    Links to files without a page become plain text. Images get their URLs on this site.
    """
    for token in tokens:
        children = token.children or []
        for index, child in enumerate(children):
            if child.type == "image":
                picture = (path.parent / str(child.attrGet("src"))).resolve()
                child.attrSet("src", static(str(picture.relative_to(settings.BASE_DIR / "static"))))
            if child.type != "link_open":
                continue
            there = address_of(str(child.attrGet("href")), path)
            if there is not None:
                child.attrSet("href", there)
                continue
            child.tag = "span"
            child.attrs = {}
            closing = next(each for each in children[index:] if each.type == "link_close")
            closing.tag = "span"


def address_of(link: str, path: Path) -> str | None:
    """Return the URL for a link in a document, or None if the file has no page on this site.

    A link within the document or to another site stays as it is. ``path`` is the file of the document.
    """
    target, _, part = link.partition("#")
    if not target or "://" in target:
        return link
    there = (path.parent / target).resolve()
    after = f"#{part}" if part else ""
    slug = next((slug for slug, file in files().items() if file == there), None)
    if slug is not None:
        return reverse("pages:document", args=[slug]) + after
    if there == DOCS / EXAMPLE_PROGRAM:
        return reverse("pages:example")
    if there == DOCS / "rules" / "rulebook.md":
        return reverse("pages:rules")
    if there.parent == DOCS / "rules" and there.stem in rules.RULESETS:
        return reverse("pages:rulebook", args=[there.stem]) + after
    return None
