"""Sign up, open and close accounts.

A sign-up holds its Robo Name for `WAITS`, even if the address belongs to another account. The owner of that
account gets another mail, and the page looks the same. Until then the row has no address
(`User.awaits_confirmation`): the typed one is an unconfirmed row of allauth's.

After an account is deleted, its row only says that there was one.
"""

from datetime import datetime, timedelta
from typing import Final

from allauth.account import app_settings
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.core import signing
from django.db import transaction
from django.http import HttpRequest
from django.template.loader import render_to_string

from accounts import mail, robo_names
from accounts.models import User, mailbox_of


def open_account(*, robo_name: str, email: str, password: str) -> User:
    """Make an account whose address counts as confirmed: for demonstrations, on the site's own behalf.

    Raises ValidationError for a name or an address that is not allowed.
    """
    with transaction.atomic():
        user = User(robo_name=robo_name, email=email)
        user.set_password(password)
        user.full_clean()
        user.save()
        user.confirm_email()
    return user


WAITS: Final = timedelta(hours=24)
"""How long a sign-up waits for its address to be confirmed."""

SIGN_UP_KEY: Final = "sign_up"
"""Where a session keeps the number of the sign-up that was made in its browser."""


def waiting_sign_up(request: HttpRequest) -> User | None:
    """Return the waiting sign-up of this browser, if there is one."""
    number = request.session.get(SIGN_UP_KEY)
    return User.objects.unconfirmed().filter(pk=number).first() if number else None


def remember_sign_up(request: HttpRequest, user: User | None) -> None:
    """Let a browser correct a sign-up: one in which it was made, or whose password was given there."""
    if user and user.awaits_confirmation:
        request.session[SIGN_UP_KEY] = user.pk


def was_confirmed(request: HttpRequest) -> bool:
    """Return whether the sign-up that was made in this browser is an account by now."""
    number = request.session.get(SIGN_UP_KEY)
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
    """Save a sign-up, or correct the waiting one.

    Raises IntegrityError if another person took the name since the form was checked.
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
    """Change the address of a waiting sign-up. Return it, or None if it no longer waits.

    The link in the first mail stops working.
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


DELETED_PREFIX: Final = "Deleted-"
"""What the names of all who are gone begin with; no Robo Name can (`spelling.RESERVED`)."""


SESSION_NUMBERS: Final = (SESSION_KEY, "account_authentication_methods_user", "user_pk", "user_id")
SESSION_NAMES: Final = ("username", "email", "account_verified_email")
"""Where Django and allauth keep in a session whose it is: by number, by name or address."""


def placeholder_of(user: User) -> str:
    """Return what someone is called whose account was deleted.

    >>> placeholder_of(User(pk=17))
    'Deleted-17'
    """
    return f"{DELETED_PREFIX}{user.pk}"


def close_account(*, user: User, now: datetime) -> None:
    """Turn an account, whose row is held, into a placeholder without login and personal data.

    No one else gets the name. All settings get their defaults, including those of later versions. Tables that
    refer to the account are another matter.
    """
    robo_names.retire(user.robo_name)
    mail.reopen_address(user.email)
    for field in User._meta.concrete_fields:
        if not field.primary_key and not field.generated:
            setattr(user, field.attname, field.get_default())
    user.robo_name = placeholder_of(user)
    user.date_joined = user.deleted_at = now
    user.is_active = False
    user.set_unusable_password()  # which ends all sessions
    user.save()
    user.groups.clear()
    user.user_permissions.clear()


def forget_sessions(*, user_id: int, name: str, address: str) -> int:
    """Delete the sessions of a person, and those that name them. Return how many.

    A session is a person's if it has their number, name or address under a certain key, since these may be
    words of any other session too. Sessions are packed, so all have to be read.
    """
    gone = [
        session.pk
        for session in Session.objects.iterator(chunk_size=500)
        if _is_about(session.get_decoded(), str(user_id), {name.lower(), address.lower()} - {""})
    ]
    return Session.objects.filter(pk__in=gone).delete()[0]


def _is_about(value: object, user_id: str, names: set[str]) -> bool:
    """Return whether a session, or a part of it, refers to a person."""
    if isinstance(value, list):
        return any(_is_about(part, user_id, names) for part in value)
    if not isinstance(value, dict):
        return False
    return any(
        (key in SESSION_NUMBERS and str(part) == user_id)
        or (key in SESSION_NAMES and isinstance(part, str) and part.lower() in names)
        or _is_about(part, user_id, names)
        for key, part in value.items()
    )


def say_farewell(address: str, *, now: datetime) -> None:
    """Tell an address that its account was deleted, since another person may have done it."""
    subject = render_to_string("account/email/account_deleted_subject.txt").strip()
    body = render_to_string("account/email/account_deleted_message.txt", {"site": settings.BASE_URL})
    mail.post_mail(kind="account/email/account_deleted", address=address, subject=subject, body=body, now=now)
