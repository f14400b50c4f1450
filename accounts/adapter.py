"""allauth's adapter for accounts, adjusted to this site."""

from contextlib import nullcontext
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress, EmailConfirmation
from allauth.core import context as present
from allauth.core.exceptions import ImmediateHttpResponse
from django.conf import settings
from django.contrib import messages
from django.contrib.sites.shortcuts import get_current_site
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy as _

from accounts import (
    admission,
    backend,
    guests,
    limits,
    mail as account_mail,
    robo_names,
    services as signup,
    single_sign_on,
)
from accounts.languages import as_read_by
from accounts.models import User, mailbox_of
from accounts.navigation import next_url_of, with_next

_LOGIN_REFUSED = _(
    "Wrong name, address or password. Check your capital letters. After 5 wrong passwords, you have to wait"
    " 5 minutes."
)


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """allauth's sign-up, login and mail, with Robo Names as user names and this site's error messages."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "account_inactive": _("Staff locked this account. Contact them to have it unlocked."),
        "duplicate_email": _("This is already your address."),
        "email_password_mismatch": _LOGIN_REFUSED,
        "email_taken": _("Another account has this email address."),
        "enter_current_password": _("This is not your current password."),
        "incorrect_password": _("This is not your password."),
        "invalid_password_reset": _("This link no longer works."),
        "rate_limited": _("Too many requests. Wait a minute, then try again."),
        "too_many_login_attempts": _("Too many wrong passwords. Wait 5 minutes, then try again."),
        "username_password_mismatch": _LOGIN_REFUSED,
        "username_taken": _("This Robo Name is taken. Choose another."),
    }

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Validate a Robo Name. Unless `shallow` is true, also refuse names that are taken or retired."""
        robo_names.validate(username)
        if not shallow:
            waiting = signup.waiting_sign_up(self.request)  # people may correct their own sign-up
            others = User.objects.exclude(pk=waiting.pk) if waiting else User.objects.all()
            if others.filter(robo_name__iexact=username).exists():
                raise self.validation_error("username_taken")
            robo_names.refuse_lookalike(username, among=others)
            robo_names.refuse_retired(username)
        return username

    def clean_email(self, email: str) -> str:
        return mailbox_of(email)

    # --- Who may sign up (`accounts.admission`) ---------------------------------------------------------

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Return whether the person can sign up. Sign-ups by another site ask this too."""
        return not self.sign_up_refusal(request)

    def sign_up_refusal(self, request: HttpRequest, *, verified_address: str = "") -> str:
        """Return why the person can't sign up, or an empty string (`admission.is_open`).

        Invitations by mail to an address that the provider has verified are looked up at once. With another
        address, the person says that they have one, and the confirmation mail depends on it.
        """
        if signup.INVITED_BY_MAIL in request.GET:
            request.session[signup.INVITED_BY_MAIL] = True
        return admission.is_open(
            ip=self.get_client_ip(request),
            token=request.session.get(signup.INVITATION_KEY, ""),
            by_mail=(
                self.is_invited(verified_address)
                if verified_address
                else bool(request.session.get(signup.INVITED_BY_MAIL))
            ),
            now=timezone.now(),
        )

    def is_invited(self, email: str) -> bool:
        """Return whether a game or a club has invited this address. `games` answers this."""
        return False

    def pre_login(self, request: HttpRequest, user: User, **more: Any) -> HttpResponseBase | None:
        """Record a sign-up of any kind, before the person confirms the address or is logged in."""
        if more.get("signup"):
            token = request.session.get(signup.INVITATION_KEY, "")
            ip = self.get_client_ip(request)
            admission.record_sign_up(user=user, ip=ip, token=token, now=timezone.now())
        answer: HttpResponseBase | None = super().pre_login(request, user, **more)
        return answer

    def login(self, request: HttpRequest, user: User) -> None:
        """Log a person in, unless staff have to approve the account first."""
        if not admission.settle(user=user, invited=self.is_invited(user.email), now=timezone.now()):
            raise ImmediateHttpResponse(self.respond_user_inactive(request, user))
        super().login(request, user)

    def logout(self, request: HttpRequest) -> None:
        """Log a user out. Keep a guest's ID in the session, so that a later login claims their games."""
        guest = guests.guest_of(request)
        super().logout(request)
        if guest:
            request.session[guests.GUEST_KEY] = guest.pk

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Confirm an email address. Return whether it was confirmed.

        Shows an error message if another account has the address, but not if the sign-up was deleted.
        """
        email = email_address.email
        try:
            with transaction.atomic():
                # Lock the row, so that the sweeper does not delete the sign-up at the same time.
                held = User.objects.select_for_update(no_key=True).filter(pk=email_address.user_id).first()
                if held is None:
                    return False
                others = User.objects.exclude(pk=held.pk)
                confirmed = not others.filter(email__iexact=email).exists()
                confirmed = confirmed and bool(super().confirm_email(request, email_address))
                if confirmed:
                    held.refresh_from_db(fields=["email"])
                    admission.settle(user=held, invited=self.is_invited(email), now=timezone.now())
        except IntegrityError:  # another account confirmed the address first
            confirmed = False
        if confirmed:  # the owner can read mail at this address, so it works again
            account_mail.reopen_address(email)
            return True
        failed = "account/messages/email_confirmation_failed.txt"
        self.add_message(request, messages.ERROR, failed, {"email": email})
        return False

    def can_delete_email(self, email_address: EmailAddress) -> bool:
        """Return whether an email address can be removed. Confirmed addresses can only be replaced."""
        return not email_address.verified

    def respond_email_verification_sent(self, request: HttpRequest, user: User | None) -> HttpResponseBase:
        """Redirect to the page for correcting the address and resending the confirmation mail."""
        signup.remember_sign_up(request, user)
        answer: HttpResponseBase = super().respond_email_verification_sent(request, user)
        answer["Location"] = with_next(answer["Location"], next_url_of(request))
        return answer

    # --- Passwords and login attempts ------------------------------------------------------------------

    def reauthenticate(self, user: User, password: str) -> bool:
        """Return whether a password is the logged-in person's.

        Raises ValidationError after too many wrong passwords.
        """
        if backend.attempts_are_used_up(user):
            raise self.validation_error("too_many_login_attempts")
        known = self.authenticate(self.request, username=user.robo_name, password=password)
        return known is not None and known.pk == user.pk

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Return the cache key for counting login attempts.

        The key depends neither on the case of the login nor on the request's host name.
        """
        return "login:" + mailbox_of(str(credentials.get("email") or credentials.get("username") or ""))

    def _delete_login_attempts_cached_email(self, request: HttpRequest, **credentials: Any) -> None:
        """Do nothing. allauth calls this for unconfirmed addresses too, to reset their login attempts.

        Such an address may be another person's. `forget_attempts` resets the count instead.
        """

    def forget_attempts(self, user: User) -> None:
        """Reset the count of login attempts for an account after its password was reset by mail."""
        backend.forget_attempts(user)
        for login in ({"username": user.robo_name}, {"email": user.email}):
            super()._delete_login_attempts_cached_email(self.request, **login)

    def respond_user_inactive(self, request: HttpRequest, user: User) -> HttpResponseBase:
        """Tell a person with the right password that the account is locked, why, and until when.

        If it waits for staff, redirect to the page that says so.
        """
        if admission.is_waiting(user):
            return redirect("accounts:waiting")
        context = {"reason": user.lock_reason, "until": user.locked_until}
        return render(request, "account/account_inactive.html", context, status=403)

    # --- Mail ------------------------------------------------------------------------------------------

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Put an email into the outbox, in the language of its reader.

        If no account has the address, the email is in the language of the current page.
        """
        request = present.request
        next_url = next_url_of(request) if request else ""
        context = {
            "request": request,
            "email": email,
            "current_site": get_current_site(request),
            **context,
            "site_url": settings.BASE_URL,
            "login_url": with_next(_url("account_login"), next_url),
            "signup_url": with_next(_url("account_signup"), next_url),
            "only_provider": settings.OIDC.name if settings.OIDC and settings.OIDC.only else "",
            "ask_for_password_url": with_next(_url("account_reset_password"), next_url),
        }
        owner = account_mail.owner_of(email)  # always query: the queries must not reveal who has an account
        reader = context.get("user") or owner
        with as_read_by(reader) if reader else nullcontext():
            mail = self.render_mail(template_prefix, email, context)
        account_mail.post_mail(
            kind=template_prefix,
            address=email,
            subject=str(mail.subject),
            body=str(mail.body),
            now=timezone.now(),
        )

    def send_confirmation_mail(
        self, request: HttpRequest, emailconfirmation: EmailConfirmation, signup: bool
    ) -> None:
        """Send a confirmation link to an address, or tell its owner that they already have an account.

        If people need an invitation, and the person has none, the mail says so instead.

        Only the owner of the address learns whether it has an account: the sign-up page looks the same in
        both cases.
        """
        address = emailconfirmation.email_address
        invited = self.is_invited(address.email)  # always query, as in `send_mail`
        may_confirm = admission.may_confirm(user=address.user, invited=invited)
        if not address.user.awaits_confirmation:
            super().send_confirmation_mail(request, emailconfirmation, signup)
        elif account_mail.owner_of(address.email):
            self.send_account_already_exists_mail(address.email)
        elif not may_confirm:
            self.send_mail("account/email/invitation_needed", address.email, {"user": address.user})
        else:
            super().send_confirmation_mail(request, emailconfirmation, signup=True)

    def get_email_confirmation_url(self, request: HttpRequest, emailconfirmation: EmailConfirmation) -> str:
        """Return the link that confirms an address.

        After the confirmation, the person reaches the page given as ``next`` in the request.
        """
        return with_next(_url("account_confirm_email", emailconfirmation.key), next_url_of(request))

    def get_reset_password_from_key_url(self, key: str) -> str:
        """Return the link to the form for a new password.

        After the form, the person reaches the page given as ``next`` in the request. `key` is the account's
        ID and a token, joined by a hyphen.
        """
        number, _, token = key.partition("-")
        return with_next(_url("account_reset_password_from_key", number, token), next_url_of(self.request))

    def get_reauthentication_methods(self, user: User) -> list[dict[str, str]]:
        """Return the ways to reauthenticate, each with a description for people."""
        words = {
            "reauthenticate": gettext("Enter your password"),
            "mfa_reauthenticate": gettext("Enter a code"),
            "mfa_reauthenticate:webauthn": gettext("Use a passkey"),
        }
        ways = [way | {"description": words[way["id"]]} for way in super().get_reauthentication_methods(user)]
        if single_sign_on.identity_of(user):
            name = "account_provider_reauthenticate"
            said = gettext("Log in with {name}").format(name=single_sign_on.provider_name())
            ways.append({"id": name, "url": reverse(name), "description": said})
        return ways

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return a request's IP address, or `UNKNOWN_IP` if the request came through a Unix socket."""
        try:
            return str(super().get_client_ip(request))
        except PermissionDenied:
            return limits.UNKNOWN_IP

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("accounts:profile")


def _url(name: str, *parts: str) -> str:
    """Return an absolute URL for an email. Take the host name from the settings: requests can fake it."""
    return settings.BASE_URL + reverse(name, args=parts)
