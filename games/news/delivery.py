"""Send notifications and account mail, and watch the mail server and receivers.

One worker at a time claims a row, and sends it outside of any transaction. Failures are retried later. A slow
receiver delays only its own notifications. An alarm tells staff if the mail server takes no mail.
"""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from datetime import datetime, timedelta
from functools import partial
from smtplib import SMTPDataError, SMTPException, SMTPRecipientsRefused
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import connection, transaction
from django.db.models import Min, Q, QuerySet

from accounts import mail as account_mail
from accounts.models import AccountMail, Frequency, User
from games.errors import describe_error
from games.news.channels import CHANNELS, Undeliverable
from games.news.channels.bounces import PERMANENT_CODES, replies, status_in
from games.news.kinds import KINDS
from games.news.models import MailServer, Notice, Receiver
from games.news.services import RECHECK_AFTER, SEND, Judgement, is_looking, judge
from games.work import enqueue, jobs
from games.work.jobs import Explained, encode_reason, reason_in_words
from games.work.models import lock_person
from roborunner import faults
from roborunner.faults import time_limit
from roborunner.leases import take_back

SLOT_LEASE: Final = timedelta(seconds=60)
"""Lease of a call, in case its worker dies: the same as its notification's."""

SLOW_SECONDS: Final = 2.0
"""A receiver rests after a failed call of at least this many seconds."""

REST: Final = timedelta(minutes=1)
"""A receiver's rest after its first slow failure. Each further one doubles it."""

LONGEST_REST: Final = timedelta(minutes=16)
"""The longest rest. A receiver that works again is found within this time."""


class Busy(Exception):
    """Raised after a notification was postponed: its receiver is full or ``rests``."""

    def __init__(self, *, rests: bool) -> None:
        super().__init__("the receiver has no room")
        self.rests = rests


@contextmanager
def receiver_slot(*, notice: Notice, url: str, slots: int, now: datetime) -> Iterator[None]:
    """Take a slot of the machine at an address, while calling it for a notification.

    This worker has claimed the notification. The machine gets at most ``slots`` calls at a time. If it has
    no free slot, postpones the notification and raises Busy.
    """
    name = _name(notice, url)
    slot = _take(notice, name, slots, now)
    begun = time.monotonic()
    try:
        yield
    except Undeliverable:
        _leave(name, slot, rests=time.monotonic() - begun >= SLOW_SECONDS, now=now)
        raise
    _leave(name, slot, rests=False, now=now)


def forget_receivers(*, now: datetime) -> int:
    """Delete receivers unused for a day after their last rest. Return their number."""
    return Receiver.objects.filter(busy_until__lt=now - timedelta(days=1)).delete()[0]


def _name(notice: Notice, url: str) -> str:
    return f"{notice.channel} {urlsplit(url).netloc.lower()}"[:300]


def _take(notice: Notice, name: str, slots: int, now: datetime) -> int:
    """Take a slot of a receiver for a notification, or postpone it and raise Busy."""
    with transaction.atomic():
        _lock(name)
        known = {row.slot: row for row in Receiver.objects.filter(name=name)}
        for slot in range(slots):
            if slot not in known:
                Receiver.objects.create(name=name, slot=slot, busy_until=now + SLOT_LEASE)
                return slot
            if known[slot].busy_until <= now:
                Receiver.objects.filter(pk=known[slot].pk).update(busy_until=now + SLOT_LEASE)
                return slot
        Notice.objects.filter(pk=notice.pk).update(
            waits_for=name,
            lease_until=min(row.busy_until for row in known.values()),
            attempts=notice.attempts - 1,  # it was not tried
        )
    raise Busy(rests=all(row.failures for row in known.values()))


def _leave(name: str, slot: int, *, rests: bool, now: datetime) -> None:
    """End a call: let its receiver rest, or send the next waiting notification."""
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
    """Lock the slots of a receiver until the end of the transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [name])


MAIL_JOB: Final = "mail"
"""The sweeper's job to watch the mail server. It fails while no mail is taken."""

GIVEN_UP: Final = "mail-given-up"
"""The job for the alarm about given-up mail."""

DOWN_AFTER: Final = timedelta(minutes=10)
"""Time since the first failure before the mail server counts as down."""

FAILURES_BEFORE_ALARM: Final = 3
"""Failed attempts before the mail server counts as down."""

REFUSED_RECIPIENTS: Final = 3
"""Refused recipients before refusals count as the mail server's fault."""

ALARM_CLOSES_AFTER: Final = timedelta(hours=1)
"""Time without given-up mail before that alarm closes."""

MINUTE: Final = timedelta(minutes=1)


def send_email(mail: EmailMessage, *, now: datetime) -> None:
    """Send an email. Note and raise failures. After a success, call `note_accepted`."""
    try:
        mail.send()
    except Exception as error:
        if not faults.is_temporary(error) and not is_permanent_failure(error):
            _note(partial(_note_failure, mail, error, now))
        raise


def note_accepted(*, now: datetime) -> None:
    """Note that the mail server took an email."""
    _note(partial(_note_success, now))


def reason_for(error: Exception) -> str:
    """Return the mail server's reply or the error, without the recipient's address."""
    replied = "; ".join(replies(error)) if isinstance(error, SMTPException) else ""
    return account_mail.without_addresses(
        encode_reason("mail-server", replied) if replied else describe_error(error)
    )


def is_permanent_failure(error: Exception) -> bool:
    """Return whether the mailbox does not exist. Some servers say so after the mail."""
    if not isinstance(error, SMTPRecipientsRefused | SMTPDataError):
        return False
    said = replies(error)
    return bool(said) and all(status_in(each) in PERMANENT_CODES for each in said)


def note_given_up(reason: str, *, mails: int = 1, now: datetime) -> None:
    """Count given-up emails, and raise the one alarm about them."""
    jobs.MAIL_GIVEN_UP.inc(mails)
    MailServer.objects.update_or_create(pk=1, defaults={"given_up_at": now})
    error = Explained("mail-given-up", reason_in_words(reason))
    jobs.set_aside(GIVEN_UP, kind="mailserver", row=1, error=error, now=now)


def watch_mail(*, now: datetime) -> None:
    """Fail if the mail server takes no mail. Close the other alarm when it recovers."""
    server = MailServer.objects.filter(pk=1).first()
    if server is None:
        return
    works = server.failing_since is None and server.taken_at is not None
    if works and server.given_up_at and server.given_up_at <= now - ALARM_CLOSES_AFTER:
        jobs.close_alarm(GIVEN_UP, row=1, now=now)
    if not works and server.failing_since and _is_down(server, now):
        since = f"{server.failing_since:%Y-%m-%d %H:%M} UTC"
        raise Explained("mail-refused", f"{since} ({server.failures} ×): {reason_in_words(server.error)}")


def _is_down(server: MailServer, now: datetime) -> bool:
    """Return whether all mail fails, not only to a few recipients named by strangers."""
    if (
        server.failures < FAILURES_BEFORE_ALARM
        or not server.failing_since
        or server.failing_since > now - DOWN_AFTER
    ):
        return False
    return server.is_down or len(server.refused) >= REFUSED_RECIPIENTS


def _note(write: Callable[[], object]) -> None:
    """Write, or ignore a database outage, so that no mail goes out twice."""
    faults.write_despite_outage(write, "An email was tried", seconds=0)


def _note_success(now: datetime) -> None:
    MailServer.objects.get_or_create(pk=1)
    stale = Q(failing_since__isnull=False) | Q(taken_at=None) | ~Q(taken_at__range=(now - MINUTE, now))
    MailServer.objects.filter(stale, pk=1).update(
        taken_at=now, failing_since=None, failures=0, error="", is_down=False, refused=[]
    )


def _note_failure(mail: EmailMessage, error: Exception, now: datetime) -> None:
    with transaction.atomic():
        MailServer.objects.get_or_create(pk=1)
        server = MailServer.objects.select_for_update().get(pk=1)
        server.failing_since = server.failing_since or now
        server.failures = min(server.failures + 1, 1_000_000)
        server.error = reason_for(error)
        if isinstance(error, SMTPRecipientsRefused | SMTPDataError):
            hashes = {*server.refused, *(account_mail.digest_of(address) for address in mail.to)}
            server.refused = sorted(hashes)[:REFUSED_RECIPIENTS]
        else:
            server.is_down = True
        server.save()


logger = logging.getLogger(__name__)

LEASE = timedelta(seconds=60)
"""Lease of a notification. After it, its worker counts as dead."""

SENDING_TIME = timedelta(seconds=45)
"""Time limit to send it: within the lease, so that no other worker sends it too."""

ATTEMPTS = 10
"""Attempts before a notification is given up."""

BACK_OFF = timedelta(minutes=1)
"""The wait after the first failure. It doubles after each further one.

It is eight and a half hours in all, since a mail server may be down for a night.
"""


def send_notification(*, notice_id: int, now: datetime) -> bool:
    """Send a notification if it is due. Return whether it went out.

    Does nothing if it was sent, is being sent or must wait. If its person wants a daily email, all their
    waiting notifications go with it. Failures are retried later, and in the end given up with a reason.
    """
    waiting = _notices().filter(status=Notice.Status.PENDING, attempts__lt=ATTEMPTS)
    notice = waiting.filter(pk=notice_id).first()
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
            take_back([notice], error)
        raise
    if verdict != SEND:
        return False
    channel = CHANNELS[notice.channel]
    return _send([notice], partial(channel.send, notice, now=now), now)


def _is_daily(notice: Notice) -> bool:
    """Return whether it waits for the daily email. Unreadable ones go separately."""
    try:
        kind = KINDS[notice.kind]
        return CHANNELS[notice.channel].frequency_of(notice, kind) == Frequency.DAILY
    except ValueError:
        return False


def _judged(notice: Notice, now: datetime) -> Judgement | None:
    """Judge a notification. Postpone an unreadable one with its reason: return None."""
    # A failed query must not break the transaction of a daily email.
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
    """Send a person's daily email if it is due. Lock their row while composing it."""
    with transaction.atomic():
        lock_person(user)
        due, later, looking = [], [], False
        mails = _notices().filter(user=user, channel=channel, attempts__lt=ATTEMPTS)
        for notice in mails & Notice.free(now):
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
        if looking:  # wait until the person stops looking at their games
            later += [(notice, Judgement(Notice.Status.HELD, now + RECHECK_AFTER)) for notice in due]
        if looking or not due:
            for notice, verdict in later:
                _settle(notice, verdict)
            return False
        due += [notice for notice, _ in later]  # better today than tomorrow
        claimed = [notice for notice in due if _claim(notice, now)]
    return bool(claimed) and _send(
        claimed, partial(CHANNELS[channel].send_daily, user, claimed, now=now), now
    )


def _send(notices: list[Notice], send: Callable[[], object], now: datetime) -> bool:
    """Send claimed notifications outside of any transaction, and note the result."""
    try:
        with time_limit(
            SENDING_TIME.total_seconds(), f"it took longer than {SENDING_TIME.total_seconds():g} s"
        ):
            sent = send()
    except Busy:
        return False  # it was postponed
    except Exception as error:
        if faults.is_temporary(error):
            take_back(notices, error)
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
    CHANNELS[notices[0].channel].note_accepted(now=now)
    jobs.NOTICES_SENT.inc(len(notices))
    return True


def _note_sent(notice_ids: list[int], now: datetime) -> None:
    """Mark notifications as sent, even after a long outage: none must go out twice."""
    sent = {"status": Notice.Status.SENT, "sent_at": now, "due_at": None, "last_error": ""}
    notices = Notice.objects.filter(pk__in=notice_ids)
    named = ", ".join(map(str, notice_ids))
    faults.write_despite_outage(lambda: notices.update(**sent), f"Notice {named} was sent")


def _notices() -> QuerySet[Notice]:
    """Return notifications with the rows for most kinds. Only a few need the host too."""
    told = Notice.objects.select_related("user", "game__revision", "game__course")
    return told.prefetch_related("game__players")


def _claim(notice: Notice, now: datetime) -> bool:
    """Claim a notification. Return whether that succeeded."""
    return notice.claim(LEASE, now=now, status=Notice.Status.PENDING, waits_for="")


def _settle(notice: Notice, verdict: Judgement) -> None:
    """Store a decision not to send a notification now."""
    Notice.objects.filter(pk=notice.pk).update(
        status=verdict.status, due_at=verdict.until, lease_until=None, attempts=0
    )


def _close(notice: Notice, error: Exception) -> None:
    """Mark a notification as closed: its address takes no mail."""
    reason = CHANNELS[notice.channel].reason_of(error)
    closed = {"status": Notice.Status.CLOSED, "last_error": reason, "lease_until": None}
    Notice.objects.filter(pk=notice.pk).update(**closed)


def release_held(*, now: datetime) -> int:
    """Release notifications held until now, to judge them again. Return their number."""
    held = Notice.objects.filter(status=Notice.Status.HELD, due_at__lte=now)
    return held.update(status=Notice.Status.PENDING, due_at=None, lease_until=None, offered_at=None)


def give_up_interrupted(*, now: datetime) -> int:
    """Give up notifications if their last attempt broke off. Return their number."""
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
    """Note a failure and the time of the next attempt, if any."""
    channel = CHANNELS[notice.channel]
    reason = channel.reason_of(error)
    logger.warning("Notice %d was not sent, attempt %d: %s", notice.pk, notice.attempts, reason)
    is_last = notice.attempts >= ATTEMPTS
    status = channel.given_up(notice, error) if is_last else Notice.Status.PENDING
    if status == Notice.Status.GIVEN_UP:
        channel.note_given_up(reason, now=now)
    Notice.objects.filter(pk=notice.pk).update(
        last_error=reason, lease_until=now + BACK_OFF * 2 ** (notice.attempts - 1), status=status
    )


LONGEST_BACK_OFF: Final = timedelta(minutes=30)
"""The longest wait between two attempts: a person waits for the mail."""


def send_account_mail(*, mail_id: int, now: datetime) -> bool:
    """Send an account mail if it is free and not too old. Return whether it went out."""
    mail = free_account_mails(now=now).filter(pk=mail_id).first()
    if mail is None or not mail.claim(LEASE, now=now):
        return False
    try:
        with time_limit(
            SENDING_TIME.total_seconds(), f"it took longer than {SENDING_TIME.total_seconds():g} s"
        ):
            send_email(_message(mail), now=now)
    except Exception as error:
        if faults.is_temporary(error):  # it does not count, and its lease runs out
            take_back([mail], error)
            raise
        jobs.MAIL_FAILURES.inc()
        _put_mail_off(mail, error, now)
        return False
    faults.write_despite_outage(
        AccountMail.objects.filter(pk=mail.pk).delete, f"Account mail {mail.pk} was sent"
    )
    note_accepted(now=now)
    jobs.ACCOUNT_MAIL_SENT.inc()
    return True


def give_up_expired(*, now: datetime) -> int:
    """Give up emails after their time limit. Return their number."""
    expired = AccountMail.free(now).filter(good_until__lte=now)
    last = expired.exclude(last_error="").order_by("-pk").values_list("last_error", flat=True).first()
    number, _ = expired.delete()
    if number:
        note_given_up(last or encode_reason("interrupted"), mails=number, now=now)
    return number


def free_account_mails(*, now: datetime) -> QuerySet[AccountMail]:
    """Return the emails free for a worker."""
    return AccountMail.free(now).filter(good_until__gt=now).order_by("lease_until", "pk")


def _message(mail: AccountMail) -> EmailMessage:
    """Return the message. A copy sent after a crash has the same Message-ID."""
    host = urlsplit(settings.BASE_URL).hostname
    headers = {
        "Auto-Submitted": "auto-generated",
        "Message-ID": f"<account-{mail.pk}-{mail.created_at:%Y%m%d%H%M%S%f}@{host}",
    }
    return EmailMessage(mail.subject, mail.body, to=[mail.address], headers=headers)


def _put_mail_off(mail: AccountMail, error: Exception, now: datetime) -> None:
    """Note a failure and the next attempt, or delete an email without a mailbox."""
    reason = reason_for(error)
    row = AccountMail.objects.filter(pk=mail.pk)
    if is_permanent_failure(error):
        logger.warning("Account mail %d (%s) has no mailbox: %s", mail.pk, mail.kind, reason)
        row.delete()
        return
    logger.warning("Account mail %d (%s), attempt %d: %s", mail.pk, mail.kind, mail.attempts, reason)
    again = now + min(BACK_OFF * 2 ** min(mail.attempts - 1, 20), LONGEST_BACK_OFF)
    row.update(last_error=reason, lease_until=min(again, mail.good_until))
