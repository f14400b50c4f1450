"""Calls to machines outside, such as people's webhooks: a slow one delays its own notifications alone.

A machine gets few calls at a time. A notification that finds no room is put off, so that no worker waits, and
goes when a call before it ends. A machine that kept a call waiting for long is left alone for a while.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import urlsplit

from django.db import connection, transaction
from django.db.models import Min

from games.news.channels import CHANNELS, Undeliverable
from games.news.models import Notice, Receiver
from games.work import enqueue

LEASE: Final = timedelta(seconds=60)
"""How long a call counts as under way whose worker died: as long as the lease of its notification."""

SLOW: Final = 2.0
"""Seconds after which a call that fails has cost a worker too much: its receiver rests."""

REST: Final = timedelta(minutes=1)
"""How long a receiver rests after the first slow failure; the rest doubles with each further one."""

LONGEST_REST: Final = timedelta(minutes=16)
"""The longest rest: a receiver that is back is found within that time."""


class Busy(Exception):
    """A receiver has no room: a notification was put off. It ``rests`` if it has just kept one waiting."""

    def __init__(self, *, rests: bool) -> None:
        super().__init__("the receiver has no room")
        self.rests = rests


@contextmanager
def call(*, notice: Notice, url: str, at_once: int, now: datetime) -> Iterator[None]:
    """Call the machine that an address leads to, for a notification that this worker has claimed.

    It gets at most ``at_once`` calls at a time. Raises Busy, with the notification put off, where it has no
    room for another one.
    """
    name = _name(notice, url)
    slot = _take(notice, name, at_once, now)
    begun = time.monotonic()
    try:
        yield
    except Undeliverable:
        _leave(name, slot, rests=time.monotonic() - begun >= SLOW, now=now)
        raise
    _leave(name, slot, rests=False, now=now)


def forget_receivers(*, now: datetime) -> int:
    """Forget receivers that nothing was sent to since their last rest ended a day ago; return how many."""
    return Receiver.objects.filter(busy_until__lt=now - timedelta(days=1)).delete()[0]


def _name(notice: Notice, url: str) -> str:
    return f"{notice.channel} {urlsplit(url).netloc.lower()}"[:300]


def _take(notice: Notice, name: str, at_once: int, now: datetime) -> int:
    """Return the slot of a receiver that is taken for a notification."""
    with transaction.atomic():
        _lock(name)
        known = {row.slot: row for row in Receiver.objects.filter(name=name)}
        for slot in range(at_once):
            if slot not in known:
                Receiver.objects.create(name=name, slot=slot, busy_until=now + LEASE)
                return slot
            if known[slot].busy_until <= now:
                Receiver.objects.filter(pk=known[slot].pk).update(busy_until=now + LEASE)
                return slot
        Notice.objects.filter(pk=notice.pk).update(
            waits_for=name,
            lease_until=min(row.busy_until for row in known.values()),
            attempts=notice.attempts - 1,  # it was not tried
        )
    raise Busy(rests=all(row.failures for row in known.values()))


def _leave(name: str, slot: int, *, rests: bool, now: datetime) -> None:
    """Note that a call has ended, and have the next notification sent that waits for its receiver."""
    with transaction.atomic():
        _lock(name)
        taken = Receiver.objects.filter(name=name, slot=slot)
        if rests:
            failures = (taken.aggregate(so_far=Min("failures"))["so_far"] or 0) + 1
            rest = min(REST * 2 ** (min(failures, 10) - 1), LONGEST_REST)
            taken.update(failures=failures, busy_until=now + rest)
            return
        taken.delete()
        waiting = Notice.objects.filter(waits_for=name, status=Notice.Status.PENDING)
        following = waiting.order_by("pk").first()
        if following is not None:
            offered = {"waits_for": "", "lease_until": None, "offered_at": now}
            Notice.objects.filter(pk=following.pk).update(**offered)
            enqueue.send_notification(following.pk, task=CHANNELS[following.channel].task)


def _lock(name: str) -> None:
    """Keep others from taking or leaving a slot of a receiver until the end of the transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [name])
