"""Lobbies expire if they do not start in time."""

from functools import partial
from typing import Any

import pytest

from accounts.models import User
from games.lobby.services import expire_lobbies
from games.news.models import Notice
from games.play.history import sentence_of
from games.play.models import Game
from games.work.sweeper import sweep
from tests.games.support import Table, later
from tests.games.together import hold, together


@pytest.fixture
def lobby(table: Table, alice: User, bob: User) -> Game:
    """A lobby of Alice, Bob and a computer, with one open seat."""
    return table.game(alice, bob, seats=4, computers=["pilot"])


def test_waiting_players_are_notified_of_the_expiry(lobby: Game) -> None:
    assert expire_lobbies(now=later(days=14)) == 1
    lobby.refresh_from_db()
    assert (lobby.status, lobby.ended_at) == (Game.Status.CANCELLED, later(days=14))
    told = Notice.objects.filter(game=lobby, kind="cancelled")
    assert sorted(told.values_list("user__robo_name", flat=True)) == ["Alice", "Bob"]
    entry = lobby.lobby.order_by("pk").last()
    assert entry
    assert (entry.by, sentence_of(entry)) == (
        None,
        "The game was cancelled because it did not start in time.",
    )
    assert expire_lobbies(now=later(days=15)) == 0


def test_a_lobby_waits_for_the_time_in_the_settings(lobby: Game, settings: Any) -> None:
    assert expire_lobbies(now=later(days=13, hours=23)) == 0
    settings.LOBBY_DAYS = 1
    assert expire_lobbies(now=later(days=1)) == 1


def test_started_games_continue(duel: Game) -> None:
    assert expire_lobbies(now=later(days=100)) == 0


def test_the_sweeper_runs_the_expiry(lobby: Game) -> None:
    sweep(now=later(days=14))
    lobby.refresh_from_db()
    assert lobby.status == Game.Status.CANCELLED


@pytest.mark.django_db(transaction=True)
class TestAtOnce:
    def test_two_sweepers_notify_everyone_once(self, lobby: Game) -> None:
        results = together(*[partial(expire_lobbies, now=later(days=14))] * 2)
        assert sorted(results) == [0, 1]
        assert Notice.objects.filter(game=lobby, kind="cancelled").count() == 2

    def test_a_lobby_locked_by_another_action_is_left_for_the_next_pass(self, lobby: Game) -> None:
        with hold() as holding:
            holding.execute("SELECT 1 FROM games_game WHERE id = %s FOR NO KEY UPDATE", lobby.pk)
            assert expire_lobbies(now=later(days=14)) == 0
        assert expire_lobbies(now=later(days=14)) == 1
