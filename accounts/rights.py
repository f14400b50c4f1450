"""Decide the rights of staff, and let staff change other people's accounts.

No other module checks who is staff or a superuser. The functions that change an account check no rights: the
admin pages and `games.staff.support` do that. Each of them tells the person by mail.
"""

from datetime import datetime
from typing import Any, Final

from allauth.account.models import EmailAddress
from allauth.core import context as present
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.db.models import Q, QuerySet
from django.template.loader import render_to_string
from django.urls import reverse

from accounts import mail
from accounts.backend import has_second_factor
from accounts.languages import as_read_by
from accounts.models import User, mailbox_of

Person = User | AnonymousUser
"""Anyone who makes a request: an account, or a person who is not logged in."""

STAFF = Q(is_staff=True) | Q(is_superuser=True)


def lacks_second_factor(person: Person) -> bool:
    """Return whether a staff account must set up a second factor before it may open staff pages."""
    if not isinstance(person, User) or not belongs_to_staff(person):
        return False
    return settings.STAFF_SECOND_FACTOR and not has_second_factor(person)


def has_admin_access(person: Person) -> bool:
    """Return whether a person may open the admin pages now. Staff need a second factor if it is required."""
    if not isinstance(person, User) or not (person.is_active and person.is_staff):
        return False
    return not lacks_second_factor(person)


def may(person: Person, permission: str) -> bool:
    """Return whether a person has admin access and a permission, such as ``games.change_game``."""
    return has_admin_access(person) and person.has_perm(permission)


def has_all_rights(person: Person) -> bool:
    """Return whether a person is a superuser with admin access."""
    return isinstance(person, User) and has_admin_access(person) and person.is_superuser


def may_act_for(staff: Person, person: User | None) -> bool:
    """Return whether a member of staff may act on an account. Only superusers act on other staff.

    If ``person`` is None, there is no account to protect, and the result is True.
    """
    if person is None or person.pk == staff.pk or has_all_rights(staff):
        return True
    return not belongs_to_staff(person)


def superusers() -> QuerySet[User]:
    """Return the accounts of superusers that are not locked."""
    return User.objects.filter(is_superuser=True, is_active=True)


def is_last_superuser(person: User) -> bool:
    return person.is_superuser and not superusers().exclude(pk=person.pk).exists()


def belongs_to_staff(person: Person) -> bool:
    """Return whether a person is staff, with or without the second factor that staff need."""
    return isinstance(person, User) and (person.is_staff or person.is_superuser)


def staff_accounts() -> QuerySet[User]:
    """Return all accounts of staff and superusers, with or without a second factor."""
    return User.objects.filter(STAFF)


RIGHTS: Final = ["is_staff", "is_superuser", "groups", "user_permissions"]
"""The fields that decide a person's rights on staff pages."""


def clear_rights(user: User) -> None:
    """Make an account an ordinary one, without saving it."""
    user.is_staff = user.is_superuser = False


def save_address(*, address: EmailAddress, now: datetime) -> None:
    """Save an address that a superuser entered. Notify its owner at the old and the new address.

    An account has one address (``ACCOUNT_CHANGE_EMAIL``): a new primary address replaces the others.
    """
    user = User.objects.get(pk=address.user_id)
    before = user.email
    with transaction.atomic():
        if address.primary:
            EmailAddress.objects.filter(user=user).exclude(pk=address.pk).delete()
            user.email = address.email
            user.save(update_fields=["email"])
        address.save()
    moved = user.email != before
    for email in {before, address.email}:
        tell_by_mail(user, "moved" if moved else "address", now=now, email=email, address=address)


def remove_address(*, address: EmailAddress, now: datetime) -> None:
    """Remove an address from an account, and notify the owner. The address must not be primary."""
    user = address.user
    address.delete()
    tell_by_mail(user, "removed", now=now, address=address)


def notify_password_changed(*, user: User, now: datetime) -> None:
    """Tell a person by mail that a superuser set or removed their password."""
    tell_by_mail(user, "password", now=now)


def notify_rights_changed(*, user: User, now: datetime) -> None:
    """Tell a person by mail that a superuser changed their rights on staff pages."""
    tell_by_mail(user, "rights", now=now)


def remove_factor(*, factor: Authenticator, now: datetime) -> None:
    """Remove a lost second factor, and notify its owner.

    If no other second factor remains, the recovery codes are deleted too, and the password alone is enough
    to log in.
    """
    user = factor.user
    factor.delete()
    if not has_second_factor(user):
        Authenticator.objects.filter(user=user).delete()
    tell_by_mail(user, "factor", now=now)


def remove_provider_login(*, identity: SocialAccount, now: datetime) -> None:
    """Unlink an account from the provider of single sign-on, and notify its owner."""
    user = identity.user
    identity.delete()
    tell_by_mail(user, "provider", now=now)


# --- Support ------------------------------------------------------------------------------------------------


def is_address_taken(email: str, *, user: User) -> bool:
    """Return whether an account other than ``user`` has a confirmed address."""
    owner = mail.owner_of(email)
    named = User.objects.filter(email__iexact=mailbox_of(email)).exclude(pk=user.pk)
    return (owner is not None and owner.pk != user.pk) or named.exists()


def begin_address_change(*, user: User, email: str, reason: str, now: datetime) -> EmailAddress:
    """Send a confirmation link to a new address. The old address stays until the new one is confirmed.

    The person is notified at the old address. Call it only while a request is answered.
    """
    email = mailbox_of(email)
    with transaction.atomic():
        EmailAddress.objects.filter(user=user, verified=False).exclude(email=email).delete()
        primary = user.awaits_confirmation
        address, _ = EmailAddress.objects.get_or_create(user=user, email=email, defaults={"primary": primary})
        address.send_confirmation(present.request, signup=primary)
        if user.email:
            tell_by_mail(user, "moving", now=now, address=address, reason=reason)
    return address


def send_confirmation_again(*, address: EmailAddress) -> None:
    """Send the confirmation link of an address again. Call it only while a request is answered."""
    address.send_confirmation(present.request, signup=address.user.awaits_confirmation)


def remove_all_factors(*, user: User, reason: str, now: datetime) -> int:
    """Remove a person's second factors and recovery codes. Return the number removed."""
    with transaction.atomic():
        removed, _ = Authenticator.objects.filter(user=user).delete()
        if removed:
            tell_by_mail(user, "factors", now=now, reason=reason)
    return int(removed)


def lock_account(*, user: User, reason: str, until: datetime | None, now: datetime) -> None:
    """Lock an account until a time, or until staff unlock it. The person cannot log in meanwhile."""
    with transaction.atomic():
        user.is_active, user.locked_until, user.lock_reason = False, until, reason
        user.save(update_fields=["is_active", "locked_until", "lock_reason"])
        tell_by_mail(user, "locked", now=now, reason=reason, until=until)


def unlock_account(*, user: User, reason: str, now: datetime) -> None:
    """Unlock an account, before the lock ends."""
    with transaction.atomic():
        _unlock(User.objects.filter(pk=user.pk))
        tell_by_mail(user, "unlocked", now=now, reason=reason)


def end_locks(*, now: datetime) -> int:
    """Unlock the accounts whose lock has ended. Return their number."""
    return _unlock(User.objects.filter(locked_until__lte=now, is_active=False, deleted_at=None))


def _unlock(people: QuerySet[User]) -> int:
    return int(people.update(is_active=True, locked_until=None, lock_reason=""))


# --- Mail ---------------------------------------------------------------------------------------------------


def tell_by_mail(user: User, change: str, *, now: datetime, email: str = "", **more: Any) -> None:
    """Send a person the mail about an action of staff, at their address or at ``email``.

    ``change`` names a part of the mail's template. An account without an address gets no mail.
    """
    if not (address := email or user.email):
        return
    context = {
        "change": change,
        "timestamp": now,
        "site_url": settings.BASE_URL,
        "ask_for_password_url": settings.BASE_URL + reverse("account_reset_password"),
        "contact_url": settings.BASE_URL + reverse("pages:contact"),
        **more,
    }
    kind = "account/email/by_staff"
    with as_read_by(user):
        subject = " ".join(render_to_string(f"{kind}_subject.txt", context).split())
        body = render_to_string(f"{kind}_message.txt", context).strip()
    mail.post_mail(kind=kind, address=address, subject=subject, body=body, now=now)
