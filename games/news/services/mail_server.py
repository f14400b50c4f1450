"""Sending any mail, and an alarm when the mail server takes none.

There is one alarm for the mail server, however many mails it refuses, and one for all mails that are given
up. Both close when mail works again.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from smtplib import SMTPDataError, SMTPException, SMTPRecipientsRefused
from typing import Final

from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import Q

from accounts import mail as closures
from games.errors import reason_of
from games.news.channels.mail.bounces import FOR_GOOD, replies, status_in
from games.news.models import MailServer
from games.work import jobs
from games.work.jobs import Explained, encode_reason, reason_in_words
from roborunner import faults

MAIL_JOB: Final = "mail"
"""The sweeper's job that fails while the mail server takes no mail."""

GIVEN_UP: Final = "mail-given-up"
"""The job whose alarm tells of mails that were given up."""

PATIENCE: Final = timedelta(minutes=10)
"""How long every attempt must fail before the mail server counts as down."""

ATTEMPTS: Final = 3
"""How many attempts must fail before the mail server counts as down."""

RECIPIENTS: Final = 3
"""How many recipients must be refused before a refusal counts as the mail server's fault."""

QUIET: Final = timedelta(hours=1)
"""How long no mail must be given up before that alarm closes."""

MINUTE: Final = timedelta(minutes=1)


def send(mail: EmailMessage, *, now: datetime) -> None:
    """Send a mail, and note a failure of the mail server; raises it. Afterwards call `note_taken`."""
    try:
        mail.send()
    except Exception as error:
        if not faults.is_temporary(error) and not is_for_good(error):
            _note(partial(_note_failure, mail, error, now))
        raise


def note_taken(*, now: datetime) -> None:
    """Note that the mail server took a mail."""
    _note(partial(_note_success, now))


def reason_for(error: Exception) -> str:
    """Return what the mail server said, without the address that the mail was for."""
    replied = "; ".join(replies(error)) if isinstance(error, SMTPException) else ""
    return closures.without_addresses(encode_reason("mail-server", replied) if replied else reason_of(error))


def is_for_good(error: Exception) -> bool:
    """Return whether the mail server says that the mailbox does not exist; some say so after the mail."""
    if not isinstance(error, SMTPRecipientsRefused | SMTPDataError):
        return False
    said = replies(error)
    return bool(said) and all(status_in(each) in FOR_GOOD for each in said)


def note_given_up(reason: str, *, mails: int = 1, now: datetime) -> None:
    """Count mails that were given up, and raise the one alarm about them."""
    jobs.MAIL_GIVEN_UP.inc(mails)
    MailServer.objects.update_or_create(pk=1, defaults={"given_up_at": now})
    error = Explained("mail-given-up", reason_in_words(reason))
    jobs.set_aside(GIVEN_UP, kind="mailserver", row=1, error=error, now=now)


def watch_mail(*, now: datetime) -> None:
    """Fail if the mail server takes no mail, and close the other alarm if it takes mail again."""
    server = MailServer.objects.filter(pk=1).first()
    if server is None:
        return
    works = server.failing_since is None and server.taken_at is not None
    if works and server.given_up_at and server.given_up_at <= now - QUIET:
        jobs.take_back(GIVEN_UP, row=1, now=now)
    if not works and server.failing_since and _is_down(server, now):
        since = f"{server.failing_since:%Y-%m-%d %H:%M} UTC"
        raise Explained("mail-refused", f"{since} ({server.failures} ×): {reason_in_words(server.error)}")


def _is_down(server: MailServer, now: datetime) -> bool:
    """Return whether all mail fails, rather than the mail to a few recipients, whom strangers may choose."""
    if server.failures < ATTEMPTS or not server.failing_since or server.failing_since > now - PATIENCE:
        return False
    return server.is_down or len(server.refused) >= RECIPIENTS


def _note(write: Callable[[], object]) -> None:
    """Write it if the database is there: no mail goes out twice because it is not."""
    faults.write_despite_outage(write, "A mail was tried", seconds=0)


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
            hashes = {*server.refused, *(closures.digest_of(address) for address in mail.to)}
            server.refused = sorted(hashes)[:RECIPIENTS]
        else:
            server.is_down = True
        server.save()
