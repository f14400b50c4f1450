"""The link to the next game that waits, and a game's page for each viewer."""

import pytest

from accounts.models import User
from games.play.models import Game
from tests.games.reader import ReaderOf
from tests.games.support import Table


@pytest.fixture
def three(table: Table, alice: User, bob: User) -> list[Game]:
    """Three games that wait for Alice. The most urgent comes first."""
    return [table.game(alice, bob, name=f"In {hours} h", pace={"hours": hours}) for hours in (2, 8, 24)]


def test_next_leads_from_one_waiting_game_to_another(
    three: list[Game], table: Table, alice: User, read: ReaderOf
) -> None:
    reader = read(alice)
    assert reader.get("/next/").address == three[0].get_absolute_url()
    assert reader.get(f"/next/?after={three[0].pk}").address == three[1].get_absolute_url()
    assert reader.get(f"/next/?after={three[2].pk}").address == three[0].get_absolute_url()
    table.move(three[0], alice)
    assert reader.get(f"/next/?after={three[0].pk}").address == three[1].get_absolute_url()


def test_next_leads_to_my_room_without_waiting_games(
    duel: Game, alice: User, dave: User, read: ReaderOf
) -> None:
    page = read(alice).get(f"/next/?after={duel.pk}")
    assert page.address == "/my-room/"
    assert "No other games are waiting for you." in page
    page = read(dave).get("/next/")
    assert page.address == "/my-room/"
    assert "No games are waiting for you." in page


def test_next_ignores_nonsense(duel: Game, alice: User, read: ReaderOf) -> None:
    reader = read(alice)
    for after in ("", "x", "-1", "9" * 40, "²", "%00"):
        assert reader.get(f"/next/?after={after}").address == duel.get_absolute_url()


def test_the_next_game_is_offered_in_the_console_before_and_after_orders(
    three: list[Game], alice: User, read: ReaderOf
) -> None:
    reader = read(alice)
    way_on = f"/next/?after={three[0].pk}"
    before = reader.get(three[0].get_absolute_url())
    after = reader.post(f"{three[0].get_absolute_url()}turns/0/orders/", heading="N")
    for page in (before, after):
        assert page.links.count(way_on) == 1
        assert "Next: In 8 h N , 8 h 0 min left" in page


def test_the_last_game_offers_no_next(duel: Game, alice: User, read: ReaderOf) -> None:
    page = read(alice).post(f"{duel.get_absolute_url()}turns/0/orders/", heading="N")
    assert not [link for link in page.links if link.startswith("/next/")]


def test_players_see_their_move_and_spectators_only_the_board(
    table: Table, duel: Game, alice: User, bob: User, dave: User, erin: User, read: ReaderOf
) -> None:
    table.play(duel, alice, bob)
    orders = f"{duel.get_absolute_url()}turns/1/orders/"
    assert orders in read(alice).get(duel.get_absolute_url()).actions
    for viewer in (dave, erin, None):
        page = read(viewer).get(duel.get_absolute_url())
        assert page.status == 200
        assert "You are watching." in page
        assert not [action for action in page.actions if action.startswith(duel.get_absolute_url())]
        assert "data-chip=" not in page.html


def test_a_lobby_s_page_shows_each_viewer_their_actions(
    table: Table, alice: User, bob: User, dave: User, read: ReaderOf
) -> None:
    game = table.game(alice, bob, seats=3)
    address = game.get_absolute_url()
    assert f"{address}cancel/" in read(alice).get(address).actions
    assert f"{address}leave/" in read(bob).get(address).actions
    assert f"{address}cancel/" not in read(bob).get(address).actions
    assert f"{address}join/" in read(dave).get(address).actions
    assert not [action for action in read(None).get(address).actions if action.startswith(address)]
    assert "Sign up to join" in read(None).get(address)


def test_a_private_game_s_page_is_the_same_as_a_missing_one_for_strangers(
    table: Table, alice: User, bob: User, dave: User, read: ReaderOf
) -> None:
    game = table.game(alice, bob, private=True)
    for viewer in (dave, None):
        page, nowhere = read(viewer).get(game.get_absolute_url()), read(viewer).get("/games/999999/")
        assert (page.status, nowhere.status) == (404, 404)
        assert page.text.replace(str(game.pk), "999999") == nowhere.text
        assert "Alice" not in page
    assert read(bob).get(game.get_absolute_url()).status == 200


def test_a_logged_out_visitor_of_a_private_game_is_offered_the_login(
    table: Table, alice: User, bob: User, dave: User, read: ReaderOf
) -> None:
    game = table.game(alice, bob, private=True)
    way_in = f"/accounts/login/?next=%2Fgames%2F{game.pk}%2F"
    assert way_in in read(None).get(game.get_absolute_url()).links
    assert way_in not in read(dave).get(game.get_absolute_url()).links
