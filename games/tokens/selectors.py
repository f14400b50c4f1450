"""Tokens of the API, as their owner sees them."""

from hashlib import sha256

from django.db.models import QuerySet

from accounts.models import User
from games.tokens.models import ApiToken


def digest_of(token: str) -> str:
    """Return the hash by which a token is known here."""
    return sha256(token.encode()).hexdigest()


def tokens_of(*, user: User) -> QuerySet[ApiToken]:
    """Return a person's tokens without their hashes, the newest first."""
    return ApiToken.objects.filter(user=user).defer("digest").order_by("-created_at", "-pk")


def token_shown(*, user: User, token: str) -> ApiToken | None:
    """Return the one of a person's tokens that a program has shown, if it is one of their own."""
    return tokens_of(user=user).filter(digest=digest_of(token)).first()
