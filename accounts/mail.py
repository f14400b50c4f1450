"""Email addresses and mail about accounts: owners, closed addresses, and the outbox.

An address belongs to the account that confirmed it. allauth also looks at unconfirmed addresses, so every
lookup of this site uses `owner_of` instead.

A closed address is stored as a keyed hash, with the reason. So the site remembers a stranger's wish without
their address.

A request never waits for a mail server. It writes a row, and a worker sends it (`games.news.delivery`).
"""

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.db.models import Q
from django.urls import reverse
from django.utils.crypto import salted_hmac

from accounts.models import AccountMail, ClosedAddress, Frequency, User, mailbox_of


def keyed_hashes(salt: str, value: str) -> list[str]:
    """Return the hash of a value by ``SECRET_KEY``, then by each key of ``SECRET_KEY_FALLBACKS``.

    Store the first. Look for all of them: rows and links from before a new key have another.
    """
    return [
        salted_hmac(salt, value, secret=key, algorithm="sha256").hexdigest()
        for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    ]


def owner_of(email: str) -> User | None:
    """Return the account that confirmed this address, even if it is closed."""
    # The database has no two confirmed rows of one address, and keeps all of them in lower case.
    confirmed = EmailAddress.objects.filter(email=mailbox_of(email), verified=True)
    found = confirmed.select_related("user").first()
    return found.user if found else None


_ADDRESS: Final = re.compile(r"<?[^\s<>@]+@[^\s<>@]+>?")

LONGEST_REASON: Final = 300
"""The most characters of a reason."""


def digest_of(email: str) -> str:
    """Return the hash of a mailbox, for a row or a link."""
    return _digests_of(email)[0]


def _digests_of(email: str) -> list[str]:
    return keyed_hashes("accounts.closed_addresses", mailbox_of(email))


def close_address(*, digest: str, cause: ClosedAddress.Cause, now: datetime, reason: str = "") -> None:
    """Stop mail about games to the address of a hash. Addresses in the reason are removed."""
    said = without_addresses(reason)[:LONGEST_REASON]
    closed = {"cause": cause, "reason": said, "closed_at": now}
    ClosedAddress.objects.update_or_create(digest=digest, defaults=closed)


def without_addresses(said: str) -> str:
    """Return what a mail server said in one line, without the addresses in it: logs are to hold none.

    Nor can the database hold everything that a server may say.

    >>> without_addresses("5.1.1 <alice@example.org>:\\n no such mailbox")
    '5.1.1 the address: no such mailbox'
    """
    return " ".join(_ADDRESS.sub("the address", said.replace("\0", " ")).split())


def closure_of(email: str) -> ClosedAddress | None:
    """Return when and why mail about games to an address stopped, None if it goes."""
    # After a new key, an address may be closed under the old hash, the new one or both.
    rows = ClosedAddress.objects.filter(digest__in=_digests_of(email)).order_by("-closed_at")
    return rows.first() if email else None


def came_back(email: str) -> ClosedAddress | None:
    """Return when and why mail to an address began to bounce, None if it arrives."""
    found = closure_of(email)
    return found if found and found.cause == ClosedAddress.Cause.CAME_BACK else None


def asked_for_none(email: str) -> bool:
    """Return whether a stranger with this address has stopped mail about lobbies."""
    found = closure_of(email)
    return found is not None and found.cause == ClosedAddress.Cause.ASKED


def reopen_address(email: str) -> None:
    """Send mail about games to an address again."""
    ClosedAddress.objects.filter(digest__in=_digests_of(email)).delete()


_SIGNER = Signer(salt="accounts.unsubscribe")


def unsubscribe_token(user: User) -> str:
    """The token in a person's link. It never expires, since people keep mails for years."""
    return _SIGNER.sign(str(user.pk)).replace(":", "-", 1)


def user_of(token: str) -> User | None:
    """Whose link ends with `token`; None when it was not made here, or its account is gone."""
    try:
        key = _SIGNER.unsign(token.replace("-", ":", 1))
    except BadSignature:
        return None
    return User.objects.filter(pk=key).first()


def stop_mail(*, user: User) -> None:
    """Stop mail about games to `user`, except games for which they chose it."""
    user.manner = Frequency.NONE
    user.save(update_fields=["manner"])


def unsubscribe_url(user: User) -> str:
    """The address that stops mail about games to `user`: for a link, and for the List-Unsubscribe header.

    A GET asks for confirmation; a POST does it at once (RFC 8058), logged in or not.
    """
    return settings.BASE_URL + reverse("accounts:unsubscribe", args=[unsubscribe_token(user)])


GOOD_FOR: Final = timedelta(days=1)
"""How long a mail is tried. Its link is good for at least as long (`roborunner.login`)."""

WITH_LINKS: Final = frozenset(
    f"account/email/{name}"
    for name in (
        "account_already_exists",
        "email_confirmation",
        "email_confirmation_signup",
        "password_reset_key",
        "unknown_account",
    )
)
"""Mails that people ask for, often again: a new one replaces those that still wait."""


def _leave_to_the_sweeper(mail_id: int) -> None:
    """Do nothing: the sweeper offers the mail to the workers."""


send_soon: Callable[[int], None] = _leave_to_the_sweeper
"""Have a mail sent soon; the application that has the workers sets it."""


def post_mail(*, kind: str, address: str, subject: str, body: str, now: datetime) -> AccountMail:
    """Put a mail into the outbox; it leaves once the transaction is committed."""
    if kind in WITH_LINKS:
        free = Q(lease_until=None) | Q(lease_until__lte=now)
        AccountMail.objects.filter(free, kind=kind, address=address).delete()
    mail = AccountMail.objects.create(
        kind=kind, address=address, subject=subject, body=body, created_at=now, good_until=now + GOOD_FOR
    )
    send_soon(mail.pk)
    return mail


def discard_mail(*, user: User) -> None:
    """Delete the mail that waits for a person, since their account is deleted."""
    addresses = {user.email, *EmailAddress.objects.filter(user=user).values_list("email", flat=True)}
    AccountMail.objects.filter(address__in={mailbox_of(address) for address in addresses if address}).delete()
