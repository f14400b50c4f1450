"""A game before it starts: sitting down, standing up, calling it off."""

import re

import pytest

from accounts.models import User
from games.models import Game
from tests.games.support import Table
from tests.games.views.reader import ReaderOf


@pytest.fixture
def lobby(table: Table, alice: User) -> Game:
    """Alice waits for two more."""
    return table.game(alice, seats=3)


@pytest.fixture
def secret(table: Table, alice: User) -> Game:
    """Alice waits for one more, whom she has to tell."""
    return table.game(alice, seats=2, private=True)


def test_the_lobby_shows_who_sits_where(lobby: Game, read: ReaderOf) -> None:
    page = read(None).get(lobby.get_absolute_url())
    assert page.status == 200
    assert "Alice host free free" in page
    assert "Sign in to join" in page
    assert page.actions == []


def test_who_wants_to_join_signs_in_and_comes_back(secret: Game, read: ReaderOf) -> None:
    address = f"{secret.get_absolute_url()}?link={secret.link_token}"
    page = read(None).get(address)
    assert any(link.startswith("/accounts/login/?next=%2Fgames%2F") for link in page.links)
    posted = read(None).post(f"{secret.get_absolute_url()}join/", link=secret.link_token)
    assert posted.address.startswith("/accounts/login/?next=")
    assert secret.link_token in posted.address


def test_bob_sits_down(lobby: Game, bob: User, read: ReaderOf) -> None:
    page = read(bob).post(f"{lobby.get_absolute_url()}join/")
    assert page.address == lobby.get_absolute_url()
    assert "You are in." in page
    assert "Alice host Bob free" in page
    assert f"{lobby.get_absolute_url()}leave/" in page.actions


def test_the_last_one_to_sit_down_starts_the_game(
    table: Table, alice: User, bob: User, read: ReaderOf
) -> None:
    game = table.game(alice, seats=2)
    page = read(bob).post(f"{game.get_absolute_url()}join/")
    assert "You are in, and the game has started." in page
    assert "Which way does your robot face?" in page


def test_nobody_sits_on_two_seats(lobby: Game, alice: User, read: ReaderOf) -> None:
    page = read(alice).post(f"{lobby.get_absolute_url()}join/")
    assert page.status == 409
    assert "You have a seat in this game already." in page
    assert lobby.name in page


def test_nobody_joins_a_full_game(duel: Game, carol: User, read: ReaderOf) -> None:
    page = read(carol).post(f"{duel.get_absolute_url()}join/")
    assert page.status == 409
    assert "This game is full: all its seats are taken." in page


def test_nobody_joins_by_following_a_link(lobby: Game, bob: User, read: ReaderOf) -> None:
    assert read(bob).get(f"{lobby.get_absolute_url()}join/").status == 405
    assert lobby.players.count() == 1


def test_a_private_game_is_not_there_without_its_link(secret: Game, dave: User, read: ReaderOf) -> None:
    for reader in (read(None), read(dave)):
        for address in (secret.get_absolute_url(), f"{secret.get_absolute_url()}?link=guessed"):
            page = reader.get(address)
            assert page.status == 404
            assert secret.name not in page
        assert reader.post(f"{secret.get_absolute_url()}join/").status == 404
        assert reader.post(f"{secret.get_absolute_url()}join/", link="guessed").status == 404


def test_a_private_game_is_joined_by_its_link(secret: Game, alice: User, bob: User, read: ReaderOf) -> None:
    shown = re.search(
        r'id="game-link" value="http://testserver([^"]*)"', read(alice).get(secret.get_absolute_url()).html
    )
    assert shown
    page = read(bob).get(shown.group(1))
    assert page.status == 200
    assert "game-link" not in page.html  # the link is for its players to give away
    action = f"{secret.get_absolute_url()}join/"
    assert action in page.actions
    given = re.search(r'name="link" value="([^"]*)"', page.html)
    assert given
    assert "You are in, and the game has started." in read(bob).post(action, link=given.group(1))


def test_bob_stands_up_again(lobby: Game, bob: User, read: ReaderOf) -> None:
    read(bob).post(f"{lobby.get_absolute_url()}join/")
    page = read(bob).post(f"{lobby.get_absolute_url()}leave/")
    assert page.address == "/room/"
    assert "You have left First flight." in page
    assert lobby.players.count() == 1


def test_nobody_leaves_where_they_do_not_sit_or_once_it_has_started(
    lobby: Game, duel: Game, alice: User, dave: User, read: ReaderOf
) -> None:
    stranger = read(dave).post(f"{lobby.get_absolute_url()}leave/")
    assert stranger.status == 403
    assert "You have no seat in this game." in stranger
    late = read(alice).post(f"{duel.get_absolute_url()}leave/")
    assert late.status == 409
    assert "The game has started: nobody can leave it any more." in late


def test_the_host_calls_it_off(lobby: Game, alice: User, bob: User, read: ReaderOf) -> None:
    read(bob).post(f"{lobby.get_absolute_url()}join/")
    refused = read(bob).post(f"{lobby.get_absolute_url()}cancel/")
    assert refused.status == 403
    assert "Only the host may cancel this game." in refused
    assert f"{lobby.get_absolute_url()}cancel/" not in read(bob).get(lobby.get_absolute_url()).actions
    page = read(alice).post(f"{lobby.get_absolute_url()}cancel/")
    assert page.address == "/my-room/"
    assert "First flight is cancelled." in page
    assert "Cancelled" in read(bob).get(lobby.get_absolute_url())


@pytest.mark.parametrize("verb", ["join", "leave", "cancel"])
def test_what_changes_a_game_takes_an_account(verb: str, lobby: Game, read: ReaderOf) -> None:
    page = read(None).post(f"{lobby.get_absolute_url()}{verb}/")
    assert page.address == f"/accounts/login/?next={lobby.get_absolute_url()}"


def test_forms_have_to_come_from_the_site(lobby: Game, bob: User) -> None:
    from django.test import Client

    client = Client(enforce_csrf_checks=True)
    client.force_login(bob)
    assert client.post(f"{lobby.get_absolute_url()}join/").status_code == 403
    assert lobby.players.count() == 1
