"""Finding out who a name and a password belong to, for programs: pages leave it to allauth's own views."""

from typing import Final

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.http import HttpRequest

from accounts.models import User

WAIT: Final = 300
"""Seconds after which a name with too many wrong passwords may be tried again."""


class TooManyAttempts(Exception):
    """Too many wrong passwords, for this name or from this address; ``WAIT`` says how long to wait."""


class AccountClosed(Exception):
    """The password is right, and the account may not be used any more."""


class AddressUnconfirmed(Exception):
    """The password is right, and the account's email address has not been confirmed yet."""


def person_of(*, request: HttpRequest, login: str, password: str) -> User | None:
    """Return whose Robo Name or email address and password these are, or None.

    Wrong passwords count together with those given on the sign-in page. Raises TooManyAttempts,
    AccountClosed and AddressUnconfirmed; the latter two only to those who know the password.
    """
    key = "email" if "@" in login else "username"  # a Robo Name has no @
    try:
        user: User | None = get_adapter().authenticate(request, password=password, **{key: login})
    except ValidationError as error:
        raise TooManyAttempts from error
    if user is None:
        return None
    if not user.is_active:
        raise AccountClosed
    addresses = dict(EmailAddress.objects.filter(user=user).values_list("email", "verified"))
    if addresses and not any(addresses.values()):
        raise AddressUnconfirmed
    return user
