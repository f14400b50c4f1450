"""Inviting one player, or all players of an earlier game, to a new game."""

import re

import pytest
from django.test import Client

from accounts.models import User
from games.errors import NotFound
from games.lobby.seats import join_game
from games.people.contacts import block
from games.play.models import Game
from tests.games.making import ADDRESS, fields
from tests.games.reader import ReaderOf, reader
from tests.games.standings.rated import ended
from tests.games.support import NOW, Table


@pytest.fixture
def browser(alice: User) -> Client:
    return reader(alice).client


def create(browser: Client, table: Table, *names: str) -> str:
    """Create a game with the form, and invite the given players. Return the next page."""
    sent = {**fields(table.starship, seats=3), "invite": names}
    return browser.post(ADDRESS, sent, follow=True).content.decode()


def test_a_player_s_page_leads_to_a_new_game_with_them(
    table: Table, browser: Client, alice: User, bob: User, read: ReaderOf
) -> None:
    assert 'href="/games/new/?invite=Bob"' in read(alice).get("/players/Bob/").html
    page = read(alice).get("/games/new/?invite=Bob&invite=Bob")
    assert "These players will be invited: Bob." in page
    assert page.html.count('name="invite" value="Bob"') == 1
    other = read(alice).post("/games/new/", edition="robo-arena", ruleset="robo-runner", invite="Bob")
    assert re.search(r'invite=Bob|name="invite" value="Bob"', other.html), "another ruleset keeps them"
    create(browser, table, "Bob")
    game = Game.objects.get()
    assert [each.user for each in game.invitations.all()] == [bob]


def test_no_one_else_takes_the_seat_of_a_challenged_player(
    table: Table, bob: User, carol: User, dave: User, read: ReaderOf
) -> None:
    page = read(bob).get("/games/new/?invite=Carol")
    assert "no one else can take their seats" in page
    chosen = {"private": page.chosen("private"), "rated": page.chosen("rated")}
    assert chosen == {"private": "on", "rated": "yes"}
    plain = read(bob).get("/games/new/")
    assert (plain.chosen("private"), plain.chosen("rated")) == ("", "usual")
    done = read(bob).post("/games/new/", **fields(table.starship, **chosen), invite="Carol")
    assert "You invited Carol. Only invited players and people with the game’s link can join." in done
    game = Game.objects.get()
    assert game.private and game.may_be_rated
    with pytest.raises(NotFound):
        join_game(user=dave, game_id=game.pk, now=NOW)
    assert game.name not in read(dave).get("/games/")
    join_game(user=carol, game_id=game.pk, now=NOW)
    game.refresh_from_db()
    assert game.status == Game.Status.RUNNING


def test_all_players_of_a_game_are_invited_again(
    table: Table, alice: User, bob: User, carol: User, read: ReaderOf
) -> None:
    game = ended(table, alice, bob, carol)
    page = read(alice).get(f"/games/{game.pk}/")
    assert "New game, same players" in page
    assert "?ruleset=robo-runner&amp;invite=Bob&amp;invite=Carol" in page.html
    assert "New game, same players" not in read(None).get(f"/games/{game.pk}/")
    form = read(alice).get("/games/new/?ruleset=robo-runner&invite=Bob&invite=Carol")
    assert 'name="seats" value="3"' in form.html


def test_a_refused_invitation_is_reported_and_the_game_still_exists(
    table: Table, browser: Client, alice: User, bob: User, carol: User
) -> None:
    block(user=bob, robo_name="Alice", now=NOW)
    page = create(browser, table, "Bob", "Nemo", "Carol")
    assert "You cannot invite Bob." in page and "There is no player “Nemo”." in page
    assert [each.user for each in Game.objects.get().invitations.all()] == [carol]
