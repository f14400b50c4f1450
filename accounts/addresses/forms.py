"""The form to change the address."""

from allauth.account import forms as allauth
from django.utils.translation import gettext_lazy as _

from accounts.forms import InOurWords


class ChangeEmailForm(InOurWords, allauth.AddEmailForm):  # type: ignore[misc]
    """The address that takes over once it is confirmed."""

    labels = {"email": _("New address")}
