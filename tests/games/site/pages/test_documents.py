"""The documentation on the site: its links lead somewhere, and texts that name a document lead to it."""

import re
from functools import cache
from html import unescape
from pathlib import Path

import pytest
from django.test import Client

from games.site.documents import document, files
from games.web.reference import openapi

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).parents[4]


@cache
def page(path: str) -> tuple[int, str]:
    """Return the status and the text of a page, as a stranger gets it."""
    answer = Client().get(path)
    return answer.status_code, answer.content.decode()


@pytest.mark.parametrize("slug", files())
def test_every_document_is_a_page_whose_links_lead_somewhere(slug: str) -> None:
    status, html = page(f"/docs/{slug}/")
    assert status == 200
    article = html.partition('<article class="doc"')[2].partition("</article>")[0]
    assert (
        article.count("<h1>") == 1
        and "`" not in document(slug).title
        and document(slug).title in unescape(article)
    )
    lost = []
    for link in map(unescape, re.findall(r'<a href="([^"]+)"', article)):
        path, _, part = link.partition("#")
        if "://" in link:
            continue
        status, there = page(path or f"/docs/{slug}/")
        if status != 200 or (part and f'id="{part}"' not in there):
            lost.append(link)
    assert lost == []


def test_the_list_names_every_document_once() -> None:
    html = page("/docs/")[1]
    listed = re.findall(r'<li[^>]*><a href="/docs/([\w-]+)/"', html)
    assert sorted(listed) == sorted(files())


def test_the_program_that_plays_a_game_is_served_as_text() -> None:
    answer = Client().get("/docs/play_a_game.py")
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.content.decode() == (ROOT / "docs" / "play_a_game.py").read_text()


def test_nothing_else_is_served() -> None:
    for path in ("nothing/", "rulebook/", "../manage.py", "%2e%2e%2fREADME/"):
        assert Client().get(f"/docs/{path}").status_code == 404


def test_markup_in_a_document_stays_text() -> None:
    """Documents are the project's own; still, none of them brings markup of its own along."""
    for slug in files():
        assert "<script" not in document(slug).html


def test_no_cell_of_a_tables_head_is_empty() -> None:
    for slug in files():
        assert not re.search(r"<th[^>]*></th>", document(slug).html), slug


FILE = re.compile(r"docs/[\w/-]+\.md")


def test_no_page_names_a_file_where_it_could_lead_to_the_page() -> None:
    named = {
        str(path.relative_to(ROOT)): found
        for path in [*ROOT.glob("templates/**/*.html"), *ROOT.glob("templates/**/*.txt")]
        if (found := FILE.findall(path.read_text()))
    }
    assert named == {}
    assert FILE.findall(str(openapi())) == []
