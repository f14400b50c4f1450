"""The pages Game Room and My Room."""

import re
from functools import partial

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.lobby.seats import join_game
from games.lobby.services import cancel_game
from games.play.models import Game
from games.site import pages
from games.web.pages import page_of
from tests.games.reader import Answer, ReaderOf
from tests.games.support import NOW, Table, later


def rows(page: Answer) -> list[str]:
    return re.findall(r'<h3 class="row-title"><a [^>]*>([^<]*)</a>', page.html)


def test_the_game_room_offers_games_with_open_seats(
    table: Table, alice: User, bob: User, read: ReaderOf
) -> None:
    table.game(alice, seats=3, name="Room for two")
    page = read(bob).get("/games/")
    assert rows(page) == ["Room for two"]
    assert "Hall · 1 of 3 seats taken · 1 day a turn" in page


def test_the_game_room_leaves_out_full_lobbies(
    table: Table, alice: User, bob: User, carol: User, read: ReaderOf
) -> None:
    game = table.game(alice, seats=2, name="Room for none")
    join_game(user=bob, game_id=game.pk, ready=False, now=NOW)
    assert rows(read(carol).get("/games/")) == []
    page = read(bob).get("/my-room/")
    assert rows(page) == ["Room for none"]
    assert "Alice , ready" in page
    assert "Bob , not ready" in page


def test_the_game_room_shows_running_games_to_everyone(duel: Game, read: ReaderOf) -> None:
    page = read(None).get("/games/")
    assert rows(page) == ["First flight"]
    assert "choosing headings" in page
    assert "Alice , not ready" in page


def test_a_player_whose_robot_is_out_is_shown_as_out(duel: Game, bob: User, read: ReaderOf) -> None:
    duel.players.filter(user=bob).update(out=True)
    page = read(None).get("/games/")
    assert "Alice , not ready" in page
    assert "Bob , out" in page


def test_the_game_room_hides_private_games_and_the_viewer_s_own(
    table: Table, alice: User, bob: User, read: ReaderOf
) -> None:
    table.game(alice, seats=2, private=True)
    table.game(bob, seats=2)
    page = read(bob).get("/games/")
    assert rows(page) == []
    assert "Create one, and others will find it here" in page


def test_my_room_starts_with_games_waiting_for_the_player(
    table: Table, alice: User, bob: User, read: ReaderOf
) -> None:
    table.game(alice, seats=2, name="Open")
    waiting = table.game(bob, alice, name="Mine to move")
    done = table.game(alice, bob, name="Bob to move")
    table.move(done, alice)
    page = read(alice).get("/my-room/")
    assert rows(page) == ["Mine to move", "Bob to move", "Open"]
    assert "One game is waiting for your move" in page
    assert page.text.count("Your move") == 1
    assert waiting.get_absolute_url() in page.links
    assert "1 day 0 h left" in page


def test_an_empty_room_suggests_what_to_do(dave: User, read: ReaderOf) -> None:
    page = read(dave).get("/my-room/")
    assert "You have no games yet" in page
    assert "/starships/" in page.links
    assert "/games/" in page.links


def test_my_room_shows_how_games_ended(solo_loss: Game, alice: User, read: ReaderOf) -> None:
    page = read(alice).get("/my-room/")
    assert f"Lane · lost in turn {solo_loss.turn}" in page
    assert "ended just now" in page


def test_a_cancelled_game_says_so(table: Table, alice: User, read: ReaderOf) -> None:
    game = table.game(alice, seats=2)
    cancel_game(user=alice, game_id=game.pk, now=later(hours=1))
    assert "Hall · cancelled" in read(alice).get("/my-room/")


@pytest.fixture
def long(monkeypatch: pytest.MonkeyPatch, table: Table, alice: User) -> None:
    """Create three lobbies, with two on each page of a list."""
    monkeypatch.setattr(pages, "page_of", partial(page_of, size=2))
    for number in range(3):
        table.game(alice, seats=2, name=f"Game {number}", pace={"hours": 1}, now=later(minutes=number))


@pytest.mark.usefixtures("long")
def test_long_lists_are_paginated(alice: User, bob: User, read: ReaderOf) -> None:
    first = read(bob).get("/games/")
    assert rows(first) == ["Game 2", "Game 1"]
    assert "Page 1 of 2" in first
    assert "?join=2" in first.links
    assert rows(read(bob).get("/games/?join=2")) == ["Game 0"]
    assert rows(read(alice).get("/my-room/?page=2")) == ["Game 0"]


def test_an_unknown_page_shows_the_nearest(table: Table, alice: User, bob: User, read: ReaderOf) -> None:
    table.game(alice, seats=2)
    for number in ("0", "-1", "99", "x", ""):
        assert rows(read(bob).get(f"/games/?join={number}")) == ["First flight"], number


def test_more_games_take_no_more_queries(
    table: Table, alice: User, bob: User, carol: User, read: ReaderOf
) -> None:
    reader = read(bob)

    def asked(address: str) -> int:
        reader.get(address)  # warms up the session
        with CaptureQueriesContext(connection) as questions:
            reader.get(address)
        return len(questions)

    def more() -> None:
        table.game(alice, bob)
        table.game(carol, seats=2)

    more()
    few = {address: asked(address) for address in ("/games/", "/my-room/")}
    more()
    more()
    assert {address: asked(address) for address in few} == few
    assert max(few.values()) <= 17


@pytest.fixture
def several(table: Table, alice: User, bob: User, carol: User) -> None:
    table.game(alice, seats=2, name="Quick", pace={"hours": 1})
    table.game(alice, seats=4, name="Slow", pace={"hours": 48})
    table.game(bob, carol, name="Under way", pace={"hours": 48})


@pytest.mark.usefixtures("several")
def test_the_address_filters_the_game_room(dave: User, read: ReaderOf) -> None:
    reader = read(dave)
    assert rows(reader.get("/games/")) == ["Slow", "Quick", "Under way"]
    page = reader.get("/games/?pace=slow")
    assert rows(page) == ["Slow", "Under way"]
    assert "To join 1 of 2" in page
    assert "To watch 1 of 1" in page
    assert page.chosen("pace") == "slow"
    assert "/games/" in page.links
    assert rows(reader.get("/games/?pace=slow&free=2")) == ["Slow", "Under way"]


@pytest.mark.usefixtures("several")
def test_the_form_leads_to_a_shareable_address(read: ReaderOf) -> None:
    page = read(None).get("/games/?ruleset=&pace=fast&seats=&free=&size=")
    assert page.address == "/games/?pace=fast"
    assert rows(page) == ["Quick"]
    assert read(None).get("/games/?ruleset=&pace=&seats=").address == "/games/"


@pytest.mark.usefixtures("several")
def test_an_empty_list_suggests_what_to_do(read: ReaderOf) -> None:
    page = read(None).get("/games/?seats=5-8")
    assert rows(page) == []
    assert "No open games match these filters." in page
    assert "No running games match these filters. Show all 1" in page
    assert "/games/new/" in page.links


@pytest.mark.usefixtures("several")
@pytest.mark.parametrize("value", ["%00", "é" * 300])
def test_invalid_values_in_the_address_are_ignored_with_a_note(value: str, read: ReaderOf) -> None:
    for name in ("ruleset", "pace", "seats", "free", "size", "join", "watch", "other"):
        more = "&pace=fast" if name != "pace" else ""
        page = read(None).get(f"/games/?{name}={value}{more}")
        assert page.status == 200, name
        assert "Quick" in rows(page), name
        is_filter = name in {"ruleset", "pace", "seats", "free", "size"}
        assert ("so that filter was ignored." in page) == is_filter, name


@pytest.mark.usefixtures("long")
def test_further_pages_keep_the_filters(read: ReaderOf) -> None:
    assert "?pace=fast&seats=2&join=2" in read(None).get("/games/?seats=2&pace=fast").links
    page = read(None).get("/games/?pace=fast&seats=2&join=2")
    assert rows(page) == ["Game 0"]
    assert "?pace=fast&seats=2&join=1" in page.links
