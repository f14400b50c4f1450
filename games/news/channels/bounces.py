"""Bounced mail: find its notification, and tell whether mail to the address can never arrive.

The site fetches bounced mail from a mailbox (POP3), or a mail provider reports it.
"""

import email
import email.policy
import poplib
import re
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from email.message import Message
from smtplib import SMTPRecipientsRefused, SMTPResponseException
from typing import Any, Final, NamedTuple
from urllib.parse import unquote, urlsplit

from anymail.exceptions import AnymailConfigurationError, AnymailError, AnymailWebhookValidationFailure
from anymail.signals import EventType, RejectReason
from django.conf import settings
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare
from django.utils.module_loading import import_string

from accounts.mail import keyed_hashes
from accounts.models import mailbox_of
from games.news.models import Notice

PERMANENT_CODES: Final = frozenset({"5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.1", "5.4.1", "5.4.4"})
"""Status codes (RFC 3463) for a missing mailbox or host, or a host that accepts no mail.

Other codes, such as the code for an email refused because of its content, are no reason to close an address.
"""

CODE: Final = re.compile(r"(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.])", re.ASCII)

SIGNATURE_LENGTH: Final = 24
"""The number of characters in the signature of a return address.

It is short, because the part of an email address before the @ has at most 64 characters.
"""

MARK: Final = "notice"
"""The key in the metadata for a mail provider. Its value is the email's signed mark (`mark_of`)."""

_MARK: Final = rf"(\d{{1,18}})-([0-9a-f]{{{SIGNATURE_LENGTH}}})"

RECIPIENT_HEADERS: Final = ("Delivered-To", "X-Original-To", "Envelope-To", "To")
"""The headers of a bounce report that may contain its recipient, a return address of this site."""


class Bounce(NamedTuple):
    """A bounced email about a notification.

    ``status`` is the status code (RFC 3463), or empty if there is none. ``reply`` is the mail server's reply.
    """

    notice: Notice
    status: str
    reply: str

    @property
    def is_permanent(self) -> bool:
        """Whether mail to the address can never arrive."""
        return self.status in PERMANENT_CODES


def return_address(notice: Notice, to: str) -> str:
    """Return the return address for a notification's email, or an empty string if the site has none."""
    before, at, host = settings.BOUNCE_ADDRESS.rpartition("@")
    return f"{before}+{mark_of(notice, to)}@{host}" if at else ""


def mark_of(notice: Notice, to: str) -> str:
    """Return a signed mark to identify a notification's email to an address.

    The mark is part of the email's return address, so that the site recognises the email if it bounces.
    """
    return f"{notice.pk}-{_signatures(notice.pk, to)[0]}"


def notice_with_mark(mark: str) -> Notice | None:
    """Return the notification for a mark made by `mark_of`.

    Returns None if the mark is not from this site, or if the reader's address has changed since the email was
    sent.
    """
    found = re.fullmatch(_MARK, mark, re.IGNORECASE | re.ASCII)
    notice = found and Notice.objects.select_related("user", "game").filter(pk=int(found[1])).first()
    if not found or not notice:
        return None
    told_at = notice.user.email if notice.user else notice.email
    made_here = [constant_time_compare(found[2].lower(), each) for each in _signatures(notice.pk, told_at)]
    return notice if any(made_here) else None


def read_bounce(message: bytes, *, recipient: str = "") -> Bounce | None:
    """Return the bounce reported by an email to the site's return address.

    Returns None if the email does not report a bounce. Also returns None if the return address has no valid
    mark, or if the reader's address has changed since the bounced email was sent. ``recipient`` is the
    recipient in the email's envelope, if the mail server passes it on.
    """
    mail = email.message_from_bytes(message, policy=email.policy.compat32)
    names = (
        [recipient]
        if recipient
        else [str(each) for name in RECIPIENT_HEADERS for each in mail.get_all(name, [])]
    )
    notice = next((found for name in names if (found := _notice_in(name))), None)
    if notice is None or mail.get_content_type() != "multipart/report":
        return None
    reports = (part for part in mail.walk() if part.get_content_type() == "message/delivery-status")
    return next((told for part in reports if (told := _failure_in(notice, part))), None)


def status_in(reply: str) -> str:
    """Return the status code in a mail server's reply, or an empty string if there is none.

    >>> status_in("5.1.1 <alice@example.org>: Recipient address rejected")
    '5.1.1'
    >>> status_in("No one of that name at 10.5.1.1")
    ''
    """
    found = CODE.search(reply)
    return found[1] if found else ""


def replies(error: Exception) -> list[str]:
    """Return the mail server's replies in the error for a refused email, each with its code.

    Returns an empty list for other errors.

    >>> from smtplib import SMTPDataError
    >>> replies(SMTPDataError(554, b"5.7.1 This is spam"))
    ['554 5.7.1 This is spam']
    """
    found: list[tuple[int, bytes | str]]
    if isinstance(error, SMTPRecipientsRefused):
        found = [*error.recipients.values()]
    elif isinstance(error, SMTPResponseException):
        found = [(error.smtp_code, error.smtp_error)]
    else:
        found = []
    return [f"{code} {_text(reply)}" for code, reply in found]


def _text(reply: bytes | str) -> str:
    return reply.decode(errors="replace") if isinstance(reply, bytes) else reply


def _failure_in(notice: Notice, part: Message) -> Bounce | None:
    """Return the bounce in a delivery report (RFC 3464), or None if the report has no failed delivery.

    Each of the site's emails has one recipient, so the report has at most one failure.
    """
    blocks = part.get_payload()
    for block in blocks if isinstance(blocks, list) else []:
        if isinstance(block, Message) and str(block.get("Action", "")).strip().lower() == "failed":
            status = str(block.get("Status", "")).strip()
            reply = str(block.get("Diagnostic-Code", "")).partition(";")[2].strip()
            return Bounce(notice, status_in(status), reply or f"status {status}")
    return None


def _notice_in(address: str) -> Notice | None:
    """Return the notification for the mark in a return address, or None if there is no valid mark."""
    before, at, host = settings.BOUNCE_ADDRESS.rpartition("@")
    pattern = rf"{re.escape(before)}\+({_MARK})@{re.escape(host)}"
    found = re.search(pattern, address, re.IGNORECASE | re.ASCII) if at else None
    return notice_with_mark(found[1]) if found else None


def _signatures(number: int, to: str) -> list[str]:
    return [
        signed[:SIGNATURE_LENGTH] for signed in keyed_hashes("games.returns", f"{number}:{mailbox_of(to)}")
    ]


TIMEOUT: Final = 20.0
"""The time limit for each answer of the mailbox's server, in seconds."""

MAILS_PER_PASS: Final = 200
"""The maximum number of emails to fetch in one pass. Later passes fetch the rest."""

LARGEST_MAIL: Final = 1_000_000
"""The size of the largest email to read, in bytes. Bounce reports are far smaller."""


def fetch_mails(url: str) -> Iterator[bytes]:
    """Yield up to `MAILS_PER_PASS` emails from a mailbox, except large ones.

    At the end, the server deletes these emails and the skipped large ones. If the caller stops early, the
    server deletes nothing, and the next call yields the emails again. Raises OSError or poplib.error_proto if
    the server does not answer, or refuses the login.
    """
    with _open_mailbox(url) as box:
        for line in box.list()[1][:MAILS_PER_PASS]:
            number, size = (int(figure) for figure in line.split()[:2])
            if size <= LARGEST_MAIL:
                yield b"\r\n".join(box.retr(number)[1])
            box.dele(number)
        box.quit()


def count_mails(url: str) -> int:
    """Return the number of emails in a mailbox. Raises the errors of `fetch_mails`."""
    with _open_mailbox(url) as box:
        return len(box.list()[1])


@contextmanager
def _open_mailbox(url: str) -> Iterator[poplib.POP3]:
    parts = urlsplit(url)
    host = parts.hostname or ""
    box: poplib.POP3
    if parts.scheme == "pop3s":
        context = ssl.create_default_context()
        box = poplib.POP3_SSL(host, parts.port or 995, timeout=TIMEOUT, context=context)
    else:
        box = poplib.POP3(host, parts.port or 110, timeout=TIMEOUT)
    try:
        box.user(unquote(parts.username or ""))
        box.pass_(unquote(parts.password or ""))
        yield box
    finally:
        with suppress(OSError):
            box.close()


USER: Final = "robo"
"""The user name in the address for a mail provider's reports. ``MAIL_EVENTS_SECRET`` is the password."""

FAILURE_EVENTS: Final = frozenset({EventType.BOUNCED, EventType.REJECTED, EventType.FAILED})
"""The types of provider events that report undelivered mail."""

PARSE_ERRORS: Final = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""The errors raised when a report in an unknown format is parsed."""


class WrongSecret(Exception):
    """Raised if a provider's report lacks the right secret."""


class Unreadable(Exception):
    """Raised if the body of a request is not a provider's report."""


class MailEvent(NamedTuple):
    """A mail provider's report on the email for a notification, with the mail server's reply."""

    notice: Notice
    reply: str
    is_permanent: bool = False
    """Whether mail to the address can never arrive."""
    spam: bool = False
    """Whether the reader marked the email as spam."""


def mail_events_in(request: HttpRequest) -> list[MailEvent]:
    """Return a provider's reports on undelivered or unwelcome notifications.

    Ignores all other reports, such as reports on other mail. Raises WrongSecret and Unreadable.
    """
    reader = _reader()
    try:
        reader.run_validators(request)
    except (AnymailWebhookValidationFailure, *PARSE_ERRORS):
        raise WrongSecret from None
    try:
        events = reader.parse_events(request)
    except (AnymailError, AnymailConfigurationError, *PARSE_ERRORS):
        raise Unreadable from None
    return [fate for event in events if (fate := _mail_event(event))]


def _reader() -> Any:
    """Return the view of `anymail` that checks and reads the provider's reports.

    Mailgun signs its reports with the secret. Postmark sends the secret, as part of the address for reports.
    """
    name = settings.MAIL_PROVIDER
    view = import_string(f"anymail.webhooks.{name.lower()}.{name}TrackingWebhookView")
    if name == "Mailgun":
        return view(webhook_signing_key=settings.MAIL_EVENTS_SECRET)
    return view(webhook_secret=f"{USER}:{settings.MAIL_EVENTS_SECRET}")


def _mail_event(event: Any) -> MailEvent | None:
    if event.event_type not in FAILURE_EVENTS | {EventType.COMPLAINED}:
        return None
    mark = event.metadata.get(MARK) if isinstance(event.metadata, dict) else None
    notice = notice_with_mark(mark) if isinstance(mark, str) else None
    if notice is None:
        return None
    if event.event_type == EventType.COMPLAINED:
        return MailEvent(notice, "Its reader called it spam.", spam=True)
    reply = str(event.mta_response or event.description or event.reject_reason or "without a reason")
    no_address = event.reject_reason == RejectReason.INVALID
    return MailEvent(notice, reply, is_permanent=no_address or status_in(reply) in PERMANENT_CODES)
