"""Mail through a provider's API, with the errors of a mail server.

As a result, other code handles only one kind of failure. No error contains the key or an email address.
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

MAX_REPLY_LENGTH: Final = 300
"""The maximum number of characters of a provider's answer in an error."""

NO_SUCH_ADDRESS: Final = "5.1.3"
"""The status code for an invalid address (RFC 3463)."""


MAILGUN_BAD_ADDRESS: Final = "'to' parameter is not a valid address"
"""Mailgun's message for an invalid address. anymail recognises only Postmark's message."""


class MailRejected(SMTPException):
    """Raised if a provider does not accept an email. The text gives the reason."""


class _Provider:
    """A base class for the email backends of anymail, to raise errors of SMTP."""

    esp_name: str

    def send_messages(self, messages: Sequence[EmailMessage]) -> int:
        """Send emails. Return the number of emails sent. Raises SMTPException for a failure."""
        try:
            sent: int = super().send_messages(messages)  # type: ignore[misc]
            return sent
        except AnymailError as error:
            failure = _failure(error, self.esp_name)
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            # The answer has a form unknown to anymail.
            failure = MailRejected(f"{self.esp_name} sent an unreadable answer: {type(error).__name__}")
        raise failure  # drop the original error, since it contains the whole mail


class Mailgun(_Provider, mailgun.EmailBackend):  # type: ignore[misc]
    pass


class Postmark(_Provider, postmark.EmailBackend):  # type: ignore[misc]
    pass


def _failure(error: AnymailError, provider: str) -> SMTPException:
    """Return the SMTP error for a provider's failure.

    The refusal of an invalid address is permanent. A provider may refuse other addresses for many reasons,
    such as a missing mailbox. As the provider does not say which, such a refusal is not permanent.
    """
    said = _message_in(error.response) if error.response is not None else ""
    invalid = said.startswith(MAILGUN_BAD_ADDRESS)
    if isinstance(error, AnymailRecipientsRefused):
        statuses = error.email_message.anymail_status.recipients.values()
        invalid = all(each.status == "invalid" for each in statuses)
    if invalid or isinstance(error, AnymailRecipientsRefused):
        reply = f"{NO_SUCH_ADDRESS} {provider}: {said}" if invalid else f"{provider}: {said}"
        return SMTPRecipientsRefused({to: (550, reply.encode()) for to in error.email_message.to})
    if error.response is not None:
        return MailRejected(f"{provider} answered {error.response.status_code}: {said}")
    if error.__cause__ is not None:
        return MailRejected(f"{provider} cannot be reached: {type(error.__cause__).__name__}")
    return MailRejected(f"{provider} cannot be given it: {_clean(' '.join(map(str, error.args)))}")


def _message_in(response: Any) -> str:
    """Return the message in a provider's answer, or the whole answer if it has no message."""
    with suppress(ValueError):
        document = response.json()
        for name in ("Message", "message"):
            if isinstance(document, dict) and isinstance(document.get(name), str):
                return _clean(document[name])
    return _clean(response.text)


def _clean(said: str) -> str:
    if settings.EMAIL_HOST_PASSWORD:
        said = said.replace(settings.EMAIL_HOST_PASSWORD, "…")
    return without_addresses(said)[:MAX_REPLY_LENGTH]
