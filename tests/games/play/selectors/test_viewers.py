"""The access of viewers to games."""

import pytest
from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games.errors import NotFound
from games.play.models import Game
from games.play.viewers import game_for, link_of
from tests.games.support import Table


@pytest.fixture
def secret(table: Table, alice: User, bob: User) -> Game:
    """A private game of Alice and Bob with an open seat."""
    return table.game(alice, bob, seats=3, private=True)


def test_players_and_staff_see_a_private_game(secret: Game, alice: User, bob: User, erin: User) -> None:
    for viewer in (alice, bob, erin):
        assert game_for(viewer=viewer, game_id=secret.pk) == secret


def test_a_private_game_looks_missing_to_others(
    table: Table, secret: Game, duel: Game, carol: User, dave: User
) -> None:
    other = table.game(carol, seats=2, private=True)
    for viewer in (dave, AnonymousUser()):
        assert game_for(viewer=viewer, game_id=duel.pk) == duel, "it is public"
        assert game_for(viewer=viewer, game_id=secret.pk, link=secret.link_token) == secret
        for game_id in (secret.pk, 999):
            for link, detail in (("", "no such game"), (other.link_token, "link"), ("gëraten", "link")):
                with pytest.raises(NotFound, match=detail) as refused:
                    game_for(viewer=viewer, game_id=game_id, link=link)
                assert refused.value.code == "no-game"


def test_only_players_see_the_link(secret: Game, duel: Game, alice: User, bob: User, erin: User) -> None:
    assert link_of(viewer=alice, game=secret) == secret.link_token
    assert link_of(viewer=bob, game=secret) == secret.link_token
    assert link_of(viewer=erin, game=secret) is None
    assert link_of(viewer=AnonymousUser(), game=secret) is None
    assert link_of(viewer=alice, game=duel) is None, "a public game has none"
