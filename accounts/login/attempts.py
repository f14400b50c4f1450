"""Wrong passwords, counted for the account, whichever way they come.

allauth counts what was typed, so the Robo Name of an account and its address are counted apart there. Here
the account itself is counted: for the log-in page, the API, a changed password, and the password that is
asked for once more. After too many attempts by the name, an attempt by the address is told that address and
password do not match, and not that it has to wait: otherwise it would tell whose address it is.
"""

from typing import Final

from allauth.core.internal import ratelimit
from allauth.core.internal.ratelimit import RateLimitUsage

from accounts.users.models import User

ACTION: Final = "account_failed"
"""What `settings.ACCOUNT_RATE_LIMITS` calls the limit."""


def take(user: User) -> RateLimitUsage | None:
    """Count an attempt at an account; None where there were too many. A right password takes it back."""
    return _consume(user)


def are_used_up(user: User) -> bool:
    """Return whether an account takes no password at present."""
    return _consume(user, dry_run=True) is None


def forget(user: User) -> None:
    """Forget the attempts at an account, once its owner has a new password."""
    ratelimit.clear(None, app="allauth.account", action=ACTION, key=_key(user))


def _consume(user: User, *, dry_run: bool = False) -> RateLimitUsage | None:
    usage: RateLimitUsage | None = ratelimit.consume(
        None, app="allauth.account", action=ACTION, key=_key(user), dry_run=dry_run, limit_get=True
    )
    return usage


def _key(user: User) -> str:
    return f"account:{user.pk}"
