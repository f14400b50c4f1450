"""Presence of players in games, stored in Redis."""

import pytest
import redis

from accounts.models import User
from games import live
from games.play.models import Game


def test_presence_is_read_for_many_players_at_once(duel: Game, alice: User, bob: User) -> None:
    live.note_looking([(duel.pk, alice.pk), (duel.pk + 1, bob.pk)])
    assert live.who_looks(game_id=duel.pk, user_ids=[bob.pk, alice.pk]) == {alice.pk}
    assert live.who_looks(game_id=duel.pk, user_ids=[]) == set()


def test_without_redis_no_player_counts_as_present(monkeypatch: pytest.MonkeyPatch) -> None:
    away = redis.Redis(port=1, socket_connect_timeout=0.2)
    monkeypatch.setattr(live, "_client", lambda: away)
    live.note_looking([(1, 2)])
    assert not live.is_looking(game_id=1, user_id=2)
    assert live.who_looks(game_id=1, user_ids=[2]) == set()
