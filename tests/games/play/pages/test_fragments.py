"""Fragments of a game's page are exactly equal to parts of the whole page."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from accounts import guests
from accounts.models import User
from games.lobby.invitations import invite
from games.lobby.practice import quick_game
from games.play.models import Game
from games.play.orders import mark_turn_seen
from games.votes.services import call_vote
from tests.games.support import LANE, NOW, Table, orders_for

SECRET = re.compile(r'name="csrfmiddlewaretoken" value="\w+"')
VOID = {"br", "hr", "img", "input", "link", "meta", "path", "rect", "circle", "use", "wbr"}


class _Parts(HTMLParser):
    """Finds the source of each element that an open page's script replaces."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=False)
        self.html = html
        self.lines = [0]
        for line in html.splitlines(keepends=True):
            self.lines.append(self.lines[-1] + len(line))
        self.found: dict[str, str] = {}
        self.open: list[tuple[str, int, str | None]] = []
        self.feed(html)

    @property
    def place(self) -> int:
        line, column = self.getpos()
        return self.lines[line - 1] + column

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        name = values.get("data-part") or ("title" if tag == "title" else None)
        if "data-stream" in values or "data-console" in values:
            self.found["head" if "data-console" in values else "stream"] = self.get_starttag_text() or ""
        if tag == "body":
            self.found["body"] = self.get_starttag_text() or ""
        if tag not in VOID:
            self.open.append((tag, self.place, name))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Skip elements without content."""

    def handle_endtag(self, tag: str) -> None:
        while self.open:
            opened, start, name = self.open.pop()
            if opened == tag:
                if name and name not in self.found:
                    end = self.html.index(">", self.place) + 1
                    self.found[name] = self.html[start:end]
                return


def parts_of(answer: Any) -> dict[str, str]:
    """Return the source of all parts of a page or fragment, by name.

    Other values for scripts are included.
    """
    return _Parts(SECRET.sub("", answer.content.decode())).found


@pytest.fixture
def guest(db: None) -> User:
    return guests.make_guest()


@pytest.fixture
def people(alice: User, bob: User, carol: User, dave: User, guest: User) -> dict[str, User | None]:
    return {"stranger": None, "guest": guest, "host": alice, "player": bob, "invited": carol, "other": dave}


def _open(people: dict[str, Any], table: Table, **more: Any) -> Game:
    game = table.game(people["host"], people["player"], seats=4, starts_itself=False, **more)
    invite(user=people["host"], game_id=game.pk, robo_name="Carol", now=NOW)
    return game


def _running(people: dict[str, Any], table: Table, **more: Any) -> Game:
    game = table.game(people["host"], people["player"], **more)
    for _ in range(2):
        table.play(game, people["host"], people["player"])
    mark_turn_seen(user=people["host"], game=game, turn_number=1)
    table.move(game, people["player"])
    call_vote(user=people["player"], game_id=game.pk, kind="pause", days=7, now=NOW)
    return game


def _over(people: dict[str, Any], table: Table, **more: Any) -> Game:
    players = people["host"], people["player"]
    game = Table(LANE.saved()).game(*players, options={"lives": 1}, **more)
    while game.status == Game.Status.RUNNING:
        turn = game.turns.get(status="open")
        asked = [hand.seat.user for hand in turn.hands.exclude(seat=None).select_related("seat__user")]
        table.play(game, *asked)
    return game


def _of_guest(people: dict[str, Any], _: Table) -> Game:
    return quick_game(user=people["guest"], strength="rookie", admits_guests=True, now=NOW)


STATES = {"open": _open, "running": _running, "over": _over}


@pytest.fixture(params=[*STATES, "private open", "private running", "guest's own"])
def game(request: pytest.FixtureRequest, people: dict[str, Any], table: Table) -> Game:
    kind = request.param
    if kind == "guest's own":
        return _of_guest(people, table)
    return STATES[kind.removeprefix("private ")](people, table, private=kind.startswith("private "))


def viewers(people: dict[str, Any], game: Game) -> Iterator[tuple[str, Client, str]]:
    """Yield each viewer of a game, with a client and the query that gives access."""
    for role, person in people.items():
        client = Client()
        if person:
            client.force_login(person)
        seated = person is not None and game.players.filter(user=person).exists()
        if not game.private or (role == "guest" and seated):
            yield role, client, ""
        elif game.link_token:
            yield role, client, f"?link={game.link_token}"


def test_a_fragment_equals_its_part_of_the_page(game: Game, people: dict[str, Any]) -> None:
    asked = 0
    for role, client, query in viewers(people, game):
        page = parts_of(client.get(f"{game.get_absolute_url()}{query}"))
        for more in ("has=", "only=panel,board,crew,log,chat,player,recap,statistics&has=board:0,panel:0"):
            fragment = parts_of(client.get(f"{game.get_absolute_url()}parts/{query or '?'}&{more}"))
            assert {"site-menu", "status", "notices", "menu-ways", "title", "body"} <= fragment.keys()
            assert fragment.keys() <= page.keys(), role
            missing = page.keys() - fragment.keys()
            assert not missing, (role, missing)
            for name, source in fragment.items():
                assert source == page[name], f"{role}: {name} differs"
        asked += 1
    assert asked


def test_the_response_to_seen_equals_the_page(table: Table, people: dict[str, Any], alice: User) -> None:
    game = _running(people, table)
    client = Client()
    client.force_login(alice)
    address = game.get_absolute_url()
    fragment = parts_of(client.post(f"{address}seen/?has=", {"turn": 1}))
    assert fragment == parts_of(client.get(address))


def test_a_refused_form_is_answered_with_the_current_page(
    table: Table, people: dict[str, Any], bob: User, guest: User
) -> None:
    """All parts are equal to the page's. The message is outside all parts."""
    lobby, running = _open(people, table), _running(people, table)
    forms: list[tuple[User, Game, str, dict[str, Any]]] = [
        (guest, lobby, "join/", {"look": "7"}),
        (bob, lobby, "start/", {}),
        (bob, running, "turns/1/orders/", orders_for(running, bob)),
    ]
    for person, game, act, body in forms:
        client = Client()
        client.force_login(person)
        refused = client.post(f"{game.get_absolute_url()}{act}", body)
        assert refused.status_code in {403, 409}
        page = parts_of(client.get(game.get_absolute_url()))
        marked = page["title"].replace("<title>", "<title>Error: ", 1)
        assert parts_of(refused) == page | {"title": marked}
        said = re.search(
            r'<p class="message message-error" role="alert" [^>]*data-refusal>.*?</p>',
            refused.content.decode(),
            re.DOTALL,
        )
        assert said and not any(said[0] in source for source in page.values())


def test_login_links_in_a_fragment_lead_back_to_the_page(table: Table, people: dict[str, Any]) -> None:
    for game, link in ((_open(people, table), ""), (_open(people, table, private=True), "?link=")):
        query = f"{link}{game.link_token}" if link else ""
        page = Client().get(f"{game.get_absolute_url()}parts/{query}").content.decode()
        ways = re.findall(r'href="(/accounts/(?:login|signup)/\?next=[^"]+)"', page)
        assert {way.partition("?")[0] for way in ways} == {"/accounts/login/", "/accounts/signup/"}
        for way in ways:
            client = Client()
            assert client.get(way).status_code == 200
            there = way.partition("next=")[2].replace("%2F", "/").replace("%3F", "?").replace("%3D", "=")
            assert there == f"{game.get_absolute_url()}{query}"


def test_no_template_reads_the_request_s_address() -> None:
    """Templates must use `page_address` and `page_name`.

    The address of a fragment's request differs from the address of its page.
    """
    asks = re.compile(r"request\.(path|get_full_path|build_absolute_uri|resolver_match|META|GET)\b")
    templates = Path(settings.BASE_DIR, "templates").rglob("*.html")
    found = [str(path) for path in templates if asks.search(path.read_text())]
    assert not found
