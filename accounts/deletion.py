"""Accounts that are closed for good: of a person's row nothing is left but that there was someone."""

import logging
from datetime import datetime
from smtplib import SMTPException
from typing import Any, Final

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.core.mail import send_mail
from django.template.loader import render_to_string

from accounts.addresses import closures
from accounts.robo_names import retired
from accounts.users.models import User

logger = logging.getLogger(__name__)

PREFIX: Final = "Deleted-"
"""What the names of all who are gone begin with; no Robo Name can (`spelling.RESERVED`)."""


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


def forget_sessions(*, user_id: int, words: tuple[str, ...]) -> int:
    """Delete the sessions of a person, and those that have a word about them in it; return how many.

    They are of no use any more. What a session holds is packed, so that all have to be looked at.
    """
    wanted = {word.lower() for word in words}
    gone = [
        session.pk
        for session in Session.objects.iterator(chunk_size=500)
        if _is_about(session.get_decoded(), str(user_id), wanted)
    ]
    return Session.objects.filter(pk__in=gone).delete()[0]


def _is_about(session: dict[str, Any], user_id: str, words: set[str]) -> bool:
    return session.get(SESSION_KEY) == user_id or not words.isdisjoint(_texts(session))


def _texts(value: object) -> set[str]:
    if isinstance(value, dict):
        return set().union(*map(_texts, value.values()))
    if isinstance(value, list):
        return set().union(*map(_texts, value))
    return {value.lower()} if isinstance(value, str) else set()


def say_farewell(address: str) -> None:
    """Tell someone by mail that their account was deleted; it may have been someone else who did so.

    Where the mail server does not take it at once it is not tried again: the address is kept nowhere.
    """
    subject = render_to_string("account/email/account_deleted_subject.txt").strip()
    text = render_to_string("account/email/account_deleted_message.txt", {"site": settings.BASE_URL})
    try:
        send_mail(subject, text, None, [address])
    except (SMTPException, OSError) as error:
        logger.error("Somebody could not be told that their account was deleted: %s", type(error).__name__)
