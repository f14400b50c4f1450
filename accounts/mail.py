"""Email addresses and mail about accounts: owners, closures, and the outbox.

An address belongs to the account that confirmed it. allauth also looks at unconfirmed addresses, so every
lookup of this site uses `owner_of` instead.

A closed address receives no mail about games. It is stored as a keyed hash, with the reason, so that the
site can respect a stranger's wish for no mail without storing their address.

A request never waits for a mail server. It writes a row, and a worker sends the mail
(`games.news.delivery`).
"""

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.crypto import salted_hmac

from accounts.models import AccountMail, ClosedAddress, Frequency, MailRecord, User, mailbox_of


def keyed_hashes(salt: str, value: str) -> list[str]:
    """Return the keyed hashes of a value, one for each secret key, newest key first.

    Store only the first hash. Look for all of them, because older rows and links contain hashes made
    with older keys.
    """
    return [
        salted_hmac(salt, value, secret=key, algorithm="sha256").hexdigest()
        for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    ]


def owner_of(email: str) -> User | None:
    """Return the account that confirmed this address, even if the account is locked."""
    # The database has one confirmed row for each address, in lower case.
    confirmed = EmailAddress.objects.filter(email=mailbox_of(email), verified=True)
    found = confirmed.select_related("user").first()
    return found.user if found else None


_ADDRESS: Final = re.compile(r"<?[^\s<>@]+@[^\s<>@]+>?")

MAX_REASON_LENGTH: Final = 300
"""The maximum length of the reason for closing an address, in characters."""


def digest_of(email: str) -> str:
    """Return the keyed hash of an email address, to store in a row or to put into a link."""
    return digests_of(email)[0]


def digests_of(email: str) -> list[str]:
    """Return the keyed hashes of an email address, one for each secret key, newest key first."""
    return keyed_hashes("accounts.closed_addresses", mailbox_of(email))


def close_address(*, digest: str, cause: ClosedAddress.Cause, now: datetime, reason: str = "") -> None:
    """Stop mail about games to an address, given by its hash. Remove email addresses from the ``reason``."""
    said = without_addresses(reason)[:MAX_REASON_LENGTH]
    closed = {"cause": cause, "reason": said, "closed_at": now}
    ClosedAddress.objects.update_or_create(digest=digest, defaults=closed)


def without_addresses(said: str) -> str:
    """Return a mail server's reply on one line, with a placeholder for each email address.

    Logs must not contain addresses. NUL characters are removed too: the database cannot store them.

    >>> without_addresses("5.1.1 <alice@example.org>:\\n no such mailbox")
    '5.1.1 the address: no such mailbox'
    """
    return " ".join(_ADDRESS.sub("the address", said.replace("\0", " ")).split())


def closure_of(email: str) -> ClosedAddress | None:
    """Return the record that closes an address to mail about games, or None if the address is open."""
    # After a change of the key, an address may be closed under the old hash, the new one or both.
    rows = ClosedAddress.objects.filter(digest__in=digests_of(email)).order_by("-closed_at")
    return rows.first() if email else None


def bounce_closure_of(email: str) -> ClosedAddress | None:
    """Return the record that closes an address because mail bounced, or None if no mail bounced."""
    found = closure_of(email)
    return found if found and found.cause == ClosedAddress.Cause.CAME_BACK else None


def has_opted_out(email: str) -> bool:
    """Return whether the owner of this address has asked for no mail about games."""
    found = closure_of(email)
    return found is not None and found.cause == ClosedAddress.Cause.ASKED


def reopen_address(email: str) -> None:
    ClosedAddress.objects.filter(digest__in=digests_of(email)).delete()


_SIGNER = Signer(salt="accounts.unsubscribe")


def unsubscribe_token(user: User) -> str:
    """Return the token in a person's unsubscribe link. It never expires, because people keep emails."""
    return _SIGNER.sign(str(user.pk)).replace(":", "-", 1)


def user_of(token: str) -> User | None:
    """Return the owner of the unsubscribe link with this token.

    Returns None if the signature is wrong or the account was deleted.
    """
    try:
        key = _SIGNER.unsign(token.replace("-", ":", 1))
    except BadSignature:
        return None
    return User.objects.filter(pk=key).first()


def stop_mail(*, user: User) -> None:
    """Stop mail about a person's games, except games with a separate setting."""
    user.manner = Frequency.NONE
    user.save(update_fields=["manner"])


def unsubscribe_url(user: User) -> str:
    """Return the link to stop a person's mail about games, for emails and the List-Unsubscribe header.

    A GET asks for confirmation. A POST stops the mail at once, even if the person is not logged in (RFC
    8058).
    """
    return settings.BASE_URL + reverse("accounts:unsubscribe", args=[unsubscribe_token(user)])


RETRY_PERIOD: Final = timedelta(days=1)
"""How long to keep trying to send an email. Links in it are valid at least as long (`roborunner.login`)."""

REPLACED_KINDS: Final = frozenset(
    f"account/email/{name}"
    for name in (
        "account_already_exists",
        "email_confirmation",
        "email_confirmation_signup",
        "password_reset_key",
        "unknown_account",
    )
)
"""Kinds of email that people may request repeatedly. A new email replaces unsent ones of the same kind."""


def _leave_to_the_sweeper(mail_id: int) -> None:
    """Do nothing: the sweeper will queue the email later."""


send_soon: Callable[[int], None] = _leave_to_the_sweeper
"""Queues an email for the workers. `games` replaces this function at startup."""


def post_mail(*, kind: str, address: str, subject: str, body: str, now: datetime) -> AccountMail:
    """Put an email into the outbox. It is queued when the transaction is committed."""
    if kind in REPLACED_KINDS:
        free = Q(lease_until=None) | Q(lease_until__lte=now)
        AccountMail.objects.filter(free, kind=kind, address=address).delete()
    mail = AccountMail.objects.create(
        kind=kind, address=address, subject=subject, body=body, created_at=now, good_until=now + RETRY_PERIOD
    )
    send_soon(mail.pk)
    return mail


def settle_mail(mail: AccountMail, outcome: MailRecord.Outcome, *, error: str = "", now: datetime) -> None:
    """Delete an email from the outbox, and record its outcome. A second call does nothing."""
    with transaction.atomic():
        deleted, _ = AccountMail.objects.filter(pk=mail.pk).delete()
        if deleted:
            MailRecord.objects.create(
                digest=digest_of(mail.address),
                kind=mail.kind,
                outcome=outcome,
                created_at=mail.created_at,
                settled_at=now,
                error=error,
            )


RECORD_LIFETIME: Final = timedelta(days=30)
"""How long the outcomes of account mail are stored."""


def forget_mail_records(*, now: datetime) -> int:
    """Delete the outcomes of account mail after `RECORD_LIFETIME`. Return the number deleted."""
    return MailRecord.objects.filter(settled_at__lte=now - RECORD_LIFETIME).delete()[0]


def addresses_of(user: User) -> list[str]:
    """Return a person's addresses, the confirmed one first, without those of other accounts."""
    owned = EmailAddress.objects.filter(verified=True).exclude(user=user).values("email")
    rows = EmailAddress.objects.filter(user=user).exclude(email__in=owned).order_by("-primary", "pk")
    found = [user.email, *rows.values_list("email", flat=True)]
    return list(dict.fromkeys(mailbox_of(address) for address in found if address))


def waiting_mail(user: User) -> QuerySet[AccountMail]:
    """Return the unsent account mail to a person, oldest first."""
    return AccountMail.objects.filter(address__in=addresses_of(user)).order_by("pk")


def mail_records(user: User) -> QuerySet[MailRecord]:
    """Return the outcomes of account mail to a person's present addresses, newest first."""
    digests = [digest for address in addresses_of(user) for digest in digests_of(address)]
    return MailRecord.objects.filter(digest__in=digests)


def discard_mail(*, user: User) -> None:
    """Delete all unsent account mail to a person, and the records of earlier mail.

    Call it when their account is deleted.
    """
    waiting_mail(user).delete()
    mail_records(user).delete()
