"""Announce changes in games to open pages, and record who is looking at a game.

An announcement is sent after the transaction, and says only that a game has changed. The streams of open
pages then read the change from the database. They also check it regularly without announcements. While Redis
is unavailable, announcements are lost, but nothing fails, and nothing waits longer than `REDIS_SECONDS`.

A request by a person, or a key press or tap on the page, is a sign that they are looking. An open page alone
is not. A person who is looking gets no mail about the game. While Redis is unavailable, no one counts as
looking, so people get one notification too many rather than none.
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
"""The Redis channel of announcements. Each message is the ID of a game."""

REDIS_SECONDS = 0.3
"""The maximum time to wait for Redis, in seconds."""

ANNOUNCE_AGAIN_AFTER = 2.0
"""The number of seconds to send no announcements after Redis has failed.

Without this pause, every change of a game would wait until Redis times out.
"""

_rests_until = 0.0


def announce_change(game: Model) -> None:
    """Tell the open pages of a game that it has changed, after the transaction."""
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
    """Publish a test announcement, which is about no game. Return how many processes received it.

    Only processes with open pages listen. Raises redis.RedisError if Redis cannot be reached.
    """
    heard: int = _client().publish(CHANNEL, 0)
    return heard


@cache
def _client() -> redis.Redis:
    return redis_client(REDIS_SECONDS)


VISIT_EXPIRY: Final = timedelta(minutes=5)
"""The time from a person's last activity in a game until they no longer count as looking at it."""


def record_viewers(looks: Iterable[tuple[int, int]]) -> None:
    """Record that people are looking at games. ``looks`` has pairs of a game's ID and a person's ID."""
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
    """Return whether a person is looking at a game. False while Redis is unavailable."""
    try:
        return bool(_client().exists(_key(game_id, user_id)))
    except redis.RedisError:
        return False


def active_viewers(*, game_id: int, user_ids: Iterable[int]) -> set[int]:
    """Return the IDs of the given people who are looking at a game.

    Returns an empty set while Redis is unavailable.
    """
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
