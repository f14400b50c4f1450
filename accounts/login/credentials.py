"""Finding out who a name and a password belong to, for programs: pages leave it to allauth's own views."""

from typing import Final

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.http import HttpRequest

from accounts.second_factor.services import fits, is_set_up
from accounts.users.models import User

WAIT: Final = 300
"""Seconds after which a name with too many wrong passwords may be tried again."""


class TooManyAttempts(Exception):
    """Too many wrong passwords, for this name or from this address; ``WAIT`` says how long to wait."""


class AccountLocked(Exception):
    """The password is right, and staff locked the account."""


class AddressUnconfirmed(Exception):
    """The password is right, and the account's email address has not been confirmed yet."""


class CodeMissing(Exception):
    """The password is right, and the account has a second factor, of which no code was given."""


def person_of(*, request: HttpRequest, login: str, password: str, code: str = "") -> User | None:
    """Return whose Robo Name or email address and password these are, and code where they need one, or None.

    Wrong passwords and codes count together with those given on the login page. Raises TooManyAttempts,
    AccountLocked, AddressUnconfirmed and CodeMissing; the latter three only to those who know the password.
    """
    key = "email" if "@" in login else "username"  # a Robo Name has no @
    try:
        user: User | None = get_adapter().authenticate(request, password=password, **{key: login})
    except ValidationError as error:
        raise TooManyAttempts from error
    if user is None:
        return None
    if not user.is_active:
        raise AccountLocked
    if not EmailAddress.objects.filter(user=user, verified=True).exists():
        raise AddressUnconfirmed
    return user if _second_factor(user, code) else None


def _second_factor(user: User, code: str) -> bool:
    """Return whether someone has shown a second factor, or needs none."""
    if not is_set_up(user):
        return True
    if not code:
        raise CodeMissing
    try:
        return fits(user=user, code=code)
    except ValidationError as error:
        raise TooManyAttempts from error
