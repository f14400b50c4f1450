"""Sending mail about accounts: claimed by one worker at a time, outside of any transaction, tried again.

The rows are in `accounts.outbox`. A row is deleted once its mail was sent or given up, since it may hold a
link that opens an account.
"""

import logging
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage
from django.db.models import F, Q, QuerySet

from accounts.models import AccountMail
from games.news.services import mail_server
from games.news.services.delivery import BACK_OFF, LEASE, NOTING, SENDING
from games.work import jobs
from games.work.jobs import encode_reason
from roborunner import faults
from roborunner.faults import time_limit

logger = logging.getLogger(__name__)

LONGEST_BACK_OFF: Final = timedelta(minutes=30)
"""The longest wait between two attempts: a person waits for the mail."""


def send_account_mail(*, mail_id: int, now: datetime) -> bool:
    """Send a mail, unless it was sent, is being sent or is too old; return whether it went out."""
    mail = AccountMail.objects.filter(_free(now), pk=mail_id, good_until__gt=now).first()
    if mail is None or not _claim(mail, now):
        return False
    try:
        with time_limit(SENDING.total_seconds(), f"it took longer than {SENDING.total_seconds():g} s"):
            mail_server.send(_message(mail), now=now)
    except Exception as error:
        if faults.is_temporary(error):  # it does not count, and its lease runs out
            claimed = AccountMail.objects.filter(pk=mail.pk, attempts__gt=0)
            faults.write_despite_outage(
                lambda: claimed.update(attempts=F("attempts") - 1),
                f"Account mail {mail.pk} could not be tried",
                seconds=NOTING,
            )
            raise
        jobs.MAIL_FAILURES.inc()
        _put_off(mail, error, now)
        return False
    faults.write_despite_outage(
        AccountMail.objects.filter(pk=mail.pk).delete, f"Account mail {mail.pk} was sent"
    )
    mail_server.note_taken(now=now)
    jobs.ACCOUNT_MAIL_SENT.inc()
    return True


def give_up_expired(*, now: datetime) -> int:
    """Give up mails whose time is over; return how many."""
    expired = AccountMail.objects.filter(_free(now), good_until__lte=now)
    last = expired.exclude(last_error="").order_by("-pk").values_list("last_error", flat=True).first()
    number, _ = expired.delete()
    if number:
        mail_server.note_given_up(last or encode_reason("interrupted"), mails=number, now=now)
    return number


def waiting(*, now: datetime) -> QuerySet[AccountMail]:
    """Return mails that no worker is sending."""
    return AccountMail.objects.filter(_free(now), good_until__gt=now).order_by("lease_until", "pk")


def _free(now: datetime) -> Q:
    return Q(lease_until=None) | Q(lease_until__lte=now)


def _claim(mail: AccountMail, now: datetime) -> bool:
    """Claim a mail if no other worker holds it; return whether that succeeded."""
    free = AccountMail.objects.filter(_free(now), pk=mail.pk, attempts=mail.attempts)
    lease, attempts = now + LEASE, mail.attempts + 1
    if not free.update(lease_until=lease, attempts=attempts):
        return False
    mail.lease_until, mail.attempts = lease, attempts
    return True


def _message(mail: AccountMail) -> EmailMessage:
    """Return the mail as it goes out; the copy that a dying worker causes has the same Message-ID."""
    host = urlsplit(settings.BASE_URL).hostname
    headers = {
        "Auto-Submitted": "auto-generated",
        "Message-ID": f"<account-{mail.pk}-{mail.created_at:%Y%m%d%H%M%S%f}@{host}",
    }
    return EmailMessage(mail.subject, mail.body, to=[mail.address], headers=headers)


def _put_off(mail: AccountMail, error: Exception, now: datetime) -> None:
    """Note a failure and when to try again: never, if the mailbox does not exist or time is over."""
    reason = mail_server.reason_for(error)
    row = AccountMail.objects.filter(pk=mail.pk)
    if mail_server.is_for_good(error):
        logger.warning("Account mail %d (%s) has no mailbox: %s", mail.pk, mail.kind, reason)
        row.delete()
        return
    logger.warning("Account mail %d (%s), attempt %d: %s", mail.pk, mail.kind, mail.attempts, reason)
    again = now + min(BACK_OFF * 2 ** min(mail.attempts - 1, 20), LONGEST_BACK_OFF)
    row.update(last_error=reason, lease_until=min(again, mail.good_until))
