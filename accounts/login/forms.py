"""The forms to log in, and to give the password once more."""

from allauth.account import forms as allauth
from django.utils.translation import gettext_lazy as _

from accounts.forms import InOurWords
from accounts.users.mailboxes import mailbox_of


class SignInForm(InOurWords, allauth.LoginForm):  # type: ignore[misc]
    """Robo Name or email address in one field, and the password."""

    labels = {"login": _("Robo Name or email address")}
    attrs = {"login": {"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}}

    def clean_login(self) -> str:
        """Normalise an address: allauth looks for the confirmed row of the very address."""
        login: str = super().clean_login()
        return mailbox_of(login) if "@" in login else login


class RepeatPasswordForm(InOurWords, allauth.ReauthenticateForm):  # type: ignore[misc]
    """The password once more, before something that matters."""
