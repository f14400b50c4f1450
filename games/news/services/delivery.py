"""Sending notifications: claimed by one worker at a time, sent outside of any transaction, tried again."""

import logging
from collections.abc import Callable
from contextlib import nullcontext
from datetime import datetime, timedelta
from functools import partial

from django.db import connection, transaction
from django.db.models import F, Q, QuerySet

from accounts.models import Frequency, User
from games.errors import reason_of
from games.news.channels import CHANNELS
from games.news.kinds import KINDS
from games.news.models import Notice
from games.news.services.judgement import HOLD, SEND, Judgement, is_looking, judge
from games.news.services.receivers import Busy
from games.work import jobs
from games.work.jobs import encode_reason
from roborunner import faults
from roborunner.faults import time_limit

logger = logging.getLogger(__name__)

LEASE = timedelta(seconds=60)
"""How long a notification is one worker's; after that the worker counts as dead."""

SENDING = timedelta(seconds=45)
"""How long a worker may take to send it: well within its lease, so that no one else sends it meanwhile."""

NOTING = 10.0
"""Seconds for which a worker tries to note that an attempt does not count: its lease lasts longer."""

ATTEMPTS = 10
"""How often a notification is tried before it is given up."""

WAITING = (Notice.Status.PENDING, Notice.Status.HELD)
"""The states of notifications of which something may still come."""

BACK_OFF = timedelta(minutes=1)
"""The wait after the first failure; it doubles with each further one: eight and a half hours in all, since
a mail server may be away for a night.
"""


def send_notification(*, notice_id: int, now: datetime) -> bool:
    """Send a notification, unless it was sent, is being sent, or must wait; return whether it went out.

    Where its person wants one mail a day, all that waits for them goes with it. What cannot be sent is tried
    again later, and given up with its reason in the end.
    """
    notice = _notices().filter(pk=notice_id, status=Notice.Status.PENDING).first()
    if notice is None:
        return False
    if notice.user and _is_daily(notice):
        return _send_daily(notice.user, notice.channel, now)
    if not _claim(notice, now):
        return False
    try:
        verdict = _judged(notice, now)
        if verdict is not None and verdict != SEND:
            _settle(notice, verdict)
    except Exception as error:
        if faults.is_temporary(error):
            _take_back([notice], error)
        raise
    if verdict != SEND:
        return False
    channel = CHANNELS[notice.channel]
    return _send([notice], partial(channel.send, notice, now=now), now)


def _is_daily(notice: Notice) -> bool:
    """Return whether a notification waits for the daily mail; one that cannot be read goes alone."""
    try:
        kind = KINDS[notice.kind]
        return CHANNELS[notice.channel].frequency_of(notice, kind) == Frequency.DAILY
    except ValueError:
        return False


def _judged(notice: Notice, now: datetime) -> Judgement | None:
    """Return what is to become of a notification; one that cannot be read is put off, with its reason."""
    # Within the transaction of a daily mail, a query that fails must not spoil the others.
    apart = transaction.atomic() if connection.in_atomic_block else nullcontext()
    try:
        with apart:
            return judge(notice, now)
    except Exception as error:
        if faults.is_temporary(error):
            raise
        if notice.lease_until is not None or _claim(notice, now):
            _put_off(notice, error, now)
        return None


def _send_daily(user: User, channel: str, now: datetime) -> bool:
    """Send a person the daily mail, if it is time for it. Their row is held while it is put together."""
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        due, later, looking = [], [], False
        mails = _notices().filter(_free(now), user=user, channel=channel)
        for notice in mails.filter(status__in=WAITING):
            if not _is_daily(notice):
                continue
            verdict = _judged(notice, now)
            if verdict is None:
                continue
            if verdict == SEND:
                due.append(notice)
                looking = looking or (notice.seat is not None and is_looking(notice.seat, now))
            elif verdict.status == Notice.Status.HELD:
                later.append((notice, verdict))
            else:
                _settle(notice, verdict)
        if looking:  # no one is mailed about what they look at: it all waits until they have left
            later += [(notice, Judgement(Notice.Status.HELD, now + HOLD)) for notice in due]
        if looking or not due:
            for notice, verdict in later:
                _settle(notice, verdict)
            return False
        due += [notice for notice, _ in later]  # rather today than tomorrow
        claimed = [notice for notice in due if _claim(notice, now)]
    return bool(claimed) and _send(
        claimed, partial(CHANNELS[channel].send_daily, user, claimed, now=now), now
    )


def _send(notices: list[Notice], send: Callable[[], object], now: datetime) -> bool:
    """Send what was claimed, outside of any transaction, and note how that went."""
    try:
        with time_limit(SENDING.total_seconds(), f"it took longer than {SENDING.total_seconds():g} s"):
            sent = send()
    except Busy:
        return False  # it was put off
    except Exception as error:
        if faults.is_temporary(
            error
        ):  # no fault of the notification's: its lease runs out, and it is tried again
            _take_back(notices, error)
            raise
        channel = CHANNELS[notices[0].channel]
        channel.failures.inc()
        if channel.close(notices[0], error, now=now):
            for notice in notices:
                _close(notice, error)
            return False
        for notice in notices:
            _put_off(notice, error, now)
        return False
    if sent is False:
        for notice in notices:
            _settle(notice, Judgement(Notice.Status.UNWANTED))
        return False
    _note_sent([notice.pk for notice in notices], now)
    CHANNELS[notices[0].channel].note_taken(now=now)
    jobs.NOTICES_SENT.inc(len(notices))
    return True


def _note_sent(notice_ids: list[int], now: datetime) -> None:
    """Note that notifications are on their way, however long the database is away: none must go out twice."""
    sent = {"status": Notice.Status.SENT, "sent_at": now, "due_at": None, "last_error": ""}
    notices = Notice.objects.filter(pk__in=notice_ids)
    named = ", ".join(map(str, notice_ids))
    faults.write_despite_outage(lambda: notices.update(**sent), f"Notice {named} was sent")


def _take_back(notices: list[Notice], error: Exception) -> None:
    """Note that an attempt does not count, since a fault that passes prevented it."""
    claimed = Notice.objects.filter(pk__in=[notice.pk for notice in notices], attempts__gt=0)
    named = ", ".join(str(notice.pk) for notice in notices)
    faults.write_despite_outage(
        lambda: claimed.update(attempts=F("attempts") - 1),
        f"Notice {named} could not be tried ({reason_of(error)})",
        seconds=NOTING,
    )


def _notices() -> QuerySet[Notice]:
    """Return notifications with all that most of them tell of; only a few also name the host."""
    told = Notice.objects.select_related("user", "game__revision", "game__course")
    return told.prefetch_related("game__players")


def _free(now: datetime) -> Q:
    return Q(attempts__lt=ATTEMPTS) & (Q(lease_until=None) | Q(lease_until__lte=now))


def _claim(notice: Notice, now: datetime) -> bool:
    """Claim a notification that is to be sent, if no one else holds it; return whether that succeeded."""
    free = Notice.objects.filter(_free(now), pk=notice.pk, status__in=WAITING, attempts=notice.attempts)
    status, lease, attempts = Notice.Status.PENDING, now + LEASE, notice.attempts + 1
    if not free.update(status=status, lease_until=lease, attempts=attempts, waits_for=""):
        return False
    notice.status, notice.lease_until, notice.attempts = status, lease, attempts
    return True


def _settle(notice: Notice, verdict: Judgement) -> None:
    """Note that a notification is not sent now, or never."""
    Notice.objects.filter(pk=notice.pk).update(
        status=verdict.status, due_at=verdict.until, lease_until=None, attempts=0
    )


def _close(notice: Notice, error: Exception) -> None:
    """Note that a notification is not sent, since its address takes no mail."""
    reason = CHANNELS[notice.channel].reason_of(error)
    closed = {"status": Notice.Status.CLOSED, "last_error": reason, "lease_until": None}
    Notice.objects.filter(pk=notice.pk).update(**closed)


def release_held(*, now: datetime) -> int:
    """Have notifications looked at again that were held back until now; return how many."""
    held = Notice.objects.filter(status=Notice.Status.HELD, due_at__lte=now)
    return held.update(status=Notice.Status.PENDING, due_at=None, lease_until=None, offered_at=None)


def give_up_on_the_deadly(*, now: datetime) -> int:
    """Give up notifications whose workers died at every attempt, without a word; return how many."""
    given_up = 0
    for channel in CHANNELS.values():
        notices = Notice.objects.filter(
            status=Notice.Status.PENDING, channel=channel.name, attempts__gte=ATTEMPTS, lease_until__lte=now
        )
        reason = encode_reason("interrupted")
        if number := notices.update(status=Notice.Status.GIVEN_UP, last_error=reason):
            channel.note_given_up(reason, mails=number, now=now)
            given_up += number
    return given_up


def _put_off(notice: Notice, error: Exception, now: datetime) -> None:
    """Note a failure, and when to try again: never, after the last attempt."""
    channel = CHANNELS[notice.channel]
    reason = channel.reason_of(error)
    logger.warning("Notice %d was not sent, attempt %d: %s", notice.pk, notice.attempts, reason)
    is_last = notice.attempts >= ATTEMPTS
    status = channel.given_up(notice, error) if is_last else Notice.Status.PENDING
    if status == Notice.Status.GIVEN_UP:
        channel.note_given_up(reason, now=now)
    Notice.objects.filter(pk=notice.pk).update(
        last_error=reason,
        lease_until=now + BACK_OFF * 2 ** (notice.attempts - 1),
        status=status,
    )
