"""What superusers do to other people's accounts, each time with a mail to the owner."""

from typing import Any, Final

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from django import forms
from django.db import transaction
from django.http import HttpRequest

from accounts.models import User

RIGHTS: Final = ["is_staff", "is_superuser", "groups", "user_permissions"]
"""What says how much somebody may do on staff's pages."""


def may_act_for(staff: Any, person: User | None) -> bool:
    """Return whether staff may change somebody's account at all: that of other staff takes a superuser."""
    if person is None or staff.is_superuser or person.pk == staff.pk:
        return True
    return not (person.is_staff or person.is_superuser)


class AddressForm(forms.ModelForm):  # type: ignore[type-arg]
    """An address of an account; the primary one is that by which the account is known."""

    class Meta:
        model = EmailAddress
        fields = ("user", "email", "verified", "primary")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.was_primary = bool(self.instance.pk and self.instance.primary)

    def _get_validation_exclusions(self) -> set[str]:
        """Let there be another primary address by now: `give_address` has the new one take its place."""
        excluded: set[str] = super()._get_validation_exclusions()  # type: ignore[misc]  # not in its types
        return excluded | {"primary"}

    def clean(self) -> dict[str, Any]:
        """Refuse another account's address, and to leave an account without one."""
        given = super().clean() or {}
        user = given.get("user") or getattr(self.instance, "user", None)
        email = (given.get("email") or "").lower()
        others = User.objects.exclude(pk=user.pk) if user else User.objects.all()
        if email and others.filter(email__iexact=email).exists():
            self.add_error("email", "Another account has this email address.")
        if self.was_primary and not given.get("primary"):
            self.add_error("primary", "An account needs a primary address: make another one primary instead.")
        return given


def give_address(*, address: EmailAddress, request: HttpRequest) -> None:
    """Keep an address that a superuser gave somebody; they are told there, and where mail went before.

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
    """Tell somebody that a superuser gave them a new password, or took theirs away."""
    _tell(user, "password", request)


def rights_given(*, user: User, request: HttpRequest) -> None:
    """Tell somebody that a superuser changed what they may do on staff's pages."""
    _tell(user, "rights", request)


def factor_taken(*, user: User, request: HttpRequest) -> None:
    """Tell somebody that a superuser took a second factor away."""
    _tell(user, "factor", request)


def _tell(user: User, change: str, request: HttpRequest, *, email: str = "", **more: Any) -> None:
    get_adapter(request).send_notification_mail(
        "account/email/by_staff", user, {"change": change, **more}, email=email or user.email
    )
