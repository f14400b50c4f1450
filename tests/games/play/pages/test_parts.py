"""After an event, open pages request the parts that changed for their viewer."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from accounts import guests
from accounts.models import User
from games.chat.services import post_line
from games.films.pages import film as film_page
from games.films.pages.film import turn_films
from games.lobby.practice import quick_game
from games.play import stored
from games.play.models import Game
from games.play.orders import save_draft, submit_orders
from games.play.stored import encode_record, turn_record
from games.staff.services import cancel_as_staff
from tests.games.support import NOW, Table, hand_of, orders_for

NEXT = "Your next hand"
MARKED = {"board", "player", "panel", "crew", "log", "chat", "statistics"}


class OpenPage:
    """An open page in a browser. It stores the mark (version) of each part."""

    def __init__(self, game: Game, person: User | None, query: str = "") -> None:
        self.client = Client()
        if person:
            self.client.force_login(person)
        self.address = game.get_absolute_url()
        self.query = query
        self.marks: dict[str, str] = {}
        self.etag = ""
        self.html = self._kept(self.client.get(f"{self.address}?{query}"))

    def ask(self, **asked: str) -> Any:
        has = ",".join(f"{name}:{mark}" for name, mark in self.marks.items())
        headers = {"if-none-match": self.etag} if self.etag else {}
        return self.client.get(f"{self.address}parts/?{self.query}", {"has": has, **asked}, headers=headers)

    def refresh(self, **asked: str) -> str:
        """Request the changed parts. Store their marks, and return them."""
        return self._kept(self.ask(**asked))

    def changed(self) -> set[str]:
        """Request the changed parts. Return the names of those in `MARKED`."""
        return marks_in(self.refresh()).keys() & MARKED

    def _kept(self, answer: Any) -> str:
        assert answer.status_code == 200
        html: str = answer.content.decode()
        self.marks |= marks_in(html)
        self.etag = answer.headers.get("ETag", "")
        return html


def marks_in(html: str) -> dict[str, str]:
    found = {}
    for opening in re.findall(r'<[^<>]* data-part="[^<>]*>', html):
        data = dict(re.findall(r'data-(part|mark|version)="([^"]*)"', opening))
        if mark := data.get("version") or data.get("mark"):
            found[data["part"]] = mark
    return found


def part(html: str, name: str) -> str:
    """Return the source of a part, up to the next part."""
    found = re.search(rf'data-part="{name}".*?(?=data-part=|$)', html, re.DOTALL)
    assert found, name
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", found[0])


def chips_of(game: Game, player: User) -> list[int]:
    return [chip.number for chip in stored.chips_of(hand_of(game, player))]


def test_an_unchanged_page_is_answered_without_rendering(
    played: Game, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = OpenPage(played, alice)
    assert page.changed() == set()
    monkeypatch.setattr("games.play.pages.console.render", None)  # a call would fail
    answer = page.ask()
    assert (answer.status_code, answer.content) == (304, b"")
    assert "no-store" in answer.headers["Cache-Control"]


def test_an_unchanged_part_is_an_empty_placeholder(played: Game, alice: User) -> None:
    html = OpenPage(played, alice).refresh()
    assert '<div data-part="board" data-same></div>' in html
    assert "<svg" not in part(html, "crew")
    assert "Turn 2" in part(html, "status"), "a line is sent each time"


def test_orders_change_their_player_s_panel_and_the_lamp_for_everyone(
    played: Game, table: Table, alice: User, bob: User
) -> None:
    mine, other, watching = (OpenPage(played, person) for person in (alice, bob, None))
    for page in (mine, other, watching):
        page.refresh()
    table.move(played, alice)
    assert mine.changed() == {"panel", "crew", "player"}, "it counts as seen what orders follow from"
    assert other.changed() == {"crew"}
    assert watching.changed() == {"crew"}


def test_a_resolved_turn_changes_the_expected_parts(
    played: Game, table: Table, alice: User, bob: User
) -> None:
    page, other = OpenPage(played, alice), OpenPage(played, bob)
    page.refresh()
    table.play(played, alice, bob)
    html = page.refresh()
    assert marks_in(html).keys() & MARKED == {"board", "player", "panel", "crew", "log"}
    assert "What happened in turn" in part(html, "log")
    assert 'data-seen="running-3"' in html
    assert page.html != html
    # The text says “you” to each player.
    assert ">You " in part(html, "log")
    assert ">You " in part(other.refresh(), "log") != part(html, "log")


def test_only_its_player_sees_a_draft(played: Game, alice: User, bob: User) -> None:
    mine, other = OpenPage(played, alice), OpenPage(played, bob)
    other.refresh()
    document = {"registers": [chips_of(played, alice)[0], None, None, None, None]}
    save_draft(user=alice, game_id=played.pk, turn_number=2, document=document, now=NOW)
    assert other.ask().status_code == 304
    assert mine.ask().status_code == 200


def test_changed_orders_of_another_player_are_not_revealed(
    played: Game, table: Table, alice: User, bob: User, dave: User
) -> None:
    """The ETag does not reveal the orders either."""
    pages = [OpenPage(played, person) for person in (bob, dave, None)]
    table.move(played, alice)
    for page in pages:
        page.refresh()
    again = orders_for(played, alice, seed=7)
    assert again != orders_for(played, alice)
    submit_orders(user=alice, game_id=played.pk, turn_number=2, document=again, now=NOW)
    assert [page.ask().status_code for page in pages] == [304, 304, 304]


def test_only_requested_parts_are_rendered(played: Game, table: Table, alice: User, bob: User) -> None:
    page = OpenPage(played, alice)
    table.play(played, alice, bob)
    html = page.refresh(only="panel,crew")
    assert marks_in(html).keys() & MARKED == {"panel", "crew"}
    assert '<div data-part="log" data-same></div>' in html


def test_a_chat_line_changes_no_part_of_the_page(played: Game, alice: User, bob: User) -> None:
    page = OpenPage(played, alice)
    page.refresh()
    post_line(user=bob, game_id=played.pk, text="Out of my way!", now=NOW)
    assert page.changed() == set()


@pytest.mark.parametrize("asked", [{"only": "panel,hand"}, {"has": "hand:1"}])
def test_an_unknown_part_is_refused_with_a_list_of_known_ones(
    played: Game, alice: User, asked: dict[str, str]
) -> None:
    answer = OpenPage(played, alice).ask(**asked)
    assert answer.status_code == 400
    assert answer.json()["error"] == "part"
    assert answer.json()["detail"].startswith("A game’s page has no part “hand”. Its parts are: board,")


def test_the_parts_of_a_private_game_keep_its_link(
    table: Table, alice: User, bob: User, dave: User, erin: User
) -> None:
    game = table.game(alice, bob, private=True)
    address = f"{game.get_absolute_url()}parts/"
    assert Client().get(address).status_code == 404
    linked = Client().get(f"{address}?link={game.link_token}")
    assert linked.status_code == 200
    assert f"?link={game.link_token}" in linked.content.decode()
    assert OpenPage(game, erin).ask().status_code == 200


def test_a_viewer_who_has_logged_out_sees_the_public_page(played: Game, alice: User) -> None:
    page = OpenPage(played, alice)
    page.refresh()
    page.client.logout()
    html = page.refresh()
    assert "You are watching." in part(html, "panel")
    assert "data-chip=" not in html


def test_a_guest_gets_parts_too(starship: Any) -> None:
    guest = guests.make_guest()
    game = quick_game(user=guest, strength="rookie", computers=1, admits_guests=True, now=NOW)
    page = OpenPage(game, guest)
    assert "data-orders" in page.client.get(f"{game.get_absolute_url()}parts/").content.decode()
    page.refresh()
    assert page.ask().status_code == 304


def test_a_game_cancelled_meanwhile_says_so(played: Game, alice: User, erin: User) -> None:
    page = OpenPage(played, alice)
    before = page.html
    page.refresh()
    cancel_as_staff(user=erin, game_id=played.pk, reason="It was a test.", now=NOW)
    html = page.refresh()
    assert 'data-status="cancelled"' in html
    assert "Cancelled by staff" in part(html, "status")
    of_turn = page.client.get(f"{page.address}turns/1/").content.decode()
    assert [NEXT in part(each, "recap") for each in (before, html, of_turn)] == [True, False, False]
    assert "data-orders" not in html
    assert page.ask().status_code == 304


def test_a_finished_game_shows_statistics(solo_loss: Game, alice: User) -> None:
    page = OpenPage(solo_loss, alice)
    assert "data-chart" in page.html or "chart" in part(page.html, "statistics")
    assert page.changed() == set()


def test_a_lobby_is_always_rendered_again(table: Table, alice: User) -> None:
    game = table.game(alice, seats=3)
    page = OpenPage(game, alice)
    assert 'data-part="seats"' in page.refresh()
    assert not page.etag


def test_marking_a_turn_as_seen_returns_the_changed_parts(
    played: Game, table: Table, alice: User, bob: User
) -> None:
    page = OpenPage(played, alice)
    table.play(played, alice, bob)
    assert "was played while you were away" in part(page.refresh(), "notices")
    answer = page.client.post(f"{played.get_absolute_url()}seen/?has=board:0", {"turn": 2})
    html = answer.content.decode()
    assert answer.status_code == 200
    assert "was played while you were away" not in html
    assert "data-chip=" in html
    assert played.players.get(user=alice).seen_turn == 2


def test_the_text_of_a_turn_is_cached_until_a_name_in_it_changes(
    played: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = turn_films(game=played, number=1).text(None)
    monkeypatch.setattr(film_page, "render_to_string", None)  # a call would fail
    assert turn_films(game=played, number=1).text(None) is first
    monkeypatch.undo()
    with translation.override("de"):
        assert turn_films(game=played, number=1).text(None) is not first
    turn = played.turns.get(number=1)
    kept = turn_record(turn)
    start, events = json.loads(json.dumps([kept.start, kept.events]).replace('"Alice"', '"Zoe"'))
    turn.record = encode_record(replace(kept, start=start, events=tuple(events)))
    turn.save()
    again = turn_films(game=played, number=1).text(None)
    assert "Zoe" in again.log
    assert "Zoe" not in first.log


def test_a_film_is_cached_and_opens_programs_only_for_their_own_player(
    played: Game, alice: User, bob: User, dave: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"{played.get_absolute_url()}turns/1/film/"
    films = {}
    for person in (alice, bob, dave):
        page = OpenPage(played, person)
        films[person.robo_name] = json.loads(page.client.get(address).content)["film"]
        monkeypatch.setattr(film_page, "Film", None)  # creating another would fail
    for viewer, film in films.items():
        opened = {name for name, status in film["crew"].items() if status["open"]}
        assert opened == {viewer} & {"Alice", "Bob"}
