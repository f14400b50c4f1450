"""Finding out whose name or address and password are given: one lookup and one hash for every answer.

Each session holds the dotted name of the backend below. Under another name, everyone would be logged out.
"""

from typing import Any, Final

from allauth.account import auth_backends
from allauth.account.internal.userkit import get_user_by_username
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

from accounts.addresses.owners import owner_of
from accounts.login import attempts
from accounts.statements import Statement
from accounts.users.models import User

_PEOPLE: Final = Statement(lambda pk: User.objects.filter(pk=pk), int)


class AuthenticationBackend(auth_backends.AuthenticationBackend):  # type: ignore[misc]
    """allauth's, but an address counts once it is confirmed, and attempts count for the account.

    allauth's own stays in the settings for the sessions that it began. It is never asked: this one says no
    for both.
    """

    def authenticate(self, request: HttpRequest | None, **credentials: Any) -> User | None:
        """Return whose name or address and password these are; raise PermissionDenied where no one's."""
        user: User | None = super().authenticate(request, **credentials)
        if user is None:
            raise PermissionDenied
        return user

    def get_user(self, user_id: int) -> User | None:
        """Return whose session it is, unless the account is closed; each request asks for them."""
        user = _PEOPLE.first(user_id)
        return user if user and self.user_can_authenticate(user) else None

    def _authenticate(self, request: HttpRequest | None, **credentials: Any) -> User | None:
        """Check the password once; where there is no account or no attempt left, allauth hashes in vain."""
        user = account_of(email=credentials.get("email"), name=credentials.get("username"))
        attempt = attempts.take(user) if user else None
        if attempt is None:
            return None
        known: User | None = self._check_password(user, credentials["password"])
        if known:
            attempt.rollback()
        return known


def account_of(*, email: str | None, name: str | None) -> User | None:
    """Return the account that is meant: by a confirmed address where one is given, else by Robo Name."""
    if email:
        return owner_of(email)
    found: User | None = get_user_by_username(name) if name and "\0" not in name else None
    return found
