"""The form in which superusers give an address."""

from typing import Any

from allauth.account.models import EmailAddress
from django import forms
from django.utils.translation import gettext as _

from accounts.users.mailboxes import mailbox_of
from accounts.users.models import User


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
        email = given["email"] = mailbox_of(given.get("email") or "")
        others = User.objects.exclude(pk=user.pk) if user else User.objects.all()
        if email and others.filter(email__iexact=email).exists():
            self.add_error("email", _("Another account has this email address."))
        if self.was_primary and not given.get("primary"):
            self.add_error(
                "primary", _("An account needs a primary address: make another one primary instead.")
            )
        return given
