"""Send tasks to workers, in a fair order among hosts.

All tasks have their names here, except those of channels.

Messages are hints: the database is the truth. Every message leaves after the transaction has been committed.
While the broker is away, nothing is raised and nothing waits. The sweeper finds the due work.

A message to a worker of computers says that one more turn waits, but not which. The worker takes a turn of
the host with the least thinking time, among hosts with waiting turns. A host whose turns begin to wait starts
level with the last served host: time without turns earns no credit. Redis keeps this order for all workers.
If it loses the order, the sweeper offers the turns again.
"""

import logging
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Final

import redis
from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

from roborunner.cache import redis_client

logger = logging.getLogger(__name__)

REDIS_TIMEOUT: Final = 0.3
"""Seconds to wait for Redis."""

TURN_KEPT: Final = timedelta(hours=1)
"""The longest wait of a turn. The sweeper offers it again long before."""

LEAST_SECONDS: Final = 1.0
"""The minimum charge for a turn in seconds, so that fast computers take turns too."""

HOSTS_KEY: Final = "robo-runner:thinking"
"""The key of hosts with waiting turns, each with its lead in seconds."""

_KEYS: Final = (HOSTS_KEY, f"{HOSTS_KEY}:level", f"{HOSTS_KEY}:number")

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


def add_to_queue(turn_id: int, *, host: int | None, again: bool = False) -> None:
    """Add a turn to the queue. A waiting turn keeps its place.

    A turn that waits ``again`` counts as served, so that other hosts come first.
    """
    ahead = LEAST_SECONDS if again else 0
    try:
        _script(_ADD)(keys=_KEYS, args=[host or 0, turn_id, int(TURN_KEPT.total_seconds()), ahead])
    except redis.RedisError as error:
        logger.warning("Turn %d waits in no fair order, since Redis is away: %s", turn_id, error)


def take_turns(otherwise: int) -> Iterator[tuple[int, int]]:
    """Take and yield turns to think about, with their hosts, in fair order.

    While Redis is away, yields only ``otherwise``, the turn in the message.
    """
    while True:
        try:
            found: Any = _script(_TAKE)(keys=_KEYS, args=[LEAST_SECONDS])
        except redis.RedisError as error:
            logger.warning("Turn %d is not taken in a fair order, since Redis is away: %s", otherwise, error)
            yield otherwise, 0
            return
        if not found:
            return
        yield int(found[0]), int(found[1])


def charge_host(host: int, seconds: float) -> None:
    """Record how long computers have thought about a turn of a host."""
    if seconds <= LEAST_SECONDS:
        return
    try:
        _client().zadd(HOSTS_KEY, {str(host): seconds - LEAST_SECONDS}, xx=True, incr=True)
    except redis.RedisError as error:
        logger.warning("What computers thought for host %d is not counted: %s", host, error)


@cache
def _script(text: str) -> Any:
    return _client().register_script(text)


@cache
def _client() -> redis.Redis:
    return redis_client(REDIS_TIMEOUT)


RESOLVE_TURN = "games.tasks.resolve_turn"
KEEP_DEADLINE = "games.tasks.keep_deadline"
PLAY_COMPUTERS = "games.tasks.play_computers"
RECOUNT_PERSON = "games.tasks.recount_person"
ERASE = "games.tasks.erase"
FLY_RUN = "games.tasks.fly_run"
SUGGEST_SHIP = "games.tasks.suggest_ship"
SWEEP = "games.tasks.sweep"
FETCH_BOUNCES = "games.tasks.fetch_returns"
SEND_ACCOUNT_MAIL = "games.tasks.send_account_mail"

MESSAGE_HORIZON: Final = timedelta(hours=1)
"""Deadlines within this time get a message. The sweeper handles the others."""

LONGEST_ETA: Final = timedelta(minutes=15)
"""The longest wait of a message with a worker.

It is well below the broker's visibility timeout of an hour.
"""


def resolve_turn(turn_id: int) -> None:
    _enqueue(RESOLVE_TURN, turn_id)


def keep_deadline(turn_id: int, *, deadline: datetime, now: datetime) -> None:
    """Check a turn when its deadline passes, or earlier if that is far away."""
    _enqueue(KEEP_DEADLINE, turn_id, eta=min(deadline, now + LONGEST_ETA))


def play_computers(turn_id: int, *, host: int | None, again: bool = False) -> None:
    """Make computers think about a turn soon, in fair order. ``again`` is a retry."""
    transaction.on_commit(lambda: add_to_queue(turn_id, host=host, again=again))
    _enqueue(PLAY_COMPUTERS, turn_id)


def play_computers_last(turn_id: int) -> None:
    """Make computers think about a turn once workers have nothing else to do."""
    _enqueue(PLAY_COMPUTERS, turn_id, queue="lab", kwargs={"last": True})


def send_notification(notice_id: int, *, task: str) -> None:
    """Send a notification soon, by the task of its channel."""
    _enqueue(task, notice_id)


def send_account_mail(mail_id: int) -> None:
    _enqueue(SEND_ACCOUNT_MAIL, mail_id)


def recount_person(user_id: int) -> None:
    """Count a person's achievements again soon."""
    _enqueue(RECOUNT_PERSON, user_id)


def erase(deletion_id: int) -> None:
    """Delete the data of a deleted account from games soon."""
    _enqueue(ERASE, deletion_id)


def fly_run(run_id: int) -> None:
    """Fly the next flights of a wind tunnel run soon."""
    _enqueue(FLY_RUN, run_id)


def suggest_ship(suggestion_id: int) -> None:
    """Continue the search for a suggested starship soon."""
    _enqueue(SUGGEST_SHIP, suggestion_id)


def queue_length(task: str) -> int:
    """Return the length of a task's queue. 0 while the broker is away."""
    with current_app.connection_for_read() as broker:
        away: tuple[type[BaseException], ...] = (
            OperationalError,
            *broker.connection_errors,
            *broker.channel_errors,
        )
        try:
            queue = current_app.amqp.router.route({}, task)["queue"](broker.channel())
            return int(queue.queue_declare(passive=True).message_count)
        except away:
            return 0


def _enqueue(task: str, row_id: int, **options: Any) -> None:
    def send() -> None:
        try:
            current_app.send_task(task, args=[row_id], **options)
        except OperationalError as error:
            logger.warning("%s(%d) waits for the sweeper, since the broker is away: %s", task, row_id, error)

    transaction.on_commit(send)
