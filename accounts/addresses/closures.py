"""Addresses to which no more mail about games goes: since it came back, or since their owner said so.

Of each there is a hash that is of no use without the key of the site, and why; so what strangers asked for
is kept without their address.
"""

import re
from datetime import datetime
from typing import Final

from accounts.addresses.models import ClosedAddress
from accounts.keyed_hashes import keyed_hashes
from accounts.users.mailboxes import mailbox_of

_ADDRESS: Final = re.compile(r"<?[^\s<>@]+@[^\s<>@]+>?")

LONGEST: Final = 300
"""The most characters of a reason."""


def digest_of(email: str) -> str:
    """Return the hash of a mailbox, for a row or a link."""
    return _digests_of(email)[0]


def _digests_of(email: str) -> list[str]:
    return keyed_hashes("accounts.closed_addresses", mailbox_of(email))


def close(*, digest: str, cause: ClosedAddress.Cause, now: datetime, reason: str = "") -> None:
    """Send no more mail about games to the address of a hash; addresses in the reason are taken out."""
    said = without_addresses(reason)[:LONGEST]
    closed = {"cause": cause, "reason": said, "closed_at": now}
    ClosedAddress.objects.update_or_create(digest=digest, defaults=closed)


def without_addresses(said: str) -> str:
    """Return what a mail server said in one line, without the addresses in it: logs are to hold none.

    Nor can the database hold everything that a server may say.

    >>> without_addresses("5.1.1 <alice@example.org>:\\n no such mailbox")
    '5.1.1 the address: no such mailbox'
    """
    return " ".join(_ADDRESS.sub("the address", said.replace("\0", " ")).split())


def closed(email: str) -> ClosedAddress | None:
    """Return since when and why an address gets no mail about games, None where it may."""
    # After a new key, an address may be closed under the old hash, the new one or both.
    rows = ClosedAddress.objects.filter(digest__in=_digests_of(email)).order_by("-closed_at")
    return rows.first() if email else None


def came_back(email: str) -> ClosedAddress | None:
    """Return since when and why mail to an address comes back, None where it does not."""
    found = closed(email)
    return found if found and found.cause == ClosedAddress.Cause.CAME_BACK else None


def asked_for_none(email: str) -> bool:
    """Return whether the owner of an address asked, as a stranger, for no more mail about lobbies."""
    found = closed(email)
    return found is not None and found.cause == ClosedAddress.Cause.ASKED


def reopen(email: str) -> None:
    """Send mail about games to an address again."""
    ClosedAddress.objects.filter(digest__in=_digests_of(email)).delete()
