"""The pages for sending, answering and withdrawing invitations."""

import pytest

from accounts.models import User
from games.lobby.invitations import invite
from games.lobby.models import Invitation
from games.lobby.seats import join_game
from games.play.models import Game
from tests.games.reader import ReaderOf
from tests.games.support import NOW, Table


@pytest.fixture
def lobby(table: Table, alice: User) -> Game:
    """A private lobby of Alice with two open seats."""
    return table.game(alice, seats=3, private=True)


def address(game: Game, *parts: object) -> str:
    return game.get_absolute_url() + "".join(f"{part}/" for part in parts)


def invited(game: Game, user: User) -> Invitation:
    return game.invitations.get(user=user)


def test_alice_invites_bob_by_name(lobby: Game, alice: User, bob: User, read: ReaderOf) -> None:
    page = read(alice).post(address(lobby, "invite"), whom=" bob ")
    assert page.address == lobby.get_absolute_url()
    assert "You invited bob." in page
    assert "Bob no answer yet" in page
    assert invited(lobby, bob).answer == "pending"


def test_others_do_not_see_the_invited_address(lobby: Game, alice: User, bob: User, read: ReaderOf) -> None:
    page = read(alice).post(address(lobby, "invite"), whom="friend@example.org")
    assert "You invited friend@example.org." in page
    assert "friend@example.org no answer yet" in page
    join_game(user=bob, game_id=lobby.pk, link=lobby.link_token, now=NOW)
    page = read(bob).get(lobby.get_absolute_url())
    assert "no answer yet" in page
    assert "friend@example.org" not in page.html


def test_an_impossible_invitation_is_refused(lobby: Game, alice: User, bob: User, read: ReaderOf) -> None:
    invite(user=alice, game_id=lobby.pk, robo_name="Bob", now=NOW)
    for whom, status, sentence in (
        ("", 400, "Enter a Robo Name or an email address"),
        ("No\x00body", 404, "There is no player"),
        ("broken@", 400, "is not an email address"),
        ("Bob", 409, "is already invited"),
    ):
        page = read(alice).post(address(lobby, "invite"), whom=whom)
        assert page.status == status
        assert sentence in page.html.partition('id="invite-error"')[2].partition("</ul>")[0]
        assert f'value="{whom}" aria-invalid="true"' in page.html and "data-refusal" not in page.html
        assert lobby.name in page
    assert lobby.invitations.count() == 1


def test_my_room_lists_invitations_first_until_they_are_accepted(
    lobby: Game, alice: User, bob: User, dave: User, read: ReaderOf
) -> None:
    invite(user=alice, game_id=lobby.pk, robo_name="Bob", now=NOW)
    page = read(bob).get("/my-room/")
    assert "You are invited First flight" in page
    assert "Alice invited you" in page
    assert {address(lobby, "join"), address(lobby, "decline")} <= set(page.actions)
    assert "You are invited" not in read(dave).get("/my-room/")
    assert "You joined and are ready." in read(bob).post(address(lobby, "join"))
    assert "Bob accepted" in read(alice).get(lobby.get_absolute_url())
    assert "You are invited" not in read(bob).get("/my-room/")


def test_bob_declines(lobby: Game, alice: User, bob: User, read: ReaderOf) -> None:
    invite(user=alice, game_id=lobby.pk, robo_name="Bob", now=NOW)
    assert "Alice invites you" in read(bob).get(lobby.get_absolute_url())
    page = read(bob).post(address(lobby, "decline"))
    assert page.address == "/my-room/"
    assert "You declined the invitation to First flight." in page
    assert "Bob declined" in read(alice).get(lobby.get_absolute_url())


def test_an_invitation_is_withdrawn(lobby: Game, alice: User, bob: User, dave: User, read: ReaderOf) -> None:
    invite(user=alice, game_id=lobby.pk, robo_name="Dave", now=NOW)
    join_game(user=bob, game_id=lobby.pk, link=lobby.link_token, now=NOW)
    withdraw = address(lobby, "invitations", invited(lobby, dave).pk, "withdraw")
    assert withdraw in read(alice).get(lobby.get_absolute_url()).actions
    assert "You withdrew the invitation." in read(alice).post(withdraw)
    assert read(dave).get(lobby.get_absolute_url()).status == 404


def test_the_host_of_a_private_game_renews_its_link(
    table: Table, alice: User, bob: User, read: ReaderOf
) -> None:
    game = table.game(alice, seats=3, private=True)
    old = game.link_token
    join_game(user=bob, game_id=game.pk, link=old, now=NOW)
    assert f"{game.get_absolute_url()}link/" in read(alice).get(game.get_absolute_url()).actions
    assert f"{game.get_absolute_url()}link/" not in read(bob).get(game.get_absolute_url()).actions
    page = read(alice).post(address(game, "link"))
    game.refresh_from_db()
    assert game.link_token != old
    assert "The old link no longer works. The new one is http://testserver" in page
    assert game.link_token in page.html and old not in page.html
