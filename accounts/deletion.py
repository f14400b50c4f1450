"""Accounts that are closed for good: of a person's row nothing is left but that there was someone."""

from datetime import datetime
from typing import Final

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.template.loader import render_to_string

from accounts.addresses import closures
from accounts.outbox import services as outbox
from accounts.robo_names import retired
from accounts.users.models import User

PREFIX: Final = "Deleted-"
"""What the names of all who are gone begin with; no Robo Name can (`spelling.RESERVED`)."""


NUMBERS: Final = (SESSION_KEY, "account_authentication_methods_user", "user_pk", "user_id")
NAMES: Final = ("username", "email", "account_verified_email")
"""Where Django and allauth keep in a session whose it is: by number, by name or address."""


def placeholder_of(user: User) -> str:
    """Return what someone is called whose account was deleted.

    >>> placeholder_of(User(pk=17))
    'Deleted-17'
    """
    return f"{PREFIX}{user.pk}"


def close_account(*, user: User, now: datetime) -> None:
    """Make of an account whose row is held a placeholder: no one can log in to it, and it tells of no one.

    The name goes to no one else. All that a person may have chosen is as it is for someone new, also what
    later versions may add. Tables that refer to the account are another matter.
    """
    retired.retire(user.robo_name)
    closures.reopen(user.email)
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
    """Delete the sessions of a person, and those in which they are named; return how many.

    A session is a person's if it holds their number, name or address under a key that says so: these may be
    words of any other session too. What a session holds is packed, so that all have to be looked at.
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
        (key in NUMBERS and str(part) == user_id)
        or (key in NAMES and isinstance(part, str) and part.lower() in names)
        or _is_about(part, user_id, names)
        for key, part in value.items()
    )


def say_farewell(address: str, *, now: datetime) -> None:
    """Tell an address that its account was deleted, since another person may have done it."""
    subject = render_to_string("account/email/account_deleted_subject.txt").strip()
    body = render_to_string("account/email/account_deleted_message.txt", {"site": settings.BASE_URL})
    outbox.post(kind="account/email/account_deleted", address=address, subject=subject, body=body, now=now)
