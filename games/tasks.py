"""The tasks of the workers. Each task calls a service.

If a worker dies, its task is redelivered at once only if the service limits the number of attempts, as it
does for turns and notifications. Any other task could kill one worker after another. So it is not
redelivered, and the sweeper or the next scheduled run repeats its work.

After a clock jump, tasks that do something because a time has come, such as deleting data or sending mail,
do nothing (`by_the_clock`). When the clock is confirmed, the sweeper queues their work again.
"""

import logging
from collections.abc import Callable
from datetime import date
from functools import wraps
from typing import ParamSpec

from celery import shared_task
from django.utils import timezone

from games.admission.services import continue_removal
from games.analysis import reviewing
from games.clocks import machine_clock
from games.daily import services as daily
from games.groups import delivery as groups
from games.news import delivery
from games.news.channels import CHANNELS, mail
from games.news.delivery import send_notification
from games.people.services import deletion, records
from games.play import computers, resolution
from games.puzzles import mining
from games.sharing import clips
from games.shipyard import flying, suggestions
from games.work import enqueue, sweeper

logger = logging.getLogger(__name__)

P = ParamSpec("P")


def clock_is_confirmed() -> bool:
    """Return whether this worker may trust the clock of its machine."""
    return machine_clock.is_confirmed(process=timezone.now(), machine=machine_clock.this_machine())


def by_the_clock(task: Callable[P, None]) -> Callable[P, None]:
    """Make a task do nothing while this machine's clock is not confirmed."""

    @wraps(task)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        if clock_is_confirmed():
            task(*args, **kwargs)
        else:
            logger.warning("%s is left to the sweeper: the clock of this machine jumped", task.__name__)

    return run


@shared_task(name=enqueue.RESOLVE_TURN)
def resolve_turn(turn_id: int) -> None:
    """Resolve a turn if it is due. After a clock jump, resolve it only if all orders are in."""
    if resolution.is_complete(turn_id=turn_id) or clock_is_confirmed():
        resolution.resolve_turn(turn_id=turn_id, thinks=False, now=timezone.now())


@shared_task(name=enqueue.KEEP_DEADLINE, reject_on_worker_lost=False)
@by_the_clock
def keep_deadline(turn_id: int) -> None:
    """Play a turn whose deadline has passed. If it has not passed yet, check again later."""
    resolution.keep_deadline(turn_id=turn_id, now=timezone.now())


@shared_task(name=enqueue.PLAY_COMPUTERS, reject_on_worker_lost=False)
def play_computers(turn_id: int, *, last: bool = False) -> None:
    """Submit computers' orders for the next turn in the queue.

    If ``last`` is true, submit them for the turn ``turn_id`` instead.
    """
    if last:
        computers.play_computers(turn_id=turn_id, last=True, now=timezone.now())
    else:
        sweeper.think_next(turn_id=turn_id, now=timezone.now())


@by_the_clock
def _send(notice_id: int) -> None:
    send_notification(notice_id=notice_id, now=timezone.now())


for channel in CHANNELS.values():
    shared_task(name=channel.task)(_send)


@shared_task(name=enqueue.SEND_ACCOUNT_MAIL)
def send_account_mail(mail_id: int) -> None:
    """Send an account mail, unless another worker is sending it."""
    delivery.send_account_mail(mail_id=mail_id, now=timezone.now())


@shared_task(name=enqueue.POST_ANNOUNCEMENTS, reject_on_worker_lost=False)
@by_the_clock
def post_announcements(channel_id: int) -> None:
    """Post the waiting announcements of a group channel, unless another worker is posting them."""
    groups.post_announcements(channel_id=channel_id, now=timezone.now())


@shared_task(name=enqueue.RECOUNT_PERSON, reject_on_worker_lost=False)
def recount_person(user_id: int) -> None:
    """Count a person's achievements again."""
    records.recount_person(person=user_id)


@shared_task(name=enqueue.ERASE, reject_on_worker_lost=False)
@by_the_clock
def erase(deletion_id: int) -> None:
    """Continue the deletion of an account."""
    deletion.erase(deletion_id=deletion_id, now=timezone.now())


@shared_task(name=enqueue.REMOVE_WAVE, reject_on_worker_lost=False)
@by_the_clock
def remove_wave(removal_id: int) -> None:
    """Remove the next accounts of a wave of scripted sign-ups."""
    continue_removal(removal_id=removal_id, now=timezone.now())


@shared_task(name=enqueue.FLY_RUN, reject_on_worker_lost=False, time_limit=flying.TASK_TIME_LIMIT)
def fly_run(run_id: int) -> None:
    """Fly the next flights of a wind tunnel run, and judge the run if its verdict is due."""
    flying.fly_batch(run_id=run_id, now=timezone.now())


@shared_task(name=enqueue.SUGGEST_SHIP, reject_on_worker_lost=False, time_limit=flying.TASK_TIME_LIMIT)
def suggest_ship(suggestion_id: int) -> None:
    """Continue the search for a suggested starship."""
    suggestions.advance_search(suggestion_id=suggestion_id, now=timezone.now())


@shared_task(name=enqueue.MAKE_DAILY_RUN, reject_on_worker_lost=False, time_limit=daily.TASK_TIME_LIMIT)
def make_daily_run(ordinal: int) -> None:
    """Generate the daily run of a date, unless the date has one."""
    daily.make_run(day=date.fromordinal(ordinal))


@shared_task(name=enqueue.MAKE_CLIP, reject_on_worker_lost=False, time_limit=clips.TASK_TIME_LIMIT)
def make_clip(clip_id: int) -> None:
    """Make a clip of a turn, unless another worker is making it."""
    clips.make_requested_clip(clip_id=clip_id, now=timezone.now())


@shared_task(name=enqueue.REVIEW_GAME, reject_on_worker_lost=False, time_limit=reviewing.TASK_TIME_LIMIT)
def review_game(analysis_id: int) -> None:
    """Review the next turns of an analysis."""
    reviewing.advance_analysis(analysis_id=analysis_id, now=timezone.now())


@shared_task(name=enqueue.MINE_GAME, reject_on_worker_lost=False, time_limit=flying.TASK_TIME_LIMIT)
def mine_game(game_id: int) -> None:
    """Search an ended game for puzzles, unless that is done."""
    mining.mine_ended_game(game_id=game_id, now=timezone.now())


@shared_task(name=enqueue.SWEEP, reject_on_worker_lost=False)
def sweep() -> None:
    """Check the clocks of this process, its machine and the database. Then run the sweeper."""
    sweeper.sweep_by_clocks(
        process=timezone.now(), database=machine_clock.database_time(), machine=machine_clock.this_machine()
    )


@shared_task(name=enqueue.FETCH_BOUNCES, reject_on_worker_lost=False)
@by_the_clock
def fetch_bounces() -> None:
    """Fetch bounced mail from the mailbox for bounces."""
    mail.fetch_bounces(now=timezone.now())
