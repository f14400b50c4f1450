"""Sign-ups: accounts that no one can use until their address is confirmed.

A sign-up holds its Robo Name for `WAITS`, also where the address belongs to another account: its owner gets
another mail, and the page is the same. The row has no address until then (`User.awaits_confirmation`); the
one that was typed is an unconfirmed row of allauth's.
"""

from datetime import datetime, timedelta
from typing import Final

from allauth.account import app_settings
from allauth.account.models import EmailAddress
from django.core import signing
from django.db import transaction
from django.http import HttpRequest

from accounts.users.mailboxes import mailbox_of
from accounts.users.models import User

WAITS: Final = timedelta(hours=24)
"""How long a sign-up waits for its address to be confirmed."""

KEY: Final = "sign_up"
"""Where a session keeps the number of the sign-up that was made in its browser."""


def waiting(request: HttpRequest) -> User | None:
    """Return the sign-up that was made in this browser, as long as it waits."""
    number = request.session.get(KEY)
    return User.objects.unconfirmed().filter(pk=number).first() if number else None


def remember(request: HttpRequest, user: User | None) -> None:
    """Let a browser correct a sign-up: one in which it was made, or whose password was given there."""
    if user and user.awaits_confirmation:
        request.session[KEY] = user.pk


def was_confirmed(request: HttpRequest) -> bool:
    """Return whether the sign-up that was made in this browser is an account by now."""
    number = request.session.get(KEY)
    return bool(number) and EmailAddress.objects.filter(user_id=number, verified=True).exists()


def confirmed_by(key: str) -> EmailAddress | None:
    """Return the address that the link with this key has confirmed; None if it has not.

    A link of any age will do: it proves that its owner has the mail, and opens nothing.
    """
    try:
        number = signing.loads(key, salt=app_settings.SALT)
    except signing.BadSignature:
        return None
    return EmailAddress.objects.filter(pk=number, verified=True).select_related("user").first()


def sign_up(
    *, robo_name: str, email: str, password: str, time_zone: str, instead_of: User | None, now: datetime
) -> User:
    """Keep a sign-up, or correct the one that waits in its place.

    Raises IntegrityError when someone took the name since the form was checked.
    """
    with transaction.atomic():
        held = _held(instead_of) if instead_of else None
        user = held or User()
        user.robo_name, user.email, user.time_zone = robo_name, "", time_zone
        user.date_joined = now
        user.set_password(password)
        user.save()
        _set_address(user, email)
    return user


def correct_address(*, user: User, email: str) -> EmailAddress | None:
    """Have a sign-up wait for another address; return it, or None where it waits no more.

    The link that went to the other address is worth nothing any more.
    """
    with transaction.atomic():
        held = _held(user)
        return _set_address(held, email) if held else None


def address_of(user: User) -> EmailAddress | None:
    """Return the address for which a sign-up waits."""
    return EmailAddress.objects.filter(user=user).order_by("-primary", "pk").first()


def _held(user: User) -> User | None:
    return User.objects.unconfirmed().select_for_update(no_key=True).filter(pk=user.pk).first()


def _set_address(user: User, email: str) -> EmailAddress:
    """Make this the one address of a sign-up; a link that went there before stays good."""
    email = mailbox_of(email)
    EmailAddress.objects.filter(user=user).exclude(email=email).delete()
    kept, _ = EmailAddress.objects.get_or_create(user=user, email=email, defaults={"primary": True})
    return kept
