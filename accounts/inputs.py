"""The forms of accounts: logins, sign-ups, passwords, profile and settings.

It also has base classes and widgets for other forms of the site, such as `GuardedForm`.
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
from django.utils.text import format_lazy
from django.utils.translation import get_language, gettext, gettext_lazy as _, ngettext

from accounts import admission, services, single_sign_on, time_zones
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
    """Raise ValidationError if a name contains a forbidden character."""
    if fault := fault_of_name(name):
        raise ValidationError(told(fault, Words(gettext, ngettext)))


class OwnLabelsMixin:
    """Replaces the labels and help texts of an allauth form, and removes its placeholders and links."""

    labels: ClassVar[dict[str, Any]] = {}
    help_texts: ClassVar[dict[str, Any]] = {}
    required: ClassVar[dict[str, Any]] = {}
    """The error messages for required fields that are left empty, by field name."""
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
    return f"{crc32(repr(value).encode()):08x}"


class ShownValuesField(forms.CharField):
    """A hidden field with checksums of the values that a page shows. It never counts as changed."""

    def has_changed(self, initial: Any, data: Any) -> bool:
        return False


class GuardedForm(forms.BaseForm):
    """A form that refuses to overwrite values that have changed since its page was opened.

    Another tab, another device or another person may have changed the values. Then the page shows the form
    again as the person filled it in, and names the changed fields. If the person submits it once more, it is
    accepted.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["instead_of"] = ShownValuesField(required=False, widget=forms.HiddenInput)
        self.record_shown_values()

    def record_shown_values(self) -> None:
        """Record checksums of the current values in the form. Call it again after changing initial values."""
        self.initial["instead_of"] = " ".join(f"{name}={mark}" for name, mark in self._marks().items())

    def _marks(self) -> dict[str, str]:
        """Return a checksum of the current value of each field, by field name."""
        fields = {name: field for name, field in self.fields.items() if name != "instead_of"}
        values = {name: self.get_initial_for_field(field, name) for name, field in fields.items()}
        return {name: value_checksum(value) for name, value in values.items()}

    def _label_of(self, name: str) -> str:
        return str(self[name].label)

    def clean(self) -> dict[str, Any]:
        """Refuse the form if values have changed since the page was opened.

        Accept it when it is submitted again.
        """
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
                "These fields have changed since you opened this page: {fields}. Check them, then save again."
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
    """The login form: a Robo Name or email address in one field, and a password."""

    labels = {"login": _("Robo Name or email address")}
    attrs = {"login": {"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}}

    def clean_login(self) -> str:
        """Normalise the login if it is an email address, because allauth looks for an exact match."""
        login: str = super().clean_login()
        return mailbox_of(login) if "@" in login else login


class RepeatPasswordForm(OwnLabelsMixin, account_forms.ReauthenticateForm):  # type: ignore[misc]
    """The form that asks for the password again before an important action."""


NO_ADDRESS = _("Enter your email address.")


class SignUpForm(OwnLabelsMixin, account_forms.SignupForm):  # type: ignore[misc]
    """The sign-up form: Robo Name, email address and password."""

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
    """The time zone that a script detected in the browser, or an empty string."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].validators = []  # the adapter checks names, with better messages

    def clean_time_zone(self) -> str:
        """Return the browser's time zone by its current name, or UTC if it is missing or unknown."""
        try:
            time_zones.validate(self.cleaned_data["time_zone"])
        except forms.ValidationError:
            return "UTC"
        return time_zones.canonical(self.cleaned_data["time_zone"])

    def clean_email(self) -> str:
        """Normalise the address. Refuse blocked and throw-away addresses."""
        email: str = super().clean_email()
        return admission.check_address(email, now=timezone.now())

    def validate_unique_email(self, value: str) -> str:
        """Accept every address. If an account has the address, only its owner learns this, by mail."""
        return value

    def save(self, request: HttpRequest) -> User:
        """Save the sign-up, or replace this browser's unconfirmed sign-up.

        A guest stays a guest, and can keep playing, until the address is confirmed. Raises IntegrityError if
        another person took the name after the form was checked.
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


class ProviderSignUpForm(SignUpForm):
    """The sign-up form for a new person from the provider: a Robo Name, and an address if needed.

    An address that the provider has verified cannot be changed here.
    """

    def __init__(self, *args: Any, identity: single_sign_on.Identity, **kwargs: Any) -> None:
        self.identity = identity
        kwargs["initial"] = {"username": identity.robo_name, "email": identity.email}
        super().__init__(*args, **kwargs)
        del self.fields["password1"]
        if identity.email_verified:
            self.fields["email"].disabled = True
            self.fields["email"].help_text = ""

    def clean(self) -> dict[str, Any]:
        """Refuse an identity that is already linked, and a verified address that another account has."""
        given: dict[str, Any] = super().clean()
        if single_sign_on.is_linked(self.identity):
            raise ValidationError(gettext("You have already signed up. Log in instead."))
        if self.address_is_taken:
            raise ValidationError(gettext("An account here has this address. Log in to it instead."))
        return given

    @property
    def address_is_taken(self) -> bool:
        """Whether another account has the address, and the provider says that it is this person's."""
        return self.identity.email_verified and owner_of(self.identity.email) is not None

    def save(self, request: HttpRequest) -> User:
        """Save the sign-up. Raises IntegrityError if the name, the address or the identity was just taken."""
        return single_sign_on.sign_up(
            request,
            identity=self.identity,
            robo_name=self.cleaned_data["username"],
            email=self.cleaned_data["email"],
            time_zone=self.cleaned_data["time_zone"],
            instead_of=services.waiting_sign_up(request),
            now=timezone.now(),
        )


class CorrectAddressForm(OwnLabelsMixin, forms.Form):
    """The form to correct the address of an unconfirmed sign-up."""

    email = EmailField(label=_("Your email address"), error_messages={"required": NO_ADDRESS})

    def clean_email(self) -> str:
        """Normalise the address. Refuse blocked and throw-away addresses."""
        return admission.check_address(self.cleaned_data["email"], now=timezone.now())


class InvitationLinkForm(forms.Form):
    """The form for a new invitation link."""

    most = forms.IntegerField(
        label=_("For how many people?"),
        min_value=1,
        max_value=admission.MAX_PEOPLE_PER_LINK,
        initial=1,
        error_messages=dict.fromkeys(
            ("required", "invalid", "min_value", "max_value"),
            format_lazy(_("Enter a number from 1 to {most}."), most=admission.MAX_PEOPLE_PER_LINK),
        ),
    )


class ChangeEmailForm(OwnLabelsMixin, account_forms.AddEmailForm):  # type: ignore[misc]
    """The form for a new address. It replaces the old address after it is confirmed."""

    labels = {"email": _("New address")}


class ResetPasswordForm(OwnLabelsMixin, account_forms.ResetPasswordForm):  # type: ignore[misc]
    """The form to request a password reset link for an email address."""

    labels = {"email": _("Email address")}

    def clean_email(self) -> str:
        """Normalise the address, and find its owner. An address that no one has confirmed has no owner."""
        email: str = get_adapter().clean_email(self.cleaned_data["email"])
        owner = owner_of(email)
        known = owner is not None and owner.is_active and single_sign_on.passwords_allowed(owner)
        self.users = [owner] if known else []
        return email

    def save(self, request: HttpRequest, **kwargs: Any) -> str:
        """Mail the reset link to the address or, if no account has it, mail a message that says so."""
        if not self.users:  # take as long, with as many queries, as for an account
            owner_of(self.cleaned_data["email"])
            account_forms.default_token_generator.make_token(User(pk=0))
        email: str = super().save(request, **kwargs)
        return email


class NewPasswordForm(OwnLabelsMixin, account_forms.ResetPasswordKeyForm):  # type: ignore[misc]
    """The form for a new password, behind the link in a password reset mail."""

    labels = {"password1": _("New password"), "password2": _("Repeat the new password")}
    help_texts = NEW_PASSWORD

    def save(self) -> None:
        """Save the new password, and reset the count of wrong passwords so that the owner can log in."""
        super().save()
        get_adapter().forget_attempts(self.user)


class SetPasswordForm(OwnLabelsMixin, account_forms.SetPasswordForm):  # type: ignore[misc]
    """The form to set the first password of an account."""

    labels = {"password2": _("Password again")}
    help_texts = NEW_PASSWORD


class ChangePasswordForm(OwnLabelsMixin, account_forms.ChangePasswordForm):  # type: ignore[misc]
    """The form to change a password: the current password once, and the new one twice."""

    labels = {
        "oldpassword": _("Current password"),
        "password1": _("New password"),
        "password2": _("Repeat the new password"),
    }
    help_texts = NEW_PASSWORD

    def clean_oldpassword(self) -> str:
        """Check the current password. A wrong one counts like a wrong password on the login page."""
        given: str = self.cleaned_data["oldpassword"]
        if not get_adapter().reauthenticate(self.user, given):
            raise get_adapter().validation_error("enter_current_password")
        return given


MAX_PASSKEY_NAME = 40
"""The maximum length of a passkey's name, in characters."""


class _Code(OwnLabelsMixin):
    """Adjusts an allauth form that has a field for the code of a second factor."""

    labels = {"code": _("Code")}
    required = {"code": _("Enter the code.")}
    attrs = {"code": {"inputmode": "numeric", "autocapitalize": "none", "spellcheck": "false"}}


class AuthenticateForm(_Code, base.AuthenticateForm):  # type: ignore[misc]
    """The form for a code after the password, during login."""


class RepeatCodeForm(_Code, base.ReauthenticateForm):  # type: ignore[misc]
    """The form that asks for a code instead of the password before an important action."""


class ActivateTOTPForm(_Code, totp.ActivateTOTPForm):  # type: ignore[misc]
    """The form to set up an authenticator app. The first code proves that the app has the key."""

    labels = {"code": _("Six-digit code")}


class _Credential:
    """Turns exceptions caused by malformed passkey data from the browser into a form error."""

    def full_clean(self) -> None:
        try:
            super().full_clean()  # type: ignore[misc]
        except (AttributeError, KeyError, TypeError, ValueError):
            refusal = SecondFactorAdapter().validation_error("no_passkey")
            self.add_error(None, refusal)  # type: ignore[attr-defined]


class AddPasskeyForm(_Credential, webauthn.AddWebAuthnForm):  # type: ignore[misc]
    """The form to add a passkey with a name."""

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
            "You won’t need your name or password. The passkey asks for your fingerprint, your face or its"
            " PIN."
        )


class RenamePasskeyForm(webauthn.EditWebAuthnForm):  # type: ignore[misc]
    name = forms.CharField(
        max_length=MAX_PASSKEY_NAME, validators=[check_name], error_messages={"required": _("Enter a name.")}
    )


class AuthenticateByPasskeyForm(_Credential, webauthn.AuthenticateWebAuthnForm):  # type: ignore[misc]
    """The form for a passkey after the password, during login."""


class PasskeyLoginForm(_Credential, webauthn.LoginWebAuthnForm):  # type: ignore[misc]
    """The form to log in with a passkey instead of a name and password."""


class ReauthenticateByPasskeyForm(_Credential, webauthn.ReauthenticateWebAuthnForm):  # type: ignore[misc]
    """The form that asks for a passkey again before an important action."""


class ProfileForm(GuardedForm, forms.ModelForm):  # type: ignore[type-arg]
    """The form for a person's robot, time zone, language and privacy settings.

    It has no language field if the site has only one language.
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
        self.record_shown_values()
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
        """The profile fields that the page shows beside the choice of robot pictures."""
        return [self[name] for name in PROFILE if name in self.fields and name != "look"]

    @property
    def audiences(self) -> list[forms.BoundField]:
        return [self[name] for name in AUDIENCES]


class PageSettingsForm(forms.ModelForm):  # type: ignore[type-arg]
    """The form for the settings of pages and turns. `site/settings_form.html` renders it."""

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
        """The groups of the form: each group's name, and its fields.

        Consecutive fields with the same ``volume`` are in one list, so that a slider appears beside its
        switch.
        """
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
