"""Send notifications and account mail, and watch the mail server and receivers.

A worker claims a notification or an email, and sends it outside of any transaction. Failures are retried
later. A slow receiver delays only its own notifications. An alarm tells staff if the mail server accepts no
mail.
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
from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.db import connection, transaction
from django.db.models import Min, Q, QuerySet
from django.template.loader import render_to_string
from django.utils import timezone, translation

from accounts import mail as account_mail
from accounts.languages import language_of
from accounts.models import AccountMail, Frequency, MailRecord, User
from games.errors import describe_error
from games.news.channels import CHANNELS, Undeliverable
from games.news.channels.bounces import PERMANENT_CODES, replies, status_in
from games.news.kinds import KINDS
from games.news.models import MailServer, Notice, Queued, Receiver
from games.news.services import RECHECK_AFTER, SEND, Judgement, is_looking, judge
from games.news.site_notices import site_notices_at
from games.work import enqueue, jobs
from games.work.jobs import Explained, encode_reason, reason_in_words
from games.work.models import lock_person
from roborunner import faults
from roborunner.faults import time_limit
from roborunner.leases import take_back

SLOT_LEASE: Final = timedelta(seconds=60)
"""The time until a receiver's slot becomes free if the worker dies during a call.

The notification's own lease, `LEASE`, is equally long.
"""

SLOW_SECONDS: Final = 2.0
"""The minimum duration of a slow failure, in seconds.

After a slow failure, the receiver gets no calls for a while.
"""

REST: Final = timedelta(minutes=1)
"""The length of the pause in calls to a receiver after its first slow failure.

Each further slow failure in a row doubles the time.
"""

LONGEST_REST: Final = timedelta(minutes=16)
"""The longest pause in calls to a receiver after slow failures."""


class Busy(Exception):
    """Raised after a row was postponed because its receiver takes no calls now.

    ``rests`` is true if calls to the receiver are paused after slow failures, and false if other calls take
    all of the receiver's slots.
    """

    def __init__(self, *, rests: bool) -> None:
        super().__init__("the receiver has no room")
        self.rests = rests


@contextmanager
def receiver_slot(*, row: Queued, url: str, slots: int, now: datetime) -> Iterator[None]:
    """Hold a slot of the receiver at ``url`` during a call for a row, such as a notification.

    The caller must have claimed the row. A receiver gets at most ``slots`` calls at a time. If no slot is
    free, this postpones the row and raises Busy.
    """
    name = _name(row, url)
    slot = _take_slot(row, name, slots, now)
    begun = time.monotonic()
    try:
        yield
    except Undeliverable:
        _free_slot(row, name, slot, rests=time.monotonic() - begun >= SLOW_SECONDS, now=now)
        raise
    _free_slot(row, name, slot, rests=False, now=now)


def forget_receivers(*, now: datetime) -> int:
    """Delete receivers whose last call or pause ended over a day ago. Return the number deleted."""
    return Receiver.objects.filter(busy_until__lt=now - timedelta(days=1)).delete()[0]


def _name(row: Queued, url: str) -> str:
    return f"{row.channel_name} {urlsplit(url).netloc.lower()}"[:300]


def _take_slot(row: Queued, name: str, slots: int, now: datetime) -> int:
    """Take a free slot of a receiver for a row. Return the number of the slot.

    If no slot is free, postpones the row and raises Busy.
    """
    with transaction.atomic():
        _lock(name)
        known = {each.slot: each for each in Receiver.objects.filter(name=name)}
        for slot in range(slots):
            if slot not in known:
                Receiver.objects.create(name=name, slot=slot, busy_until=now + SLOT_LEASE)
                return slot
            if known[slot].busy_until <= now:
                Receiver.objects.filter(pk=known[slot].pk).update(busy_until=now + SLOT_LEASE)
                return slot
        type(row)._default_manager.filter(pk=row.pk).update(
            waits_for=name,
            lease_until=min(each.busy_until for each in known.values()),
            attempts=row.attempts - 1,  # nothing was sent
        )
    raise Busy(rests=all(each.failures for each in known.values()))


def _free_slot(row: Queued, name: str, slot: int, *, rests: bool, now: datetime) -> None:
    """Free a slot after a call for a row, and queue the next row of its model for the receiver.

    If ``rests`` is true, calls to the receiver are paused: the slot stays taken until the end of the pause.
    """
    with transaction.atomic():
        _lock(name)
        taken = Receiver.objects.filter(name=name, slot=slot)
        if rests:
            failures = (taken.aggregate(so_far=Min("failures"))["so_far"] or 0) + 1
            rest = min(REST * 2 ** (min(failures, 10) - 1), LONGEST_REST)
            taken.update(failures=failures, busy_until=now + rest)
            return
        taken.delete()
        rows = type(row)._default_manager.all()
        following = rows.filter(row.OPEN, waits_for=name).order_by("pk").first()
        if following is not None:
            rows.filter(pk=following.pk).update(waits_for="", lease_until=None, offered_at=now)
            enqueue.send_notification(following.pk, task=following.task)


def _lock(name: str) -> None:
    """Lock the slots of a receiver until the end of the transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [name])


MAIL_JOB: Final = "mail"
"""The name of the job to watch the mail server. The job fails while the server accepts no mail."""

GIVEN_UP: Final = "mail-given-up"
"""The job name of the alarm about emails that were given up after the last attempt to send them."""

DOWN_AFTER: Final = timedelta(minutes=10)
"""The minimum time from the first failure until the mail server may count as down."""

FAILURES_BEFORE_ALARM: Final = 3
"""The minimum number of failed attempts until the mail server may count as down.

The time `DOWN_AFTER` must also have passed.
"""

FAILURES_BEFORE_MESSAGE: Final = 2
"""The minimum number of failed attempts until the operator gets a message about the mail server."""

REFUSED_RECIPIENTS: Final = 3
"""The number of refused recipients at which refusals count as the mail server's fault."""

ALARM_CLOSES_AFTER: Final = timedelta(hours=1)
"""The time without given-up mail after which the alarm about given-up mail closes."""

MINUTE: Final = timedelta(minutes=1)


def send_email(mail: EmailMessage, *, now: datetime) -> None:
    """Send an email. If that fails, record the mail server's failures, and raise the error.

    After a success, the caller must call `note_accepted`.
    """
    try:
        mail.send()
    except Exception as error:
        if not faults.is_temporary(error) and not is_permanent_failure(error):
            _note(partial(_note_failure, mail, error, now))
        raise


def note_accepted(*, now: datetime) -> None:
    """Record that the mail server accepted an email."""
    _note(partial(_note_success, now))


def reason_for(error: Exception) -> str:
    """Return the mail server's reply or the error, encoded and without addresses."""
    replied = "; ".join(replies(error)) if isinstance(error, SMTPException) else ""
    return account_mail.without_addresses(
        encode_reason("mail-server", replied) if replied else describe_error(error)
    )


def is_permanent_failure(error: Exception) -> bool:
    """Return whether an error means that the recipient's mailbox does not exist.

    Some servers say so only after they have read the whole email.
    """
    if not isinstance(error, SMTPRecipientsRefused | SMTPDataError):
        return False
    said = replies(error)
    return bool(said) and all(status_in(each) in PERMANENT_CODES for each in said)


def note_given_up(reason: str, *, mails: int = 1, now: datetime) -> None:
    """Count emails that were given up after the last attempt, and raise the alarm about given-up mail."""
    jobs.MAIL_GIVEN_UP.inc(mails)
    MailServer.objects.update_or_create(pk=1, defaults={"given_up_at": now})
    error = Explained("mail-given-up", reason_in_words(reason))
    jobs.set_aside(GIVEN_UP, kind="mailserver", row=1, error=error, now=now)


def watch_mail(*, now: datetime) -> None:
    """Raise Explained if the mail server accepts no mail.

    If the server works, closes the alarm about given-up mail after `ALARM_CLOSES_AFTER`.
    """
    server = MailServer.objects.filter(pk=1).first()
    if server is None:
        return
    works = server.failing_since is None and server.taken_at is not None
    if works and server.given_up_at and server.given_up_at <= now - ALARM_CLOSES_AFTER:
        jobs.close_alarm(GIVEN_UP, row=1, now=now)
    if not works and server.failing_since and _is_down(server, now):
        since = f"{server.failing_since:%Y-%m-%d %H:%M} UTC"
        raise Explained("mail-refused", f"{since} ({server.failures} ×): {reason_in_words(server.error)}")


def failing_server(*, now: datetime) -> MailServer | None:
    """Return the record of the mail server if the server accepts no mail, else None.

    Unlike `watch_mail`, this does not wait for ten minutes, because the operator must know at once.
    """
    server = MailServer.objects.filter(pk=1).first()
    if server is None or not _is_down(server, now, after=MINUTE, failures=FAILURES_BEFORE_MESSAGE):
        return None
    return server


def _is_down(
    server: MailServer,
    now: datetime,
    *,
    after: timedelta = DOWN_AFTER,
    failures: int = FAILURES_BEFORE_ALARM,
) -> bool:
    """Return whether the mail server counts as down.

    A few refused recipients are not enough, since strangers can enter wrong addresses.
    """
    if server.failures < failures or not server.failing_since or server.failing_since > now - after:
        return False
    return server.is_down or len(server.refused) >= REFUSED_RECIPIENTS


def _note(write: Callable[[], object]) -> None:
    """Write a record about an attempt to send an email, unless the database is down.

    An error here would make the attempt look failed, and the email would go out twice.
    """
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
"""The duration of a worker's claim on a notification. A worker whose claim has ended counts as dead."""

SENDING_TIME = timedelta(seconds=45)
"""The time limit for sending a notification.

The limit is shorter than `LEASE`, so that no other worker sends the notification too.
"""

ATTEMPTS = 10
"""The number of failed attempts after which a notification is given up."""

BACK_OFF = timedelta(minutes=1)
"""The wait after the first failed attempt. The wait doubles after each further failure.

All waits together are eight and a half hours, since a mail server may be down for a night.
"""


def send_notification(*, notice_id: int, now: datetime) -> bool:
    """Send a notification if it is due. Return whether it went out.

    Does nothing if the notification was already sent, is being sent or must wait. If the recipient wants a
    daily email, the email has all their waiting notifications. Failed notifications are retried later. After
    the last attempt, a notification is given up, and the reason is stored.
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
    """Return whether a notification is for the daily email.

    Returns False for a notification of an unknown kind or channel, since it is sent separately.
    """
    try:
        kind = KINDS[notice.kind]
        return CHANNELS[notice.channel].frequency_of(notice, kind) == Frequency.DAILY
    except ValueError:
        return False


def _judged(notice: Notice, now: datetime) -> Judgement | None:
    """Decide whether to send a notification.

    If the decision raises an error, postpones the notification and returns None.
    """
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
    """Send a person's daily email if it is due. Return whether it went out.

    Locks the person's row while choosing the notifications for the email.
    """
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
        due += [notice for notice, _ in later]  # an email goes out anyway
        claimed = [notice for notice in due if _claim(notice, now)]
    return bool(claimed) and _send(
        claimed, partial(CHANNELS[channel].send_daily, user, claimed, now=now), now
    )


def _send(notices: list[Notice], send: Callable[[], object], now: datetime) -> bool:
    """Send claimed notifications outside of any transaction, and store the result.

    Returns whether the notifications went out.
    """
    try:
        with time_limit(
            SENDING_TIME.total_seconds(), f"it took longer than {SENDING_TIME.total_seconds():g} s"
        ):
            sent = send()
    except Busy:
        return False  # the notification was postponed
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
    """Mark notifications as sent. In an outage, retry until the database answers.

    Otherwise, the notifications would go out twice.
    """
    sent = {"status": Notice.Status.SENT, "sent_at": now, "due_at": None, "last_error": ""}
    notices = Notice.objects.filter(pk__in=notice_ids)
    named = ", ".join(map(str, notice_ids))
    faults.write_despite_outage(lambda: notices.update(**sent), f"Notice {named} was sent")


def _notices() -> QuerySet[Notice]:
    """Return all notifications, with the related rows that most kinds need."""
    told = Notice.objects.select_related("user", "game__revision", "game__course")
    return told.prefetch_related("game__players")


def _claim(notice: Notice, now: datetime) -> bool:
    """Claim a notification. Return whether that succeeded."""
    return notice.claim(LEASE, now=now, status=Notice.Status.PENDING, waits_for="")


def _settle(notice: Notice, verdict: Judgement) -> None:
    """Store the decision not to send a notification now."""
    Notice.objects.filter(pk=notice.pk).update(
        status=verdict.status, due_at=verdict.until, lease_until=None, attempts=0
    )


def _close(notice: Notice, error: Exception) -> None:
    """Give a notification the status CLOSED, because mail to its address bounces."""
    reason = CHANNELS[notice.channel].reason_of(error)
    closed = {"status": Notice.Status.CLOSED, "last_error": reason, "lease_until": None}
    Notice.objects.filter(pk=notice.pk).update(**closed)


def release_held(*, now: datetime) -> int:
    """Queue the held notifications with a ``due_at`` in the past. Return their number.

    A worker then decides again whether to send each of them.
    """
    held = Notice.objects.filter(status=Notice.Status.HELD, due_at__lte=now)
    return held.update(status=Notice.Status.PENDING, due_at=None, lease_until=None, offered_at=None)


def give_up_interrupted(*, now: datetime) -> int:
    """Give up notifications if their worker died during the last attempt to send them.

    Returns the number of notifications given up.
    """
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
    """Store a failure to send a notification. Schedule the next attempt, or give up."""
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
"""The longest wait between two attempts to send an account mail."""


def send_account_mail(*, mail_id: int, now: datetime) -> bool:
    """Send an account mail. Return whether it went out.

    Does nothing if another worker has claimed the mail, or if the mail is too old.
    """
    mail = free_account_mails(now=now).filter(pk=mail_id).first()
    if mail is None or not mail.claim(LEASE, now=now):
        return False
    try:
        with time_limit(
            SENDING_TIME.total_seconds(), f"it took longer than {SENDING_TIME.total_seconds():g} s"
        ):
            send_email(_message(mail), now=now)
    except Exception as error:
        if faults.is_temporary(error):  # the attempt does not count
            take_back([mail], error)
            raise
        jobs.MAIL_FAILURES.inc()
        _put_mail_off(mail, error, now)
        return False
    faults.write_despite_outage(
        partial(account_mail.settle_mail, mail, MailRecord.Outcome.SENT, now=now),
        f"Account mail {mail.pk} was sent",
    )
    note_accepted(now=now)
    jobs.ACCOUNT_MAIL_SENT.inc()
    return True


def give_up_expired(*, now: datetime) -> int:
    """Give up account mails after their time limit. Return the number of mails."""
    expired = list(AccountMail.free(now).filter(good_until__lte=now).order_by("pk"))
    for mail in expired:
        error = mail.last_error or encode_reason("interrupted")
        account_mail.settle_mail(mail, MailRecord.Outcome.GIVEN_UP, error=error, now=now)
    if expired:
        last = next((mail.last_error for mail in reversed(expired) if mail.last_error), "")
        note_given_up(last or encode_reason("interrupted"), mails=len(expired), now=now)
    return len(expired)


def free_account_mails(*, now: datetime) -> QuerySet[AccountMail]:
    """Return the account mails that no worker has claimed and that are not too old."""
    return AccountMail.free(now).filter(good_until__gt=now).order_by("lease_until", "pk")


def _message(mail: AccountMail) -> EmailMultiAlternatives:
    """Return the message of an account mail.

    If the message is sent again after a crash, its Message-ID is the same.
    """
    host = urlsplit(settings.BASE_URL).hostname
    headers = {
        "Auto-Submitted": "auto-generated",
        "Message-ID": f"<account-{mail.pk}-{mail.created_at:%Y%m%d%H%M%S%f}@{host}>",
    }
    reader = account_mail.owner_of(mail.address)
    with translation.override(language_of(reader)):
        notices = site_notices_at(timezone.now())
    text, line, foot = mail.body.partition(_FOOT)
    body = "\n\n".join([text.rstrip(), *notices]) + "\n" + line + foot if notices else mail.body
    message = EmailMultiAlternatives(mail.subject, body, to=[mail.address], headers=headers)
    message.attach_alternative(_html_of(mail, reader, notices), "text/html")
    return message


_FOOT: Final = "\n--\n"
"""The line between the text of an email and its reason."""


MAILS_WITH_BUTTON: Final = frozenset(
    f"account/email/{name}"
    for name in ("email_confirmation", "email_confirmation_signup", "password_reset_key")
)
"""The kinds of account mail whose subject describes their link."""


def _html_of(mail: AccountMail, reader: User | None, notices: list[str]) -> str:
    """Return the HTML of an account mail, in the frame of all mail.

    It is made of the text, because only the text is stored, in the language of its reader. The language of a
    mail to a stranger is not known.
    """
    text, _, foot = mail.body.partition(_FOOT)
    paragraphs = [part.splitlines() for part in text.strip().split("\n\n")]
    links = [line for lines in paragraphs for line in lines if line.startswith("http")]
    return render_to_string(
        "account/email/message.html",
        {
            "topic": mail.subject,
            "spoken": language_of(reader) if reader else "",
            "paragraphs": paragraphs,
            "main": links[0] if links and mail.kind in MAILS_WITH_BUTTON else "",
            "why": foot.partition("\n")[2],
            "site_notices": notices,
            "site_url": settings.BASE_URL,
        },
    )


def _put_mail_off(mail: AccountMail, error: Exception, now: datetime) -> None:
    """Store a failure to send an account mail, and schedule the next attempt.

    If the mailbox does not exist, deletes the mail instead.
    """
    reason = reason_for(error)
    row = AccountMail.objects.filter(pk=mail.pk)
    if is_permanent_failure(error):
        logger.warning("Account mail %d (%s) has no mailbox: %s", mail.pk, mail.kind, reason)
        account_mail.settle_mail(mail, MailRecord.Outcome.REFUSED, error=reason, now=now)
        return
    logger.warning("Account mail %d (%s), attempt %d: %s", mail.pk, mail.kind, mail.attempts, reason)
    again = now + min(BACK_OFF * 2 ** min(mail.attempts - 1, 20), LONGEST_BACK_OFF)
    row.update(last_error=reason, lease_until=min(again, mail.good_until))
