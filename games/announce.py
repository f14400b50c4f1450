"""The one place that tells open pages of news, by way of Redis.

Announcements are hints: the database is the truth. An announcement says that something has changed in a
game, and nothing about what: anyone who keeps streams open looks in the database. It leaves after the
transaction under way has been committed. While Redis is away nothing is raised and nothing waits for it;
streams look again by themselves now and then.
"""

import logging
import time
from functools import cache

import redis
from django.db import transaction
from django.db.models import Model

from games.impatient import redis_client

logger = logging.getLogger(__name__)

CHANNEL = "robo-runner:changes"
"""Where announcements are published: each is the number of a game."""

PATIENCE = 0.3
"""Seconds that Redis may take."""

REST = 2.0
"""Seconds for which nothing is announced after Redis was found to be away: not each request must wait."""

_rests_until = 0.0


def change(game: Model) -> None:
    """Have all who look at a game told that something has changed in it."""
    game_id = game.pk
    transaction.on_commit(lambda: _publish(game_id))


def _publish(game_id: int) -> None:
    global _rests_until
    if time.monotonic() < _rests_until:
        return
    try:
        _client().publish(CHANNEL, game_id)
    except redis.RedisError as error:
        _rests_until = time.monotonic() + REST
        logger.warning(
            "Game %d changed, and streams find out by themselves, since Redis is away: %s", game_id, error
        )


def publish_test() -> int:
    """Publish what is about no game; return how many processes with open pages have heard it.

    Raises redis.RedisError where Redis cannot be reached.
    """
    heard: int = _client().publish(CHANNEL, 0)
    return heard


@cache
def _client() -> redis.Redis:
    return redis_client(PATIENCE)
