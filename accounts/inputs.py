"""The forms of accounts: logins, sign-ups, passwords, profile and settings.

It also has parts for other forms of the site: `GuardedForm`, and custom widgets.
"""

from itertools import groupby
from typing import Any, ClassVar, Final
from zlib import crc32

from allauth.account import forms as account_forms
from allauth.account.adapter import get_adapter
from allauth.account.fields import EmailField, PasswordField
from allauth.mfa.base import forms as base
from allauth.mfa.totp import forms as totp
from allauth.mfa.webauthn import forms as webauthn
from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import get_language, gettext, gettext_lazy as _, ngettext

from accounts import services, time_zones
from accounts.backend import SecondFactorAdapter
from accounts.languages import are_several, language_of
from accounts.mail import owner_of
from accounts.models import AUDIENCES, LOOKS, PROFILE, Audience, User, mailbox_of
from accounts.settings import PAGE_SETTINGS, SETTINGS
from rules.language import Words, told
from rules.names import fault_of_name

NEW_PASSWORD: Final = {
    "password1": _("At least 8 characters, and not a common password. A sentence works well.")
}


def check_name(name: str) -> None:
    """Raise ValidationError for a name with a forbidden character."""
    if fault := fault_of_name(name):
        raise ValidationError(told(fault, Words(gettext, ngettext)))


class OwnLabelsMixin:
    """An allauth form with our labels and help, without its placeholders and links."""

    labels: ClassVar[dict[str, Any]] = {}
    help_texts: ClassVar[dict[str, Any]] = {}
    required: ClassVar[dict[str, Any]] = {}
    """The messages for required fields left empty."""
    attrs: ClassVar[dict[str, dict[str, str]]] = {}

    fields: dict[str, forms.Field]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.label = self.labels.get(name, field.label)
            unlinked = "" if isinstance(field, PasswordField) else field.help_text
            field.help_text = self.help_texts.get(name, unlinked)
            if name in self.required:
                field.error_messages["required"] = self.required[name]
            field.widget.attrs.pop("placeholder", None)
            field.widget.attrs.update(self.attrs.get(name, {}))


def value_checksum(value: Any) -> str:
    """Return a checksum of a value."""
    return f"{crc32(repr(value).encode()):08x}"


class ShownValuesField(forms.CharField):
    """A hidden field with the values shown on a page. It never counts as changed."""

    def has_changed(self, initial: Any, data: Any) -> bool:
        return False


class GuardedForm(forms.BaseForm):
    """A form that rejects outdated values.

    A page may be old: another tab, another device or another person may have changed the values since. Then
    the page shows the form again as filled in, and names the changes. The next submit counts.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["instead_of"] = ShownValuesField(required=False, widget=forms.HiddenInput)
        self.record_shown_values()

    def record_shown_values(self) -> None:
        """Record the values on the page. Call it after changing initial values."""
        self.initial["instead_of"] = " ".join(f"{name}={mark}" for name, mark in self._marks().items())

    def _marks(self) -> dict[str, str]:
        """Return a checksum of the present value of each field."""
        fields = {name: field for name, field in self.fields.items() if name != "instead_of"}
        values = {name: self.get_initial_for_field(field, name) for name, field in fields.items()}
        return {name: value_checksum(value) for name, value in values.items()}

    def _label_of(self, name: str) -> str:
        return str(self[name].label)

    def clean(self) -> dict[str, Any]:
        """Refuse to replace values that have changed since the page was opened."""
        given: dict[str, Any] = super().clean() or self.cleaned_data
        seen = dict(part.partition("=")[::2] for part in given.pop("instead_of", "").split())
        changed = [name for name, mark in self._marks().items() if seen.get(name, mark) != mark]
        if changed:
            sent: Any = self.data
            fresh = sent.copy()
            fresh["instead_of"] = self.initial["instead_of"]
            self.data = fresh
            labels = ", ".join(self._label_of(name) for name in changed)
            told = gettext(
                "Some fields have changed since you opened this page. Check them, then save again: {fields}"
            )
            raise forms.ValidationError(told.format(fields=labels), code="stale")
        return given


class LooksSelect(forms.RadioSelect):
    template_name = "forms/looks.html"


class SegmentsSelect(forms.RadioSelect):
    template_name = "forms/segments.html"


class PercentInput(forms.NumberInput):
    input_type = "range"

    def __init__(self) -> None:
        super().__init__(attrs={"min": 0, "max": 100, "step": 5})


class LoginForm(OwnLabelsMixin, account_forms.LoginForm):  # type: ignore[misc]
    """A Robo Name or email address in one field, and a password."""

    labels = {"login": _("Robo Name or email address")}
    attrs = {"login": {"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}}

    def clean_login(self) -> str:
        """Normalise an address, since allauth looks for an exact match."""
        login: str = super().clean_login()
        return mailbox_of(login) if "@" in login else login


class RepeatPasswordForm(OwnLabelsMixin, account_forms.ReauthenticateForm):  # type: ignore[misc]
    """The password again, before an important action."""


NO_ADDRESS = _("Enter your email address.")


class SignUpForm(OwnLabelsMixin, account_forms.SignupForm):  # type: ignore[misc]
    """The Robo Name, email address and password of a new person."""

    labels = {"username": _("Robo Name"), "email": _("Email address")}
    help_texts = {
        "username": User._meta.get_field("robo_name").help_text,
        "email": _(
            "We use it to confirm your account and to tell you when it’s your turn. No one else sees it."
        ),
        **NEW_PASSWORD,
    }
    required = {
        "username": _("Enter a Robo Name."),
        "email": NO_ADDRESS,
        "password1": _("Enter a password."),
    }
    attrs = {"username": {"autocapitalize": "none", "spellcheck": "false"}}

    time_zone = forms.CharField(required=False, widget=forms.HiddenInput(attrs={"data-time-zone": ""}))
    """The browser's time zone, if a script could detect it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].validators = []  # the adapter checks names, with better messages

    def clean_time_zone(self) -> str:
        """Return the browser's time zone, or UTC if it is unknown."""
        try:
            time_zones.validate(self.cleaned_data["time_zone"])
        except forms.ValidationError:
            return "UTC"
        return time_zones.canonical(self.cleaned_data["time_zone"])

    def validate_unique_email(self, value: str) -> str:
        """Accept any address. Only its owner learns, by mail, that it has an account."""
        return value

    def save(self, request: HttpRequest) -> User:
        """Save the sign-up, or replace this browser's waiting one.

        A guest stays a guest until the address is confirmed, and keeps playing. Raises IntegrityError if
        another person took the name since the form was checked.
        """
        return services.sign_up(
            robo_name=self.cleaned_data["username"],
            email=self.cleaned_data["email"],
            password=self.cleaned_data["password1"],
            time_zone=self.cleaned_data["time_zone"],
            language=get_language() or "",
            instead_of=services.waiting_sign_up(request),
            now=timezone.now(),
        )


class CorrectAddressForm(OwnLabelsMixin, forms.Form):
    """The correct address for a sign-up with a wrong one."""

    email = EmailField(label=_("Your email address"), error_messages={"required": NO_ADDRESS})


class ChangeEmailForm(OwnLabelsMixin, account_forms.AddEmailForm):  # type: ignore[misc]
    """The new address. It replaces the old one after it is confirmed."""

    labels = {"email": _("New address")}


class ResetPasswordForm(OwnLabelsMixin, account_forms.ResetPasswordForm):  # type: ignore[misc]
    """The email address to which a password reset link is sent."""

    labels = {"email": _("Email address")}

    def clean_email(self) -> str:
        """Find the owner of the address. Only confirmed addresses have one."""
        email: str = get_adapter().clean_email(self.cleaned_data["email"])
        owner = owner_of(email)
        self.users = [owner] if owner and owner.is_active else []
        return email

    def save(self, request: HttpRequest, **kwargs: Any) -> str:
        """Send the link to the owner, or say by mail that no account has the address."""
        if not self.users:  # take as long, and query as often, as for an account
            owner_of(self.cleaned_data["email"])
            account_forms.default_token_generator.make_token(User(pk=0))
        email: str = super().save(request, **kwargs)
        return email


class NewPasswordForm(OwnLabelsMixin, account_forms.ResetPasswordKeyForm):  # type: ignore[misc]
    """A new password, from the page behind a reset link."""

    labels = {"password1": _("New password"), "password2": _("New password again")}
    help_texts = NEW_PASSWORD

    def save(self) -> None:
        """Save the new password and clear wrong attempts, to let the owner log in."""
        super().save()
        get_adapter().forget_attempts(self.user)


class SetPasswordForm(OwnLabelsMixin, account_forms.SetPasswordForm):  # type: ignore[misc]
    """A first password, for an account without one."""

    labels = {"password2": _("Password again")}
    help_texts = NEW_PASSWORD


class ChangePasswordForm(OwnLabelsMixin, account_forms.ChangePasswordForm):  # type: ignore[misc]
    """The current password, and the new one twice."""

    labels = {
        "oldpassword": _("Current password"),
        "password1": _("New password"),
        "password2": _("New password again"),
    }
    help_texts = NEW_PASSWORD

    def clean_oldpassword(self) -> str:
        """Check the current password. Wrong ones count like those on the login page."""
        given: str = self.cleaned_data["oldpassword"]
        if not get_adapter().reauthenticate(self.user, given):
            raise get_adapter().validation_error("enter_current_password")
        return given


MAX_PASSKEY_NAME = 40
"""The maximum length of a passkey's name, in characters."""


class _Code(OwnLabelsMixin):
    """A code to type."""

    labels = {"code": _("Code")}
    required = {"code": _("Enter the code.")}
    attrs = {"code": {"inputmode": "numeric", "autocapitalize": "none", "spellcheck": "false"}}


class AuthenticateForm(_Code, base.AuthenticateForm):  # type: ignore[misc]
    """A code after the password, during login."""


class RepeatCodeForm(_Code, base.ReauthenticateForm):  # type: ignore[misc]
    """A code instead of the password, before an important action."""


class ActivateTOTPForm(_Code, totp.ActivateTOTPForm):  # type: ignore[misc]
    """The first code from an app, to prove that it has the key."""

    labels = {"code": _("Six-digit code")}


class _Credential:
    """A browser's data about a passkey. Malformed data is an error of the form."""

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
        name.max_length = MAX_PASSKEY_NAME
        name.widget.attrs.update(maxlength=MAX_PASSKEY_NAME)
        name.help_text = gettext("A name for this passkey, such as “Phone” or “Blue key”.")
        alone = self.fields["passwordless"]
        alone.label = gettext("Log in with only this passkey")
        alone.initial = True
        alone.help_text = gettext(
            "You won’t need your name and password. The passkey asks for your fingerprint, your face or its"
            " PIN."
        )


class RenamePasskeyForm(webauthn.EditWebAuthnForm):  # type: ignore[misc]
    name = forms.CharField(
        max_length=MAX_PASSKEY_NAME, validators=[check_name], error_messages={"required": _("Enter a name.")}
    )


class AuthenticateByPasskeyForm(_Credential, webauthn.AuthenticateWebAuthnForm):  # type: ignore[misc]
    """A passkey after the password, during login."""


class PasskeyLoginForm(_Credential, webauthn.LoginWebAuthnForm):  # type: ignore[misc]
    """A passkey instead of name and password."""


class ReauthenticateByPasskeyForm(_Credential, webauthn.ReauthenticateWebAuthnForm):  # type: ignore[misc]
    """A passkey again, before an important action."""


class ProfileForm(GuardedForm, forms.ModelForm):  # type: ignore[type-arg]
    """A person's robot, time zone, language and privacy settings.

    There is no choice of a language if only one is on.
    """

    look = forms.TypedChoiceField(
        label=_("Favourite robot"),
        coerce=int,
        empty_value=None,
        required=False,
        choices=[("", _("any")), *((number, str(number)) for number in range(1, LOOKS + 1))],
        widget=LooksSelect,
        help_text=User._meta.get_field("look").help_text,
        error_messages={"invalid_choice": _("There is no robot %(value)s. Choose a robot from 1 to 8.")},
    )
    time_zone = time_zones.ZoneField(
        label=_("Time zone"),
        help_text=User._meta.get_field("time_zone").help_text,
        error_messages={"invalid_choice": _("%(value)s is not a time zone. Choose one from the list.")},
    )
    language = forms.ChoiceField(label=_("Language"), help_text=User._meta.get_field("language").help_text)

    class Meta:
        model = User
        fields = [*PROFILE, *AUDIENCES]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        zone = self.fields["time_zone"]
        assert isinstance(zone, forms.ChoiceField)
        zone.choices = time_zones.choices(current=self.instance.time_zone)
        self.initial["language"] = language_of(self.instance)
        self.fields["language"].choices = settings.LANGUAGES  # type: ignore[attr-defined]
        if not are_several():
            del self.fields["language"]
        for name in AUDIENCES:
            self.fields[name] = forms.ChoiceField(
                label=self.fields[name].label,
                help_text=self.fields[name].help_text,
                choices=Audience.choices,
                widget=SegmentsSelect,
                error_messages={"required": gettext("Choose who can see it.")},
            )

    @property
    def beside_robot(self) -> list[forms.BoundField]:
        """The fields of the profile, except the pictures of robots."""
        return [self[name] for name in PROFILE if name in self.fields and name != "look"]

    @property
    def audiences(self) -> list[forms.BoundField]:
        """The privacy settings."""
        return [self[name] for name in AUDIENCES]


class PageSettingsForm(forms.ModelForm):  # type: ignore[type-arg]
    """The settings of pages and turns, shown by `site/settings_form.html`."""

    class Meta:
        model = User
        fields = tuple(SETTINGS)
        widgets = {
            each.name: SegmentsSelect if each.choices else PercentInput
            for each in PAGE_SETTINGS
            if each.choices or each.volume
        }
        help_texts = {each.name: each.help for each in PAGE_SETTINGS if each.help or each.volume}
        error_messages = {
            each.name: dict.fromkeys(
                ("required", "invalid", "invalid_choice", "min_value", "max_value"),
                each.allowed,
            )
            for each in PAGE_SETTINGS
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for each in PAGE_SETTINGS:
            field = self.fields[each.name]
            if each.choices and isinstance(field, forms.ChoiceField):
                field.choices = list(each.choices)

    @property
    def groups(self) -> list[tuple[object, list[tuple[str, list[forms.BoundField]]]]]:
        """The fields of each group. Volumes come with their switches."""
        return [
            (
                group,
                [
                    (volume, [self[each.name] for each in fields])
                    for volume, fields in groupby(settings, key=lambda each: each.volume)
                ],
            )
            for group, settings in groupby(PAGE_SETTINGS, key=lambda each: each.group)
        ]
