"""The menu of every page."""

import re
from typing import Any
from urllib.parse import quote

import pytest
from django.urls import reverse

from accounts.guests import make_guest
from accounts.models import User
from games.fleet.models import Starship
from games.site.menu import MENU
from tests.games.reader import Answer, ReaderOf
from tests.games.support import Table

PAGES = [(entry.page, str(entry.label)) for group in MENU for entry in group.entries]


def menu_of(page: Answer) -> str:
    return page.html.partition('class="site-menu"')[2].partition("</nav>")[0]


def current(page: Answer) -> list[tuple[str, str]]:
    """Return the labels of the current group and entry, with their values of aria-current."""
    found = re.findall(r'<(?:summary|a)\b[^>]*aria-current="(\w+)"[^>]*>([^<]+)', menu_of(page))
    return [(label.strip(), value) for value, label in found]


@pytest.mark.parametrize(("name", "label"), PAGES)
def test_a_page_in_the_menu_has_its_label_as_title_and_is_marked_as_current(
    name: str, label: str, alice: User, read: ReaderOf
) -> None:
    page = read(alice).get(reverse(name))
    assert page.status == 200
    heading = re.search(r"(?s)<h1[^>]*>(.*?)</h1>", page.html)
    assert heading and heading.group(1).strip() == label
    assert f"<title>{label} ·" in page.html
    group = next(str(each.label) for each in MENU if any(entry.page == name for entry in each.entries))
    assert current(page) == [(group, "true"), (label, "page")]
    assert '<p class="label"><a' not in page.html, "the menu is the only way up"


def test_pages_below_an_entry_mark_its_group(table: Table, alice: User, bob: User, read: ReaderOf) -> None:
    game = table.game(alice, bob)
    reader = read(alice)
    assert current(reader.get(f"/games/{game.pk}/")) == [("Play", "true")]
    assert current(reader.get("/players/Bob/")) == [("Community", "true")]
    assert current(reader.get("/clubs/new/")) == [("Community", "true"), ("Clubs", "true")]
    assert current(reader.get("/shipyard/new/")) == [("Starships", "true"), ("Space Dock", "true")]
    assert current(reader.get("/settings/")) == []


def test_the_menu_has_a_short_way_to_games_that_wait(
    table: Table, alice: User, bob: User, read: ReaderOf
) -> None:
    assert "waiting for your move" not in menu_of(read(alice).get("/games/"))
    table.game(alice, bob)
    assert re.search(
        r'<a class="site-waiting" href="/my-room/"><span class="count">1<span class="unseen"> waiting',
        menu_of(read(alice).get("/games/")),
    )


def test_strangers_have_every_entry_except_my_room(read: ReaderOf, db: Any) -> None:
    links = re.findall(r'href="([^"]+)"', menu_of(read(None).get("/games/")))
    assert links == [reverse(name) for name, _label in PAGES if name != "games:mine"]


def test_entries_that_need_an_account_say_so_to_guests_and_keep_the_wish(
    starship: Starship, alice: User, read: ReaderOf
) -> None:
    guest = make_guest()
    for reader in (read(None), read(guest)):
        said = re.findall(
            r'href="([^"]+)"[^>]*>[^<]*<span class="done-of">needs an account', menu_of(reader.get("/"))
        )
        assert said == ["/games/find/", "/games/new/", "/shipyard/"]
    assert "needs an account" not in menu_of(read(alice).get("/"))
    for address in said:
        page = read(guest).get(address)
        assert page.status == 403 and f"/accounts/signup/?next={quote(address, safe='')}" in page.links
        assert "you come back here" in page


def test_header_and_footer_do_not_repeat_entries_of_the_menu(alice: User, read: ReaderOf) -> None:
    page = read(alice).get("/games/find/")
    links = page.links
    assert [name for name, _label in PAGES if links.count(reverse(name)) > 1] == []
