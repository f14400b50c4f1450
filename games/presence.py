"""Who is active on which game's page, kept in Redis for some minutes after each sign.

A sign is a request by the person, or a key or tap on the page. A page that is merely open gives none. While
someone is there, they get no mail about the game. While Redis is away, no one is known to be there, and
people get one notification too many rather than none.
"""

import logging
from collections.abc import Iterable
from datetime import timedelta
from functools import cache
from typing import Final

import redis

from games.impatient import redis_client

logger = logging.getLogger(__name__)

LOOKING: Final = timedelta(minutes=5)
"""How long someone counts as looking after their last sign."""

PATIENCE: Final = 0.3
"""Seconds that Redis may take."""


def note_looking(looks: Iterable[tuple[int, int]]) -> None:
    """Note that people look at games: pairs of a game's number and a person's."""
    pairs = list(looks)
    if not pairs:
        return
    try:
        with _client().pipeline(transaction=False) as pipe:
            for game_id, user_id in pairs:
                pipe.set(_key(game_id, user_id), 1, ex=LOOKING)
            pipe.execute()
    except redis.RedisError as error:
        logger.warning("It is not known who looks at games, since Redis is away: %s", error)


def is_looking(*, game_id: int, user_id: int) -> bool:
    """Return whether someone has given a sign that they look at a game; not, while Redis is away."""
    try:
        return bool(_client().exists(_key(game_id, user_id)))
    except redis.RedisError:
        return False


def who_looks(*, game_id: int, user_ids: Iterable[int]) -> set[int]:
    """Return who of some people has given a sign that they look at a game; no one, while Redis is away."""
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


@cache
def _client() -> redis.Redis:
    return redis_client(PATIENCE)
