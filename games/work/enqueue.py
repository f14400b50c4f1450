"""Send tasks to workers, and keep a queue that is fair to the hosts of games.

The names of all tasks are defined here, except for the tasks of notification channels.

A lost message does no harm, because the sweeper finds all due work in the database. Each message is sent
after the transaction has been committed. While the message broker is away, messages are dropped, without an
error and without waiting.

A message to a worker for computers means only that one more turn waits. The worker may take a turn other than
the one in the message: it takes a turn of the host (the player who created the game) whose games have used
the least thinking time, among hosts with waiting turns. If a host had no waiting turns, and now has one,
the host starts with the same thinking time as the host that was served last. A host therefore earns no credit
for a time without turns. Redis keeps this queue for all workers. If the queue is lost, the sweeper adds the
turns again.
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
"""The time to wait for an answer from Redis, in seconds."""

TURN_KEPT: Final = timedelta(hours=1)
"""The time after which Redis deletes the waiting turns of a host's games if no further turn is added.

The sweeper adds waiting turns again long before that.
"""

LEAST_SECONDS: Final = 1.0
"""The minimum time that a game's host is charged for a turn, in seconds.

Without a minimum, a host would always come first if the computers in their games choose quickly.
"""

HOSTS_KEY: Final = "robo-runner:thinking"
"""The Redis key of the games' hosts with waiting turns, each with the seconds charged to the host."""

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
    """Add a turn to the queue for computers' orders. A turn that already waits keeps its place.

    ``again`` means that computers have just worked on the turn. The game's host is then charged
    `LEAST_SECONDS`, so that other hosts come first.
    """
    ahead = LEAST_SECONDS if again else 0
    try:
        _script(_ADD)(keys=_KEYS, args=[host or 0, turn_id, int(TURN_KEPT.total_seconds()), ahead])
    except redis.RedisError as error:
        logger.warning("Turn %d waits in no fair order, since Redis is away: %s", turn_id, error)


def take_turns(otherwise: int) -> Iterator[tuple[int, int]]:
    """Take turns from the queue for computers, in an order that is fair to the hosts of games.

    Yield each turn with its host's ID. If Redis is unavailable, yield only the turn with the ID
    ``otherwise``, and 0 as its host's ID.
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
    """Charge the host of a game for the time that computers have spent on one of its turns.

    Hosts with lower charges come first in the queue for computers.
    """
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
REMOVE_WAVE = "games.tasks.remove_wave"
FLY_RUN = "games.tasks.fly_run"
SUGGEST_SHIP = "games.tasks.suggest_ship"
MAKE_DAILY_RUN = "games.tasks.make_daily_run"
MAKE_CLIP = "games.tasks.make_clip"
REVIEW_GAME = "games.tasks.review_game"
MINE_GAME = "games.tasks.mine_game"
SWEEP = "games.tasks.sweep"
FETCH_BOUNCES = "games.tasks.fetch_returns"
SEND_ACCOUNT_MAIL = "games.tasks.send_account_mail"
POST_ANNOUNCEMENTS = "games.tasks.post_announcements"

MESSAGE_HORIZON: Final = timedelta(hours=1)
"""The longest time before a deadline at which a message about it is sent.

The sweeper (periodic work) handles deadlines that lie further ahead.
"""

LONGEST_ETA: Final = timedelta(minutes=15)
"""The maximum time that a worker holds a message until its task is due.

It is well below the broker's visibility timeout of one hour.
"""


def resolve_turn(turn_id: int) -> None:
    _enqueue(RESOLVE_TURN, turn_id)


def keep_deadline(turn_id: int, *, deadline: datetime, now: datetime) -> None:
    """Ask a worker to check a turn at its deadline, or in `LONGEST_ETA` if the deadline is later."""
    _enqueue(KEEP_DEADLINE, turn_id, eta=min(deadline, now + LONGEST_ETA))


def play_computers(turn_id: int, *, host: int | None, again: bool = False) -> None:
    """Ask a worker to choose missing orders of computers soon. The order of turns is fair to their hosts.

    ``again`` means that computers have just worked on the turn.
    """
    transaction.on_commit(lambda: add_to_queue(turn_id, host=host, again=again))
    _enqueue(PLAY_COMPUTERS, turn_id)


def play_computers_last(turn_id: int) -> None:
    """Ask a worker to choose the missing orders of a turn's computers once it has no other work."""
    _enqueue(PLAY_COMPUTERS, turn_id, queue="lab", kwargs={"last": True})


def send_notification(notice_id: int, *, task: str) -> None:
    """Ask a worker to send a notification soon. ``task`` is the task of its channel."""
    _enqueue(task, notice_id)


def send_account_mail(mail_id: int) -> None:
    _enqueue(SEND_ACCOUNT_MAIL, mail_id)


def post_announcements(channel_id: int, *, seconds: float = 0) -> None:
    """Ask a worker to post the waiting announcements of a group channel, after some ``seconds``."""
    later = {"countdown": seconds} if seconds else {}
    _enqueue(POST_ANNOUNCEMENTS, channel_id, **later)


def recount_person(user_id: int) -> None:
    """Ask a worker to count a person's achievements again soon."""
    _enqueue(RECOUNT_PERSON, user_id)


def erase(deletion_id: int) -> None:
    """Ask a worker to remove a deleted account's data from all games soon."""
    _enqueue(ERASE, deletion_id)


def remove_wave(removal_id: int) -> None:
    """Ask a worker to remove the next accounts of a wave soon."""
    _enqueue(REMOVE_WAVE, removal_id)


def fly_run(run_id: int) -> None:
    """Ask a worker to play the next flights (test games between computers) of a wind tunnel run soon."""
    _enqueue(FLY_RUN, run_id)


def suggest_ship(suggestion_id: int) -> None:
    """Ask a worker to continue the search for a suggested starship soon."""
    _enqueue(SUGGEST_SHIP, suggestion_id)


def make_daily_run(ordinal: int) -> None:
    """Ask a worker to make the daily run of a date soon. The date is given by its ordinal."""
    _enqueue(MAKE_DAILY_RUN, ordinal)


def make_clip(clip_id: int) -> None:
    """Ask a worker to make a clip of a turn soon."""
    _enqueue(MAKE_CLIP, clip_id)


def review_game(analysis_id: int) -> None:
    """Ask a worker to review the next turns of an analysis soon."""
    _enqueue(REVIEW_GAME, analysis_id)


def mine_game(game_id: int) -> None:
    """Ask a worker to search an ended game for puzzles soon."""
    _enqueue(MINE_GAME, game_id)


def sweep() -> None:
    """Ask a worker to sweep soon, for example after a start. Messages expire while no worker runs."""
    try:
        current_app.send_task(SWEEP, expires=60)
    except OperationalError as error:
        logger.warning("No sweep was asked for, since the broker is away: %s", error)


def queue_length(task: str) -> int:
    """Return the number of messages in the queue of a task, or 0 while the broker is away."""
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
