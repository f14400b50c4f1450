"""The presence of players on games' pages, stored in Redis."""

import pytest
import redis

from accounts.models import User
from games import live
from games.play.models import Game


def test_presence_is_read_for_many_players_at_once(duel: Game, alice: User, bob: User) -> None:
    live.record_viewers([(duel.pk, alice.pk), (duel.pk + 1, bob.pk)])
    assert live.active_viewers(game_id=duel.pk, user_ids=[bob.pk, alice.pk]) == {alice.pk}
    assert live.active_viewers(game_id=duel.pk, user_ids=[]) == set()


def test_without_redis_no_player_counts_as_present(monkeypatch: pytest.MonkeyPatch) -> None:
    away = redis.Redis(port=1, socket_connect_timeout=0.2)
    monkeypatch.setattr(live, "_client", lambda: away)
    live.record_viewers([(1, 2)])
    assert not live.is_active_viewer(game_id=1, user_id=2)
    assert live.active_viewers(game_id=1, user_ids=[2]) == set()
