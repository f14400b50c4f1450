"""The data of a lobby, for each viewer."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games.lobby.invitations import invite
from games.lobby.seats import join_game, leave_game
from games.lobby.services import change_game
from games.play import history
from games.play.models import Game
from games.play.viewers import game_for
from tests.games.support import NOW, Table, game_seen, later


@pytest.fixture
def lobby(table: Table, alice: User, bob: User) -> Game:
    """A lobby of Alice, a computer and Bob, with one open seat. Bob is not ready."""
    game = table.game(alice, seats=4, computers=["pilot"])
    join_game(user=bob, game_id=game.pk, ready=False, now=later(minutes=1))
    return game


def test_seats_show_readiness_and_computers(lobby: Game, dave: User) -> None:
    seats = game_seen(viewer=dave, game=lobby)["seats"]
    assert [(seat["name"], seat["computer"], seat["look"], seat["ready"]) for seat in seats] == [
        ("Alice", None, 1, True),
        ("Pilot Sprocket", "pilot", 2, True),
        ("Bob", None, 3, False),
    ]


def test_changes_are_listed_newest_first(lobby: Game, alice: User, dave: User) -> None:
    change_game(user=alice, game_id=lobby.pk, changes={"private": True}, now=later(hours=1))
    change_game(user=alice, game_id=lobby.pk, changes={"private": False}, now=later(hours=2))
    lobby.refresh_from_db()
    told = game_seen(viewer=dave, game=lobby)["lobby"]
    assert [(entry["by"], entry["text"]) for entry in told] == [
        ("Alice", "Alice made the game public."),
        ("Alice", "Alice made the game private."),
        ("Bob", "Bob joined."),
    ]
    assert told[0]["at"] == later(hours=2)


def test_only_the_latest_changes_are_listed(lobby: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "ENTRIES_SHOWN", 1)
    leave_game(user=User.objects.get(robo_name="Bob"), game_id=lobby.pk, now=NOW)
    assert [entry.text for entry in history.lobby_of(lobby)] == ["Bob left."]


def test_a_started_game_has_no_lobby(duel: Game, alice: User) -> None:
    view = game_seen(viewer=alice, game=duel)
    assert (view["lobby"], view["invitations"]) == ([], [])


def test_a_lobby_reveals_no_secrets(table: Table, alice: User, bob: User, dave: User) -> None:
    """Visitors, strangers and other players see no seed, email address or link."""
    game = table.game(alice, bob, seats=4, computers=["ace"])
    invite(user=alice, game_id=game.pk, email="hidden@example.org", now=NOW)
    for viewer in (AnonymousUser(), dave, bob):
        text = json.dumps(game_seen(viewer=viewer, game=game), default=str)
        assert game.seed not in text
        assert game.link_token not in text
        assert "@" not in text


def test_only_players_see_the_link_of_a_private_game(table: Table, alice: User, bob: User) -> None:
    game = table.game(alice, seats=3, private=True)
    invite(user=alice, game_id=game.pk, robo_name="Bob", now=NOW)
    for viewer, knows in ((alice, True), (bob, False)):
        text = json.dumps(game_seen(viewer=viewer, game=game), default=str)
        assert (game.link_token in text) == knows


def test_a_full_lobby_takes_no_more_queries_than_an_empty_one(
    table: Table, alice: User, bob: User, carol: User, django_assert_max_num_queries: Any
) -> None:
    game = table.game(alice, bob, seats=8, computers=["ace"] * 5)
    for name in "abcdef":
        invite(user=bob, game_id=game.pk, email=f"{name}@example.org", now=NOW)
    game = game_for(viewer=alice, game_id=game.pk)
    with django_assert_max_num_queries(8):
        game_seen(viewer=alice, game=game)
