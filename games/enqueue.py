"""The one place that names tasks, but for those of channels. Messages are hints: the database is the truth.

Every message leaves after the transaction under way has been committed. While the broker is away
nothing is raised and nothing waits; the sweeper finds what is due.
"""

import logging
from datetime import datetime, timedelta
from typing import Any, Final

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

from games import fair

logger = logging.getLogger(__name__)

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
    transaction.on_commit(lambda: fair.add(turn_id, host=host, again=again))
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
