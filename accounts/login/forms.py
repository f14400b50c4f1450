"""The forms to log in, and to give the password once more."""

from allauth.account import forms as allauth
from django.utils.translation import gettext_lazy as _

from accounts.forms import InOurWords


class SignInForm(InOurWords, allauth.LoginForm):  # type: ignore[misc]
    """Robo Name or email address in one field, and the password."""

    labels = {"login": _("Robo Name or email address")}
    attrs = {"login": {"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}}


class RepeatPasswordForm(InOurWords, allauth.ReauthenticateForm):  # type: ignore[misc]
    """The password once more, before something that matters."""
