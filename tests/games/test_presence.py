"""Who looks at which game, as Redis knows it."""

import pytest
import redis

from accounts.models import User
from games import live
from games.play.models import Game


def test_who_looks_is_known_of_many_at_once(duel: Game, alice: User, bob: User) -> None:
    live.note_looking([(duel.pk, alice.pk), (duel.pk + 1, bob.pk)])
    assert live.who_looks(game_id=duel.pk, user_ids=[bob.pk, alice.pk]) == {alice.pk}
    assert live.who_looks(game_id=duel.pk, user_ids=[]) == set()


def test_while_redis_is_away_nobody_is_known_to_look(monkeypatch: pytest.MonkeyPatch) -> None:
    away = redis.Redis(port=1, socket_connect_timeout=0.2)
    monkeypatch.setattr(live, "_client", lambda: away)
    live.note_looking([(1, 2)])
    assert not live.is_looking(game_id=1, user_id=2)
    assert live.who_looks(game_id=1, user_ids=[2]) == set()
