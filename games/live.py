"""Announce changes in games to open pages, and record who is looking at them.

Announcements are hints: the database is the truth. An announcement says only that a game has changed. Streams
then look in the database. It is sent after the transaction has been committed. While Redis is away, nothing
is raised and nothing waits. Streams also look regularly without an announcement.

A request by a person, or a key or tap on the page, is a sign that they are looking. An open page is not. A
person who is looking gets no mail about the game. While Redis is away, people get one notification too many
rather than none.
"""

import logging
import time
from collections.abc import Iterable
from datetime import timedelta
from functools import cache
from typing import Final

import redis
from django.db import transaction
from django.db.models import Model

from roborunner.cache import redis_client

logger = logging.getLogger(__name__)

CHANNEL = "robo-runner:changes"
"""The Redis channel of announcements. Each is the number of a game."""

REDIS_SECONDS = 0.3
"""Seconds to wait for Redis."""

ANNOUNCE_AGAIN_AFTER = 2.0
"""Seconds without announcements after Redis failed. Not every request must wait."""

_rests_until = 0.0


def announce_change(game: Model) -> None:
    """Tell the open pages of a game that it has changed."""
    game_id = game.pk
    transaction.on_commit(lambda: _publish(game_id))


def _publish(game_id: int) -> None:
    global _rests_until
    if time.monotonic() < _rests_until:
        return
    try:
        _client().publish(CHANNEL, game_id)
    except redis.RedisError as error:
        _rests_until = time.monotonic() + ANNOUNCE_AGAIN_AFTER
        logger.warning(
            "Game %d changed, and streams find out by themselves, since Redis is away: %s", game_id, error
        )


def publish_test() -> int:
    """Publish a test about no game. Return how many processes received it.

    Only processes with open pages listen. Raises redis.RedisError if Redis is unreachable.
    """
    heard: int = _client().publish(CHANNEL, 0)
    return heard


@cache
def _client() -> redis.Redis:
    return redis_client(REDIS_SECONDS)


VISIT_EXPIRY: Final = timedelta(minutes=5)
"""How long a person counts as looking after their last sign."""


def record_viewers(looks: Iterable[tuple[int, int]]) -> None:
    """Record signs of looking: pairs of a game's number and a person's."""
    pairs = list(looks)
    if not pairs:
        return
    try:
        with _client().pipeline(transaction=False) as pipe:
            for game_id, user_id in pairs:
                pipe.set(_key(game_id, user_id), 1, ex=VISIT_EXPIRY)
            pipe.execute()
    except redis.RedisError as error:
        logger.warning("It is not known who looks at games, since Redis is away: %s", error)


def is_active_viewer(*, game_id: int, user_id: int) -> bool:
    """Return whether a person is looking at a game. False while Redis is away."""
    try:
        return bool(_client().exists(_key(game_id, user_id)))
    except redis.RedisError:
        return False


def active_viewers(*, game_id: int, user_ids: Iterable[int]) -> set[int]:
    """Return the people looking at a game. Empty while Redis is away."""
    people = list(user_ids)
    if not people:
        return set()
    try:
        signs = _client().mget([_key(game_id, user_id) for user_id in people])
    except redis.RedisError:
        return set()
    return {person for person, sign in zip(people, signs, strict=True) if sign is not None}


def _key(game_id: int, user_id: int) -> str:
    return f"robo-runner:looking:{game_id}:{user_id}"
