"""The documentation as pages of the site, and links to these pages."""

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
    answer = Client().get(path)
    return answer.status_code, answer.content.decode()


@pytest.mark.parametrize("slug", files())
def test_every_document_is_a_page_with_working_links(slug: str) -> None:
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


def test_a_long_document_starts_with_links_to_its_sections() -> None:
    html = page("/docs/shipyard/")[1]
    contents = html.partition('aria-label="On this page"')[2].partition("</nav>")[0]
    sections = re.findall(r'<h2 id="([^"]+)">', html)
    assert re.findall(r'href="#([^"]+)"', contents) == sections
    assert len(sections) > 3


def test_the_list_contains_every_document_once() -> None:
    html = page("/docs/")[1]
    listed = re.findall(r'<li[^>]*><a href="/docs/([\w-]+)/"', html)
    assert sorted(listed) == sorted(files())


def test_the_example_program_is_served_as_text() -> None:
    answer = Client().get("/docs/play_a_game.py")
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.content.decode() == (ROOT / "docs" / "play_a_game.py").read_text()


def test_no_other_file_is_served() -> None:
    for path in ("nothing/", "rulebook/", "../manage.py", "%2e%2e%2fREADME/"):
        assert Client().get(f"/docs/{path}").status_code == 404


def test_html_in_a_document_is_shown_as_text() -> None:
    """We write all documents, but none may contain HTML."""
    for slug in files():
        assert "<script" not in document(slug).html


def test_no_header_cell_of_a_table_is_empty() -> None:
    for slug in files():
        assert not re.search(r"<th[^>]*></th>", document(slug).html), slug


FILE = re.compile(r"docs/[\w/-]+\.md")


def test_no_page_names_a_file_that_it_could_link_to() -> None:
    named = {
        str(path.relative_to(ROOT)): found
        for path in [*ROOT.glob("templates/**/*.html"), *ROOT.glob("templates/**/*.txt")]
        if (found := FILE.findall(path.read_text()))
    }
    assert named == {}
    assert FILE.findall(str(openapi())) == []
