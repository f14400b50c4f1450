"""The forms of sign-up."""

from typing import Any

from allauth.account import forms as allauth
from allauth.account.fields import EmailField
from django import forms
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts import time_zones
from accounts.forms import NEW_PASSWORD, InOurWords
from accounts.signup import services
from accounts.users.models import User

NO_ADDRESS = _("Without an address no mail can reach you.")


class SignUpForm(InOurWords, allauth.SignupForm):  # type: ignore[misc]
    """Robo Name, email address and password of a new person."""

    labels = {"username": _("Robo Name"), "email": _("Email address")}
    help_texts = {
        "username": User._meta.get_field("robo_name").help_text,
        "email": _("To confirm your account, and to tell you when it is your move. No one else sees it."),
        **NEW_PASSWORD,
    }
    required = {
        "username": _("Every robot needs a name."),
        "email": NO_ADDRESS,
        "password1": _("Choose a password."),
    }
    attrs = {"username": {"autocapitalize": "none", "spellcheck": "false"}}

    time_zone = forms.CharField(required=False, widget=forms.HiddenInput(attrs={"data-time-zone": ""}))
    """Where the browser says that it is, if a script could tell."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].validators = []  # the adapter checks names, and says more

    def clean_time_zone(self) -> str:
        """The browser's time zone, or UTC when it makes no sense: no one is refused for it."""
        try:
            time_zones.validate(self.cleaned_data["time_zone"])
        except forms.ValidationError:
            return "UTC"
        return time_zones.canonical(self.cleaned_data["time_zone"])

    def validate_unique_email(self, value: str) -> str:
        """Take any address: whether it has an account already is told to its owner alone, by mail."""
        return value

    def save(self, request: HttpRequest) -> User:
        """Keep the sign-up, in place of the one that was made in this browser before and still waits.

        A guest stays a guest until the address is confirmed, and keeps playing. Raises IntegrityError when
        someone took the name since the form was checked.
        """
        return services.sign_up(
            robo_name=self.cleaned_data["username"],
            email=self.cleaned_data["email"],
            password=self.cleaned_data["password1"],
            time_zone=self.cleaned_data["time_zone"],
            instead_of=services.waiting(request),
            now=timezone.now(),
        )


class CorrectAddressForm(InOurWords, forms.Form):
    """The right address of someone who has signed up with a wrong one."""

    email = EmailField(label=_("Your email address"), error_messages={"required": NO_ADDRESS})
