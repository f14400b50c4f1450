"""Create, list, use and revoke API tokens. Only the hash of a token is stored."""

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
    """Return the hash of a token, as the database stores it."""
    return sha256(token.encode()).hexdigest()


def usable_tokens(digests: Iterable[str], *, now: datetime) -> dict[str, int]:
    """Return the owner's user ID for each of the ``digests`` that is the hash of a valid token."""
    found = ApiToken.objects.filter(digest__in=list(digests), expires_at__gt=now)
    return dict(found.order_by().values_list("digest", "user"))


def tokens_of(*, user: User) -> QuerySet[ApiToken]:
    """Return a person's tokens, newest first. Their hashes are not loaded."""
    return ApiToken.objects.filter(user=user).defer("digest").order_by("-created_at", "-pk")


def token_shown(*, user: User, token: str) -> ApiToken | None:
    """Return a person's token by its value, or None if the person has no such token."""
    return tokens_of(user=user).filter(digest=digest_of(token)).first()


PREFIX = "robo_"
USE_NOTED_EVERY = timedelta(hours=1)

MOST_TOKENS: Final = 50
"""The maximum number of tokens of a person. A further token replaces the least recently used one."""


LONGEST_LIFETIME: Final = 365
"""The longest lifetime of a token, in days."""

_BY_DIGEST: Final = PreparedQuery(
    lambda digest: ApiToken.objects.select_related("user").filter(digest=digest), str
)


def make_token(*, user: User, now: datetime, name: str = "", days: int = TOKEN_LIFETIME) -> str:
    """Create an API token for a person, and return the token. It cannot be shown again.

    The token is valid for ``days`` days. Raises Forbidden for guests.
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
    """Return the owner of a token, and record the use. Return None if the token is not valid."""
    found = _BY_DIGEST.first(digest_of(token))
    if found is None or found.expires_at <= now or not found.user.is_active:
        return None
    if found.used_at is None or found.used_at <= now - USE_NOTED_EVERY:
        ApiToken.objects.filter(pk=found.pk).update(used_at=now)
    return found.user


def revoke_token(*, token: str) -> bool:
    """Revoke a token by its value. Return whether the token existed."""
    return ApiToken.objects.filter(digest=digest_of(token)).delete()[0] > 0


def revoke_own_token(*, user: User, token_id: int) -> None:
    """Revoke one of a person's tokens, given its ID.

    Raises Forbidden for guests, and NotFound if the person has no such token.
    """
    refuse_guests(user)
    if not ApiToken.objects.filter(user=user, pk=token_id).delete()[0]:
        raise NotFound("no-token", _("You don’t have this token."))


def revoke_token_as_staff(*, user: User, token_id: int) -> None:
    """Revoke another person's token, as a member of staff.

    Raises NotFound if there is no such token. Raises Forbidden for people without the right, and for the
    token of another member of staff unless ``user`` is a superuser.
    """
    require(user, Right.DELETE_TOKENS)
    token = ApiToken.objects.select_related("user").filter(pk=token_id).first()
    if token is None:
        raise NotFound("no-token", _("This token does not exist."))
    require_other(user, token.user)
    token.delete()


def revoke_tokens(*, user: User) -> int:
    """Revoke all tokens of a person. Return the number of revoked tokens."""
    return ApiToken.objects.filter(user=user).delete()[0]
