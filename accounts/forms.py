"""The forms of sign-up, sign-in and preferences."""

from typing import Any, ClassVar

from allauth.account import forms as allauth
from allauth.account.adapter import get_adapter
from allauth.account.fields import PasswordField
from django import forms
from django.db import transaction
from django.http import HttpRequest, HttpResponse

from accounts import guests, time_zones
from accounts.models import AUDIENCES, LOOKS, SPEEDS, Audience, CellSize, Motion, Theme, User
from accounts.services import NO_SETTING, SETTINGS

_NEW_PASSWORD = "At least 8 characters of any kind, and nothing that many others use: a sentence does well."  # noqa: S105


def _plain(form: forms.BaseForm) -> None:
    """Take away the placeholders, which repeat the labels, and the links, which the pages have."""
    for field in form.fields.values():
        field.widget.attrs.pop("placeholder", None)
        if isinstance(field, PasswordField):
            field.help_text = ""


def _sign_out_guest(request: HttpRequest) -> None:
    """End a guest's session; the claim that it leaves is void once the guest is a person."""
    if guests.guest_of(request):
        get_adapter(request).logout(request)


class SignUpForm(allauth.SignupForm):  # type: ignore[misc]
    """Robo Name, email address and password of a new person."""

    time_zone = forms.CharField(required=False, widget=forms.HiddenInput(attrs={"data-time-zone": ""}))
    """Where the browser says that it is, if a script could tell."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _plain(self)
        name = self.fields["username"]
        name.label = "Robo Name"
        name.help_text = User._meta.get_field("robo_name").help_text
        name.validators = []  # the adapter checks names, and says more
        name.widget.attrs.update(autocapitalize="none", spellcheck="false")
        name.error_messages["required"] = "Every robot needs a name."
        self.fields["email"].label = "Email address"
        self.fields[
            "email"
        ].help_text = (
            "To confirm your account, and to tell you when it is your move. Nobody else gets to see it."
        )
        self.fields["email"].error_messages["required"] = "Without an address no mail can reach you."
        self.fields["password1"].help_text = _NEW_PASSWORD
        self.fields["password1"].error_messages["required"] = "Choose a password."

    def clean_time_zone(self) -> str:
        """The browser's time zone, or UTC when it makes no sense: nobody is refused for it."""
        try:
            time_zones.validate(self.cleaned_data["time_zone"])
        except forms.ValidationError:
            return "UTC"
        return str(self.cleaned_data["time_zone"])

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        """Make the account, or an answer that looks the same where the address has one already.

        Either way a guest is signed out, so that the address has to be confirmed first.
        """
        if self.account_already_exists:
            _sign_out_guest(request)
        made: tuple[User | None, HttpResponse | None] = super().try_save(request)
        return made

    def save(self, request: HttpRequest) -> User:
        """Make the account, whole or not at all.

        Raises IntegrityError when somebody took the name or the address since the form was checked.
        """
        with transaction.atomic():
            user: User = super().save(request)
        _sign_out_guest(request)
        return user

    def signup(self, request: HttpRequest, user: User) -> None:
        """Keep what only this site asks."""
        user.time_zone = self.cleaned_data["time_zone"]
        user.save(update_fields=["time_zone"])


class SignInForm(allauth.LoginForm):  # type: ignore[misc]
    """Robo Name or email address in one field, and the password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _plain(self)
        self.fields["login"].label = "Robo Name or email address"
        self.fields["login"].widget.attrs.update(
            autocomplete="username", autocapitalize="none", spellcheck="false"
        )


class ResetPasswordForm(allauth.ResetPasswordForm):  # type: ignore[misc]
    """The address to which the link to a new password goes."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _plain(self)
        self.fields["email"].label = "Email address"


class NewPasswordForm(allauth.ResetPasswordKeyForm):  # type: ignore[misc]
    """A new password, for one who came by the link."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _plain(self)
        self.fields["password1"].label = "New password"
        self.fields["password1"].help_text = _NEW_PASSWORD
        self.fields["password2"].label = "New password again"


class SetPasswordForm(allauth.SetPasswordForm):  # type: ignore[misc]
    """A first password, for one whose account was made without."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _plain(self)
        self.fields["password1"].help_text = _NEW_PASSWORD
        self.fields["password2"].label = "Password again"


class ChangePasswordForm(allauth.ChangePasswordForm):  # type: ignore[misc]
    """The present password, and the new one twice."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _plain(self)
        self.fields["oldpassword"].label = "Present password"
        self.fields["password1"].label = "New password"
        self.fields["password1"].help_text = _NEW_PASSWORD
        self.fields["password2"].label = "New password again"


class ChangeEmailForm(allauth.AddEmailForm):  # type: ignore[misc]
    """The address that takes over once it is confirmed."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _plain(self)
        self.fields["email"].label = "New address"


class ReauthenticateForm(allauth.ReauthenticateForm):  # type: ignore[misc]
    """The password once more, before something that matters."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _plain(self)


class LooksSelect(forms.RadioSelect):
    """Robots to choose from, as pictures."""

    template_name = "forms/looks.html"


class SegmentsSelect(forms.RadioSelect):
    """A few choices beside each other."""

    template_name = "forms/segments.html"


class PreferencesForm(forms.ModelForm):  # type: ignore[type-arg]
    """What a person may choose."""

    look = forms.TypedChoiceField(
        label="Favourite robot",
        coerce=int,
        empty_value=None,
        required=False,
        choices=[("", "any"), *((number, str(number)) for number in range(1, LOOKS + 1))],
        widget=LooksSelect,
        help_text=User._meta.get_field("look").help_text,
        error_messages={"invalid_choice": "There are eight robots: %(value)s is none of them."},
    )
    time_zone = forms.ChoiceField(
        help_text=User._meta.get_field("time_zone").help_text,
        error_messages={"invalid_choice": "%(value)s is no time zone: choose one from the list."},
    )

    class Meta:
        model = User
        fields = [
            "look",
            "time_zone",
            "shows_games",
            "shows_history",
            "shows_statistics",
            "shows_achievements",
        ]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        zone = self.fields["time_zone"]
        assert isinstance(zone, forms.ChoiceField)
        zone.choices = time_zones.choices(current=self.instance.time_zone)
        for name in AUDIENCES:
            self.fields[name] = forms.ChoiceField(
                label=self.fields[name].label,
                help_text=self.fields[name].help_text,
                choices=Audience.choices,
                widget=SegmentsSelect,
                error_messages={"required": "Say who may see it."},
            )

    @property
    def audiences(self) -> list[forms.BoundField]:
        """The fields that say who sees what of the person's page."""
        return [self[name] for name in AUDIENCES]


class PercentInput(forms.NumberInput):
    """A slider from nothing to all."""

    input_type = "range"

    def __init__(self) -> None:
        super().__init__(attrs={"min": 0, "max": 100, "step": 5})


class SettingsForm(forms.ModelForm):  # type: ignore[type-arg]
    """How a person has pages shown and turns played; `templates/site/settings_form.html` draws it."""

    class Meta:
        model = User
        fields = SETTINGS
        widgets = {
            **dict.fromkeys(("speed", "motion", "theme", "cell_size"), SegmentsSelect),
            **dict.fromkeys(("volume", "effects_volume"), PercentInput),
        }
        help_texts = {
            "motion": "As set: as your system asks. Cuts: what moves is shown where it comes to stand.",
            "cell_size": "Small is 32 pixels, medium 48, large 64; the board then scrolls in its frame.",
            "volume": "",
            "effects_volume": "",
        }
        error_messages = {
            name: dict.fromkeys(
                ("required", "invalid", "invalid_choice", "min_value", "max_value"), f"{sentence}."
            )
            for name, sentence in NO_SETTING.items()
        }

    _WORDS: ClassVar[dict[str, list[tuple[str, str]]]] = {
        "speed": [(str(speed), f"{speed / 100:g}×") for speed in SPEEDS],
        "motion": [(Motion.AUTO, "As set"), (Motion.FULL, "All"), (Motion.REDUCED, "Cuts")],
        "theme": [(Theme.LIGHT, "Day"), (Theme.DARK, "Night"), (Theme.AUTO, "As set")],
        "cell_size": [(CellSize.FIT, "Fit"), *CellSize.choices[1:]],
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, words in self._WORDS.items():
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = words
