"""Tokens of the API: make, list, use and revoke them. Only the hash of a token is stored."""

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
from games.people.models import LIFETIME, ApiToken
from games.rights import Right, require, require_other
from roborunner.postgres.queries import PreparedQuery


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


PREFIX = "robo_"
USE_NOTED_EVERY = timedelta(hours=1)

MOST_TOKENS: Final = 50
"""The most tokens of one person; anyone who makes another loses the one that was not used for the longest."""


LONGEST_LIFETIME: Final = 365
"""The most days for which a token is good."""

_BY_DIGEST: Final = PreparedQuery(
    lambda digest: ApiToken.objects.select_related("user").filter(digest=digest), str
)


def make_token(*, user: User, now: datetime, name: str = "", days: int = LIFETIME) -> str:
    """Make a token for a person's programs, good for some days, and return it: it cannot be shown again.

    Raises Forbidden for guests.
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
    """Return whose token it is, and note that it was used; None for one that is not known or has expired."""
    found = _BY_DIGEST.first(digest_of(token))
    if found is None or found.expires_at <= now or not found.user.is_active:
        return None
    if found.used_at is None or found.used_at <= now - USE_NOTED_EVERY:
        ApiToken.objects.filter(pk=found.pk).update(used_at=now)
    return found.user


def revoke_token(*, token: str) -> bool:
    """Make a token worthless; return whether there was one."""
    return ApiToken.objects.filter(digest=digest_of(token)).delete()[0] > 0


def revoke_own_token(*, user: User, token_id: int) -> None:
    """Make one of a person's tokens worthless.

    Raises Forbidden for guests, and NotFound where they have no such one.
    """
    refuse_guests(user)
    if not ApiToken.objects.filter(user=user, pk=token_id).delete()[0]:
        raise NotFound("no-token", _("You have no such token."))


def revoke_token_as_staff(*, user: User, token_id: int) -> None:
    """Make a token of another person worthless, as staff; raises Forbidden and NotFound."""
    require(user, Right.DELETE_TOKENS)
    token = ApiToken.objects.select_related("user").filter(pk=token_id).first()
    if token is None:
        raise NotFound("no-token", _("This token does not exist."))
    require_other(user, token.user)
    token.delete()


def revoke_tokens(*, user: User) -> int:
    """Make all of a person's tokens worthless; return how many there were."""
    return ApiToken.objects.filter(user=user).delete()[0]
