"""Mail by a provider's API: what a provider answers is said as a mail server says it, which the site knows.

So whatever sends mail has one sort of failure to expect. No failure repeats the key, or an address.
"""

from collections.abc import Sequence
from contextlib import suppress
from smtplib import SMTPException, SMTPRecipientsRefused
from typing import Any, Final

from anymail.backends import mailgun, postmark
from anymail.exceptions import AnymailError, AnymailRecipientsRefused
from django.conf import settings
from django.core.mail import EmailMessage

from accounts.mail import without_addresses

LONGEST: Final = 300
"""The most characters of an answer that are repeated."""

NO_SUCH_ADDRESS: Final = "5.1.3"
"""What a mail server says (RFC 3463) of an address that no one has."""


OF_MAILGUN: Final = "'to' parameter is not a valid address"
"""How Mailgun says so, which anymail takes for any other refusal; of Postmark it knows."""


class NotTaken(SMTPException):
    """A provider did not take a mail; the text says why."""


class _Provider:
    """A backend of anymail whose failures are those of SMTP."""

    esp_name: str

    def send_messages(self, messages: Sequence[EmailMessage]) -> int:
        """Send mails, and return how many; raises SMTPException where the provider does not take one."""
        try:
            sent: int = super().send_messages(messages)  # type: ignore[misc]
            return sent
        except AnymailError as error:
            failure = _failure(error, self.esp_name)
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            # An answer in a form that anymail does not expect.
            failure = NotTaken(f"{self.esp_name} answered what cannot be read: {type(error).__name__}")
        raise failure  # without the other, which has the whole mail in it


class Mailgun(_Provider, mailgun.EmailBackend):  # type: ignore[misc]
    """Mail by Mailgun."""


class Postmark(_Provider, postmark.EmailBackend):  # type: ignore[misc]
    """Mail by Postmark."""


def _failure(error: AnymailError, provider: str) -> SMTPException:
    """Return as a failure of SMTP what kept a provider from taking a mail.

    An address that it calls invalid is refused for good. That it sends nothing to another may have many
    reasons, a mailbox that is not there among them, and it does not tell.
    """
    said = _said(error.response) if error.response is not None else ""
    invalid = said.startswith(OF_MAILGUN)
    if isinstance(error, AnymailRecipientsRefused):
        statuses = error.email_message.anymail_status.recipients.values()
        invalid = all(each.status == "invalid" for each in statuses)
    if invalid or isinstance(error, AnymailRecipientsRefused):
        reply = f"{NO_SUCH_ADDRESS} {provider}: {said}" if invalid else f"{provider}: {said}"
        return SMTPRecipientsRefused({to: (550, reply.encode()) for to in error.email_message.to})
    if error.response is not None:
        return NotTaken(f"{provider} answered {error.response.status_code}: {said}")
    if error.__cause__ is not None:
        return NotTaken(f"{provider} cannot be reached: {type(error.__cause__).__name__}")
    return NotTaken(f"{provider} cannot be given it: {_clean(' '.join(map(str, error.args)))}")


def _said(response: Any) -> str:
    """Return the sentence in a provider's answer, or all of it."""
    with suppress(ValueError):
        document = response.json()
        for name in ("Message", "message"):
            if isinstance(document, dict) and isinstance(document.get(name), str):
                return _clean(document[name])
    return _clean(response.text)


def _clean(said: str) -> str:
    if settings.EMAIL_HOST_PASSWORD:
        said = said.replace(settings.EMAIL_HOST_PASSWORD, "…")
    return without_addresses(said)[:LONGEST]
