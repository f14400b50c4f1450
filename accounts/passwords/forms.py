"""The forms to choose a password."""

from typing import Any

from allauth.account import forms as allauth
from allauth.account.adapter import get_adapter
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.addresses.owners import owner_of
from accounts.forms import NEW_PASSWORD, InOurWords
from accounts.users.models import User


class ResetPasswordForm(InOurWords, allauth.ResetPasswordForm):  # type: ignore[misc]
    """The address to which the link to a new password goes."""

    labels = {"email": _("Email address")}

    def clean_email(self) -> str:
        """Find whose address it is, if it was confirmed: to no other address a new password goes."""
        email: str = get_adapter().clean_email(self.cleaned_data["email"])
        owner = owner_of(email)
        self.users = [owner] if owner and owner.is_active else []
        return email

    def save(self, request: HttpRequest, **kwargs: Any) -> str:
        """Send the link to the owner of the address, or else that no account has it."""
        if not self.users:  # as much work, and as many questions to the database, as for an account
            owner_of(self.cleaned_data["email"])
            allauth.default_token_generator.make_token(User(pk=0))
        email: str = super().save(request, **kwargs)
        return email


class NewPasswordForm(InOurWords, allauth.ResetPasswordKeyForm):  # type: ignore[misc]
    """A new password, for one who came by the link."""

    labels = {"password1": _("New password"), "password2": _("New password again")}
    help_texts = NEW_PASSWORD

    def save(self) -> None:
        """Keep the new password, and let its owner in at once, even after wrong guesses by others."""
        super().save()
        get_adapter().forget_attempts(self.user)


class SetPasswordForm(InOurWords, allauth.SetPasswordForm):  # type: ignore[misc]
    """A first password, for one whose account was made without."""

    labels = {"password2": _("Password again")}
    help_texts = NEW_PASSWORD


class ChangePasswordForm(InOurWords, allauth.ChangePasswordForm):  # type: ignore[misc]
    """The present password, and the new one twice."""

    labels = {
        "oldpassword": _("Current password"),
        "password1": _("New password"),
        "password2": _("New password again"),
    }
    help_texts = NEW_PASSWORD

    def clean_oldpassword(self) -> str:
        """Check the present password; wrong ones count as those on the log-in page do."""
        given: str = self.cleaned_data["oldpassword"]
        if not get_adapter().reauthenticate(self.user, given):
            raise get_adapter().validation_error("enter_current_password")
        return given
