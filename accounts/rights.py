"""Decide the rights of staff, and let superusers change other people's accounts.

No other module checks who is staff or a superuser.
"""

from typing import Any, Final

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from accounts.backend import has_second_factor
from accounts.models import User

Person = User | AnonymousUser
"""Anyone who makes a request: an account, or a person who is not logged in."""

STAFF = Q(is_staff=True) | Q(is_superuser=True)


def lacks_second_factor(person: Person) -> bool:
    """Return whether a staff account must set up a second factor before it may open staff pages."""
    if not isinstance(person, User) or not (person.is_staff or person.is_superuser):
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
    return not (person.is_staff or person.is_superuser)


def is_last_superuser(person: User) -> bool:
    others = User.objects.filter(is_superuser=True, is_active=True).exclude(pk=person.pk)
    return person.is_superuser and not others.exists()


def staff_accounts() -> QuerySet[User]:
    """Return all accounts of staff and superusers, with or without a second factor."""
    return User.objects.filter(STAFF)


RIGHTS: Final = ["is_staff", "is_superuser", "groups", "user_permissions"]
"""The fields that decide a person's rights on staff pages."""


def save_address(*, address: EmailAddress, request: HttpRequest) -> None:
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
        _notify(user, "moved" if moved else "address", request, email=email, address=address)


def remove_address(*, address: EmailAddress, request: HttpRequest) -> None:
    """Remove an address from an account, and notify the owner. The address must not be primary."""
    user = address.user
    address.delete()
    _notify(user, "removed", request, address=address)


def notify_password_changed(*, user: User, request: HttpRequest) -> None:
    """Tell a person by mail that a superuser set or removed their password."""
    _notify(user, "password", request)


def notify_rights_changed(*, user: User, request: HttpRequest) -> None:
    """Tell a person by mail that a superuser changed their rights on staff pages."""
    _notify(user, "rights", request)


def remove_factor(*, factor: Authenticator, request: HttpRequest) -> None:
    """Remove a lost second factor, and notify its owner.

    If no other second factor remains, the recovery codes are deleted too, and the password alone is enough
    to log in.
    """
    user = factor.user
    factor.delete()
    if not has_second_factor(user):
        Authenticator.objects.filter(user=user).delete()
    _notify(user, "factor", request)


def _notify(user: User, change: str, request: HttpRequest, *, email: str = "", **more: Any) -> None:
    get_adapter(request).send_notification_mail(
        "account/email/by_staff", user, {"change": change, **more}, email=email or user.email
    )
