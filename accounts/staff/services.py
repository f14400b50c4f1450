"""What superusers do to other people's accounts, each time with a mail to the owner."""

from typing import Any, Final

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db import transaction
from django.http import HttpRequest

from accounts.second_factor.services import is_set_up
from accounts.users.models import User

RIGHTS: Final = ["is_staff", "is_superuser", "groups", "user_permissions"]
"""What says how much someone may do on staff's pages."""


def give_address(*, address: EmailAddress, request: HttpRequest) -> None:
    """Keep an address that a superuser gave someone; they are told there, and where mail went before.

    An account has one address (``ACCOUNT_CHANGE_EMAIL``): with a new primary one the others go.
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
        _tell(user, "moved" if moved else "address", request, email=email, address=address)


def remove_address(*, address: EmailAddress, request: HttpRequest) -> None:
    """Remove an address that is not the primary one; its owner is told."""
    user = address.user
    address.delete()
    _tell(user, "removed", request, address=address)


def password_given(*, user: User, request: HttpRequest) -> None:
    """Tell someone that a superuser gave them a new password, or took theirs away."""
    _tell(user, "password", request)


def rights_given(*, user: User, request: HttpRequest) -> None:
    """Tell someone that a superuser changed what they may do on staff's pages."""
    _tell(user, "rights", request)


def take_factor(*, factor: Authenticator, request: HttpRequest) -> None:
    """Take a second factor from an owner who has lost it, and tell them.

    With the last one go the recovery codes: from then on the password alone opens the account.
    """
    user = factor.user
    factor.delete()
    if not is_set_up(user):
        Authenticator.objects.filter(user=user).delete()
    _tell(user, "factor", request)


def _tell(user: User, change: str, request: HttpRequest, *, email: str = "", **more: Any) -> None:
    get_adapter(request).send_notification_mail(
        "account/email/by_staff", user, {"change": change, **more}, email=email or user.email
    )
