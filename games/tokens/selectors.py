"""Tokens of the API, as their owner sees them."""

from collections.abc import Iterable
from datetime import datetime
from hashlib import sha256

from django.db.models import QuerySet

from accounts.models import User
from games.tokens.models import ApiToken


def digest_of(token: str) -> str:
    """Return the hash by which a token is known here."""
    return sha256(token.encode()).hexdigest()


def usable_tokens(digests: Iterable[str], *, now: datetime) -> dict[str, int]:
    """Return which tokens, by their hashes, have not expired, each with its owner."""
    found = ApiToken.objects.filter(digest__in=list(digests), expires_at__gt=now)
    return dict(found.order_by().values_list("digest", "user"))


def tokens_of(*, user: User) -> QuerySet[ApiToken]:
    """Return a person's tokens without their hashes, the newest first."""
    return ApiToken.objects.filter(user=user).defer("digest").order_by("-created_at", "-pk")


def token_shown(*, user: User, token: str) -> ApiToken | None:
    """Return the one of a person's tokens that a program has shown, if it is one of their own."""
    return tokens_of(user=user).filter(digest=digest_of(token)).first()
