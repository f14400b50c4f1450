"""One frame for all pages: the title in one head, and a drawing beside each column of text."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from accounts.models import User
from tests.games.reader import ReaderOf
from tests.games.support import Table
from tests.support.pages import World, make_world, pages

HEAD = re.compile(
    r'<(?:div|header) class="page-head[^"]*">\s*<div[^>]*>(?:(?!</?section).)*?<h1\b', re.DOTALL
)
"""Matches the head of a page up to its title, which is on the left, before the actions."""

OWN_HEADS = re.compile(r'class="(console-head|hero|card-head|embed-head)"')
"""Matches pages with another head: games, the front page, the card of a robot, and embedded games."""


@pytest.fixture
def world(db: None, settings: Any, tmp_path: Path) -> World:
    settings.MAIL_DIRECTORY = tmp_path / "mails"
    return make_world(settings.MAIL_DIRECTORY)


def test_each_page_has_its_title_in_one_head(world: World) -> None:
    without = {
        page.path
        for reader in (None, "Alice")
        for page in pages(world, world.reader(reader))
        if "<h1" in page.html and not HEAD.search(page.html) and not OWN_HEADS.search(page.html)
    }
    assert sorted(without) == []


def test_a_column_of_text_has_a_drawing_beside_it(world: World) -> None:
    read = world.reader("Alice")
    for path in ("/settings/", "/clubs/new/", "/help/", "/nowhere/"):
        _status, _kind, html = read(path)
        assert 'class="beside"' in html and 'class="beside-drawing' in html, path


EMPTY = re.compile(
    r'<div class="empty">.*?</svg>(?P<said>.*?)</div>\s*(?:</div>|</section>|</main>)', re.DOTALL
)
"""Matches the text of an empty page, after its drawing."""

PAGES = (
    "/games/",
    "/seats/",
    "/ratings/",
    "/awards/",
    "/awards/champion/",
    "/tournaments/",
    "/clubs/",
    "/seasons/",
    "/ladders/robo-runner/",
    "/starships/favourites/",
    "/starships/lists/",
    "/dock/decisions/",
)


@pytest.mark.parametrize("path", PAGES)
def test_pages_of_a_new_site_have_a_drawing_and_say_what_to_do(
    path: str, alice: User, read: ReaderOf
) -> None:
    page = read(alice).get(path).html.partition("<main")[2]
    found = EMPTY.search(page)
    assert found and "<p>" in found[1], "no drawing, or no words"
    assert re.search(r"<a |<button", found[1]) or 'class="button"' in page.partition("</h1>")[2]


def test_the_page_of_a_new_chat_has_a_drawing_and_its_form(
    table: Table, alice: User, bob: User, read: ReaderOf
) -> None:
    game = table.game(alice, bob)
    page = read(alice).get(f"{game.get_absolute_url()}chat/")
    assert EMPTY.search(page.html) and "Wish each other luck?" in page
    assert f"{game.get_absolute_url()}chat/" in page.actions


def test_no_part_moves_for_readers_who_want_no_motion() -> None:
    styles = "\n".join(path.read_text() for path in (settings.BASE_DIR / "static").rglob("*.css"))
    moving = re.findall(r"transition: ([^;}]+)", styles)
    assert [said for said in moving if said != "none" and "var(--swift)" not in said] == []
    assert len(moving) > 5
