"""Make, list, use and revoke API tokens. Only the hash of a token is stored."""

import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

from django.db.models import QuerySet
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from accounts.models import User
from games.errors import NotFound, refuse_guests
from games.people.models import TOKEN_LIFETIME, ApiToken
from games.rights import Right, require, require_other
from roborunner.postgres.queries import PreparedQuery


def digest_of(token: str) -> str:
    """Return the hash of a token, as stored in the database."""
    return sha256(token.encode()).hexdigest()


def usable_tokens(digests: Iterable[str], *, now: datetime) -> dict[str, int]:
    """Return the hashes of valid tokens, each with the id of its owner."""
    found = ApiToken.objects.filter(digest__in=list(digests), expires_at__gt=now)
    return dict(found.order_by().values_list("digest", "user"))


def tokens_of(*, user: User) -> QuerySet[ApiToken]:
    """Return a person's tokens without their hashes, the newest first."""
    return ApiToken.objects.filter(user=user).defer("digest").order_by("-created_at", "-pk")


def token_shown(*, user: User, token: str) -> ApiToken | None:
    """Return a person's token by its value, or None if it is not theirs."""
    return tokens_of(user=user).filter(digest=digest_of(token)).first()


PREFIX = "robo_"
USE_NOTED_EVERY = timedelta(hours=1)

MOST_TOKENS: Final = 50
"""Limit of tokens per person. One more replaces the longest unused one."""


LONGEST_LIFETIME: Final = 365
"""The longest lifetime of a token, in days."""

_BY_DIGEST: Final = PreparedQuery(
    lambda digest: ApiToken.objects.select_related("user").filter(digest=digest), str
)


def make_token(*, user: User, now: datetime, name: str = "", days: int = TOKEN_LIFETIME) -> str:
    """Make a token for a person's programs, and return it.

    It lasts for ``days``, and cannot be shown again. Raises Forbidden for guests.
    """
    refuse_guests(user)
    token = PREFIX + secrets.token_urlsafe(32)
    ApiToken.objects.create(
        user=user, digest=digest_of(token), name=name, created_at=now, expires_at=now + timedelta(days=days)
    )
    by_use = ApiToken.objects.filter(user=user).order_by(Coalesce("used_at", "created_at").desc(), "-pk")
    surplus = list(by_use.values_list("pk", flat=True)[MOST_TOKENS:])
    if surplus:
        ApiToken.objects.filter(pk__in=surplus).delete()
    return token


def use_token(*, token: str, now: datetime) -> User | None:
    """Return the owner of a token, and note its use; None if it is not valid."""
    found = _BY_DIGEST.first(digest_of(token))
    if found is None or found.expires_at <= now or not found.user.is_active:
        return None
    if found.used_at is None or found.used_at <= now - USE_NOTED_EVERY:
        ApiToken.objects.filter(pk=found.pk).update(used_at=now)
    return found.user


def revoke_token(*, token: str) -> bool:
    """Revoke a token. Return whether it existed."""
    return ApiToken.objects.filter(digest=digest_of(token)).delete()[0] > 0


def revoke_own_token(*, user: User, token_id: int) -> None:
    """Revoke one of a person's tokens.

    Raises Forbidden for guests, and NotFound if they have no such token.
    """
    refuse_guests(user)
    if not ApiToken.objects.filter(user=user, pk=token_id).delete()[0]:
        raise NotFound("no-token", _("You don’t have this token."))


def revoke_token_as_staff(*, user: User, token_id: int) -> None:
    """Revoke another person's token, as staff. Raises Forbidden and NotFound."""
    require(user, Right.DELETE_TOKENS)
    token = ApiToken.objects.select_related("user").filter(pk=token_id).first()
    if token is None:
        raise NotFound("no-token", _("This token does not exist."))
    require_other(user, token.user)
    token.delete()


def revoke_tokens(*, user: User) -> int:
    """Revoke all of a person's tokens. Return their number."""
    return ApiToken.objects.filter(user=user).delete()[0]
