"""Turns that wait for computers to think, in an order that is fair to their hosts.

A message to a worker says that one more turn waits, not which one to take. The worker takes a turn of the
host for whom computers have thought least, of all hosts whose turns wait. A host whose turns begin to wait
starts level with the host who was served last: time without turns earns no credit.

Redis has it for all workers. It may lose it at any time: the sweeper offers the turns again.
"""

import logging
from collections.abc import Iterator
from datetime import timedelta
from functools import cache
from typing import Any, Final

import redis

from games.impatient import redis_client

logger = logging.getLogger(__name__)

PATIENCE: Final = 0.3
"""Seconds that Redis may take."""

KEPT: Final = timedelta(hours=1)
"""How long a turn waits here at most. The sweeper offers it again long before."""

LEAST: Final = 1.0
"""Seconds that each turn counts at least, so that hosts of quick computers take turns, too."""

HOSTS: Final = "robo-runner:thinking"
"""Hosts whose turns wait, each with the seconds that they are ahead. Each has a key with its turns."""

_KEYS: Final = (HOSTS, f"{HOSTS}:level", f"{HOSTS}:number")

_ADD: Final = """
local own = KEYS[1] .. ':of:' .. ARGV[1]
redis.call('ZADD', own, 'NX', redis.call('INCR', KEYS[3]), ARGV[2])
redis.call('ZADD', KEYS[1], 'NX', (redis.call('GET', KEYS[2]) or 0) + ARGV[4], ARGV[1])
redis.call('EXPIRE', own, ARGV[3])
"""

_TAKE: Final = """
while true do
    local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
    if #first == 0 then return nil end
    local own = KEYS[1] .. ':of:' .. first[1]
    local turn = redis.call('ZPOPMIN', own)
    redis.call('SET', KEYS[2], first[2])
    if redis.call('EXISTS', own) == 1 then
        redis.call('ZINCRBY', KEYS[1], ARGV[1], first[1])
    else
        redis.call('ZREM', KEYS[1], first[1])
    end
    if #turn > 0 then return {turn[1], first[1]} end
end
"""


def add(turn_id: int, *, host: int | None, again: bool = False) -> None:
    """Have a turn wait; one that waits already keeps its place.

    A turn that waits ``again`` counts as served, so that other hosts come first.
    """
    ahead = LEAST if again else 0
    try:
        _script(_ADD)(keys=_KEYS, args=[host or 0, turn_id, int(KEPT.total_seconds()), ahead])
    except redis.RedisError as error:
        logger.warning("Turn %d waits in no fair order, since Redis is away: %s", turn_id, error)


def take(otherwise: int) -> Iterator[tuple[int, int]]:
    """Yield turns to think about with their hosts, best first; each is taken as it is asked for.

    While Redis is away this is the turn that a message names, ``otherwise``.
    """
    while True:
        try:
            found: Any = _script(_TAKE)(keys=_KEYS, args=[LEAST])
        except redis.RedisError as error:
            logger.warning("Turn %d is not taken in a fair order, since Redis is away: %s", otherwise, error)
            yield otherwise, 0
            return
        if not found:
            return
        yield int(found[0]), int(found[1])


def note_spent(host: int, seconds: float) -> None:
    """Note how long computers have thought about a turn of a host."""
    if seconds <= LEAST:
        return
    try:
        _client().zadd(HOSTS, {str(host): seconds - LEAST}, xx=True, incr=True)
    except redis.RedisError as error:
        logger.warning("What computers thought for host %d is not counted: %s", host, error)


@cache
def _script(text: str) -> Any:
    return _client().register_script(text)


@cache
def _client() -> redis.Redis:
    return redis_client(PATIENCE)
