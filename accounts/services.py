"""Sign up, open and close accounts.

An unconfirmed sign-up reserves its Robo Name for `SIGN_UP_LIFETIME`, even if the address belongs to another
account. In that case, the owner of that account gets a different mail, and the sign-up page looks the same as
usual. Until the address is confirmed, the user's row has no address (`User.awaits_confirmation`): the typed
address is in an unconfirmed row of allauth's table.

The row of a deleted account stays in the database, without personal data.
"""

from datetime import datetime, timedelta
from typing import Final

from allauth.account import app_settings
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.core import signing
from django.db import transaction
from django.http import HttpRequest
from django.template.loader import render_to_string

from accounts import admission, mail, robo_names
from accounts.languages import as_read_by
from accounts.models import User, mailbox_of


def open_account(*, robo_name: str, email: str, password: str) -> User:
    """Create an account with a confirmed address, for demonstrations and for the site itself.

    Raises ValidationError for a name or an address that is not allowed.
    """
    with transaction.atomic():
        user = User(robo_name=robo_name, email=email)
        user.set_password(password)
        user.full_clean()
        user.save()
        user.confirm_email()
    return user


SIGN_UP_LIFETIME: Final = timedelta(hours=24)
"""The time limit for confirming the address of a sign-up."""

SIGN_UP_KEY: Final = "sign_up"
"""The session key for the account ID of this browser's sign-up."""


INVITATION_KEY: Final = "invitation"
"""The session key for the token of the invitation link that the person opened."""

INVITED_BY_MAIL: Final = "by-mail"
"""The parameter of the sign-up page, and the session key, of people who were invited by mail."""


def waiting_sign_up(request: HttpRequest) -> User | None:
    """Return the unconfirmed sign-up of this browser, or None if there is none."""
    number = request.session.get(SIGN_UP_KEY)
    return User.objects.unconfirmed().filter(pk=number).first() if number else None


def remember_sign_up(request: HttpRequest, user: User | None) -> None:
    """Remember a sign-up in this browser's session, so that this browser can correct it.

    Call it after a person has sent the sign-up form, or has entered the sign-up's password on
    the login page.
    """
    if user and user.awaits_confirmation:
        request.session[SIGN_UP_KEY] = user.pk


def was_confirmed(request: HttpRequest) -> bool:
    """Return whether this browser's sign-up has been confirmed."""
    number = request.session.get(SIGN_UP_KEY)
    return bool(number) and EmailAddress.objects.filter(user_id=number, verified=True).exists()


def is_held(request: HttpRequest) -> bool:
    """Return whether this browser's sign-up is confirmed, and waits for staff."""
    number = request.session.get(SIGN_UP_KEY)
    return bool(number) and admission.waiting().filter(user=number).exists()


def confirmed_by(key: str) -> EmailAddress | None:
    """Return the address that a confirmation link has already confirmed, or None if it has confirmed none.

    A link of any age is accepted, because it confirms nothing more. It only proves that the person received
    the confirmation email.
    """
    try:
        number = signing.loads(key, salt=app_settings.SALT)
    except signing.BadSignature:
        return None
    return EmailAddress.objects.filter(pk=number, verified=True).select_related("user").first()


def sign_up(
    *,
    robo_name: str,
    email: str,
    password: str | None,
    time_zone: str,
    language: str,
    instead_of: User | None,
    now: datetime,
) -> User:
    """Save a sign-up. If ``instead_of`` is an unconfirmed sign-up, correct that sign-up instead.

    ``password`` is None if the person logs in with a provider. Raises IntegrityError if another person took
    the name after the form was checked.
    """
    with transaction.atomic():
        held = _lock_sign_up(instead_of) if instead_of else None
        user = held or User()
        user.robo_name, user.email, user.time_zone, user.language = robo_name, "", time_zone, language
        user.date_joined = now
        user.set_password(password)
        user.save()
        if held:  # the person may have started at a provider
            SocialAccount.objects.filter(user=held).delete()
        _set_address(user, email)
    return user


def correct_address(*, user: User, email: str) -> EmailAddress | None:
    """Change the address of an unconfirmed sign-up. Return None if it was confirmed or deleted.

    The link in the earlier email stops working, unless the address is the same.
    """
    with transaction.atomic():
        held = _lock_sign_up(user)
        return _set_address(held, email) if held else None


def address_of(user: User) -> EmailAddress | None:
    """Return the row of a sign-up's unconfirmed address, or None if there is none."""
    return EmailAddress.objects.filter(user=user).order_by("-primary", "pk").first()


def _lock_sign_up(user: User) -> User | None:
    return User.objects.unconfirmed().select_for_update(no_key=True).filter(pk=user.pk).first()


def _set_address(user: User, email: str) -> EmailAddress:
    """Set the only address of a sign-up. Links already sent to the same address stay valid."""
    email = mailbox_of(email)
    EmailAddress.objects.filter(user=user).exclude(email=email).delete()
    kept, _ = EmailAddress.objects.get_or_create(user=user, email=email, defaults={"primary": True})
    return kept


DELETED_PREFIX: Final = "Deleted-"
"""The prefix of deleted accounts' names. No Robo Name can have it."""


SESSION_ID_KEYS: Final = (SESSION_KEY, "account_authentication_methods_user", "user_pk", "user_id")
"""The keys in session data for an account's ID."""
SESSION_NAME_KEYS: Final = ("username", "email", "account_verified_email")
"""The keys in session data for an account's name or address."""


def placeholder_of(user: User) -> str:
    """Return the placeholder name of a deleted account.

    >>> placeholder_of(User(pk=17))
    'Deleted-17'
    """
    return f"{DELETED_PREFIX}{user.pk}"


def close_account(*, user: User, now: datetime) -> None:
    """Turn an account into a placeholder without a login or personal data.

    The caller must hold a lock on the account's row. No one can use the name again. All fields get
    their defaults, including fields that later versions add. Other code handles the tables that refer to the
    account.
    """
    robo_names.retire(user.robo_name)
    mail.reopen_address(user.email)
    for field in User._meta.concrete_fields:
        if not field.primary_key and not field.generated:
            setattr(user, field.attname, field.get_default())
    user.robo_name = placeholder_of(user)
    user.date_joined = user.deleted_at = now
    user.is_active = False
    user.set_unusable_password()  # also ends all sessions
    user.save()
    user.groups.clear()
    user.user_permissions.clear()


def forget_sessions(*, user_id: int, name: str, address: str) -> int:
    """Delete all sessions that contain a person's ID, name or address. Return the number of deleted rows.

    Only values under `SESSION_ID_KEYS` and `SESSION_NAME_KEYS` count, because other session data may contain
    the same words by chance. Sessions are serialized, so the function reads all of them.
    """
    gone = [
        session.pk
        for session in Session.objects.iterator(chunk_size=500)
        if _is_about(session.get_decoded(), str(user_id), {name.lower(), address.lower()} - {""})
    ]
    return Session.objects.filter(pk__in=gone).delete()[0]


def _is_about(value: object, user_id: str, names: set[str]) -> bool:
    """Return whether session data, or a part of it, contains a person's ID, name or address."""
    if isinstance(value, list):
        return any(_is_about(part, user_id, names) for part in value)
    if not isinstance(value, dict):
        return False
    return any(
        (key in SESSION_ID_KEYS and str(part) == user_id)
        or (key in SESSION_NAME_KEYS and isinstance(part, str) and part.lower() in names)
        or _is_about(part, user_id, names)
        for key, part in value.items()
    )


def send_deletion_mail(user: User, *, now: datetime) -> None:
    """Tell a person by mail that their account was deleted, in case someone else deleted it."""
    kind = "account/email/account_deleted"
    with as_read_by(user):
        subject = render_to_string(f"{kind}_subject.txt").strip()
        body = render_to_string(f"{kind}_message.txt", {"site_url": settings.BASE_URL})
    mail.post_mail(kind=kind, address=user.email, subject=subject, body=body, now=now)
