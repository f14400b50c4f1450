"""Tokens of the API: the token itself is shown once, and only its hash is kept."""

import secrets
from datetime import datetime, timedelta
from hashlib import sha256

from accounts.models import User
from games.models import ApiToken
from games.services.admitting import refuse_guests

PREFIX = "robo_"
USE_NOTED_EVERY = timedelta(minutes=1)


def make_token(*, user: User, now: datetime) -> str:
    """Make a token for a person's programs, and return it: it cannot be shown again.

    Raises Forbidden for guests.
    """
    refuse_guests(user)
    token = PREFIX + secrets.token_urlsafe(32)
    ApiToken.objects.create(user=user, digest=_digest(token), created_at=now)
    return token


def use_token(*, token: str, now: datetime) -> User | None:
    """Return whose token it is, and note that it was used; None for one that is not known."""
    found = ApiToken.objects.select_related("user").filter(digest=_digest(token)).first()
    if found is None or not found.user.is_active:
        return None
    if found.used_at is None or found.used_at <= now - USE_NOTED_EVERY:
        ApiToken.objects.filter(pk=found.pk).update(used_at=now)
    return found.user


def revoke_token(*, token: str) -> bool:
    """Make a token worthless; return whether there was one."""
    return ApiToken.objects.filter(digest=_digest(token)).delete()[0] > 0


def revoke_token_by_id(*, token_id: int) -> bool:
    """Make a token worthless without knowing it; return whether there was one."""
    return ApiToken.objects.filter(pk=token_id).delete()[0] > 0


def revoke_tokens(*, user: User) -> int:
    """Make all of a person's tokens worthless; return how many there were."""
    return ApiToken.objects.filter(user=user).delete()[0]


def _digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()
