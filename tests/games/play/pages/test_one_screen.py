"""The game page of a game on one screen: it passes from player to player."""

from typing import Any

import pytest

from accounts.models import User
from games.play import lifecycle
from games.play.models import Game
from games.play.resolution import resolve_turn
from games.play.services import locked_game
from tests.games.api_client import ApiOf
from tests.games.play.services.test_one_screen import orders_at
from tests.games.reader import ReaderOf
from tests.games.support import NOW, Table, later, open_turn, program


@pytest.fixture
def over(table: Table, dealt: Game, alice: User, bob: User) -> Game:
    table.play(dealt, alice, bob)
    lifecycle.concede(game=locked_game(dealt.pk), winner="Bob", now=NOW)
    return dealt


def test_each_player_presses_ready_and_all_watch_the_turn(over: Game, alice: User, read: ReaderOf) -> None:
    reader = read(alice)
    begun = reader.post(
        f"/games/{over.pk}/turns/1/play-on/", seat=1, opponents="screen", strength="ace", names="Ben"
    )
    game = Game.objects.get(origin=over)
    assert begun.address == f"/games/{game.pk}/"
    page = reader.get(f"/games/{game.pk}/")
    for seat, name in ((1, "Alice"), (2, "Ben")):
        assert f"Pass the screen to {name}" in page
        for address in (f"/games/{game.pk}/", f"/games/{game.pk}/parts/"):
            assert "data-chip" not in reader.get(address).html
        page = reader.post(f"/games/{game.pk}/screen/", seat=seat)
        assert f"At the screen: {name}" in page
        assert "data-chip" in page.html
        orders = orders_at(game, seat)
        page = reader.post(f"/games/{game.pk}/turns/1/orders/", **program(*orders["registers"]))
    assert "All orders are in" in page
    assert resolve_turn(turn_id=open_turn(game).pk, now=later(days=1))
    page = reader.get(f"/games/{game.pk}/")
    assert "Watch together what happened." in page
    assert "Pass the screen to Alice" in page
    page = reader.get(f"/games/{game.pk}/resign/")
    assert "The game ends immediately for everyone at this screen." in page
    assert "counts as lost" not in page


def test_guests_play_on_one_screen_and_a_missing_name_is_refused(over: Game, read: ReaderOf) -> None:
    stranger, address = read(None), f"/games/{over.pk}/turns/1/play-on/"
    page = stranger.get(address)
    assert "People at this screen" in page
    assert "Friends, by link" not in page
    given: dict[str, Any] = {"seat": 1, "opponents": "screen", "strength": "rookie"}
    for names in ("", "B\u202een", "x" * 21):
        assert stranger.post(address, **given, names=names).status == 422
    stranger.post(address, **given, names="Ben")
    assert Game.objects.get(origin=over).host.is_guest


def test_names_count_only_for_people_at_this_screen(over: Game, alice: User, read: ReaderOf) -> None:
    given: dict[str, Any] = {"seat": 1, "opponents": "computers", "strength": "rookie"}
    read(alice).post(f"/games/{over.pk}/turns/1/play-on/", **given, names="x" * 21)
    assert not Game.objects.get(origin=over).is_on_one_screen


def test_a_form_of_an_earlier_hand_is_refused_and_shows_no_chips(
    over: Game, alice: User, read: ReaderOf
) -> None:
    reader = read(alice)
    begin = {"seat": 1, "opponents": "screen", "strength": "ace", "names": "Ben"}
    reader.post(f"/games/{over.pk}/turns/1/play-on/", **begin)
    game = Game.objects.get(origin=over)
    assert 'name="screen" value="2"' in reader.post(f"/games/{game.pk}/screen/", seat=2).html
    reader.post(f"/games/{game.pk}/screen/", seat=1)
    sent = program(*orders_at(game, 2)["registers"])
    for action in ("orders", "draft", "preview"):
        page = reader.post(f"/games/{game.pk}/turns/1/{action}/", screen=2, **sent)
        assert page.status == 409
        assert "Another player is at the screen now." in page
        assert "selected" not in page.html.partition("data-registers")[2].partition("</ol>")[0]


def test_a_companion_has_no_page_even_with_the_name_of_a_player(
    over: Game, alice: User, carol: User, read: ReaderOf
) -> None:
    reader = read(alice)
    begin = {"seat": 1, "opponents": "screen", "strength": "ace", "names": "Carol"}
    reader.post(f"/games/{over.pk}/turns/1/play-on/", **begin)
    game = Game.objects.get(origin=over)
    for address in ("/players/Alice/", f"/games/{game.pk}/"):
        page = reader.get(address)
        assert "Carol" in page
        assert "/players/Carol/" not in page.html


def test_programs_ask_for_the_hand_of_a_seat(over: Game, alice: User, bob: User, api: ApiOf) -> None:
    given = {"seat": 1, "opponents": "screen", "names": ["Ben"]}
    game = api(alice).post(f"games/{over.pk}/turns/1/game", given).body
    screen = f"games/{game['id']}/screen"
    assert (game["me"], game["at_screen"]) == (None, 0)
    assert api(alice).post(f"games/{game['id']}/turns/1/orders", {}).refusal == (409, "no-screen")
    assert [seat["companion"] for seat in game["seats"]] == [False, True]
    shown = api(alice).put(screen, {"seat": 2}).body
    assert (shown["me"]["seat"], shown["at_screen"], shown["me"]["sits"]) == (2, 2, False)
    assert api(alice).put(screen, {"seat": 9}).refusal == (409, "no-orders")
    draft = f"games/{game['id']}/turns/1/draft"
    assert api(alice).put(draft, {"power_down": True, "screen": 1}).refusal == (409, "no-screen")
    assert api(alice).put(draft, {"power_down": True, "screen": 2}).body["me"]["seat"] == 2
    assert api(alice).put(screen, {"seat": None}).body["me"] is None
    assert api(bob).put(screen, {"seat": 2}).status == 404
