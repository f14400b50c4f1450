"""Sending notices: claimed by one worker at a time, sent outside of any transaction, tried again."""

import logging
import time
from datetime import datetime, timedelta

from django.db import InterfaceError, OperationalError, connection
from django.db.models import F, Q

from games.models import Game, Notice, Turn
from games.notify import lobby, mail
from games.services.limiting import at_most

logger = logging.getLogger(__name__)

LEASE = timedelta(seconds=60)
"""How long a notice is one worker's; after that the worker counts as dead."""

SENDING = timedelta(seconds=45)
"""How long a worker may take to send it: well within its lease, so that nobody else sends it meanwhile."""

NOTING = 0.2
"""Seconds until the next try to note what was sent, while the database is away."""

ATTEMPTS = 8
"""How often a notice is tried before it is given up."""

BACK_OFF = timedelta(minutes=1)
"""The wait after the first failure; it doubles with each further one: four hours in all."""


def send_notice(*, notice_id: int, now: datetime) -> bool:
    """Send a notice, unless it was sent, is being sent, or has become pointless; return whether it went out.

    What cannot be sent is tried again later, and given up with its reason in the end.
    """
    if not _claim(notice_id, now):
        return False
    notices = Notice.objects.select_related("user", "game__revision", "game__course", "game__host")
    notice = notices.get(pk=notice_id)
    if pointless := _pointless(notice):
        Notice.objects.filter(pk=notice_id).update(status=pointless)
        return False
    try:
        with at_most(SENDING.total_seconds(), f"it took longer than {SENDING.total_seconds():g} s"):
            mail.send(notice)
    except (InterfaceError, OperationalError):
        raise  # the database went away, which is no fault of the mail's: its lease runs out, and it is sent
    except Exception as error:
        _put_off(notice, error, now)
        return False
    _note_sent(notice_id, now)
    return True


def _note_sent(notice_id: int, now: datetime) -> None:
    """Note that a notice is on its way, however long the database may be away: it shall not go out twice."""
    warned = False
    while True:
        try:
            Notice.objects.filter(pk=notice_id).update(status=Notice.Status.SENT, sent_at=now, last_error="")
            return
        except (InterfaceError, OperationalError) as error:
            if connection.in_atomic_block:
                raise
            if not warned:
                logger.warning("Notice %d was sent, and waits to be noted so: %s", notice_id, error)
            warned = True
            connection.close()
            time.sleep(NOTING)


def _claim(notice_id: int, now: datetime) -> bool:
    free = Q(lease_until=None) | Q(lease_until__lte=now)
    notices = Notice.objects.filter(free, pk=notice_id, status=Notice.Status.PENDING, attempts__lt=ATTEMPTS)
    return notices.update(lease_until=now + LEASE, attempts=F("attempts") + 1) == 1


def _pointless(notice: Notice) -> Notice.Status | None:
    """Say why a notice need not be sent any more, if so."""
    user = notice.user
    if user and not user.is_active:
        return Notice.Status.UNWANTED
    if user and notice.kind in (Notice.Kind.TURN, Notice.Kind.OVER) and not user.mail_my_turn:
        return Notice.Status.UNWANTED
    if lobby.is_pointless(notice):
        return Notice.Status.OUTDATED
    if notice.kind == Notice.Kind.TURN:
        turns = Turn.objects.filter(game=notice.game_id, number=notice.turn, status=Turn.Status.OPEN)
        if notice.game.status != Game.Status.RUNNING or not turns.exists():
            return Notice.Status.OUTDATED
    return None


def give_up_on_the_deadly(*, now: datetime) -> int:
    """Give up notices whose workers died at every attempt, without a word; return how many there were."""
    notices = Notice.objects.filter(
        status=Notice.Status.PENDING, attempts__gte=ATTEMPTS, lease_until__lte=now
    )
    return notices.update(status=Notice.Status.GIVEN_UP, last_error="The worker was interrupted each time.")


def _put_off(notice: Notice, error: Exception, now: datetime) -> None:
    """Note a failure, and when to try again: never, after the last attempt."""
    reason = f"{type(error).__name__}: {error}"
    logger.warning("Notice %d was not sent, attempt %d: %s", notice.pk, notice.attempts, reason)
    given_up = notice.attempts >= ATTEMPTS
    Notice.objects.filter(pk=notice.pk).update(
        last_error=reason,
        lease_until=now + BACK_OFF * 2 ** (notice.attempts - 1),
        status=Notice.Status.GIVEN_UP if given_up else Notice.Status.PENDING,
    )
