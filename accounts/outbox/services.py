"""Putting mail about accounts into the outbox, within the transaction that it tells about.

A request never waits for a mail server. Workers send the rows (`games.news.services.account_mail`).
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from allauth.account.models import EmailAddress
from django.db.models import Q

from accounts.outbox.models import AccountMail
from accounts.users.mailboxes import mailbox_of
from accounts.users.models import User

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


hasten: Callable[[int], None] = _leave_to_the_sweeper
"""Have a mail sent soon; the application that has the workers sets it."""


def post(*, kind: str, address: str, subject: str, body: str, now: datetime) -> AccountMail:
    """Put a mail into the outbox; it leaves once the transaction is committed."""
    if kind in WITH_LINKS:
        free = Q(lease_until=None) | Q(lease_until__lte=now)
        AccountMail.objects.filter(free, kind=kind, address=address).delete()
    mail = AccountMail.objects.create(
        kind=kind, address=address, subject=subject, body=body, created_at=now, good_until=now + GOOD_FOR
    )
    hasten(mail.pk)
    return mail


def discard(*, user: User) -> None:
    """Delete the mail that waits for a person, since their account is deleted."""
    addresses = {user.email, *EmailAddress.objects.filter(user=user).values_list("email", flat=True)}
    AccountMail.objects.filter(address__in={mailbox_of(address) for address in addresses if address}).delete()
