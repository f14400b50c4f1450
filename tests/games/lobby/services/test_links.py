"""The link of a private game. Renewing it disables the old link."""

import pytest

from accounts.models import User
from games.errors import Conflict, Forbidden, NotFound
from games.lobby.invitations import invite, renew_link, withdraw_invitation
from games.lobby.models import Invitation
from games.lobby.seats import add_computer, join_game, leave_game, remove_player
from games.lobby.services import cancel_game, change_game
from games.play.models import Game
from games.play.viewers import game_for, link_of
from tests.games.support import NOW, Table


@pytest.fixture
def secret(table: Table, alice: User, bob: User) -> Game:
    """A private lobby of Alice and Bob."""
    game = table.game(alice, seats=3, private=True)
    join_game(user=bob, game_id=game.pk, link=game.link_token, now=NOW)
    game.refresh_from_db()
    return game


def opens(game: Game, viewer: User, link: str) -> bool:
    try:
        game_for(viewer=viewer, game_id=game.pk, link=link)
    except NotFound:
        return False
    return True


def now_of(game: Game) -> str:
    return Game.objects.get(pk=game.pk).link_token


def test_the_host_renews_the_link_and_the_old_one_stops_working_even_in_a_running_game(
    secret: Game, alice: User, dave: User, table: Table, bob: User
) -> None:
    old = secret.link_token
    assert opens(secret, dave, old)
    made = renew_link(user=alice, game_id=secret.pk, now=NOW)
    assert made.link_token == now_of(secret) != old
    assert (opens(secret, dave, old), opens(secret, dave, made.link_token)) == (False, True)
    with pytest.raises(NotFound):
        join_game(user=dave, game_id=secret.pk, link=old, now=NOW)
    join_game(user=dave, game_id=secret.pk, link=made.link_token, now=NOW)
    game = table.game(alice, bob, private=True)
    assert game.status == Game.Status.RUNNING
    renew_link(user=alice, game_id=game.pk, now=NOW)
    assert not opens(game, dave, game.link_token)


def test_only_the_host_renews_it_and_only_in_an_active_private_game(
    secret: Game, bob: User, dave: User, erin: User, table: Table, alice: User
) -> None:
    for user, refused in ((bob, Forbidden), (dave, NotFound), (erin, Forbidden)):
        with pytest.raises(refused):
            renew_link(user=user, game_id=secret.pk, now=NOW)
    assert now_of(secret) == secret.link_token
    public = table.game(alice, seats=2)
    cancel_game(user=alice, game_id=secret.pk, now=NOW)
    for game, code in ((public, "public"), (secret, "cancelled")):
        with pytest.raises(Conflict) as refusal:
            renew_link(user=alice, game_id=game.pk, now=NOW)
        assert refusal.value.code == code


def test_a_removed_player_cannot_use_the_old_link(secret: Game, alice: User, bob: User) -> None:
    old = secret.link_token
    remove_player(user=alice, game_id=secret.pk, seat=2, now=NOW)
    assert not opens(secret, bob, old)
    with pytest.raises(NotFound):
        join_game(user=bob, game_id=secret.pk, link=old, now=NOW)
    assert link_of(viewer=alice, game=Game.objects.get(pk=secret.pk)) == now_of(secret)


def test_a_player_with_a_withdrawn_invitation_cannot_use_the_old_link(
    secret: Game, alice: User, carol: User
) -> None:
    invite(user=alice, game_id=secret.pk, robo_name="Carol", now=NOW)
    old = now_of(secret)
    invitation = Invitation.objects.get(game=secret)
    withdraw_invitation(user=alice, game_id=secret.pk, invitation_id=invitation.pk, now=NOW)
    assert not opens(secret, carol, old)


def test_the_link_stays_if_a_player_leaves_or_a_computer_is_removed(
    secret: Game, alice: User, bob: User
) -> None:
    change_game(user=alice, game_id=secret.pk, changes={"seats": 4}, now=NOW)
    add_computer(user=alice, game_id=secret.pk, strength="rookie", now=NOW)
    remove_player(user=alice, game_id=secret.pk, seat=3, now=NOW)
    leave_game(user=bob, game_id=secret.pk, now=NOW)
    assert now_of(secret) == secret.link_token


def test_the_link_changes_when_a_game_becomes_public_or_private(
    secret: Game, alice: User, dave: User
) -> None:
    seen = [now_of(secret)]
    for private in (False, True):
        change_game(user=alice, game_id=secret.pk, changes={"private": private}, now=NOW)
        seen.append(now_of(secret))
    assert len(set(seen)) == 3
    assert [opens(secret, dave, link) for link in seen] == [False, False, True]
    change_game(user=alice, game_id=secret.pk, changes={"name": "Another"}, now=NOW)
    assert now_of(secret) == seen[-1]
