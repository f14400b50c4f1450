"""The forms of sign-up, log-in and settings."""

from typing import Any, ClassVar

from allauth.account import forms as allauth
from allauth.account.adapter import get_adapter
from allauth.account.fields import EmailField, PasswordField
from django import forms
from django.http import HttpRequest
from django.utils import timezone

from accounts import addresses, signing_up, time_zones
from accounts.models import AUDIENCES, LOOKS, SPEEDS, Audience, CellSize, Motion, Theme, User
from accounts.services import NO_SETTING, SETTINGS

_NEW_PASSWORD = "At least 8 characters of any kind, and nothing that many others use: a sentence does well."  # noqa: S105


def _plain(form: forms.BaseForm) -> None:
    """Take away the placeholders, which repeat the labels, and the links, which the pages have."""
    for field in form.fields.values():
        field.widget.attrs.pop("placeholder", None)
        if isinstance(field, PasswordField):
            field.help_text = ""


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

    def validate_unique_email(self, value: str) -> str:
        """Take any address: whether it has an account already is told to its owner alone, by mail."""
        return value

    def save(self, request: HttpRequest) -> User:
        """Keep the sign-up, in place of the one that was made in this browser before and still waits.

        A guest stays a guest until the address is confirmed, and keeps playing. Raises IntegrityError when
        somebody took the name since the form was checked.
        """
        return signing_up.sign_up(
            robo_name=self.cleaned_data["username"],
            email=self.cleaned_data["email"],
            password=self.cleaned_data["password1"],
            time_zone=self.cleaned_data["time_zone"],
            instead_of=signing_up.waiting(request),
            now=timezone.now(),
        )


class CorrectAddressForm(forms.Form):
    """The right address of somebody who has signed up with a wrong one."""

    email = EmailField(
        label="Your email address", error_messages={"required": "Without an address no mail can reach you."}
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _plain(self)


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

    def clean_email(self) -> str:
        """Find whose address it is, if it was confirmed: to no other address a new password goes."""
        email: str = get_adapter().clean_email(self.cleaned_data["email"].lower())
        owner = addresses.owner_of(email)
        self.users = [owner] if owner and owner.is_active else []
        return email

    def save(self, request: HttpRequest, **kwargs: Any) -> str:
        """Send the link to the owner of the address, or else that no account has it."""
        if not self.users:  # as much work, and as many questions to the database, as for an account
            addresses.owner_of(self.cleaned_data["email"])
            allauth.default_token_generator.make_token(User(pk=0))
        email: str = super().save(request, **kwargs)
        return email


class NewPasswordForm(allauth.ResetPasswordKeyForm):  # type: ignore[misc]
    """A new password, for one who came by the link."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _plain(self)
        self.fields["password1"].label = "New password"
        self.fields["password1"].help_text = _NEW_PASSWORD
        self.fields["password2"].label = "New password again"

    def save(self) -> None:
        """Keep the new password, and let its owner in at once, even after wrong guesses by others."""
        super().save()
        get_adapter().forget_attempts(self.user)


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

    def clean_oldpassword(self) -> str:
        """Check the present password; wrong ones count as those on the log-in page do."""
        given: str = self.cleaned_data["oldpassword"]
        if not get_adapter().reauthenticate(self.user, given):
            raise get_adapter().validation_error("enter_current_password")
        return given


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


class ProfileForm(forms.ModelForm):  # type: ignore[type-arg]
    """A person's robot and time zone, and who can see what of them."""

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
            "shows_name",
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
            **dict.fromkeys(("volume", "effects_volume", "music_volume"), PercentInput),
        }
        help_texts = {
            "motion": "As set: as your system asks. Cuts: what moves is shown where it comes to stand.",
            "cell_size": "Small is 32 pixels, medium 48, large 64; the board then scrolls in its frame.",
            "volume": "",
            "effects_volume": "",
            "music_volume": "",
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
