"""Post the waiting announcements of group channels, in order and one message at a time.

A worker claims a channel. Right before it sends a message, it marks the message's announcements, and after
the service has accepted the message, it marks them as sent. If the worker dies in between, no one knows
whether the message arrived. Matrix and programs recognise a message by its key, so it is sent again. Discord
and Slack do not, so it is not sent again. The connection is open before the announcements are marked, so only
a death within the moment between the mark and the sending loses a message.
"""

import logging
import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.languages import as_read_by
from games.groups.messages import Item, item_of, joined
from games.groups.models import Announcement, GroupChannel, Service
from games.groups.posts import POSTERS, Message, Refused, TooFast
from games.groups.selectors import manager_of
from games.news.channels import Gone, Undeliverable
from games.news.delivery import Busy, receiver_slot
from games.news.services import notify_with_subject
from games.work import enqueue, jobs
from roborunner import faults
from roborunner.faults import time_limit
from roborunner.leases import take_back

logger = logging.getLogger(__name__)

Status = Announcement.Status

LEASE: Final = timedelta(seconds=60)
"""The duration of a worker's claim on a channel. A worker whose claim has ended counts as dead."""

SECONDS_PER_TASK: Final = 15.0
"""The time after which a worker starts no further message to a channel, in seconds."""

SENDING_SECONDS: Final = 40.0
"""The time limit for a message and its picture, in seconds. With the time above, it is within `LEASE`."""

NOTE_SECONDS: Final = 10.0
"""How long to try to store the result of a message in an outage of the database, in seconds."""

UNMARK_SECONDS: Final = 60.0
"""How long to try to store that a message was not sent, in seconds. It may end after `LEASE`."""

PARALLEL_POSTS: Final = 4
"""The maximum number of messages to one host at a time."""

BACK_OFF: Final = timedelta(minutes=1)
"""The wait after a failure. It doubles after each further failure, up to `LONGEST_BACK_OFF`."""

LONGEST_BACK_OFF: Final = timedelta(minutes=30)

SWITCH_OFF_AFTER: Final = timedelta(days=3)
"""The time from the first failure until a channel is switched off, if all posts in between fail."""

NO_FAILURE: Final = {"failing_since": None, "failure": "", "switched_off_at": None}


class LostClaim(Exception):
    """Raised if a worker was so slow that another worker may have claimed its channel."""


def channels_to_post(*, now: datetime) -> QuerySet[GroupChannel]:
    """Return the channels with waiting announcements that no worker has claimed."""
    waiting = Announcement.objects.filter(channel=OuterRef("pk"), status=Status.PENDING)
    return GroupChannel.free(now).filter(Exists(waiting)).order_by("lease_until", "pk")


def post_announcements(*, channel_id: int, now: datetime) -> int:
    """Post the waiting announcements of a channel. Return the number of messages that were accepted.

    Does nothing if another worker is posting them, or if the channel must wait.
    """
    channel = channels_to_post(now=now).filter(pk=channel_id).first()
    if channel is None or not channel.claim(LEASE, now=now, waits_for=""):
        return 0
    begun, posted, at = time.monotonic(), 0, now
    try:
        while time.monotonic() - begun < SECONDS_PER_TASK:
            at = now + timedelta(seconds=int(time.monotonic() - begun))
            with time_limit(SENDING_SECONDS, f"it took longer than {SENDING_SECONDS} s"):
                accepted = _post_next(channel, at)
            if accepted is None:
                break
            posted += accepted
    except Busy:
        return posted  # the channel was postponed
    except Exception as error:
        if not faults.is_temporary(error):
            _postpone(channel, at)
        else:
            take_back([channel], error)
        raise
    if not channel.failing_since:
        _release(channel)
    return posted


def _release(channel: GroupChannel) -> None:
    """End a worker's claim on a channel. If more announcements wait, ask for another worker."""
    with transaction.atomic():
        if not channel.mine().update(lease_until=None, attempts=0):
            return
        if channel.announcements.filter(status=Status.PENDING).exists():
            enqueue.post_announcements(channel.pk)


def _post_next(channel: GroupChannel, now: datetime) -> int | None:
    """Post the next message of a claimed channel. Return the number of accepted messages, 0 or 1.

    Returns None if nothing waits, or if the channel must wait.
    """
    rows = _next_rows(channel)
    if not rows:
        return None
    with as_read_by(None, channel.language):
        items = _items(rows, now)
        chosen = {pk for item in items for pk in item.announcements}
        skipped = [row.pk for row in rows if row.pk not in chosen]
        Announcement.objects.filter(pk__in=skipped, status=Status.PENDING).update(status=Status.OUTDATED)
        if not items:
            return 0
        key = rows[0].message or min(chosen)
        shown = joined(items) if channel.service != Service.WEBHOOK else items
        message = Message(f"announcement-{key}", shown, now)
        return _send(channel, message, Announcement.objects.filter(pk__in=chosen), key, now)


def _next_rows(channel: GroupChannel) -> list[Announcement]:
    """Return the announcements of the next message, oldest first.

    After an interruption, this is the interrupted message. If the service would show it twice, its
    announcements become UNCERTAIN instead.
    """
    poster = POSTERS[channel.service]
    waiting = channel.announcements.filter(status=Status.PENDING).order_by("pk")
    interrupted = waiting.filter(message__isnull=False)
    if not poster.knows_repeats:
        interrupted.update(status=Status.UNCERTAIN)
    of_game = waiting.select_related("game__revision__starship", "game__course", "game__host", "tournament")
    rows = list(of_game[: poster.most_items])
    if rows and rows[0].message is not None:
        return list(of_game.filter(message=rows[0].message))
    return [row for row in rows if row.message is None]


def _items(rows: Sequence[Announcement], now: datetime) -> list[Item]:
    """Return the content of announcements. One that cannot be read is logged and left out."""
    items = []
    for row in rows:
        try:
            with transaction.atomic():
                item = item_of(row, now=now)
        except Exception as error:
            if faults.is_temporary(error):
                raise
            logger.exception("Announcement %d cannot be written", row.pk)
            continue
        if item is not None:
            items.append(item)
    return items


def _send(
    channel: GroupChannel, message: Message, rows: QuerySet[Announcement], key: int, now: datetime
) -> int | None:
    """Send a message, and store the result. Return the same as `_post_next`."""
    claimed, is_sending = Q(channel__lease_until=channel.lease_until), False
    expected = rows.count()

    def begin() -> None:
        nonlocal is_sending
        marked = rows.filter(claimed, status=Status.PENDING).update(message=key)
        if marked != expected:
            raise LostClaim
        is_sending = True

    try:
        with receiver_slot(row=channel, url=channel.address, slots=PARALLEL_POSTS, now=now):
            POSTERS[channel.service].post(channel, message, begin)
            _note_sent(rows, key, now)
    except LostClaim:
        return None
    except Undeliverable as error:
        if not is_sending or error.reason.partition(":")[0] not in UNANSWERED:
            _unmark(channel, rows, key)
        return _note_failure(channel, rows, error, now)
    except Exception:
        if not is_sending:  # such as a fault of the database
            _unmark(channel, rows, key)
        raise
    note_success(channel=channel, now=now)
    jobs.ANNOUNCEMENTS_SENT.inc(expected)
    return 1


def _note_sent(rows: QuerySet[Announcement], key: int, now: datetime) -> None:
    sent = {"status": Status.SENT, "sent_at": now}
    faults.write_despite_outage(
        lambda: rows.update(**sent), f"Message {key} was accepted", seconds=NOTE_SECONDS
    )


UNANSWERED: Final = frozenset({"timeout", "unreachable", "no-http", "certificate"})
"""The reasons for a failure after which a message may have arrived, if its sending had begun."""


def _unmark(channel: GroupChannel, rows: QuerySet[Announcement], key: int) -> None:
    """Store that a message was not accepted, so that its announcements are sent again.

    If the service recognises a repeated message, the announcements keep its key. An earlier attempt may have
    arrived, and the service would ignore further announcements with the same key.
    """
    if POSTERS[channel.service].knows_repeats:
        return
    marked = rows.filter(message=key, status__in=[Status.PENDING, Status.UNCERTAIN])
    faults.write_despite_outage(
        lambda: marked.update(message=None, status=Status.PENDING),
        f"Message {key} was not accepted",
        seconds=UNMARK_SECONDS,
    )


def note_success(*, channel: GroupChannel, now: datetime) -> None:
    """Record a successful post to a channel, and switch the channel on."""
    channel.failing_since = None
    rows = GroupChannel.objects.filter(pk=channel.pk)
    stale = Q(answered_at=None) | Q(answered_at__lt=now - timedelta(minutes=1)) | ~Q(failing_since=None)
    faults.write_despite_outage(
        lambda: rows.filter(stale).update(answered_at=now, **NO_FAILURE),
        f"Channel {channel.pk} works",
        seconds=NOTE_SECONDS,
    )


def _note_failure(
    channel: GroupChannel, rows: QuerySet[Announcement], error: Undeliverable, now: datetime
) -> int | None:
    """Record a failed post. Return the same as `_post_next`.

    A service that is too busy is no failure: the channel waits as long as the service says. A message that is
    refused for its content is given up. If nothing got through for `SWITCH_OFF_AFTER`, or if the channel is
    gone, it is switched off, and the people who can change it get a notification.
    """
    if isinstance(error, TooFast):
        channel.mine().update(lease_until=now + timedelta(seconds=error.wait), attempts=0)
        enqueue.post_announcements(channel.pk, seconds=error.wait)
        raise Busy(rests=False)
    jobs.CALL_FAILURES.inc()
    logger.warning("%s got no message: %s", channel, error.reason)
    if isinstance(error, Refused):
        rows.filter(status=Status.PENDING).update(status=Status.REFUSED)
    with transaction.atomic():
        failing = GroupChannel.objects.select_for_update(of=("self",)).filter(pk=channel.pk).first()
        if failing is None:
            return None
        failing.failing_since = failing.failing_since or now
        failing.failure = error.reason[:300]
        if isinstance(error, Gone) or now - failing.failing_since >= SWITCH_OFF_AFTER:
            failing.switched_off_at = now
        if not isinstance(error, Refused):
            failing.lease_until = now + _wait(failing.attempts)
        failing.save(update_fields=["failing_since", "failure", "switched_off_at", "lease_until"])
        if failing.switched_off_at:
            failing.announcements.filter(status=Status.PENDING).update(status=Status.OUTDATED)
            _notify(failing, now)
    channel.failing_since = failing.failing_since
    if isinstance(error, Refused) and not failing.switched_off_at:
        channel.failing_since = None
        return 0
    return None


def _postpone(channel: GroupChannel, now: datetime) -> None:
    """Postpone a channel's messages after an unexpected error."""
    channel.mine().update(lease_until=now + _wait(channel.attempts))


def _wait(attempts: int) -> timedelta:
    doublings: int = min(max(attempts - 1, 0), 10)
    return min(BACK_OFF * (1 << doublings), LONGEST_BACK_OFF)


def _notify(channel: GroupChannel, now: datetime) -> None:
    """Notify the person who can change a channel that it was switched off."""
    notify_with_subject(
        users=[person for person in [manager_of(channel)] if person],
        kind="group-off",
        channel=channel.pk,
        now=now,
    )
