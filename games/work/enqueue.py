"""Name tasks, and send them to workers in an order that is fair to hosts.

Only tasks of channels are named elsewhere.

Messages are hints: the database is the truth. Every message leaves after the transaction has been
committed. While the broker is away nothing is raised and nothing waits; the sweeper finds what is due.

A message to a worker of computers says that one more turn waits, not which one to take. The worker takes a
turn of the host for whom computers have thought least, of all hosts whose turns wait. A host whose turns
begin to wait starts level with the host who was served last: time without turns earns no credit. Redis has
this order for all workers. If it loses the order, the sweeper offers the turns again.
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
"""Seconds that Redis may take."""

TURN_KEPT: Final = timedelta(hours=1)
"""How long a turn waits here at most. The sweeper offers it again long before."""

LEAST_SECONDS: Final = 1.0
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


def add_to_queue(turn_id: int, *, host: int | None, again: bool = False) -> None:
    """Have a turn wait; one that waits already keeps its place.

    A turn that waits ``again`` counts as served, so that other hosts come first.
    """
    ahead = LEAST_SECONDS if again else 0
    try:
        _script(_ADD)(keys=_KEYS, args=[host or 0, turn_id, int(TURN_KEPT.total_seconds()), ahead])
    except redis.RedisError as error:
        logger.warning("Turn %d waits in no fair order, since Redis is away: %s", turn_id, error)


def take_turns(otherwise: int) -> Iterator[tuple[int, int]]:
    """Yield turns to think about with their hosts, best first; each is taken as it is asked for.

    While Redis is away this is the turn that a message names, ``otherwise``.
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


def note_spent(host: int, seconds: float) -> None:
    """Note how long computers have thought about a turn of a host."""
    if seconds <= LEAST_SECONDS:
        return
    try:
        _client().zadd(HOSTS, {str(host): seconds - LEAST_SECONDS}, xx=True, incr=True)
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
FETCH_RETURNS = "games.tasks.fetch_returns"
SEND_ACCOUNT_MAIL = "games.tasks.send_account_mail"

SOON: Final = timedelta(hours=1)
"""How near a deadline is for which a message is sent as its turn opens; the sweeper sees to all others."""

FARTHEST: Final = timedelta(minutes=15)
"""How long a message waits with a worker at most: well below the broker's visibility timeout of an hour."""


def resolve_turn(turn_id: int) -> None:
    """Have a turn resolved soon."""
    _enqueue(RESOLVE_TURN, turn_id)


def keep_deadline(turn_id: int, *, deadline: datetime, now: datetime) -> None:
    """Have a turn looked at when its deadline passes, or before that if it is far away."""
    _enqueue(KEEP_DEADLINE, turn_id, eta=min(deadline, now + FARTHEST))


def play_computers(turn_id: int, *, host: int | None, again: bool = False) -> None:
    """Have computers think about a turn soon, or ``again``, in a fair order among hosts."""
    transaction.on_commit(lambda: add_to_queue(turn_id, host=host, again=again))
    _enqueue(PLAY_COMPUTERS, turn_id)


def play_computers_last(turn_id: int) -> None:
    """Have computers think about a turn when nothing else is to be done."""
    _enqueue(PLAY_COMPUTERS, turn_id, queue="lab", kwargs={"last": True})


def send_notification(notice_id: int, *, task: str) -> None:
    """Have a notification sent soon, by the task of its channel."""
    _enqueue(task, notice_id)


def send_account_mail(mail_id: int) -> None:
    """Have a mail about an account sent soon."""
    _enqueue(SEND_ACCOUNT_MAIL, mail_id)


def recount_person(user_id: int) -> None:
    """Have a person's achievements counted again soon."""
    _enqueue(RECOUNT_PERSON, user_id)


def erase(deletion_id: int) -> None:
    """Have games forget someone whose account was deleted soon."""
    _enqueue(ERASE, deletion_id)


def fly_run(run_id: int) -> None:
    """Have the next flights of a run of the wind tunnel flown soon."""
    _enqueue(FLY_RUN, run_id)


def suggest_ship(suggestion_id: int) -> None:
    """Have the search for a starship that someone has asked for go on soon."""
    _enqueue(SUGGEST_SHIP, suggestion_id)


def waiting(task: str) -> int:
    """Return how many messages wait in the queue of a task, for whatever task; 0 while the broker is away."""
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
