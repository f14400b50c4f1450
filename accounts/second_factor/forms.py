"""The forms of second factors, in this site's words."""

from typing import Any

from allauth.mfa.base import forms as base
from allauth.mfa.totp import forms as totp
from allauth.mfa.webauthn import forms as webauthn
from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.forms import InOurWords, check_name
from accounts.second_factor.adapter import SecondFactorAdapter

LONGEST_NAME = 40
"""Characters of the longest name of a passkey."""


class _Code(InOurWords):
    """A code to type."""

    labels = {"code": _("Code")}
    required = {"code": _("Type the code first.")}
    attrs = {"code": {"inputmode": "numeric", "autocapitalize": "none", "spellcheck": "false"}}


class AuthenticateForm(_Code, base.AuthenticateForm):  # type: ignore[misc]
    """A code beside the password, on the way in."""


class RepeatCodeForm(_Code, base.ReauthenticateForm):  # type: ignore[misc]
    """A code in place of the password, before something that matters."""


class ActivateTOTPForm(_Code, totp.ActivateTOTPForm):  # type: ignore[misc]
    """The first code that an app shows, which proves that it has the key."""

    labels = {"code": _("Six-digit code")}


class _Credential:
    """What a browser says about a passkey: whatever is sent in its place is refused, and no mishap."""

    def full_clean(self) -> None:
        try:
            super().full_clean()  # type: ignore[misc]
        except (AttributeError, KeyError, TypeError, ValueError):
            refusal = SecondFactorAdapter().validation_error("no_passkey")
            self.add_error(None, refusal)  # type: ignore[attr-defined]


class AddPasskeyForm(_Credential, webauthn.AddWebAuthnForm):  # type: ignore[misc]
    """A passkey and its name."""

    field_order = ["name", "passwordless", "credential"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        name = self.fields["name"]
        name.validators.append(check_name)
        name.max_length = LONGEST_NAME
        name.widget.attrs.update(maxlength=LONGEST_NAME)
        name.help_text = gettext("So that you can tell it from others: “Phone”, or “Blue key”.")
        alone = self.fields["passwordless"]
        alone.label = gettext("Log in with it alone")
        alone.initial = True
        alone.help_text = gettext(
            "Without name and password: it asks for your fingerprint, your face or its PIN instead."
        )


class RenamePasskeyForm(webauthn.EditWebAuthnForm):  # type: ignore[misc]
    """Another name for a passkey."""

    name = forms.CharField(
        max_length=LONGEST_NAME, validators=[check_name], error_messages={"required": _("Give it a name.")}
    )


class ShowPasskeyForm(_Credential, webauthn.AuthenticateWebAuthnForm):  # type: ignore[misc]
    """A passkey beside the password, on the way in."""


class SignInByPasskeyForm(_Credential, webauthn.LoginWebAuthnForm):  # type: ignore[misc]
    """A passkey in place of name and password."""


class ReauthenticateByPasskeyForm(_Credential, webauthn.ReauthenticateWebAuthnForm):  # type: ignore[misc]
    """A passkey once more, before something that matters."""
