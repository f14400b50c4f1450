"""Whose an email address is: that of the account that confirmed it, and of no other.

An address that someone typed and never confirmed belongs to no account: no one logs in with it, and no new
password goes there. allauth falls back on such addresses, so every lookup of this site comes here instead.
"""

from allauth.account.models import EmailAddress

from accounts.users.mailboxes import mailbox_of
from accounts.users.models import User


def owner_of(email: str) -> User | None:
    """Return the account that confirmed this address, also where that account may not be used any more."""
    # The database has no two confirmed rows of one address, and keeps all of them in lower case.
    confirmed = EmailAddress.objects.filter(email=mailbox_of(email), verified=True)
    found = confirmed.select_related("user").first()
    return found.user if found else None
