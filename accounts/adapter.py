"""What the account pages do in this site's own way and words."""

import logging
from smtplib import SMTPException
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.forms import BaseForm
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from accounts import closed_addresses, guests, lookalikes, retired_names, robo_names
from accounts.models import User

log = logging.getLogger(__name__)

_SIGN_IN_REFUSED = (
    "No account has this name or address together with this password. In the password, capitals count."
)


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Sign-up, sign-in and mail as allauth does them, with Robo Names for user names."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "account_inactive": "This account has been closed.",
        "duplicate_email": "This is your address already.",
        "email_password_mismatch": _SIGN_IN_REFUSED,
        "email_taken": "Another account has this email address.",
        "enter_current_password": "This is not your present password.",
        "incorrect_password": "This is not your password.",
        "invalid_password_reset": "This link does not work any more.",
        "rate_limited": "That was a bit much at once. Please wait a minute, then try again.",
        "too_many_login_attempts": "Too many tries with a wrong password. Please wait five minutes.",
        "username_password_mismatch": _SIGN_IN_REFUSED,
        "username_taken": "This Robo Name is taken: choose another.",
    }

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Refuse what is no Robo Name, and, unless `shallow`, what is another's."""
        robo_names.validate(username)
        if not shallow:
            if User.objects.filter(robo_name__iexact=username).exists():
                raise self.validation_error("username_taken")
            lookalikes.check(username)
            retired_names.check(username)
        return username

    def new_user(self, request: HttpRequest) -> User:
        """Who signs up: a guest becomes a person, anybody else is new. To be called in a transaction."""
        guest = guests.guest_of(request)
        held = None
        if guest:
            held = User.objects.select_for_update(no_key=True).filter(pk=guest.pk, is_guest=True).first()
        return held or User()

    def save_user(self, request: HttpRequest, user: User, form: BaseForm, commit: bool = True) -> User:
        """Give a new person, or a guest who becomes one, the name, address and password of the form."""
        if user.is_guest:
            user.is_guest = False
            user.date_joined = timezone.now()
        saved: User = super().save_user(request, user, form, commit)
        return saved

    def logout(self, request: HttpRequest) -> None:
        """Sign out; what a guest has flown stays with the browser, until somebody signs in there."""
        guest = guests.guest_of(request)
        super().logout(request)
        if guest:
            request.session[guests.CLAIM] = guest.pk

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Record that the address is confirmed; False, with a message, when another account has it."""
        others = User.objects.exclude(pk=email_address.user_id)
        if others.filter(email__iexact=email_address.email).exists():
            self.add_message(
                request,
                messages.ERROR,
                "account/messages/email_confirmation_failed.txt",
                {"email": email_address.email},
            )
            return False
        confirmed = bool(super().confirm_email(request, email_address))
        if confirmed:  # by a link that came by mail
            closed_addresses.reopen(email_address.email)
        return confirmed

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail; when the mail server does not take it, say so on the page and in the log."""
        try:
            super().send_mail(template_prefix, email, context)
        except (SMTPException, OSError) as error:
            log.error("mail %s could not be sent: %s", template_prefix, error)
            messages.error(
                self.request, "The mail could not be sent just now. Please try again in a few minutes."
            )

    def get_reauthentication_methods(self, user: User) -> list[dict[str, str]]:
        """Return how somebody may show that it is them, in words."""
        words = {
            "reauthenticate": "Give the password",
            "mfa_reauthenticate": "Type a code",
            "mfa_reauthenticate:webauthn": "Use a passkey",
        }
        return [way | {"description": words[way["id"]]} for way in super().get_reauthentication_methods(user)]

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return from where somebody asks; a server that is reached by a socket does not tell."""
        try:
            return str(super().get_client_ip(request))
        except PermissionDenied:
            return "0.0.0.0"  # noqa: S104 - no address to listen at, but none at all

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        """Where one goes on after changing the password."""
        return reverse("accounts:preferences")
